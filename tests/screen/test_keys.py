"""Keys on a model: no terminal, a clock that stands still until it is moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cli.kit.bindings import Where, help_rows
from cli.kit.glyphs import ASCII, UNICODE
from cli.kit.reaction import EARLY_SECONDS
from cli.line.going import Going
from cli.screen.asking import Asking
from cli.screen.happened import FLASH_SECONDS, SINCE
from cli.screen.keys import paste, press
from cli.screen.keys_page import LOW_KEYS, TABLE_KEYS
from cli.screen.layout import render
from cli.screen.line import LONGEST
from cli.screen.model import Model
from cli.screen.presenter import Presenter, SeatState
from cli.words.going import BOT, GOES, YOURSELF
from engine.games import load, plain_text
from engine.question import PASS, Choose, Play, Question, Race
from engine.sets import Lay
from engine.view import View
from p2p.player.events import Seated
from p2p.protocol.terms import Terms
from tests.screen.boards import Position, position


class Clock:
    """Seconds that go by when a test says so."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Table:
    """A model at a position, and what was decided."""

    def __init__(self, at: Position) -> None:
        self.at = at
        self.clock = Clock()
        self.model = Model("test", self.clock)
        self.model.presenter = at.presenter
        self.model.opened(at.view, lambda: at.session.pending)
        self.decided: list[object] = []
        self.left = False
        self.model.leave = self._leave

    def _leave(self) -> None:
        self.left = True

    def ask(self, question: Question[Any] | None = None, *, settle: bool = True) -> Asking:
        view: View = self.at.view
        asking = Asking(view, question or self.at.question, self.at.presenter.describe)
        self.model.ask(asking, self.decided.append)
        if settle:
            self.clock.seconds += 1
        return asking

    def settle(self) -> None:
        """Let the person see what there is."""
        self.model.board()
        self.clock.seconds += 1

    def press(self, *keys: str) -> None:
        for key in keys:
            press(self.model, key)

    @property
    def notice(self) -> str:
        return self.model.board().notice


def table(game: str) -> Table:
    return Table(position(game))


def test_enter_plays_the_card_under_the_cursor() -> None:
    at = table("flip-over")
    asking = at.ask()
    at.press("right", "left", "right", "enter")
    assert at.decided == [asking.hand[1]]
    assert at.model.asking is None


@pytest.mark.parametrize("keys", [("right", "right"), ("left", "left")])
def test_arrows_move_the_cursor(keys: Sequence[str]) -> None:
    at = table("flip-over")
    asking = at.ask()
    at.press(*keys)
    stops = len(asking.hand)
    assert asking.cursor % stops == {"right": 2, "left": stops - 2}[keys[0]]


def test_what_is_typed_moves_the_cursor_and_shows_what_enter_would_do() -> None:
    at = table("flip-over")
    asking = at.ask()
    at.press(*"9h")
    assert at.model.board().preview == "Enter: 9♥"
    at.press("enter")
    assert [at.at.view.face(slot).name for slot in at.decided] == ["9H"]
    assert asking.typed == "9h"


def test_completion_comes_from_the_choices_of_the_question() -> None:
    at = table("flaps")
    asking = at.ask()
    at.press("p")
    assert "pickup4" in at.model.board().preview.replace(" ", "")
    at.press("tab")
    assert asking.typed == "pickup4"
    at.press("backspace", "escape")
    assert asking.typed == ""
    at.press("p", "enter")
    assert at.decided == [PASS]


def test_a_card_that_may_not_be_laid_says_why() -> None:
    at = table("flaps")
    asking = at.ask()
    blocked = next(i for i, slot in enumerate(asking.hand) if not asking.playable(slot))
    asking.cursor = blocked
    at.press("enter")
    assert at.notice.startswith("Not now: ")
    assert at.decided == []
    at.press(*"4d", "enter")
    assert at.notice.startswith("Not now: ")


def test_digits_choose_what_is_listed() -> None:
    at = table("flop-a")
    at.ask()
    at.press("9")
    assert at.notice.startswith("The choices are numbered 1 to ")
    at.press("2")
    assert at.decided == []
    assert at.model.board().preview == "Enter: call 2"
    at.press("enter")
    assert at.decided == [1]


