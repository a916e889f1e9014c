"""People get ready in the lobby, over links, and the table begins or does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from p2p.driver.driver import Driver
from p2p.errors import LobbyError
from p2p.lobby.plan import TablePlan
from p2p.peer import Endpoint, host_table, join_table
from p2p.player import waits as waiting
from p2p.player.events import AtTheDoor, Gathering, HeldUp, Seated
from p2p.player.waits import Awaited, Why
from p2p.protocol.genesis import Header
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.terms import Terms
from p2p.seat import genesis as beginning
from p2p.seat import standstill, table_seat
from p2p.seat.runner import Runner
from replay.game import open_game
from tests.patience import NEVER, PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, sitter, store


async def gather(folder: Path, script: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """A table of three people on loopback; `script` gets what each says, and joins them."""
    seen: dict[str, Any] = {"said": {}, "players": {}, "ended": {}, "gone": {}}

    def ready(name: str) -> Callable[[Callable[[bool], None]], Any]:
        async def get_ready(say: Callable[[bool], None]) -> None:
            leaves = trio.Event()
            seen["said"][name] = say, leaves
            await leaves.wait()
            raise LobbyError(f"{name} left")

        return get_ready

    async def sit(name: str) -> None:
        with trio.CancelScope() as scope:
            seen["gone"][name] = scope.cancel
            await play(name)

    async def play(name: str) -> None:
        own, player = folder / name, Watcher(len(name))
        own.mkdir()
        seen["players"][name] = player
        who = sitter(name, player, get_ready=ready(name))
        try:
            if name == "host":
                plan = TablePlan(Terms.of("flip-over", {"rounds": 1}), 3)
                seen["ended"][name] = await host_table(
                    *(who, plan, store(own)),
                    started=lambda invite: seen.update(invite=invite),
                    endpoint=Endpoint(bind=LOOPBACK),
                )
            else:
                seen["ended"][name] = await join_table(who, seen["invite"], store(own))
        except LobbyError as error:
            seen["ended"][name] = str(error)

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            seen["sit"] = lambda name: nursery.start_soon(sit, name)
            await script(seen)
    return seen


async def until(true: Callable[[], object]) -> None:
    while not true():
        await trio.sleep(0.005)


def lobby_of(seen: dict[str, Any], name: str) -> dict[str, bool | None]:
    """Who is in the lobby, and whether they are ready, as this player was last told."""
    told = gathered(seen, name)
    return {one.name: one.ready for one in told[-1].people} if told else {}


def gathered(seen: dict[str, Any], name: str) -> list[Gathering]:
    """The lobby, each time that this player was told of it."""
    return [one for one in seen["players"][name].events if isinstance(one, Gathering)]


async def all_but_bob_ready(seen: dict[str, Any]) -> None:
    """Host, Ann and Bob sit down, and Bob is not ready yet."""
    seen["sit"]("host")
    await until(lambda: "invite" in seen)
    for name in ("ann", "bob"):
        seen["sit"](name)
    await until(lambda: len(seen["said"]) == 3 and len(lobby_of(seen, "ann")) == 3)
    for name in ("host", "ann"):
        seen["said"][name][0](True)


@pytest.mark.slow
async def test_people_say_that_they_are_ready_leave_and_are_replaced(tmp_path: Path) -> None:
    async def script(seen: dict[str, Any]) -> None:
        await all_but_bob_ready(seen)
        await until(lambda: lobby_of(seen, "bob").get("ann"))
        seen["said"]["bob"][1].set()
        await until(lambda: "bob" in seen["ended"] and "bob" not in lobby_of(seen, "ann"))
        seen["sit"]("eve")
        await until(lambda: "eve" in seen["said"] and len(lobby_of(seen, "eve")) == 3)
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert not any(isinstance(one, Seated) for one in seen["players"]["ann"].events)
        seen["said"]["eve"][0](True)

    seen = await gather(tmp_path, script)
    assert seen["ended"]["bob"] == "bob left"
    results = [seen["ended"][name] for name in ("host", "ann", "eve")]
    assert len({result.log.read_bytes() for result in results}) == 1
    seated = next(one for one in seen["players"]["eve"].events if isinstance(one, Seated))
    assert set(seated.names) == {"host", "ann", "eve"}


@pytest.mark.slow
async def test_a_guest_takes_back_that_it_is_ready_while_the_table_starts(tmp_path: Path) -> None:
    """The table waits for this guest, and begins when it is ready again."""

    async def script(seen: dict[str, Any]) -> None:
        await all_but_bob_ready(seen)
        say = seen["said"]["bob"][0]
        await until(lambda: lobby_of(seen, "bob").get("ann"))
        say(True)
        say(False)
        await until(lambda: all(lobby_of(seen, "ann").values()))
        await trio.sleep(0.1)
        assert lobby_of(seen, "bob")["bob"] is False
        assert not any(isinstance(one, Seated) for one in seen["players"]["ann"].events)
        say(True)

    seen = await gather(tmp_path, script)
    assert len({seen["ended"][name].log.read_bytes() for name in ("host", "ann", "bob")}) == 1


@pytest.mark.slow
async def test_host_changes_the_game_and_all_play_what_they_agreed_to_last(tmp_path: Path) -> None:
    async def script(seen: dict[str, Any]) -> None:
        await all_but_bob_ready(seen)
        await until(lambda: lobby_of(seen, "bob").get("ann"))
        (door,) = {one.door for one in seen["players"]["host"].events if isinstance(one, AtTheDoor)}
        terms = Terms.of("sneak", {"target": 25})
        door.change(terms, 3)
        for name in ("bob", "ann"):
            await until(lambda name=name: gathered(seen, name)[-1].terms == terms)
            assert lobby_of(seen, name)[name] is False
            seen["said"][name][0](True)

    seen = await gather(tmp_path, script)
    logs = [seen["ended"][name].log for name in ("host", "ann", "bob")]
    assert len({log.read_bytes() for log in logs}) == 1
    terms = open_game(logs[0]).header.proposal.terms
    assert (terms.game, terms.options) == ("sneak", {"target": 25})


@pytest.mark.slow
async def test_everybody_is_told_who_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "SAYS_SECONDS", 0.2)
    monkeypatch.setattr(standstill, "LOOKS_SECONDS", 0.02)
    waits = HeldUp((Awaited("bob", Why.NOT_READY),))

    async def script(seen: dict[str, Any]) -> None:
        await all_but_bob_ready(seen)
        for name in ("host", "ann"):
            await until(lambda player=seen["players"][name]: waits in player.events)
        seen["said"]["bob"][0](True)

    seen = await gather(tmp_path, script)
    assert len({seen["ended"][name].log.read_bytes() for name in ("host", "ann", "bob")}) == 1


async def test_a_table_that_is_closed_before_it_begins_is_told_to_the_guests(
    tmp_path: Path,
) -> None:
    async def script(seen: dict[str, Any]) -> None:
        seen["sit"]("host")
        await until(lambda: "invite" in seen)
        seen["sit"]("ann")
        await until(lambda: "ann" in seen["said"] and len(lobby_of(seen, "ann")) == 2)
        seen["said"]["host"][1].set()

    seen = await gather(tmp_path, script)
    assert seen["ended"]["host"] == "host left"
    assert seen["ended"]["ann"] == 'the host refuses: "the table was closed before it began"'


@pytest.fixture
def slow_to_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has agreed to what was proposed takes a while to get from the lobby to the table."""
    at_once = Driver.run

    async def run(driver: Driver, coroutine: Any, *, drains: bool = True) -> Any:
        result = await at_once(driver, coroutine, drains=drains)
        await trio.sleep(0 if drains else 0.3)
        return result

    monkeypatch.setattr(Driver, "run", run)
    monkeypatch.setattr(beginning, "MEASURING_SECONDS", 0.05)


