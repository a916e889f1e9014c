"""A host changes its bots in the lobby: how well they play, and which of them sit there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from cli.commands import host as command
from cli.failures import LeftTableError
from cli.home.own_bots import OwnBot
from cli.kit.canvas import plain_text
from cli.line.in_lobby import InLobby
from cli.line.person import Person
from cli.menu.asked import bots_here, read
from cli.menu.picture import picture as menu_picture
from cli.options.bot_levels import OUT, LobbyBots
from cli.options.settings import Settings
from cli.options.table_pace import TablePace
from cli.screen.keys import press
from cli.screen.lobby import BOTS
from cli.screen.model import Model
from cli.screen.place import ScreenPlace
from cli.tables.host_bots import Chair, HostBots
from cli.tables.place import LinePlace
from cli.words.said import BY_HOST, NO_SEAT
from p2p.errors import LobbyError
from p2p.identity.keys import words
from p2p.net.invite import Invite
from p2p.peer import join_table
from p2p.player.events import Gathering, Present, Seated
from p2p.player.player import GetReady
from tests.cli.conftest import Run
from tests.cli.test_lobby_text import LOBBY
from tests.cli.test_person import Script
from tests.patience import PATIENCE
from tests.peer.kit import Watcher, identity, sitter, store
from tests.screen.test_lobby_keys import picture, sit

TABLE = ("--option", "rounds=1", "--bind", "127.0.0.1", "--no-announce", "--pace", "off")
EASY, NORMAL, HARD = "easy", "normal", "hard"
Say = Callable[[bool], None]
Script_ = Callable[["Chairperson", Say, LobbyBots], Awaitable[None]]


async def until(true: Callable[[], object]) -> None:
    with trio.fail_after(PATIENCE):
        while not true():
            await trio.sleep(0.005)


# -- at a table of peers -----------------------------------------------------------------------


class Chairperson(LinePlace):
    """A place where the host is a script, and where a guest may be let in by the invite."""

    def __init__(self, script: Script_, guests: Path) -> None:
        super().__init__(Settings())
        self.pace = TablePace("off")
        self._script = script
        self._guests = guests
        self._watcher = Watcher(1)
        self.guest = Watcher(2)
        self._invite: Invite | None = None
        self.said: list[str] = []

    def player(self, *, lobby: bool = False) -> Watcher:
        return self._watcher

    def run(self, function: Callable[..., Awaitable[Any]], *args: Any) -> Any:
        async def beside_guests() -> Any:
            async with trio.open_nursery() as self._nursery:
                return await function(*args)

        return trio.run(beside_guests)

    def announce(self, lines: Sequence[str]) -> None:
        self._invite = Invite.decode(lines[-1])

    def say(self, lines: Sequence[str]) -> None:
        self.said += lines

    async def get_ready(self, say: Say, bots: LobbyBots | None = None) -> None:
        assert bots is not None
        await self._script(self, say, bots)
        await trio.sleep_forever()

    def let_in(self) -> None:
        self._nursery.start_soon(self._join)

    async def _join(self) -> None:
        assert self._invite is not None
        self._guests.mkdir()
        await join_table(sitter("Gus", self.guest), self._invite, store(self._guests))

    async def again(self, *_: object) -> None:
        """One game is enough."""

    def here(self) -> list[str]:
        """Who is in the lobby."""
        told = [one for one in self._watcher.events if isinstance(one, Gathering)]
        return [one.name for one in told[-1].people] if told else []

    def seated(self) -> list[str]:
        """Who signed the table, but for the host."""
        return [n for one in self._watcher.events if isinstance(one, Seated) for n in one.names[1:]]


def hosted(
    script: Script_, arguments: Sequence[str], run: Run, tmp: Path, patch: pytest.MonkeyPatch
) -> Chairperson:
    place = Chairperson(script, tmp / "guest")
    patch.setattr(command, "place_for", lambda *_: place)
    patch.setattr(command, "at_a_terminal", lambda: True)
    done = run("host", "flip-over", *arguments, *TABLE)
    assert done.exit_code == 0, done.output
    return place


@pytest.mark.slow
def test_bots_of_other_levels_sit_down_and_their_names_say_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host is ready at once: what it wanted is what is signed, not what was there before."""

    async def script(at: Chairperson, say: Say, bots: LobbyBots) -> None:
        await until(lambda: at.here()[1:] == ["Ada"])
        assert bots.offered() == {"Ada": NORMAL, "Bo": OUT}
        bots.change({"Ada": EASY, "Bo": EASY})
        say(True)

    place = hosted(script, ("--seats", "3", "--bots", "1"), run, tmp_path, monkeypatch)
    assert sorted(place.seated()) == ["Ada easy", "Bo easy"]


