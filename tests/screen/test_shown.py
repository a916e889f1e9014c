"""The entry that is shown is the decision that is sent: in all games, hands and views, both modes.

Games are played by chance at the engine's table; whoever is asked looks at the screen and types.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.line.choices import Decided, choices, lays_cards, read
from cli.line.person import Person
from cli.options.settings import Settings
from cli.screen.asking import Asking
from cli.screen.keys import press
from cli.screen.model import Model
from cli.screen.presenter import Presenter
from engine.dealer import TrustedDealer
from engine.games import NAMES, load, load_text
from engine.question import Question
from engine.session import Session
from engine.view import View
from p2p.player.events import Seated
from p2p.protocol.terms import Terms
from tests.cli.test_person import Script
from tests.engine.test_every_game import tables

PEOPLE = ("Zoe", "Ada", "Bartholomew", "Cleo", "Dov", "Eve", "Finn", "Gus")
LOOKED_AT = 12
"""Questions of one game at which somebody looks."""
TABLES = {name: tables(load(name)) for name in NAMES}
ENTRY = re.compile(r"(?:^  |   )(\d+)\) (.+?)(?: \(Enter\))?(?=   |$)", re.MULTILINE)
KEYS = [*"0123456789", *"0123456789", "left", "right", "up", "down", " ", "tab", "backspace"]
GIVEN = settings(max_examples=6)


class Seen:
    """What one seat is asked, on a screen of its own."""

    def __init__(self, game: str, view: View, question: Question[Any], seats: int) -> None:
        self.game, self.view, self.question, self.seats = game, view, question, seats
        self.presenter = Presenter(load_text(game), PEOPLE[:seats])
        self.decided: list[object] = []
        self.ask()

    def ask(self) -> None:
        """A screen on which nothing was pressed yet, and the question is old enough for Enter."""
        self.seconds = seconds = [100.0]
        self.model, self.decided = Model("test", lambda: seconds[0]), []
        self.model.presenter = self.presenter
        self.model.opened(self.view, lambda: self.question)
        held = self.presenter.text.held
        self.asking = Asking(self.view, self.question, self.presenter.describe, held)
        self.model.ask(self.asking, self.decided.append)
        seconds[0] += 1

    def label(self, decision: object) -> str:
        return self.presenter.describe(self.view, self.question, decision)

    def enter(self) -> None:
        """Enter does what the line below the choices has said, and otherwise nothing."""
        said = self.model.board().preview
        press(self.model, "enter")
        if self.decided:
            assert self.question.allows(self.view, self.decided[0])
            label = re.escape(self.label(self.decided[0]))
            assert re.fullmatch(rf"Enter: {label}(\.   .*|   or type on: .*)?", said)
        else:
            assert not said.startswith("Enter: ")

    def listed(self) -> dict[int, str]:
        """What the screen lists, by number."""
        shown = self.model.board().choices
        return {one.number: one.label.removesuffix(" (Enter)") for one in shown if one.number}

    def lines(self) -> dict[int, str]:
        """What numbered lines list, by number."""
        person, seats = Person(Settings(), Script([])), self.seats
        words = tuple("a-b" for _ in range(seats))
        legal = choices(self.view, self.question, self.presenter.describe)
        with redirect_stdout(io.StringIO()) as out:
            names = PEOPLE[:seats]
            person.tell(Seated(names, words, self.view.seat, Terms.of(self.game), 1_000))
            out.truncate(0)
            person._show(self.view, self.question, legal, aside=True)
        return {int(n): label for n, label in ENTRY.findall(out.getvalue())}


def games(data: st.DataObject, name: str) -> Iterator[Seen]:
    """The questions of one game that is played by chance, as those who are asked see them."""
    game, rng = load(name), Random(data.draw(st.integers(0, 10_000)))
    seats, options = data.draw(st.sampled_from(TABLES[name]))
    session, dealer, seen = Session(game, seats, options), TrustedDealer(rng), 0
    skipped = data.draw(st.integers(0, 60))
    while (asked := session.pending) is not None and seen < LOOKED_AT:
        if not asked.deciders:
            session.answer(dealer.act(session.table, asked))
            continue
        views = {seat: dealer.view(session.table, seat) for seat in asked.deciders}
        skipped -= 1
        if skipped < 0:
            seen += 1
            yield Seen(name, views[rng.choice(asked.deciders)], asked, seats)
        decisions = {seat: rng.choice(asked.decisions(view)) for seat, view in views.items()}
        session.answer(dealer.answer(session.table, asked, decisions))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@GIVEN
@given(data=st.data())
def test_a_number_and_enter_send_the_entry_that_has_the_number(
    name: str, data: st.DataObject
) -> None:
    for seen in games(data, name):
        if seen.asking.aside:
            continue  # a race has keys of its own
        for number, label in seen.listed().items():
            for key in str(number):
                press(seen.model, key)
                assert seen.decided == []
            assert seen.model.board().preview.startswith(f"Enter: {label}")
            seen.enter()
            assert [seen.label(one) for one in seen.decided] == [label]
            seen.ask()
        numbers = re.search(r"\(1 to (\d+)\)", seen.asking.why_not("zzzz"))
        assert numbers is None or int(numbers[1]) == max(seen.listed()), "all numbers are shown"
        seen.enter()


@pytest.mark.parametrize("name", NAMES)
@GIVEN
@given(data=st.data())
def test_the_numbers_of_lines_send_what_they_stand_before_and_are_those_of_the_screen(
    name: str, data: st.DataObject
) -> None:
    for seen in games(data, name):
        legal = choices(seen.view, seen.question, seen.presenter.describe)
        lines = seen.lines()
        for number, label in lines.items():
            found = read(str(number), seen.view, seen.question, legal, seen.presenter.describe)
            assert isinstance(found, Decided)
            assert seen.label(found.decision) == label
        acts = {c.label for c in legal if not lays_cards(seen.view, seen.question, c.decision)}
        assert seen.asking.aside or kept(lines, acts) == kept(seen.listed(), acts)


def kept(numbers: dict[int, str], labels: set[str]) -> dict[int, str]:
    return {number: label for number, label in numbers.items() if label in labels}


@pytest.mark.parametrize("name", NAMES)
@GIVEN
@given(data=st.data())
def test_whatever_was_pressed_enter_does_what_the_screen_says(
    name: str, data: st.DataObject
) -> None:
    for seen in games(data, name):
        letters = {letter for one in seen.asking.legal[:40] for letter in one.label.lower()[:4]}
        keys = data.draw(st.lists(st.sampled_from([*KEYS, *sorted(letters)]), max_size=6))
        pressed = list[str]()
        for key in keys:
            press(seen.model, key)
            pressed.append(key)
            if seen.decided:
                break
        if seen.decided:
            assert seen.asking.racing, pressed
        elif not seen.model.mode and seen.model.page is None:
            assert marks(seen) <= 1
            seen.enter()


def marks(seen: Seen) -> int:
    """How many cards and choices the screen marks; what is marked is what Enter would take."""
    board = seen.model.board()
    marked: Sequence[str] = [one.label for one in board.choices if one.cursor]
    for label in marked:
        assert board.preview.startswith(f"Enter: {label.removesuffix(' (Enter)')}")
    return len(marked) + sum(card.cursor for card in board.hand)
