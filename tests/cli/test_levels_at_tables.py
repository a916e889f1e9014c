"""Bots at every kind of table play at the level that stands in their names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
import trio.testing

from cli.commands import host, play, resume
from cli.failures import LeftTableError
from cli.options.settings import Settings
from cli.options.table_pace import TablePace
from cli.tables.bot_names import level_of, named
from cli.tables.bots import GuestBot, _LoggedBot, bot_player
from cli.tables.place import LinePlace
from engine.bots import player as bot_of
from engine.bots.following import Follower
from engine.bots.lookahead import lookahead
from engine.bots.pace import PACES, Normals
from engine.levels import EASY, HARD, LEVELS, NORMAL
from engine.view import View
from p2p.identity.file import create_identity
from p2p.player.beside import Beside
from p2p.player.events import Event, Seated
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms
from tests.cli.conftest import Run
from tests.engine.bots.test_search import Played
from tests.peer.kit import Watcher

SHORT = ("--option", "rounds=1", "--pace", "off")
Before = Callable[[int], Any]


def seated(level: str, bots: frozenset[int], hold_us: int, game: str = "you-fink") -> Seated:
    """At a table of three: the bot is the last one."""
    names = ("Ann", "Ada", named("Bo", level))
    return Seated(
        names, ("a-b",) * 3, 2, Terms.of(game, race=RaceTerms(hold_us=hold_us)), 5_000, bots
    )


# -- what a level is ---------------------------------------------------------------------------


def bots_of(level: str) -> dict[str, Callable[[], Any]]:
    """A bot that a host seats, and one that joins: its name says how well it plays."""
    return {
        "seated": lambda: bot_player("you-fink", 7, 2, level=level),
        "guest": lambda: GuestBot(7),
    }


@pytest.mark.parametrize("hold_us", [600_000, 0])
@pytest.mark.parametrize("kind", ["seated", "guest"])
@pytest.mark.parametrize("level", LEVELS)
async def test_each_level_has_its_pace_wherever_a_person_plays(
    level: str, kind: str, hold_us: int, autojump_clock: trio.testing.MockClock, quick_hard: None
) -> None:
    """Without held passes the bots claimed at once, and no person was ever first."""
    played = Played("you-fink", 5)
    asked, seat = next((asked, seat) for asked, seat in played.positions(1) if asked.timed)
    view = played.dealer.view(played.session.table, seat, played.session.course)
    bot = bots_of(level)[kind]()
    bot.tell(seated(level, frozenset({1, 2}), hold_us))
    begun, drawn = trio.current_time(), PACES[level].draw(Normals(Random("7/2")))
    await bot.decide(view, asked)
    assert trio.current_time() == pytest.approx(begun + drawn)
    bot.tell(seated(level, frozenset({0, 1, 2}), hold_us))
    begun = trio.current_time()
    await bot.decide(view, asked)
    assert trio.current_time() == begun, "among bots only nobody has to keep up"


@pytest.mark.parametrize("kind", ["seated", "guest"])
async def test_each_level_decides_for_itself_and_only_the_hard_one_elsewhere(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def elsewhere(self: Beside, view: View, rng: Random) -> object:
        return "thought elsewhere"

    monkeypatch.setattr(Beside, "decide", elsewhere)
    decided: dict[str, list[object]] = {level: [] for level in LEVELS}
    for level, found in decided.items():
        bot, chance, played = bots_of(level)[kind](), Random("7/2"), Played("flop-a", 5)
        bot.tell(seated(level, frozenset({1, 2}), 0, "flop-a"))
        for asked, seat in played.positions(1):
            view = played.dealer.view(played.session.table, seat, played.session.course)
            found.append(await bot.decide(view, asked))
            if level != HARD:
                assert found[-1] == bot_of("flop-a", level)(view, asked, chance)
    assert {*decided[HARD]} == {"thought elsewhere"}
    assert decided[EASY] != decided[NORMAL]


# -- which level a bot at a table has ----------------------------------------------------------


class Place(LinePlace):
    """Somebody at a terminal, who does `before` each decision what it says."""

    def __init__(self, before: Before | None = None) -> None:
        super().__init__(Settings())
        self.pace = TablePace("off")
        self._before = before

    def player(self, *, lobby: bool = False) -> Watcher:
        return Watcher(1, self._before)

    async def get_ready(self, say: Callable[[bool], None], bots: object = None) -> None:
        say(True)
        await trio.sleep_forever()

    async def again(self, *_: object) -> None:
        """One game is enough."""


@pytest.fixture
def quick_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hard bots decide by habit, here: how well they think is no matter of these tests."""

    async def habit(self: Beside, view: View, rng: Random) -> object:
        assert view.course is not None
        question = Follower(view.course).catch_up().pending
        assert question is not None
        return lookahead(view.course.game).habit(view, question, rng)

    monkeypatch.setattr(Beside, "decide", habit)


