"""After a game, at the full screen: what is proposed, and which key agrees to it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from cli.kit.canvas import length, plain_text
from cli.kit.reaction import LATE_SECONDS
from cli.menu.asked import Offered, another
from cli.menu.model import Menu
from cli.menu.picture import picture
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings
from cli.options.terms import next_terms
from cli.screen.board import Board
from cli.screen.keys import press
from cli.screen.layout import render
from cli.screen.place import ScreenPlace
from cli.screen.player import WHO
from engine.errors import UsageError
from engine.games import NAMES as GAMES
from engine.games import load
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.player.events import PlayAgain, Seated, Watchable
from p2p.protocol.terms import Terms
from tests.protocol.kit import identities
from tests.screen.test_result import game

PEOPLE = ("Ana", "Bo", "Cy")


def planned(name: str, **options: Any) -> Terms:
    return Terms.of(name, options)


OLD, SNEAK, FLAPS = planned("flip-over", rounds=1), planned("sneak"), planned("flaps", level=3)


class Chooses:
    """Stands in for the agreement of peers."""

    names = PEOPLE
    is_settled = False
    plan = same = OLD

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.present = len(PEOPLE)
        self.agreed: list[Terms] = []

    @property
    def people(self) -> int:
        """Peers know only in the thread of the table who is gone."""
        assert threading.current_thread() is threading.main_thread()
        return self.present

    def agree(self, plan: Terms) -> None:
        if self.seat == 0:
            load(plan.game).check(self.people, plan.options)
        self.agreed.append(plan)


class At:
    """Somebody at the result page; `now` is the time of the screen."""

    def __init__(self, place: ScreenPlace, seat: int) -> None:
        self.model = place._model
        self.player = place.player()
        self.chooses = Chooses(seat)
        self.now = 100.0
        self.model.now = lambda: self.now  # type: ignore[misc]

    def press(self, *keys: str) -> None:
        """Look at the picture for a while, and then press keys one after the other."""
        for key in keys:
            self.picture()
            self.now += 1
            press(self.model, key)

    def picture(self, columns: int = 80, rows: int = 24) -> str:
        lines = render(self.model.board(), columns, rows)
        assert [length(line) for line in lines] == [columns] * rows
        return plain_text(lines)

    def flat(self) -> str:
        return " ".join(self.picture().split())

    def hears(self, *staying: str, plan: Terms | None, leaving: str = "", why: str = "") -> None:
        gone = tuple(leaving.split())
        self.player.tell(PlayAgain(staying, gone, plan, why))


def sit(seat: int, monkeypatch: pytest.MonkeyPatch, act: Callable[[At], None]) -> tuple[At, bool]:
    """Let somebody act at the result page; and whether they have left."""
    no_terminal = SimpleNamespace(attention=None, later=lambda show: None)
    monkeypatch.setattr("cli.screen.place.Screen", lambda *_, **__: no_terminal)
    place = ScreenPlace(Settings(), "an evening")
    at, left = At(place, seat), list[bool]()
    at.player.tell(Seated(PEOPLE, ("a-b",) * 3, seat, Terms.of("flip-over", {"rounds": 1}), 80_000))

    async def evening() -> None:
        async with trio.open_nursery() as nursery:

            async def asked() -> None:
                await place.again([game(5, -5, 1, names=PEOPLE)], at.chooses)
                left.append(True)

            nursery.start_soon(asked)
            await trio.testing.wait_all_tasks_blocked()
            act(at)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert at.model.ended == ""
        assert at.model.afterwards.deciding is None

    trio.run(evening)
    return at, bool(left)


# -- guests ------------------------------------------------------------------------------------


def test_a_guest_sees_what_is_proposed_and_enter_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(at: At) -> None:
        assert "r plays again with the same people. q leaves." in at.flat()
        at.hears("Ana", plan=FLAPS)
        seen = at.flat()
        assert "Ana proposes: Flaps, level 3" in seen
        assert "Get rid of all your cards. House rules: as usual. Agreed: Ana." in seen
        assert "Enter agrees, n or q leaves." in seen
        assert at.model.board().keys.startswith("Enter agrees  v replay, review")
        for columns, rows in ((45, 15), (60, 20), (200, 60)):
            assert "Ana proposes: Flaps, level 3" in at.picture(columns, rows)
        at.press("enter")
        at.hears("Ana", "Bo", plan=FLAPS)
        assert "You agree. Waiting for Cy. q leaves." in at.flat()
        at.press("enter", "r", "n")

    at, left = sit(1, monkeypatch, act)
    assert at.chooses.agreed == [FLAPS]
    assert not left


def test_enter_agrees_to_what_was_drawn_and_not_to_what_came_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The host changes its proposal after a picture was drawn and before the player presses a key.

    Answer: the key agrees to what the picture showed, which the host no longer proposes.
    """

    def act(at: At) -> None:
        at.hears("Ana", plan=SNEAK)
        at.picture()
        at.now += 1
        at.hears("Ana", plan=FLAPS)
        press(at.model, "enter")
        assert at.chooses.agreed == [], "nobody reads that fast"
        at.now += 1
        press(at.model, "enter")
        assert at.chooses.agreed == [SNEAK], "still the old picture"
        at.press("enter")
        assert at.chooses.agreed == [SNEAK, FLAPS]

    sit(2, monkeypatch, act)


