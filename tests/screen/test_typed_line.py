"""What is typed too early waits in the line: it is neither sent, nor lost, nor an answer unseen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.screen.keys import CLOSED, STAYS, paste
from cli.screen.layout import render
from cli.screen.pace import Picture
from engine.question import Choose, Race
from tests.screen.boards import Position
from tests.screen.test_keys import Table, table


@pytest.mark.parametrize("game", ["flip-over", "sneak", "flop-a", "flaps", "you-fink"])
def test_text_typed_before_a_question_waits_for_it(game: str) -> None:
    at, said = table(game), list[str]()
    at.model.send_chat = said.append
    asking = at.ask()
    at.model.withdraw()
    label = next(one.label for one in asking.legal)
    at.press(*label, "enter")
    assert at.model.line.text == at.model.board().typed == label
    assert (at.decided, said, at.model.mode, at.model.page) == ([], [], "", None)
    at.settle()
    at.settle()
    again = at.ask(settle=False)
    if again.aside:
        assert at.model.line.text == label
        return
    assert again.typed == label
    at.settle()
    at.settle()
    at.press("enter")
    assert at.decided == [asking.legal[0].decision]


def test_enter_for_text_typed_too_early_is_refused_until_seen() -> None:
    at = table("flip-over")
    at.press(*"9h")
    at.settle()
    at.ask(settle=False)
    at.clock.seconds += 0.5
    at.press("enter")
    assert (at.decided, at.notice) == ([], CLOSED)
    assert at.model.board().preview == "Enter: 9♥"
    at.settle()
    at.press("enter")
    assert len(at.decided) == 1


def test_escape_and_backspace_change_what_waits() -> None:
    at = table("flip-over")
    at.press(*"9hx", "backspace")
    assert at.model.line.text == "9h"
    assert "Esc clears it" in at.model.board().keys
    at.press("enter")
    assert at.notice == STAYS
    at.press("escape")
    assert at.model.board().typed == ""
    paste(at.model, "9h\rq\r")
    assert at.model.line.text == "9hq"


def test_letters_in_a_pause_are_typed_and_skip_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    at = table("sneak")
    held = Picture(replace(at.model.board(), held=True), 1.0, ends=True)
    monkeypatch.setattr(type(at.model.pictures), "look", lambda self, now: held)
    gone: list[bool] = []
    monkeypatch.setattr(type(at.model.pictures), "go_on", lambda self: gone.append(True))
    at.model.pictures.drawn(at.clock())
    at.settle()
    at.press(*"challenge 5h 5d")
    assert (at.model.board().typed, gone) == ("challenge 5h 5d", [])
    at.press("enter")
    assert (at.model.line.text, gone) == ("challenge 5h 5d", [True])


def test_word_that_a_race_interrupts_stays_a_word() -> None:
    at = table("you-fink")
    at.model.line.type("sla")
    at.ask(settle=False)
    at.press("n", "f", " ", "u")
    assert (at.decided, at.model.line.text, at.model.resting) == ([], "slanf u", False)
    at.press("enter")
    assert (at.decided, at.notice) == ([], STAYS)
    at.settle()
    at.ask(Race([Choose(0, ("slap",), "slap or go on")], "free for all", window_ms=100))
    at.press(" ")
    assert (at.decided, at.model.line.text) == ([0], "slanf u"), "old text stops no slap"


def test_race_letter_in_the_gap_between_two_races_is_no_text() -> None:
    at = table("you-fink")
    at.ask()
    at.model.withdraw()
    at.press("f")
    assert at.model.line.text == ""
    at.ask(settle=False)
    assert len(at.decided) == 1, "the same picture was asked again"


def test_keys_of_a_race_stand_large_beside_their_choices() -> None:
    at = table("you-fink")
    at.ask()
    lines = render(at.model.board(), 80, 24)
    large = [text for line in lines for style, text in line if style == "class:headline"]
    assert {" f ", " n "} <= set(large)


@pytest.mark.parametrize("typed", ["24", "2", "42"])
def test_second_digit_replaces_first_among_few_choices(typed: str) -> None:
    at = table("sneak")
    at.ask(Choose(0, tuple("abcde"), "which"))
    at.press(*typed)
    assert at.model.board().typed == typed[-1]
    at.press("enter")
    assert at.decided == [int(typed[-1]) - 1]


def test_second_digit_joins_first_where_there_are_more() -> None:
    at = table("sneak")
    at.ask(Choose(0, tuple("abcdefghijklmno"), "which"))
    at.press(*"12", "enter")
    assert at.decided == [11]


def test_powers_of_you_fink_are_listed_once() -> None:
    at = Table(Position("you-fink", 4, {}, 14))
    labels = [choice.label for choice in at.ask().entries]
    assert labels == ["Intel 3", "Might 3", "touch forehead"]
