"""Records that were held on the way between two seats (protocol section 5, "Held records").

Two seats without a link of their own get each other's records only through others, who may
hold them and so see a card first, or make a claim late.  What the two say about the records of
the race itself shows it, without a common clock:

* their parts: the share of the card, or the card itself if it was laid, or the claim or pass of
  a seat that had nothing to do with showing it.  Each says how long after its own part had left
  it got that of the other: the sum of both is a round trip;
* a claim: the time by the claimant's own word, and by that of the other seat.

Nobody can tell which of the three speaks the truth, so nobody is accused: chance decides.
Pure arithmetic on whole microseconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p.protocol.races.terms import HOP_US, Ping
from p2p.protocol.races.times import FLOOR_US, RaceFinding, Sighting, lower_median

HELD_US: Final = 40_000
"""How much later than their way allows the records of two seats may be (simulated)."""
FRIEND_US: Final = 2 * HELD_US
"""The same if nobody who is first could have held them: only a friend could gain by it."""


class Said(NamedTuple):
    """What one witness says: of each claim, and when each other seat's part in the race came.

    `parts[j]` is how long after its own had left that of seat j arrived, in microseconds,
    below 0 if before; None for itself and if there is nothing to tell.
    """

    claims: Mapping[Seat, Sighting]
    parts: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two seats that stated no round trip to each other, and the seats `between` them.

    Those are all on the ways with the fewest links; if no way was measured, all others.
    """

    seats: tuple[Seat, Seat]
    between: tuple[Seat, ...]

    def other(self, seat: Seat) -> Seat:
        """The other one of the two."""
        one, two = self.seats
        return two if seat == one else one

    def without(self, seat: Seat) -> Pair:
        """The same pair, once this seat is between no two others."""
        return Pair(self.seats, tuple([one for one in self.between if one != seat]))

    def concerns(self, seat: Seat) -> bool:
        """Whether the seat is one of the pair or between the two."""
        return seat in self.seats or seat in self.between


def unlinked(pings: Sequence[Sequence[Ping]]) -> tuple[Pair, ...]:
    """The pairs without a link of their own, in seat order; none at a table of two."""
    seats = range(len(pings))
    linked = [[_linked(pings, one, two) for two in seats] for one in seats]
    links = [_links_to(linked, one) for one in seats]
    return tuple(
        Pair((one, two), _between(len(pings), links[one], links[two], one, two))
        for one in seats
        for two in seats[one + 1 :]
        if len(seats) > 2 and not linked[one][two]
    )


def _linked(pings: Sequence[Sequence[Ping]], one: Seat, two: Seat) -> bool:
    return pings[one][two] is not None or pings[two][one] is not None


def _links_to(linked: Sequence[Sequence[bool]], start: Seat) -> dict[Seat, int]:
    """How many links each seat is away from `start`, without those that cannot be reached."""
    away, near = {start: 0}, [start]
    for seat in near:
        for other, direct in enumerate(linked[seat]):
            if direct and other not in away:
                away[other] = away[seat] + 1
                near.append(other)
    return away


def _between(
    count: int, here: Mapping[Seat, int], there: Mapping[Seat, int], one: Seat, two: Seat
) -> tuple[Seat, ...]:
    others = tuple(seat for seat in range(count) if seat not in (one, two))
    if two not in here:
        return others
    return tuple(s for s in others if s in here and here[s] + there[s] == here[two])