@pytest.mark.call("p2p.lobby.guest:GuestLobby.take -> self._afterwards.take")
@pytest.mark.usefixtures("slow_to_the_table")
async def test_a_table_that_is_called_off_before_a_guest_has_got_there(tmp_path: Path) -> None:
    """The guest hears so in the lobby, and does not wait for a minute at a table without a host."""

    async def script(seen: dict[str, Any]) -> None:
        await all_but_bob_ready(seen)
        say, leaves = seen["said"]["bob"]
        await until(lambda: lobby_of(seen, "bob").get("ann"))
        say(True)
        leaves.set()

    ended = (await gather(tmp_path, script))["ended"]
    said = "bob left before everybody had signed the table: no game has begun"
    assert ended["host"].startswith(said)
    assert ended["ann"].startswith(f'the host refuses: "{said}')
    assert list((tmp_path / "ann").iterdir()) == []


@pytest.mark.parametrize("late", [False, True], ids=["at once", "after the proposal"])
async def test_a_guest_that_leaves_what_was_proposed_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """It has agreed to nothing: the host tells the others, and all can host or join anew."""
    monkeypatch.setattr(beginning, "AWAY_SECONDS", NEVER)

    async def script(seen: dict[str, Any]) -> None:
        await all_but_bob_ready(seen)
        say, leaves = seen["said"]["bob"]
        await until(lambda: lobby_of(seen, "bob").get("ann"))
        say(True)
        if late:
            say(False)  # the proposal waits for this guest
            await until(lambda: all(lobby_of(seen, "ann").values()))
            await until(lambda: list((tmp_path / "host").iterdir()))
            await trio.sleep(0.3)
        leaves.set()

    ended = (await gather(tmp_path, script))["ended"]
    said = "bob left before everybody had signed the table: no game has begun"
    assert ended["host"].startswith(said)
    assert ended["ann"].startswith((said, f'the host refuses: "{said}'))
    assert ended["bob"] == "bob left"
    for name in ended:
        assert list((tmp_path / name).iterdir()) == []


