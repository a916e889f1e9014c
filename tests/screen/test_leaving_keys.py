"""Leaving, and going on without somebody: a key does what the last row says of it, no other does.

But the key that asks how to leave, pressed again while that is asked, leaves for later.

All games, hands and views, as in `test_shown`; whoever looks is asked something, or not, somebody
is missed, or not, and keys come by chance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.kit.canvas import plain_text
from cli.line.going import Going
from cli.screen.keys import CLEAR_FIRST, press
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.pace import Picture
from cli.words.going import BOT_SAID, GOOD_CONTINUE, GOOD_SAID, LATER_SAID, TOLD, YOURSELF_SAID
from engine.games import NAMES
from p2p.player.events import Missed, MissedSeat, Seated
from p2p.protocol.terms import Terms
from tests.screen.boards import position
from tests.screen.test_shown import GIVEN, PEOPLE, Seen, games

SIZES = ((80, 24), (45, 15))
NAMED = re.compile(
    r"(?:^| {2,})(\S+) (go on|wait|later|bot|for good|leave for good|leave|stay)(?=  |$)"
)
"""What the last row says of keys: each after the end of another."""
MEANS = {
    "go on": "says go on",
    "wait": "says wait",
    "later": "leaves",
    "leave": "leaves",
    "bot": "a bot plays",
    "leave for good": "leaves for good",
}
"""What has happened then; the others only ask, or do nothing."""
LEAVE_KEYS = ("c-c", "f10")
"""Each asks how to leave, and says "later" to that question; the help tells so, not the row."""
KEYS = [*"ylnbgqw?", *"ylnbgq", "enter", "escape", "f10", "c-c", " "]


@dataclass
class Looker:
    """Somebody at one screen, and what has come of the keys: deeds in their order."""

    seen: Seen
    done: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def sit(self, *, people: bool, asked: bool, missed: Missed | None) -> Model:
        seen, going = self.seen, Watched(self.done)
        model = seen.model
        if not asked:
            model.withdraw()
            model.line.clear()
        names = PEOPLE[: seen.seats]
        bots = frozenset() if people else frozenset(range(seen.seats)) - {seen.view.seat}
        words = ("a-b",) * seen.seats
        going.sit(
            Seated(names, words, seen.view.seat, Terms.of(seen.game), 1, bots, can_leave=True)
        )
        model.going = going
        model.leave = model.part = lambda: self.done.append("leaves")
        model.send_chat = self.said.append
        if missed is not None:
            model.missing.hear(missed)
        seen.seconds[0] += 2  # the person has seen it
        return model

    def vote(self, goes_on: bool) -> None:
        self.done.append("says go on" if goes_on else "says wait")


class Watched(Going):
    """Notes what is done with it."""

    def __init__(self, done: list[str]) -> None:
        super().__init__(lambda size: 0.0)
        self.done = done

    def leave(self) -> None:
        super().leave()
        self.done.append("leaves for good")

    def let_bot_play(self) -> None:
        super().let_bot_play()
        self.done.append("a bot plays")


def offered(model: Model, size: tuple[int, int]) -> dict[str, str]:
    """The keys of the last row that have to do with leaving and going on, and what they do.

    `q` is named as what asks, not as what leaves.
    """
    row = plain_text(render(model.board(), *size)).splitlines()[-1].strip()
    found = {key.lower(): does for key, does in NAMED.findall(row)}
    return {key: does for key, does in found.items() if key not in ("ctrl-c", "q", "f10")}


def missed_by(data: st.DataObject, looker: Looker) -> Missed | None:
    seats = looker.seen.seats
    if data.draw(st.booleans()):
        return None
    seat = (looker.seen.view.seat + 1) % seats
    through = data.draw(st.sampled_from(["", PEOPLE[looker.seen.view.seat]]))
    say = looker.vote if data.draw(st.booleans()) else None
    return Missed((MissedSeat(seat, PEOPLE[seat], through),), seconds=60, say=say)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@GIVEN
@given(data=st.data())
def test_the_key_that_is_named_is_what_happens(name: str, data: st.DataObject) -> None:
    for seen in games(data, name):
        looker = Looker(seen)
        people, asked = data.draw(st.booleans()), data.draw(st.booleans())
        size = data.draw(st.sampled_from(SIZES))
        model = looker.sit(people=people, asked=asked, missed=missed_by(data, looker))
        for key in data.draw(st.lists(st.sampled_from(KEYS), min_size=4, max_size=8)):
            names, before = offered(model, size), list(looker.done)
            leaving = model.mode in ("sure", "for good")
            press(model, key)
            happened = looker.done[len(before) :]
            does = "later" if leaving and key in LEAVE_KEYS else names.get(key)
            assert happened == ([MEANS[does]] if does in MEANS else []), (key, names)
            if leaving and does != "for good":
                assert model.mode == ""
            if not people:
                assert "leaves for good" not in happened
        assert all(one in (LATER_SAID, BOT_SAID, GOOD_SAID, YOURSELF_SAID) for one in looker.said)


@pytest.mark.parametrize("again", LEAVE_KEYS)
@pytest.mark.parametrize("key", LEAVE_KEYS)
@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("between", ["", "g"])
def test_a_key_that_asks_how_to_leave_means_for_later_when_it_is_pressed_again(
    key: str, again: str, between: str, *, drawn: bool
) -> None:
    """Also after "for good", and before the question is drawn, where letters count for nothing."""
    looker = Looker(first())
    model = looker.sit(people=True, asked=True, missed=None)
    for one in (key, *between):
        press(model, one)
        if drawn:
            model.board()
    assert model.mode == ("for good" if between and drawn else "sure")
    assert (looker.done, looker.said) == ([], [])
    press(model, again)
    assert (looker.done, looker.said, model.mode) == (["leaves"], [LATER_SAID], "")


@pytest.mark.parametrize("size", SIZES)
def test_every_way_of_leaving_is_named_in_the_last_row(size: tuple[int, int]) -> None:
    for people, ways in ((True, "lbg"), (False, "lb")):
        model = Looker(first()).sit(people=people, asked=True, missed=None)
        press(model, "f10")
        assert set(offered(model, size)) == {*ways, "esc"}


def test_what_becomes_of_ones_place_is_said_of_every_way() -> None:
    """Whoever was asked had to guess what "l later" and "b bot" do."""
    for people, ways in ((True, "lbg"), (False, "lb")):
        model = Looker(first()).sit(people=people, asked=True, missed=None)
        press(model, "f10")
        text = plain_text(render(model.board(), 80, 24))
        told = [one for one in (*TOLD, GOOD_CONTINUE) if one in text]
        assert "".join(one[0] for one in told) == ways
    assert Model("test", lambda: 0.0).going.told() == ()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("through", ["", "Ada"])
def test_both_answers_are_named_and_waiting_comes_first_if_one_was_cut_off(
    size: tuple[int, int], through: str
) -> None:
    looker = Looker(first())
    missed = Missed((MissedSeat(2, PEOPLE[2], through),), seconds=60, say=looker.vote)
    model = looker.sit(people=True, asked=False, missed=missed)
    assert list(offered(model, size)) == (["n", "y"] if through else ["y", "n"])
    text = " ".join(plain_text(render(model.board(), *size)).split())
    assert f"{PEOPLE[2]} has been away for 60 s. Go on without {PEOPLE[2]}?" in text
    assert ("could only be reached through Ada" in model.board().prompt) == bool(through)
    press(model, "y")
    press(model, "n")
    assert looker.done == ["says go on", "says wait"]


def test_typed_text_can_be_cleared_to_answer_a_vote() -> None:
    looker = Looker(first())
    missed = Missed((MissedSeat(2, PEOPLE[2], ""),), seconds=60, say=looker.vote)
    model = looker.sit(people=True, asked=False, missed=missed)
    for key in ("7", "y", "enter"):
        press(model, key)
    assert (looker.done, model.notice) == ([], CLEAR_FIRST)
    assert "Esc clears the line, then you can answer" in model.board().keys
    for key in ("escape", "y"):
        press(model, key)
    assert looker.done == ["says go on"]


def test_vote_cannot_be_answered_while_a_picture_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter would be typed, so the last row does not promise an answer."""
    looker = Looker(first())
    missed = Missed((MissedSeat(2, PEOPLE[2], ""),), seconds=60, say=looker.vote)
    model = looker.sit(people=True, asked=False, missed=missed)
    press(model, "7")
    held = Picture(replace(model.board(), held=True), 1.0, ends=True)
    monkeypatch.setattr(type(model.pictures), "look", lambda self, now: held)
    assert "you can answer" not in model.board().keys
    press(model, "y")
    assert (looker.done, model.line.text) == ([], "7y")