@pytest.fixture
def found(quick_hard: None, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The level of each bot that sat down, by its name, once its pace is that of its level too."""
    levels: dict[str, str] = {}

    class Noted(_LoggedBot):
        def tell(self, event: Event) -> None:
            super().tell(event)
            if isinstance(event, Seated):
                levels[event.names[event.seat]] = self._level
                assert self._own_pace == PACES[self._level]

    monkeypatch.setattr("cli.tables.bots._LoggedBot", Noted)
    return levels


def at(command: Any, place: Place, patch: pytest.MonkeyPatch) -> None:
    """Let this command seat a person there."""
    patch.setattr(command, "place_for", lambda *_: place)
    patch.setattr(command, "at_a_terminal", lambda: True)


def test_of_a_demonstration(run: Run, found: dict[str, str]) -> None:
    done = run("demo", "flip-over", "--bots", "easy,hard,normal", "--option=rounds=1", "--json")
    assert done.exit_code == 0, done.output
    assert found == {"Ada easy": EASY, "Bo hard": HARD, "Cleo": NORMAL}


def test_of_a_person_who_plays_alone(
    run: Run, found: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at(play, Place(), monkeypatch)
    done = run("play", "flip-over", "--bots", "hard,easy", *SHORT)
    assert done.exit_code == 0, done.output
    assert sorted(map(level_of, found)) == sorted(found.values()) == [EASY, HARD]


def test_of_a_host_who_plays(
    run: Run, found: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at(host, Place(), monkeypatch)
    done = run("host", "flip-over", "--seats=3", "--bots=hard,easy", "--bind=127.0.0.1", *SHORT)
    assert done.exit_code == 0, done.output
    assert sorted(map(level_of, found)) == sorted(found.values()) == [EASY, HARD]


def test_of_a_host_without_a_terminal(run: Run, home: Path, found: dict[str, str]) -> None:
    create_identity(home / "identity.json", "Ann hard")
    done = run("host", "flip-over", "--seats=3", "--bots=easy,easy", "--bind=127.0.0.1", *SHORT)
    assert done.exit_code == 0, done.output
    assert {name: level_of(name) for name in found} == found
    assert sorted(found.values()) == [EASY, EASY, HARD]


@pytest.mark.parametrize("back_at_a_terminal", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_a_table_that_one_comes_back_to(
    back_at_a_terminal: bool,
    run: Run,
    home: Path,
    found: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a terminal one's own seat is that of a bot too: it forgot its level."""

    def leave(decisions: int) -> Awaitable[None] | None:
        if decisions == 3:
            raise LeftTableError("gone")
        return None

    create_identity(home / "identity.json", "Ann easy")
    at(play, Place(leave), monkeypatch)
    left = run("play", "flip-over", "--bots", "hard,easy", *SHORT)
    assert left.exit_code == 1, left.output
    assert len(found) == 2
    found.clear()
    if back_at_a_terminal:
        at(resume, Place(), monkeypatch)
    done = run("resume")
    assert done.exit_code == 0, done.output
    assert {name: level_of(name) for name in found} == found
    assert sorted(found.values()) == [EASY] * (2 - back_at_a_terminal) + [HARD]
