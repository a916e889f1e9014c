"""What runs beside a table may fail in any way, and the table goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest
import trio

from cli.line.hints import Hints
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.tables import evening
from cli.words.hints import NO_HINT
from p2p.errors import LobbyError
from p2p.lobby.plan import TablePlan
from p2p.net import door
from p2p.net.addresses import Address
from p2p.net.endpoint import Announced, Endpoint
from p2p.net.invite import Invite
from p2p.net.lan import LanError
from p2p.net.statistics import MeshStatistics
from p2p.peer import host_table, join_table
from p2p.player.beside import Beside
from p2p.protocol.parts import Parts
from p2p.protocol.terms import Terms
from p2p.spectators.client import watch_table
from p2p.spectators.feed import Feed
from p2p.spectators.gallery import Gallery
from p2p.supervisor import PAUSES, Strictness, Supervisor
from p2p.table.notice import Notice
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.peer.test_lobby import PEOPLE, TOKEN

FAILURES: Final = (
    OSError("reset"),
    RuntimeError("no more threads"),
    AssertionError("a bug"),
    ExceptionGroup("tasks", [ValueError("one"), OSError("two")]),
)
any_failure = pytest.mark.parametrize("failure", FAILURES, ids=lambda one: type(one).__name__)


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when people play: a bug beside the table is logged and not raised."""
    monkeypatch.setattr(Strictness, "raises", False)


def failing(failure: Exception) -> Callable[..., Any]:
    def fails(*args: object, **kwargs: object) -> object:
        raise failure

    return fails


def failing_task(failure: Exception) -> Callable[..., Any]:
    async def fails(*args: object, **kwargs: object) -> object:
        raise failure

    return fails


# -- the supervisor ----------------------------------------------------------------------------


