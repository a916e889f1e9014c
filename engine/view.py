"""What one seat may know: the public table and the faces it can read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from engine.cards import Card, Fits
from engine.compiling import mypyc_attr
from engine.course import Course
from engine.memory import Among
from engine.table_state import TableState
from engine.zone import Seat, Slot

SPECTATOR: Final = -3
"""The seat of a spectator: no lock ever names it."""


def _nothing(slot: Slot) -> Card | None:
    return None


def _none() -> Sequence[Among]:
    return ()


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """The table through the eyes of one seat.  A bot is handed this and nothing else.

    `read` gives the face of a slot that is locked to this seat; whoever builds the view decides
    where it comes from (the trusted dealer's memory, the peer's table key).  `remember` gives the
    face of a slot that this seat could read before, None if it cannot tell; `among` what it knows
    of cards that changed places since.  `course` is how the game came here, for whoever tries out
    how it may go on; None where nobody kept it.
    """

    __slots__ = ("_among", "_read", "_remember", "course", "seat", "table")

    def __init__(
        self,
        table: TableState,
        seat: Seat,
        read: Callable[[Slot], Card],
        remember: Callable[[Slot], Card | None] = _nothing,
        course: Course | None = None,
        among: Callable[[], Sequence[Among]] = _none,
    ) -> None:
        self.course = course
        self.table = table
        self.seat = seat
        self._read = read
        self._remember = remember
        self._among = among

    def __repr__(self) -> str:
        return f"View(seat {self.seat})"

    def face(self, slot: Slot) -> Card:
        """The face of a slot; KeyError if this seat does not know it."""
        card = self.table.faces[slot]
        if card is not None:
            return card
        if self.table.locks[slot] != self.seat:
            raise KeyError(f"seat {self.seat} does not know slot {slot}")
        return self._read(slot)

    def knows(self, slot: Slot) -> bool:
        """Whether this seat knows the face of a slot."""
        return self.table.faces[slot] is not None or self.table.locks[slot] == self.seat

    def recall(self, slot: Slot) -> Card | None:
        """The face of a slot that this seat knows, or saw before another seat took its place.

        None if it never did, or if the card may be another one by now: the rules say who has seen
        which card (`TableState.has_seen`), and nothing else is asked for.
        """
        if self.knows(slot):
            return self.face(slot)
        return self._remember(slot) if self.table.has_seen(self.seat, slot) else None

    def among(self) -> Sequence[Among]:
        """The cards that this seat saw and cannot see now, and in which slots they may be.

        The rules are not asked: whoever builds the view vouches for it.
        """
        return [one for one in self._among() if not any(map(self.knows, one.slots))]

    def fitting(self, zone: list[Slot], fits: Fits) -> list[Slot | None]:
        """The slots whose faces fit, in order, as a list of decisions to extend.

        KeyError if a face is not known.
        """
        table, seat, read = self.table, self.seat, self._read
        faces, locks = table.faces, table.locks
        found: list[Slot | None] = []
        for slot in zone:  # a comprehension would cost a frame for every question
            if fits(read(slot) if locks[slot] == seat else faces[slot] or self.face(slot)):
                found.append(slot)
        return found

    def cards(self, slots: Iterable[Slot]) -> list[Card]:
        """The faces of several slots, in order; KeyError if one is not known."""
        faces, locks, seat, read = self.table.faces, self.table.locks, self.seat, self._read
        return [
            read(slot) if locks[slot] == seat else faces[slot] or self.face(slot) for slot in slots
        ]