def test_enter_folds_no_hand_unless_the_cursor_is_there() -> None:
    at = table("flop-a")
    at.ask()
    at.press("enter")
    assert at.decided == []
    assert "arrows, number or name" in at.notice
    at.press("right", "enter")
    assert at.decided == [0]


def test_a_key_that_no_eye_can_have_meant_for_the_question_is_no_answer() -> None:
    at = table("flip-over")
    at.ask(settle=False)
    at.press("enter")
    assert at.decided == []
    at.clock.seconds += EARLY_SECONDS
    at.press("enter")
    assert len(at.decided) == 1


def test_cards_are_picked_with_space_and_laid_together() -> None:
    at = table("sneak")
    asking = at.ask()
    at.press(" ")
    assert "1 picked" in at.model.board().preview
    at.press("right", " ")
    assert [choice.label for choice in asking.entries] == ["pass", "challenge 9♠ 4♠"]
    at.press("enter")
    assert at.decided == [Lay(tuple(asking.hand[:2]))]


def test_a_set_may_be_typed_and_one_that_does_not_fit_says_why() -> None:
    at = table("sneak")
    at.ask()
    at.press(*"4s 9s qh", "enter")
    assert at.decided == []
    assert at.notice
    at.press("escape", *"4s 9s", "enter")
    assert isinstance(at.decided[0], Lay)


def test_several_ways_to_lay_are_numbered() -> None:
    at = Table(Position("sneak", 4, {}, 1))
    asking = at.ask()
    labels = [choice.label for choice in asking.entries]
    assert [label.split()[0] for label in labels] == ["draw", "sneak", "flaunt"]
    at.press("enter")
    assert at.notice.startswith("Say how, by its number: sneak")
    at.press("3", "enter")
    assert at.decided == [Lay((asking.hand[0],))]


@pytest.mark.parametrize("letter", "acehijklmnpqstuwxyz")
def test_letter_at_the_table_is_always_text(letter: str) -> None:
    for game in ("flop-a", "flip-over"):
        at = table(game)
        before = (at.model.theme, at.model.card_size, at.model.pictures.pace.name)
        asking = at.ask()
        at.press(letter)
        assert asking.typed == letter
        assert (at.model.theme, at.model.card_size, at.model.pictures.pace.name) == before
        assert (at.model.page, at.model.mode, at.decided, at.left) == (None, "", [], False)


# -- races ------------------------------------------------------------------------------


def test_space_after_f_slaps() -> None:
    at = table("you-fink")
    asking = at.ask()
    at.press(" ")
    assert at.notice == "Touch your forehead first: f."
    at.press("f")
    touched = at.decided.pop()
    assert asking.view.table.seats
    assert touched is not PASS
    slap = Choose(0, ("slap",), "slap or go on")
    at.ask(Race([slap], "free for all", window_ms=100))
    at.press(" ")
    assert at.decided == [0]


def test_n_is_not_this_window_and_u_nothing_until_my_turn() -> None:
    at = table("you-fink")
    at.ask()
    at.press("n")
    assert at.decided == [PASS]
    at.ask()
    at.press("u")
    assert at.decided == [PASS, PASS]
    assert at.model.resting
    assert "resting" in at.model.board().keys


def test_space_on_ones_own_turn_lays_no_card() -> None:
    at = table("flip-over")
    play = at.at.question
    assert isinstance(play, Play)
    at.ask(Race([play], "who is first", awaited=0))
    at.press(" ")
    assert at.decided == []
    assert at.notice == "There is nothing that you could claim now."


# -- pages, lines, leaving ----------------------------------------------------------------


