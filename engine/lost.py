"""What a journal holds where a seat left the game for good, or was lost."""

from __future__ import annotations

from typing import NamedTuple

from engine.cards import Card
from engine.zone import Seat, Slot


class Lost(NamedTuple):
    """Here `seat` left, and nobody answered the question that was pending.

    `shown` are cards that others had already shown in answer to it, as in a race: their faces are
    known now, and they stay where they are, open.  `gone`: it did not say so itself.
    """

    seat: Seat
    shown: tuple[tuple[Slot, Card], ...] = ()
    gone: bool = False