async def test_who_is_gone_before_all_have_signed_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has a table to lose, and its secrets go; the seat that was killed keeps its own."""
    monkeypatch.setattr(beginning, "AWAY_SECONDS", 0.4)
    monkeypatch.setattr(beginning, "LOOKS_SECONDS", 0.1)

    async def script(seen: dict[str, Any]) -> None:
        begin = beginning.begin

        async def begin_without_bob(runner: Runner, own: OwnSeat, opening: bytes) -> Header:
            if runner.proposal.names[own.seat] == "bob":
                seen["gone"]["bob"]()
            return await begin(runner, own, opening)

        monkeypatch.setattr(table_seat, "begin", begin_without_bob)
        seen["sit"]("host")
        await until(lambda: "invite" in seen)
        for name in ("ann", "bob"):
            seen["sit"](name)
        await until(lambda: len(seen["said"]) == 3 and len(lobby_of(seen, "ann")) == 3)
        for name in ("host", "ann", "bob"):
            seen["said"][name][0](True)

    seen = await gather(tmp_path, script)
    ended = seen["ended"]
    assert set(ended) == {"host", "ann"}
    gone = {}
    for name, sentence in ended.items():
        who, _, rest = sentence.partition(" left before everybody had signed the table: ")
        assert rest == "no game has begun, and a new one can be hosted"
        gone[name] = set(who.split(" and "))
    # The one who looks last may find that the other has given up by then.
    assert {"bob"} in gone.values()
    assert all({"bob"} <= gone[name] <= {"host", "ann", "bob"} - {name} for name in gone)
    for name in ("host", "ann"):
        assert list((tmp_path / name).iterdir()) == []
    assert [path.suffix for path in (tmp_path / "bob").iterdir()] == [".ndseat"]