def test_help_and_events_are_pages_that_any_key_closes() -> None:
    at = table("flip-over")
    at.model.happened(["Ada lays 7C.", "Bo lays 8C."])
    asking = at.ask()
    at.press("?")
    page = at.model.page
    assert page is not None
    said = [*TABLE_KEYS.splitlines(), *LOW_KEYS.splitlines(), *help_rows(Where.TABLE)]
    fixed = {line for line in said if "{" not in line}
    assert fixed <= set(page.lines)
    assert "n u            in a race: not this window, nothing until my turn" in page.lines
    at.press("down", "up", "x")
    assert at.model.page is None
    at.press("f2")
    assert at.model.page is not None
    assert at.model.page.lines == ("Ada lays 7C.", "Bo lays 8C.")
    at.press("escape")
    at.model.decide(asking.hand[0])
    at.model.happened(["Zoe lays 9C."])
    at.press("f2")
    # A hint that was asked for earlier can still be found.
    assert at.model.page.lines == ("Ada lays 7C.", "Bo lays 8C.", "", SINCE, "Zoe lays 9C.")


@pytest.mark.parametrize("key", ["c-c", "f10"])
def test_leaving_is_asked_first(key: str) -> None:
    at = table("flip-over")
    at.press(key, "y")
    assert (at.model.mode, at.left) == ("sure", False), "nobody has seen the question yet"
    board = at.model.board()
    assert (board.prompt, board.keys) == ("Leave the table?", "y leave  Esc stay")
    at.press("n")
    assert (at.model.mode, at.left) == ("", False)
    at.press("?", key)  # the page goes
    assert (at.model.page, at.model.board().keys) == (None, board.keys)
    at.settle()
    at.press("y")
    assert at.left


def test_leaving_for_good_is_asked_twice_and_only_where_the_game_goes_on() -> None:
    at = table("flip-over")
    at.model.going = going = Going(lambda size: 0.0)
    at.press("f10")
    assert "for good" not in at.model.board().keys
    at.settle()
    at.press("g")
    assert (at.model.mode, going.for_good) == ("", False)
    names, keys_of = ("Ada", "Bo", "Cy"), ("",) * 3
    going.sit(Seated(names, keys_of, 0, Terms.of("flip-over"), 1000, can_leave=True))
    at.press("f10")
    assert "g for good" in at.model.board().keys
    at.settle()
    at.press("g")
    assert "you cannot win or come back" in at.model.board().prompt
    at.settle()
    at.press("enter")
    assert (at.model.mode, going.for_good, at.left) == ("", False, False)
    for key in ("f10", "g", "y"):
        at.press(key)
        at.settle()
    assert (going.for_good, at.left) == (True, False)
    assert GOES in at.model.board().keys


def test_a_bot_plays_until_enter() -> None:
    at = table("flip-over")
    at.model.going = going = Going(lambda size: 0.0)
    going.sit(Seated(("Ada", "Bo", "Cy"), ("",) * 3, 0, Terms.of("flip-over"), 1000))
    at.press("f10")
    at.settle()
    at.press("b")
    assert (going.bot_plays, at.notice) == (True, BOT.format("Enter"))
    assert BOT.format("Enter") in at.model.board().keys
    at.press("enter")
    assert (going.bot_plays, at.notice) == (False, YOURSELF)


GARBAGE = ["y\nq\n\n1\n", "\x1b[A\x03" * 50, "♣" * 5000, "漢\u0301\u202e", " \t\r\n", "9h\r\r"]


@pytest.mark.parametrize("text", GARBAGE)
@pytest.mark.parametrize("game", ["flip-over", "flaps", "sneak", "flop-a", "you-fink"])
def test_pasted_garbage_does_nothing_worse_than_a_why_not(game: str, text: str) -> None:
    at = table(game)
    asking = at.ask()
    paste(at.model, text)
    assert len(asking.typed) <= LONGEST
    assert at.decided == []
    assert not at.left
    assert len(render(at.model.board(), 80, 24)) == 24
    at.press("enter")
    assert at.notice or len(at.decided) == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", ["flip-over", "flaps", "sneak", "flop-a", "you-fink"])
def test_any_keys_leave_a_table_that_can_be_drawn(game: str) -> None:
    keys = [*"ab1 7?lcts/fnuhjk9", *("left", "right", "up", "down", "tab", "enter", "escape")]
    for first in keys:
        at = table(game)
        at.ask()
        for second in keys:
            at.press(first, second)
            assert len(render(at.model.board(), 80, 24)) == 24
            if at.model.asking is None:
                at.ask()