@pytest.mark.slow
def test_a_bot_that_is_sent_away_at_the_last_moment_ends_no_table(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is full, all others are ready, and the host is so right after it has sent Ada away:
    nothing begins with her, and whoever sits down later plays.
    """

    async def script(at: Chairperson, say: Say, bots: LobbyBots) -> None:
        at.let_in()
        await until(lambda: sorted(at.here()[1:]) == ["Ada", "Gus"])
        assert bots.offered() == {"Ada": NORMAL}
        bots.change({"Ada": OUT})
        say(True)
        await until(lambda: at.here()[1:] == ["Gus"])
        bots.change({"Ada": EASY})

    place = hosted(script, ("--seats", "3", "--bots", "1"), run, tmp_path, monkeypatch)
    assert place.seated() == ["Gus", "Ada easy"]
    assert [one.names[1:] for one in place.guest.events if isinstance(one, Seated)] == [
        ("Gus", "Ada easy")
    ]


# -- which bots are wanted, and which sit there ------------------------------------------------


class Room:
    """Bots that sit down in a lobby without links; `full`: they are refused."""

    def __init__(self, *levels: str, seats: int = 4, asks: bool = True) -> None:
        self.told: list[str] = []
        self.made: list[str] = []
        chairs = [Chair(f"Bot{number}", level) for number, level in enumerate(levels)]
        self.bots = HostBots(chairs, self._make, self.told.append if asks else None)
        self.player = self.bots.beside(Watcher(0))
        self.here: list[OwnBot] = []
        self.full = False
        self._seats = seats
        self.ready: list[bool] = []

    def _make(self, name: str) -> OwnBot:
        self.made.append(name)
        return OwnBot(identity(name), store(Path("/nowhere")))

    async def sits(self, number: int, bot: OwnBot, get_ready: GetReady) -> None:
        if self.full:
            raise LobbyError("the table is full")
        self.here.append(bot)
        try:
            await get_ready(lambda ready: None)
        finally:
            self.here.remove(bot)

    def show(self) -> None:
        """The host's lobby, as it is now."""
        people = [Present("Host", "host-words", False, bot=False)]
        for one in self.here:
            people.append(Present(one.identity.name, words(one.identity.public), True, bot=True))
        self.player.tell(replace(LOBBY, seats=self._seats, people=tuple(people), seat=0))

    async def is_asked(self, say: Say, bots: LobbyBots) -> None:
        say(True)
        await trio.sleep_forever()


async def still() -> None:
    """Until nothing moves; bots are made in threads."""
    await trio.testing.wait_all_tasks_blocked(0.02)


async def test_the_host_is_ready_once_the_lobby_shows_what_was_wanted() -> None:
    room = Room(NORMAL, OUT)
    async with trio.open_nursery() as nursery:
        room.bots.open(nursery, room.sits)
        nursery.start_soon(room.bots.get_ready, room.is_asked, room.ready.append)
        room.show()
        await still()
        assert room.ready[-1:] == [False]
        room.show()
        await still()
        assert room.ready[-1] is True
        for levels in ({"Bot0": HARD}, {"Bot1": EASY}, {"Bot0": OUT}):
            room.bots.change(levels)
            await still()
            assert room.ready[-1] is False, "the lobby does not show that yet"
            room.show()
            await still()
            assert room.ready[-1] is True
        assert [one.identity.name for one in room.here] == ["Bot1 easy"]
        assert room.made == ["Bot0", "Bot0 hard", "Bot1 easy"]
        nursery.cancel_scope.cancel()


async def test_a_level_that_is_wanted_for_a_moment_only() -> None:
    """One chair, one bot: whatever was wanted meanwhile, the last word counts."""
    room = Room(NORMAL)
    async with trio.open_nursery() as nursery:
        room.bots.open(nursery, room.sits)
        for level in (HARD, OUT, EASY, OUT, HARD):
            room.bots.change({"Bot0": level})
        await still()
        room.bots.change({"Bot0": OUT})
        room.bots.change({"Bot0": EASY})
        await still()
        assert [one.identity.name for one in room.here] == ["Bot0 easy"]
        nursery.cancel_scope.cancel()


async def test_as_many_more_are_offered_as_seats_are_free() -> None:
    room = Room(NORMAL, OUT, OUT, OUT, seats=4)
    assert room.bots.offered() == {"Bot0": NORMAL}, "nobody knows the lobby yet"
    async with trio.open_nursery() as nursery:
        room.bots.open(nursery, room.sits)
        await still()
        room.show()
        assert room.bots.offered() == {"Bot0": NORMAL, "Bot1": OUT, "Bot2": OUT}
        room.bots.change({"Bot2": EASY})
        await still()
        room.show()
        assert room.bots.offered() == {"Bot0": NORMAL, "Bot1": OUT, "Bot2": EASY}
        nursery.cancel_scope.cancel()


async def test_a_bot_that_finds_no_seat_is_told_and_its_chair_is_free_again() -> None:
    """A person was quicker.  Without a person at the keys nobody would notice: that is an error."""
    room = Room(OUT)
    async with trio.open_nursery() as nursery:
        room.bots.open(nursery, room.sits)
        room.show()
        room.full = True
        room.bots.change({"Bot0": HARD})
        await still()
        assert room.told == ["*** Bot0 (bot) cannot sit down: the table is full."]
        assert room.bots.offered() == {"Bot0": OUT}
        room.full = False
        room.bots.change({"Bot0": HARD})
        await still()
        assert len(room.here) == 1
        nursery.cancel_scope.cancel()
    alone = Room(NORMAL, asks=False)
    alone.full = True
    with pytest.RaisesGroup(pytest.RaisesExc(LobbyError, match="full")):
        async with trio.open_nursery() as nursery:
            alone.bots.open(nursery, alone.sits)


# -- how a host says it ------------------------------------------------------------------------


class Wanted:
    """The bots of a host, of whom nobody sits anywhere."""

    def __init__(self, **levels: str) -> None:
        self.levels = levels

    def offered(self) -> dict[str, str]:
        return dict(self.levels)

    def change(self, levels: Any) -> None:
        self.levels |= levels


@asynccontextmanager
async def at_the_screen(bots: Wanted) -> AsyncIterator[tuple[Model, list[bool]]]:
    """A host in the lobby, and what is said of whether it is ready."""
    place, ready = ScreenPlace.__new__(ScreenPlace), list[bool]()  # a screen without a terminal
    _, place._model, _ = sit()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.get_ready, ready.append, bots)
        await still()
        place._model.lobby.show(["send this", "ND1:X"])
        yield place._model, ready
        nursery.cancel_scope.cancel()


