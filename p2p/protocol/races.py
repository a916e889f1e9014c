"""What a table knows about its races: the terms, credits, disputes, and what came of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.question import Seat
from p2p.protocol.race_times import DISPUTES_MAX, Sighting
from p2p.protocol.timing import Timing


class Outcome(Enum):
    """How a race with several claims was decided."""

    FIRST = "first"
    """One claim was before all others."""
    TIE = "tie"
    """Several were equally fast; a public random value decided."""
    DISPUTE = "dispute"
    """The two seats contradict each other; a public random value decided."""
    COIN = "coin"
    """After too many disputes no clock is asked any more."""


@dataclass(frozen=True, slots=True)
class RaceReport:
    """One race: who claimed, at which agreed times (microseconds, None: unseen), who was first."""

    step: int
    topic: str
    times: tuple[tuple[Seat, int | None], ...]
    first: Seat
    outcome: Outcome


class Races:
    """The races of one table.

    `cap_us` bounds every credit, `hold_us` is how long passes out of hidden hands are held,
    `one_way[j][i]` what the header says that a message from i to j takes (None: unknown).
    """

    def __init__(
        self,
        seats: int,
        cap_us: int = 0,
        hold_us: int = 0,
        one_way: Sequence[Sequence[int | None]] | None = None,
        me: Seat | None = None,
    ) -> None:
        self.cap_us: Final = cap_us
        self.hold_us: Final = hold_us
        self.reports: Final[list[RaceReport]] = []
        self.disputes = 0
        self._me: Final = me
        self._credits = [
            [self._least(one_way[j][i] if one_way else None) for i in range(seats)]
            for j in range(seats)
        ]

    def _least(self, one_way: int | None) -> int:
        return self.cap_us if one_way is None else min(one_way, self.cap_us)

    def allowed(self, witness: Seat, claimant: Seat) -> int:
        """The most that `witness` may credit `claimant` with.

        A least round trip never grows, so nobody may go back behind his own earlier word.
        """
        return 0 if witness == claimant else self._credits[witness][claimant]

    def lower(self, witness: Seat, claimant: Seat, credit: int) -> None:
        """`witness` has credited `claimant` with this, and may not with more again."""
        self._credits[witness][claimant] = credit

    def credit(self, claimant: Seat, timing: Timing) -> int:
        """What we credit `claimant` with: the least one-way time known to us."""
        assert self._me is not None
        allowed, measured = self.allowed(self._me, claimant), timing.one_way(claimant)
        return allowed if measured is None else min(allowed, measured)

    def sighting(self, claimant: Seat, timing: Timing, at: int) -> Sighting:
        """What this machine saw of the claim that `claimant` made in step `at`."""
        seen = timing.since(at, claimant)
        if claimant == self._me:
            return Sighting(seen, 0, 0)
        credit = self.credit(claimant, timing)
        return Sighting(seen, timing.lateness(at - 1, claimant, 2 * credit), credit)

    @property
    def by_coin(self) -> bool:
        """Whether the two seats have disputed so often that no clock is asked any more."""
        return self.disputes >= DISPUTES_MAX

    def report(self, report: RaceReport) -> None:
        """Remember what came of a race."""
        self.reports.append(report)
        self.disputes += report.outcome is Outcome.DISPUTE