@any_failure
def test_failure_is_logged_with_its_place_and_told(
    failure: Exception, contained: None, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []
    with caplog.at_level(logging.ERROR, "nodealer"), Supervisor("hint", told.append).contained():
        failing(failure)()
    (line,) = caplog.messages
    assert line.startswith(f"hint failed: {type(failure).__name__}: ")
    assert ", at fails:" in line
    assert told == [f"The hint failed ({type(failure).__name__}). The table is not affected."]


@any_failure
def test_bug_in_a_test_is_raised(failure: Exception) -> None:
    with pytest.raises(type(failure)), Supervisor("hint").contained():
        failing(failure)()


def test_expected_failure_is_told_and_no_bug() -> None:
    told: list[str] = []
    with Supervisor("announcement", told.append, expected=(LanError,)).contained():
        raise LanError("No network.")
    assert told == ["No network."]


@pytest.mark.parametrize("passing", [KeyboardInterrupt, SystemExit])
def test_interrupt_passes_alone_and_beside_a_failure(
    passing: type[BaseException], contained: None
) -> None:
    with pytest.raises(passing), Supervisor("hint").contained():
        raise passing
    group = BaseExceptionGroup("tasks", [passing(), ValueError("a bug")])
    with pytest.raises(BaseExceptionGroup) as caught, Supervisor("hint").contained():
        raise group
    assert [type(one) for one in caught.value.exceptions] == [passing]


async def test_cancelled_task_ends(contained: None, autojump_clock: object) -> None:
    with trio.move_on_after(1) as scope:
        await Supervisor("hint").keep(trio.sleep_forever, trio.sleep)
    assert scope.cancelled_caught


async def test_failed_task_runs_again_after_growing_pauses(
    contained: None, autojump_clock: object
) -> None:
    times: list[float] = []
    told: list[str] = []

    async def attempt() -> None:
        times.append(trio.current_time())
        if len(times) < 7:
            raise OSError("reset")

    await Supervisor("mapping", told.append).keep(attempt, trio.sleep)
    pauses = [later - time for time, later in pairwise(times)]
    assert pauses == [*PAUSES, PAUSES[-1], PAUSES[-1]]
    assert len(told) == 1


# -- what runs beside a table ------------------------------------------------------------------


@any_failure
async def test_announcement_that_fails_is_made_again(
    failure: Exception, contained: None, autojump_clock: object
) -> None:
    times: list[float] = []
    told: list[str] = []

    async def announce(table: Announced, port: int) -> None:
        times.append(trio.current_time())
        raise failure

    notice = Notice(announce, 4000, told.append)
    invite = Invite((Address(LOOPBACK, 1),), PEOPLE[0].public, TOKEN)
    notice.show(Announced(invite, "sneak", 3))
    with trio.move_on_after(60):
        await notice.run()
    assert len(times) == 3
    assert len(told) == 1


@pytest.mark.slow
@any_failure
async def test_table_is_played_whatever_fails_beside_it(
    failure: Exception, contained: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything at once, from the lobby to the close: with a spectator, and two strangers."""
    fails, task = failing(failure), failing_task(failure)
    monkeypatch.setattr(MeshStatistics, "summary", fails)
    monkeypatch.setattr(Parts, "wanted", fails)
    monkeypatch.setattr(Feed, "_next", fails)
    monkeypatch.setattr(Gallery, "_announce_soon", fails)
    monkeypatch.setattr(Gallery, "_serve_the_rest", task)
    handshakes = _fail_first(monkeypatch, failure)
    told: list[str] = []
    results = await _table(tmp_path, task, told)
    assert [result.returns is not None for result in results] == [True, True]
    assert len(handshakes) > 1
    assert {line.partition(" failed")[0] for line in told} == {
        "The way in from outside",
        "The announcement",
    }


def _fail_first(monkeypatch: pytest.MonkeyPatch, failure: Exception) -> list[object]:
    """The first two handshakes of newcomers fail."""
    accept, begun = door.accept, list[object]()

    async def accepts(*args: Any, **kwargs: Any) -> Any:
        begun.append(args[0])
        if len(begun) <= 2:
            raise failure
        return await accept(*args, **kwargs)

    monkeypatch.setattr(door, "accept", accepts)
    return begun


async def _table(folder: Path, task: Callable[..., Any], told: list[str]) -> Sequence[Any]:
    results: list[Any] = []
    for name in ("host", "guest"):
        (folder / name).mkdir()

    async def join(invite: Invite) -> None:
        who = sitter("guest", Watcher(1))
        results.append(await join_table(who, invite, store(folder / "guest")))

    async def watch(invite: Invite) -> None:
        """See nothing, because the gallery fails, and hear that nothing else follows."""
        with pytest.raises(LobbyError):
            await watch_table(identity("Eve"), invite, lambda event: None)

    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:

            def opened(invite: Invite) -> None:
                nursery.start_soon(watch, invite)
                nursery.start_soon(join, invite)

            endpoint = Endpoint(bind=LOOPBACK, outside=task, announce=task, say=told.append)
            results.append(
                await host_table(
                    sitter("host", Watcher(0)),
                    TablePlan(Terms.of("sneak", {"target": 0}), 2),
                    store(folder / "host"),
                    started=opened,
                    endpoint=endpoint,
                )
            )
    return results


@any_failure
async def test_hint_that_fails_is_no_hint(
    failure: Exception, contained: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Beside, "advise", failing_task(failure))
    asked: Any = None
    assert await Hints(Teller(Settings()), Random(0)).give(asked, asked) == NO_HINT


@any_failure
async def test_audit_that_fails_leaves_the_next_game_open(
    failure: Exception, contained: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person may still choose another game, and no summary claims anything of this one."""
    for name, act in (("audited", failing(failure)), ("played", lambda log: log)):
        monkeypatch.setattr(evening, name, act)
    said: list[str] = []

    async def again(*_: object) -> None:
        await trio.sleep(0)

    place: Any = SimpleNamespace(again=again, say=said.extend, bot_decided=False, bot_plays=False)
    result: Any = SimpleNamespace(log=Path("game.ndlog"), seconds=1.0)
    choosing: Any = SimpleNamespace(is_settled=True)
    ask = evening.Evening(place).again
    assert ask is not None
    assert not await ask(result, choosing)
    (line,) = said
    assert line.startswith("*** The audit failed (")