def test_what_has_just_come_stands_out_for_a_moment_or_until_a_key() -> None:
    at = table("flip-over")
    at.model.happened(["one", "two"])
    assert at.model.board().fresh == 2
    at.clock.seconds += FLASH_SECONDS
    assert at.model.board().fresh == 0
    at.model.happened(["three"])
    at.press("right")
    assert at.model.board().fresh == 0


def test_on_ones_own_turn_too_f_acts_at_once() -> None:
    at = Table(Position("you-fink", 4, {}, 3))
    asking = at.ask()
    assert not asking.aside
    assert "f forehead" in at.model.board().keys
    at.press("f")
    assert [at.at.presenter.describe(asking.view, asking.question, d) for d in at.decided] == [
        "touch forehead"
    ]


def test_the_help_names_the_keys_that_the_game_states() -> None:
    at = table("you-fink")
    at.press("?")
    assert at.model.page is not None
    said = "f n u          in a race: touch the forehead, not this window, nothing until my turn"
    assert said in at.model.page.lines


@pytest.mark.parametrize(
    ("ascii_only", "told"),
    [
        (False, "under a card   • may be laid   ▲ marked   +1 +2 picked, in this order   new"),
        (True, "under a card   * may be laid   ^ marked   +1 +2 picked, in this order   new"),
    ],
)
def test_the_help_says_what_the_signs_under_the_cards_mean(ascii_only: bool, told: str) -> None:
    at = table("sneak")
    at.model.presenter = replace(at.at.presenter, ascii=ascii_only)
    at.press("?")
    assert at.model.page is not None
    new = ASCII.new if ascii_only else UNICODE.new
    assert f"{told} or {new} drawn since you decided" in at.model.page.lines


def test_a_game_that_states_no_keys_has_the_first_free_letters_of_its_claims() -> None:
    at = table("sneak")
    at.model.presenter = Presenter(plain_text(load("sneak")), at.at.presenter.names)
    race = Race([Choose(0, ("snap", "draw", "shun"), "be quick")], "be quick", window_ms=100)
    at.ask(race)
    # n lets the window go by; another claim begins with s.
    assert "Space: snap  a snap  d draw  h shun  n not now" in at.model.board().keys
    at.press("d")
    assert at.decided == [1]
    at.ask(race)
    at.press("a")
    assert at.decided == [1, 0]


def test_of_two_cards_with_one_face_both_may_be_laid() -> None:
    """Line mode lists them once; on the screen both lie there."""
    at = Table(Position("flaps", 4, {"level": "7"}, 9))
    asking = at.ask()
    twins = [slot for slot in asking.hand if at.at.view.face(slot).name == "1DOWND"]
    assert len(twins) == 2
    assert all(asking.playable(slot) for slot in twins)
    asking.cursor = asking.hand.index(twins[1])
    at.press("enter")
    assert at.decided == [twins[1]]


def test_help_tells_in_full_what_the_card_under_the_cursor_does() -> None:
    at = table("flaps")
    at.ask()
    at.press("?")
    assert at.model.page is not None
    assert at.model.page.lines[0].startswith("7♣: Turns an attack back")


def test_f8_shows_who_is_there_with_the_words_of_their_keys() -> None:
    at = table("flip-over")
    at.model.people = ("At the table:", "  0  Zoe (you)  lime-sofa")
    at.model.states = {1: SeatState("via Bo", proof="proofs check")}
    at.press("f8")
    page = at.model.page
    assert page is not None
    assert "  0  Zoe (you)  lime-sofa" in page.lines
    assert "  Ada               via Bo   proofs check" in page.lines


def test_what_is_typed_when_a_window_closes_belongs_to_the_next_question() -> None:
    at = table("flip-over")
    at.ask()
    at.press("9")
    at.model.withdraw()
    assert at.ask().typed == "9"
    at.press("escape", *"zz")
    at.model.withdraw()
    assert at.ask().typed == "zz", "nothing that was typed is lost"
    at.press("escape", "9")
    at.model.withdraw()
    at.press("escape")
    assert at.ask().typed == ""
