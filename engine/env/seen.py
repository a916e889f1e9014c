"""What a seat sees, as numbers: nothing but what its view says, in rows of a fixed width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.cards import Deck
from engine.env.actions import Actions
from engine.env.fields import columns
from engine.errors import EngineError
from engine.question import Question
from engine.table_state import JOINT, OPEN, TableState
from engine.view import View
from engine.zone import Seat, Slot

ASKED_BYTES: Final = 96
"""As long may a question's kind and topic be."""
LARGEST: Final = 2**31 - 1
READERS: Final = {JOINT: 0, OPEN: 1}
"""What stands for a card that no seat can read, or every seat; then come the seats."""


class Row(NamedTuple):
    """So many numbers of this range."""

    width: int
    low: int = -LARGEST
    high: int = LARGEST


class Sight:
    """How a table of this game is seen.  Made once, for a deck that stays.

    `rows` has the width and the range of each row, by name; `fields` those of the game's own.
    """

    def __init__(self, table: TableState, deck: Deck, actions: Actions) -> None:
        cards, seats = len(deck), table.seats
        self._actions: Final = actions
        self._columns: Final = columns(table, deck)
        self.fields: Final = {name: Row(column.width) for name, column in self._columns.items()}
        self.rows: Final = {
            "seat": Row(1, 0, seats - 1),
            "asked": Row(seats, 0, 2),
            "question": Row(ASKED_BYTES, 0, 255),
            "window": Row(1, 0),
            "said": Row(cards + 2, 0, actions.count),
            "faces": Row(cards, 0, len(deck.faces)),
            "zones": Row(cards, 0, len(table.zones)),
            "places": Row(cards, 0, cards - 1),
            "readers": Row(cards, 0, seats + 1),
        }

    def rows_of(
        self, view: View, question: Question[Any] | None, said: Sequence[int]
    ) -> dict[str, Sequence[int]]:
        """What stands in the rows for this view, this question and what was said in answer to it.

        `seat`: whose view it is.  `asked`: for each seat 1 if it is asked, 2 if it is its turn, or
        0.  `question`: kind and topic in UTF-8.  `window`: the milliseconds that a race lasts; 0
        without an end.  `said`: the actions of the decision so far, each plus 1.  For each card (by
        its slot) `faces`: the number of its face plus 1, 0 if the seat does not know it; `zones`:
        the number of the zone plus 1 where it lies, 0 if it is out of play; `places`: its place
        there, from the bottom; `readers`: who can read it, 0 nobody, 1 everybody, 2 the first seat.

        EngineError for a topic, or for a decision in parts, that is longer than its row.
        """
        found: dict[str, Sequence[int]] = {"seat": [view.seat], **_asked(view, question)}
        found["said"] = [action + 1 for action in said]
        found |= _cards(view)
        return {name: self._filled(name, values) for name, values in found.items()}

    def _filled(self, name: str, values: Sequence[int]) -> Sequence[int]:
        """A row with zeros up to its width."""
        free = self.rows[name].width - len(values)
        if free < 0:
            raise EngineError(f"{name}: {len(values)} numbers in a row of {self.rows[name].width}")
        return [*values, *[0] * free]

    def fields_of(self, table: TableState) -> Mapping[str, Sequence[int]]:
        """What stands in the fields of the game's own; EngineError for a list that is too long."""
        return {name: made.write(getattr(table, name)) for name, made in self._columns.items()}


def _asked(view: View, question: Question[Any] | None) -> dict[str, Sequence[int]]:
    """Who is asked, and for what."""
    if question is None:
        return {"asked": [], "question": [], "window": []}
    turn: Seat | None = question.turn()
    asked = [int(seat in question.deciders) for seat in range(view.table.seats)]
    if turn is not None:
        asked[turn] = 2
    told = f"{question.kind}: {question.topic}".encode()
    return {"asked": asked, "question": [*told], "window": [question.lasts_ms() or 0]}


def faces_seen(view: View, slots: Iterable[Slot]) -> list[int]:
    """For each of these slots the number of its face plus 1; 0 if the seat does not know it."""
    return [0 if card is None else card.id + 1 for card in map(view.recall, slots)]


def _cards(view: View) -> dict[str, Sequence[int]]:
    """Where each card lies, and what the seat knows of it."""
    table = view.table
    count = len(table.faces)
    zones, places = [0] * count, [0] * count
    for number, zone in enumerate(table.zones, 1):
        for place, slot in enumerate(zone):
            zones[slot], places[slot] = number, place
    return {
        "faces": faces_seen(view, range(count)),
        "zones": zones,
        "places": places,
        "readers": [READERS.get(lock, lock + 2) for lock in table.locks],
    }
