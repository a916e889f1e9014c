"""Who is first in a race, by reaction times that are drawn as those of bots at a table of peers.

A seat sees what lies there once for each moment; then it only has to press again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from engine.bots.pace import Pace, second_press
from engine.table_state import TableState
from engine.truth import Truth
from engine.zone import Seat, Slot


class Reactions(Truth):
    """A dealer's truth in which seats need their time; `paces` has one for each seat."""

    def __init__(self, rng: Random, paces: Sequence[Pace]) -> None:
        super().__init__(rng)
        self._paces: Final = paces
        self._moment: tuple[tuple[Slot, ...], ...] | None = None
        self._now = 0.0
        self._sees = [0.0] * len(paces)
        self._due: dict[Seat, float] = {}

    def begin(self, table: TableState, racing: Sequence[Seat]) -> None:
        """A race begins: draw when each of these seats would claim something, in seconds."""
        moment = tuple(map(tuple, table.zones))
        if moment != self._moment:
            self._moment = moment
            self._sees = [self._now + pace.draw(self.rng) for pace in self._paces]
        self._due = {seat: max(self._now, self._sees[seat]) for seat in racing}

    def first(self, rivals: Sequence[Seat]) -> Seat:
        """The rival whose time comes first."""
        return min(rivals, key=self._due.__getitem__)

    def end(self, claimed: Collection[Seat]) -> None:
        """The race is over: at the first claim, or when all have seen that they claim nothing."""
        times = [self._due[seat] for seat in claimed] or self._due.values()
        self._now = min(times) if claimed else max(times)
        for seat, due in self._due.items():
            if due <= self._now:
                self._sees[seat] = due + second_press(self.rng)