def first() -> Seen:
    """A question of Flip Over."""
    at = position("flip-over")
    return Seen("flip-over", at.view, at.question, 4)


def test_enter_takes_ones_place_back_from_a_bot_also_while_a_picture_is_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The row said that any key goes on, and the bot laid all cards of the round."""
    looker = Looker(first())
    model: Any = looker.sit(people=True, asked=True, missed=None)
    press(model, "f10")
    model.board()
    press(model, "b")
    held = Picture(replace(model.board(), held=True), 1.0, ends=True)
    monkeypatch.setattr(type(model.pictures), "look", lambda self, now: held)
    for size in SIZES:
        row = plain_text(render(model.board(), *size)).splitlines()[-1]
        assert "A bot plays for you. Enter: you play again" in row
    press(model, "enter")
    assert not model.going.bot_plays
    assert looker.said[-1] == YOURSELF_SAID
    assert "Enter goes on" in model.board().keys


def test_while_text_is_typed_the_answers_are_commands() -> None:
    looker = Looker(first())
    missed = Missed((MissedSeat(2, PEOPLE[2]),), seconds=60, say=looker.vote)
    model = looker.sit(people=True, asked=True, missed=missed)
    for size in SIZES:
        assert "/go or /wait: Bartholomew" in plain_text(render(model.board(), *size))
    for text in ("/wait", "/go"):
        for key in (*text, "enter"):
            press(model, key)
    assert looker.done == ["says wait", "says go on"]


def test_a_picture_that_is_held_takes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any key goes on there, as its last row says."""
    looker = Looker(first())
    missed = Missed((MissedSeat(2, PEOPLE[2]),), seconds=60, say=looker.vote)
    model: Any = looker.sit(people=True, asked=False, missed=missed)
    held = Picture(replace(model.board(), held=True), 1.0, ends=True)
    monkeypatch.setattr(type(model.pictures), "look", lambda self, now: held)
    assert "Enter goes on" in model.board().keys
    assert "y go on" not in model.board().keys
    press(model, "y")
    assert looker.done == []