@pytest.mark.parametrize("key", ["n", "q"])
def test_who_does_not_want_what_is_proposed_leaves(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(at: At) -> None:
        at.hears("Ana", plan=SNEAK)
        at.press(key)

    at, left = sit(1, monkeypatch, act)
    assert (at.chooses.agreed, left) == ([], True)


@pytest.mark.parametrize(("key", "leaves"), [("enter", False), ("q", True), ("n", False)])
def test_before_anything_is_proposed_only_q_leaves(
    key: str, leaves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, left = sit(1, monkeypatch, lambda at: at.press(key))
    assert left is leaves


def test_an_enter_just_after_the_end_agrees_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody plays by Enter, presses it too often, and the host has proposed a game by then."""

    def act(at: At) -> None:
        at.hears("Ana", plan=SNEAK)
        for _ in range(6):
            at.picture()
            at.now += LATE_SECONDS / 6 - 0.001
            press(at.model, "enter")
        assert at.chooses.agreed == []
        at.now += 0.006
        press(at.model, "enter")
        assert at.chooses.agreed == [SNEAK]

    sit(1, monkeypatch, act)


def test_no_key_agrees_to_what_is_still_behind_a_picture_that_was_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two presses are read at once: the first goes on, and nothing is drawn before the second."""

    def act(at: At) -> None:
        at.hears("Ana", plan=SNEAK)
        at.model.pictures.pace.name = "normal"
        at.model.pictures.stay(Board("the last trick"), 4, at.now)
        at.press("enter")
        for key in ("enter", "r", "n", "q"):
            press(at.model, key)
        assert at.chooses.agreed == []
        at.press("enter")
        assert at.chooses.agreed == [SNEAK]

    _, left = sit(1, monkeypatch, act)
    assert not left


def test_r_stays_and_another_game_is_asked_about_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def act(at: At) -> None:
        at.press("r")
        at.hears("Bo", plan=None)
        assert "You agree. Waiting for Ana and Cy. Ana says what is played." in at.flat()
        at.hears("Ana", plan=SNEAK)
        at.press("r")

    at, left = sit(1, monkeypatch, act)
    assert at.chooses.agreed == [OLD, SNEAK]
    assert not left


def test_what_was_said_before_ones_own_game_was_over_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def act(at: At) -> None:
        at.model.afterwards.clear()
        at.hears("Ana", plan=SNEAK)
        assert at.model.afterwards.said is not None
        at.player.tell(Seated(PEOPLE, ("a-b",) * 3, 1, Terms.of("sneak"), 80_000))
        assert at.model.afterwards.said is None

    sit(1, monkeypatch, act)


@pytest.mark.parametrize(("key", "leaves"), [("enter", False), ("q", True)])
def test_who_has_agreed_can_leave_by_q_once_the_host_has_left(
    key: str, leaves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(at: At) -> None:
        at.hears("Ana", "Bo", plan=SNEAK)
        at.press("enter")
        at.hears("Bo", plan=None, leaving="Ana")
        at.press("r", key)

    at, left = sit(1, monkeypatch, act)
    assert (at.chooses.agreed, left) == ([], leaves)


def test_a_plan_that_cannot_be_played_here_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = Terms("whist-of-mars", 1, {})

    def act(at: At) -> None:
        at.hears("Ana", plan=unknown, why=unknown.unknown)
        assert f"You cannot play whist-of-mars: {unknown.unknown}. q leaves." in at.flat()
        at.press("enter", "r")
        at.hears(plan=None, leaving="Ana", why="too few stay")
        assert "Ana leaves: no other game follows (too few stay). q leaves." in at.flat()
        at.press("r", "enter", "q")

    at, left = sit(1, monkeypatch, act)
    assert left
    assert [plan.game for plan in at.chooses.agreed if plan is not OLD] == []


# -- the host ----------------------------------------------------------------------------------


def test_the_host_chooses_another_game_by_the_menu_and_proposes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def act(at: At) -> None:
        assert "r plays again, o another game. q leaves." in at.flat()
        at.press("o")
        menu = at.model.over.menu
        assert menu is not None
        at.press("escape")
        assert at.model.over.menu is None
        at.press("o", str(1 + GAMES.index("flaps")), "right", "right")
        menu = at.model.over.menu
        assert menu is not None
        seen = plain_text(picture(menu, 80, 24))
        assert "Flaps for 3" in seen
        assert "Enter proposes  Esc back" in seen
        assert seen.rstrip().endswith("q back")
        at.press("enter")
        at.hears("Ana", plan=at.chooses.agreed[-1])
        assert "You propose: Flaps, level 3" in at.flat()
        assert "You agree. Waiting for Bo and Cy. o proposes another game, q leaves." in at.flat()
        at.press("enter")
        at.press("r")

    at, left = sit(0, monkeypatch, act)
    plan, same = at.chooses.agreed
    assert same is OLD
    assert (plan.game, plan.options["level"], plan.race) == ("flaps", 3, OLD.race)
    assert not left


def test_between_two_games_i_shows_how_to_watch_the_next_and_f8_who_is_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    invite = Invite((Address("192.0.2.1", 4000),), identities(1)[0].public, bytes(16))
    shown: list[str] = []

    def act(at: At) -> None:
        at.model.print_plainly = shown.extend  # type: ignore[method-assign]
        assert "F8 who  i invite" in at.picture(columns=120)
        at.player.tell(Watchable(invite))
        at.press("i")
        assert shown[-1] == invite.encode()
        at.press("f8")
        assert "Who is at the table" in at.picture()
        at.press("x")

    _, left = sit(1, monkeypatch, act)
    assert not left


def test_the_menu_begins_with_the_house_rules_that_were_played_or_proposed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def act(at: At) -> None:
        at.press("o", str(1 + GAMES.index("flip-over")))
        menu = at.model.over.menu
        assert menu is not None
        assert (menu.chosen["rounds"], menu.chosen["discs"]) == ("1", "random")
        at.press("enter")
        at.chooses.plan = planned("flip-over", rounds=3)
        at.press("o", str(1 + GAMES.index("flip-over")), "enter")

    at, _ = sit(0, monkeypatch, act)
    assert [plan.options["rounds"] for plan in at.chooses.agreed] == [1, 3]


def test_the_host_reads_why_so_many_people_cannot_play_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def act(at: At) -> None:
        at.chooses.present = 2
        at.press("o", str(1 + GAMES.index("flip-over")), "enter")
        menu = at.model.over.menu
        assert menu is not None
        assert "Flip Over is for 3 to 5 players, not 2." in plain_text(picture(menu, 80, 24))
        at.press("q", "r")
        assert "Flip Over is for 3 to 5 players, not 2." in at.flat()
        at.hears(plan=None, leaving="Bo", why="Flip Over is for 3 to 5 players, not 2")
        assert "players, not 2. r plays again, o another game." in at.flat()

    at, _ = sit(0, monkeypatch, act)
    assert at.chooses.agreed == []


def test_every_game_can_be_proposed_by_the_menu() -> None:
    for name in GAMES:
        menu = Menu(HomeShelf(), flow=another(4, {}))
        for _ in range(GAMES.index(name)):
            menu.press("down")
        menu.press("enter")
        menu.press("enter")
        assert menu.argv is not None
        assert next_terms(menu.argv, OLD, 4).game == name


def test_a_game_without_options_is_proposed_with_a_clock_or_says_why_not() -> None:
    def refuse(chosen: Any) -> str:
        return "" if chosen["seats"] == "3" else "Whist is for 3."

    shelf = HomeShelf()
    shelf.__dict__["_games"] = [Offered("whist", "Whist", "", (3,), refuse=refuse)]
    menu = Menu(shelf, flow=another(3, {}))
    menu.press("enter")
    menu.press("enter")
    assert menu.argv == ["whist", "clock=0"]
    menu = Menu(shelf, flow=another(4, {}))
    menu.press("enter")
    menu.press("enter")
    assert "Whist is for 3." in plain_text(picture(menu, 80, 24))
    assert menu.argv is None


def test_options_of_another_game_are_refused() -> None:
    with pytest.raises(UsageError, match="no option"):
        next_terms(["sneak", "level=3"], OLD, 4)


def test_who_sits_where_at_the_next_table_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody has left, the others have other seats, and each is named with its own key."""
    at, _ = sit(2, monkeypatch, lambda at: None)
    names, keys = ("Cleo", "Ana"), ("c-d", "a-b")
    at.player.tell(Seated(names, keys, 0, Terms.of("flip-over", {"rounds": 1}), 80_000))
    assert list(at.model.events.told()) == [WHO]
    presenter = at.model.presenter
    assert presenter is not None
    assert tuple(presenter.names) == names
    assert at.model.states.keys() == {1}
    press(at.model, "f8")
    page = at.flat()
    assert page.index("Cleo") < page.index("c-d") < page.index("Ana") < page.index("a-b")
    assert "Bo" not in page