async def test_b_asks_for_the_bots_on_the_screen() -> None:
    bots = Wanted(Ada=NORMAL, Bo=OUT)
    async with at_the_screen(bots) as (model, ready):
        assert BOTS in picture(model)[-1]
        press(model, "b")
        assert ready == [False], "whoever changes the bots is not ready"
        menu = model.over.menu
        assert menu is not None
        seen = plain_text(menu_picture(menu, 80, 24))
        assert "How well Ada plays; normal: a match for most people" in seen
        assert "Enter seats them" in seen
        for key in ("right", "down", "left", "right", "enter"):
            press(model, key)
        assert bots.levels == {"Ada": HARD, "Bo": EASY}
        assert model.over.menu is None
        assert "ND1:X" not in "".join(picture(model)), "who is here is seen, not the invite"
        press(model, "b")
        press(model, "escape")
        assert bots.levels == {"Ada": HARD, "Bo": EASY}
        bots.levels.clear()
        press(model, "b")
        assert (model.over.menu, model.notice) == (None, NO_SEAT)


async def test_all_keys_of_a_hosts_lobby_fit_into_80_columns() -> None:
    async with at_the_screen(Wanted(Ada=NORMAL)) as (model, _):
        assert " ".join(picture(model)[-1].split()) == (
            "Enter: who is here b bots o game i invite to copy F3 chat q leave"
        )
        press(model, "enter")
        for rows in (24, 10):
            foot = picture(model, 80, rows)[-1]
            for key in ("Enter", BOTS, "o game", "Tab", "i ", "F3 chat", "q leave"):
                assert key in foot


def test_a_guest_has_no_bots() -> None:
    _, model, _ = sit()
    assert BOTS not in picture(model)[-1]
    press(model, "b")
    assert model.notice == BY_HOST
    for key in ("/", *"bots", "enter"):
        press(model, key)
    assert model.notice == BY_HOST


async def test_b_asks_for_the_bots_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    bots, asked, ready = Wanted(Ada=NORMAL, Bo=OUT), list[dict[str, str]](), list[bool]()
    answers: list[dict[str, str] | None] = [{"Ada": HARD, "Bo": OUT}, None]

    def choose(levels: Any, given_up: object) -> dict[str, str] | None:
        asked.append(dict(levels))
        return answers.pop(0)

    script = Script(["", "b", "b", "q"])
    person = Person(Settings(), script)
    with pytest.raises(LeftTableError):
        await person.get_ready(InLobby(ready.append, bots, choose))
    assert all("b: bots" in prompt for prompt in script.prompts)
    assert ready == [True, False, False]
    assert asked == [{"Ada": NORMAL, "Bo": OUT}, {"Ada": HARD, "Bo": OUT}]
    assert bots.levels == {"Ada": HARD, "Bo": OUT}
    bots.levels.clear()
    with pytest.raises(LeftTableError):
        await person.get_ready(InLobby(ready.append, bots, choose))


async def test_without_bots_of_ones_own_b_is_no_word_of_the_lobby() -> None:
    script, ready = Script(["b", "", "q"]), list[bool]()
    with pytest.raises(LeftTableError):
        await Person(Settings(), script).get_ready(InLobby(ready.append, None, lambda *_: None))
    assert ready == [True]
    assert not any("bots" in prompt for prompt in script.prompts)


def test_what_is_chosen_names_each_bot_with_its_level() -> None:
    flow = bots_here({"Ada": NORMAL, "Bo": OUT})(None)  # type: ignore[arg-type]
    form = next(flow)
    with pytest.raises(StopIteration) as done:
        flow.send(form.default)
    assert read(" ".join(done.value.value)) == {"Ada": NORMAL, "Bo": OUT}
