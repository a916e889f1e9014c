"""Who is first in a race, by reaction times that are drawn as those of bots at a table of peers.

A seat sees what lies there once for each moment; then it only has to press again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any, Final

from engine.bots.pace import Pace, second_press
from engine.dealer import TrustedDealer
from engine.question import PASS, Question
from engine.table import Table
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


class ReactingDealer(TrustedDealer):
    """A trusted dealer at whose table the quicker is first; `paces` has one for each seat."""

    def __init__(self, rng: Random, paces: Sequence[Pace]) -> None:
        super().__init__(rng)
        self._reactions: Final = Reactions(rng, paces)
        self.truth = self._reactions

    def answer(
        self, table: Table, question: Question[Any], decisions: Mapping[Seat, object]
    ) -> object:
        """The public answer; in a race, of whoever saw first what to claim."""
        if not question.timed:
            return super().answer(table, question, decisions)
        self._reactions.begin(table, question.deciders)
        answer = super().answer(table, question, decisions)
        self._reactions.end([seat for seat, one in decisions.items() if one is not PASS])
        return answer
