"""Who is first in a race, by reaction times that are drawn as those of bots at a table of peers.

A seat sees what lies there once for each moment; then it only has to press again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.pace import Moment, Normals, Pace, is_moment, moment_of, second_press
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.question import PASS, Question
from engine.table import Table
from engine.table_state import TableState
from engine.truth import Truth
from engine.zone import Seat

PASSES_S: Final = 0.02
"""So long after the first claim the programs of the others pass, on one machine: two caps of 5 ms,
and 10 ms (protocol section 5, "Races")."""


class Times(NamedTuple):
    """When each seat sees and claims something, as a plain value."""

    spare: float | None
    moment: Moment | None
    now: float
    sees: Sequence[float]
    racing: Sequence[Seat]
    due: Sequence[float]


class Reactions(Truth):
    """A dealer's truth in which seats need their time; `paces` has one for each seat."""

    def __init__(self, rng: Random, paces: Sequence[Pace]) -> None:
        super().__init__(rng)
        self.paces: Final = paces
        self._normals: Final = Normals(rng)
        self._moment: Moment | None = None
        self._now = 0.0
        self._sees = [0.0] * len(paces)
        self._racing: Sequence[Seat] = ()
        self._due = [0.0] * len(paces)

    @property
    def times(self) -> Times:
        """The times that are drawn, to be restored in a copy."""
        spare, moment = self._normals.spare(), self._moment
        sees, racing, due = tuple(self._sees), tuple(self._racing), tuple(self._due)
        return Times(spare, moment, self._now, sees, racing, due)

    def restore(self, times: Times, cards: Iterable[Card]) -> None:
        """Become what the dealer was that had these times and these cards."""
        if times.spare is not None:
            self._normals.put_back(times.spare)
        self._moment, self._now, self._racing = times.moment, times.now, times.racing
        self._sees[:], self._due[:], self.cards[:] = times.sees, times.due, cards

    def begin(self, table: TableState, asked: Question[Any]) -> None:
        """A race begins: draw when each seat of it would claim something, in seconds."""
        if self._moment is None or not is_moment(self._moment, table, asked):
            self._moment = moment_of(table, asked)
            self._sees = [self._now + pace.draw(self._normals) for pace in self.paces]
        self._racing = asked.deciders
        for seat in asked.deciders:
            self._due[seat] = max(self._now, self._sees[seat])

    def first(self, rivals: Sequence[Seat]) -> Seat:
        """The rival whose time comes first."""
        first = rivals[0]
        for rival in rivals:
            if self._due[rival] < self._due[first]:
                first = rival
        return first

    def in_time(self, asked: Question[Any], claims: dict[Seat, object]) -> dict[Seat, object]:
        """The claims that are made before the programs of the others pass, because of the first.

        Where seats may claim with cards of their hands, passes are held back until all have
        decided, so all claims are made.
        """
        last = min([self._due[seat] for seat in claims], default=0.0) + PASSES_S
        late = [seat for seat in claims if self._due[seat] > last]
        if not late or any(asked.hand(seat) is not None for seat in asked.deciders):
            return claims
        return {seat: claim for seat, claim in claims.items() if seat not in late}

    def end(self, claimed: Collection[Seat]) -> None:
        """The race is over: at the first claim, or when all have seen that they claim nothing."""
        times = [self._due[seat] for seat in claimed or self._racing]
        self._now = min(times) if claimed else max(times)
        for seat in self._racing:
            due = self._due[seat]
            if due <= self._now or seat in claimed:
                self._sees[seat] = due + second_press(self.rng)


class ReactingDealer(TrustedDealer):
    """A trusted dealer at whose table the quicker is first; `paces` has one for each seat."""

    def __init__(self, rng: Random, paces: Sequence[Pace]) -> None:
        self.reactions: Final = Reactions(rng, paces)
        super().__init__(rng, self.reactions)

    def answer(
        self, table: Table, question: Question[Any], decisions: Mapping[Seat, object]
    ) -> object:
        """The public answer; in a race, of whoever saw first what to claim."""
        if not question.timed:
            return super().answer(table, question, decisions)
        self.reactions.begin(table, question)
        claims = {seat: one for seat, one in decisions.items() if one is not PASS}
        return self._made(table, question, self.reactions.in_time(question, claims))

    def claimed(self, table: Table, race: Question[Any], claims: Mapping[Seat, object]) -> object:
        """The public answer of a race in which exactly this is claimed, however quick seats are."""
        self.reactions.begin(table, race)
        return self._made(table, race, claims)

    def _made(self, table: Table, race: Question[Any], claims: Mapping[Seat, object]) -> object:
        self.reactions.end(claims)
        return super().answer(table, race, claims)