class Reckoning:
    """One race reckoned again, as if records between unlinked seats had been on time.

    `allowed` is how long a record may take from one seat to another, `showed` are the seats
    whose entries showed what was raced for.  A record is late by more than `HELD_US` if a seat
    that is first passed it on, else by more than `FRIEND_US`.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        allowed: Callable[[Seat, Seat], int],
        finding: RaceFinding,
        said: Mapping[Seat, Said],
        showed: AbstractSet[Seat],
    ) -> None:
        self._allowed: Final = allowed
        self._finding: Final = finding
        self._said: Final = said
        self._showed: Final = showed
        self._parts: Final[dict[tuple[Seat, Seat], int]] = {}
        self._claims: Final[set[Seat]] = set()
        self._latest: tuple[int, Pair] | None = None
        for pair in pairs:
            self._look_at(pair)

    def _look_at(self, pair: Pair) -> None:
        disjoint = set(self._finding.first).isdisjoint(pair.between)
        least = FRIEND_US if disjoint else HELD_US
        late = _parts_late(pair, 2 * self._allowed(*pair.seats), self._said)
        if late > least and not self._showed.isdisjoint(pair.seats):
            self._parts[pair.seats] = late
            self._note(late, pair)
        for seat in pair.seats:
            late = _claim_late(pair, seat, self._said)
            if late > least:
                self._claims.add(seat)
                self._note(late, pair)

    def _note(self, late: int, pair: Pair) -> None:
        """Keep the latest, and of equals the first in seat order."""
        if self._latest is None or late > self._latest[0]:
            self._latest = late, pair

    def held(self) -> Pair | None:
        """The pair whose records were latest, if otherwise another claimant would be as early.

        It need not be earlier by more than a tie.  In a star of three, a host that holds each
        claim is the only one that saw it in time, and one witness alone is on average some
        milliseconds later than the better of the two that saw the host's own claim.
        """
        times, first = self._finding.times, self._finding.first
        least = min(_floored(self._later(seat)) for seat in first)
        rivals = (_floored(self._sooner(seat)) for seat in times if seat not in first)
        if self._latest is None or all(rival > least for rival in rivals):
            return None
        return self._latest[1]

    def _sooner(self, claimant: Seat) -> float:
        """The claimant's time, by its own word if its claim came late and that is less."""
        agreed, own = self._finding.times[claimant], self._said[claimant].claims[claimant].seen
        time = math.inf if agreed is None else _floored(agreed)
        return time if own is None or claimant not in self._claims else min(own, time)

    def _later(self, claimant: Seat) -> float:
        """The claimant's time if no late part had made anybody think that it saw the card late."""
        times = {by: said.claims[claimant].time for by, said in self._said.items()}
        agreed = lower_median(
            None if time is None else max(FLOOR_US, time) + self._misled(by, claimant)
            for by, time in times.items()
            if by != claimant
        )
        return math.inf if agreed is None else agreed

    def _misled(self, witness: Seat, claimant: Seat) -> int:
        """How much later `witness` thought that `claimant` saw the card, because of late parts."""
        near, parts = self._allowed(witness, claimant), self._said[witness].parts
        came = [(near, 0)] if witness in self._showed else []
        for seat in self._showed - {witness, claimant}:
            part = parts[seat]
            if part is not None:
                onward = self._allowed(claimant, seat) - self._allowed(witness, seat)
                came.append((part + min(near + HOP_US, onward), self._late(seat, witness)))
        saw = max((there for there, _ in came), default=0)
        return saw - max((there - late for there, late in came), default=0)

    def _late(self, one: Seat, two: Seat) -> int:
        return self._parts.get((min(one, two), max(one, two)), 0)


def _floored(time: float) -> float:
    return max(FLOOR_US, time)


def _parts_late(pair: Pair, allowed: int, said: Mapping[Seat, Said]) -> int:
    """How much longer than allowed the parts of the two took, there and back."""
    one, two = pair.seats
    there, back = said[one].parts[two], said[two].parts[one]
    return 0 if there is None or back is None else there + back - allowed


def _claim_late(pair: Pair, claimant: Seat, said: Mapping[Seat, Said]) -> int:
    """How much later a claim reached the other of the pair than its own seat says."""
    if claimant not in said[claimant].claims:
        return 0
    own = said[claimant].claims[claimant].seen
    seen = said[pair.other(claimant)].claims[claimant]
    return 0 if own is None or seen.seen is None else seen.seen - seen.credit - own
