"""The outcome of a race."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.cards import Card
from engine.zone import Seat, Slot


class Won(NamedTuple):
    """Who was first in a race, and with which answer.

    `shown` are the cards of claims that came later, in the order of the race: their faces are known
    now, and they stay in the hand they came from, open (protocol section 5, "Races").  `aside` are
    all other claims that compete with nothing, by seat: they take effect before that of the first
    seat.
    """

    seat: Seat
    answer: Any  # not `object`, which the compiler does not find in a tuple with names
    shown: tuple[tuple[Slot, Card], ...] = ()
    aside: tuple[tuple[Seat, object], ...] = ()

    @property
    def claims(self) -> tuple[tuple[Seat, object], ...]:
        """All that takes effect, in this order."""
        first = (self.seat, self.answer)
        return (*self.aside, first) if self.aside else (first,)
