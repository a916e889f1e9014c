"""Whose claim was first, from what the witnesses say (protocol section 5, "Races").

Pure arithmetic on whole microseconds.  If there are three or more seats, no claimant's clock
decides: each witness says how long after the claimant could see the card the claim reached it,
and the lower median of these is the agreed time.  None stands for "never": a witness that
restarted has seen nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.zone import Seat

FLOOR_US: Final = 100_000
"""Nobody reacts faster: a shorter time counts as this."""
TIE_US: Final = 10_000
"""Claims this close to the first are equally fast, and a public random value decides."""
AGREEMENT_US: Final = 40_000
"""How far the two seats of a table may differ about one claim."""
DISPUTES_MAX: Final = 3
"""After this many disputes, a coin decides every contested race of a table of two."""
BETWEEN_MAX: Final = 6
"""After this many, of any pairs, it decides every race that the seat between claims."""


class Sighting(NamedTuple):
    """What one witness says about one claim, in microseconds.

    `seen`: from when the claimant could see the card to when the claim arrived.  `late`: how
    late the claimant's part of the step that showed the card arrived, if `seen` does not begin
    at that step.  `credit`: the time that a message takes from the claimant, to be subtracted
    from both.  For a table of two see `round_trip`.
    """

    seen: int | None
    late: int | None
    credit: int

    @property
    def time(self) -> int | None:
        """The claimant's time by this witness alone, if there are three or more seats.

        Lateness is added to the floor: a seat that looked first is ready sooner.
        """
        if self.seen is None or self.late is None:
            return None
        time, late = self.seen - self.credit, max(0, self.late - self.credit)
        return max(FLOOR_US, time) + late if late else time

    @property
    def round_trip(self) -> int | None:
        """The claimant's time by its only witness, at a table of two.

        From when the witness sent its own part, without which the claimant saw nothing, to
        when the claim arrived, less the way there and back.  `late` below the credit is no gain
        of the claimant, for the part of the witness was still on its way: it counts unchanged.
        """
        if self.seen is None or self.late is None:
            return None
        return self.seen + self.late - 2 * self.credit


Sightings = Mapping[Seat, Mapping[Seat, Sighting]]
"""By witness, then by claimant."""


class RaceFinding(NamedTuple):
    """The agreed times, and the claimants that they do not tell apart: one, or a tie.

    `void`: the two seats of the table contradict each other.
    """

    times: dict[Seat, int | None]
    first: tuple[Seat, ...]
    void: bool


def judge(claimants: Sequence[Seat], sightings: Sightings) -> RaceFinding:
    """Who was first; every seat of the table is a witness in `sightings`."""
    if len(sightings) == 2:
        return _judge_two(claimants, sightings)
    times = {claimant: agreed_time(claimant, sightings) for claimant in claimants}
    return RaceFinding(times, _foremost(times), False)


def agreed_time(claimant: Seat, sightings: Sightings) -> int | None:
    """Rule 3: the lower median, over the other seats, of when they saw it plus its lateness.

    The two are added for each witness before the median is taken: sending a share to one
    witness in time and to another late changes both, in opposite directions.
    """
    return lower_median(
        row[claimant].time for witness, row in sightings.items() if witness != claimant
    )


def _judge_two(claimants: Sequence[Seat], sightings: Sightings) -> RaceFinding:
    """Rule 6: each claimant's own time counts, as long as the other does not contradict it.

    The other's word about lateness must agree too: it is the only witness, and what it alone
    says could otherwise make anybody slow.
    """
    times: dict[Seat, int | None] = {}
    agreed = True
    for claimant in claimants:
        (other,) = (seat for seat in sightings if seat != claimant)
        own, seen = sightings[claimant][claimant].seen, sightings[other][claimant].round_trip
        agreed &= own is not None and seen is not None and abs(own - seen) <= AGREEMENT_US
        times[claimant] = own
    return RaceFinding(times, _foremost(times) if agreed else tuple(claimants), not agreed)


def in_order(
    claimants: Sequence[Seat], times: Mapping[Seat, int | None]
) -> Iterator[tuple[Seat, ...]]:
    """Yield these claimants from the first to the last, those of a tie together."""
    left = {seat: times[seat] for seat in claimants}
    while left:
        together = _foremost(left)
        yield together
        left = {seat: time for seat, time in left.items() if seat not in together}


def _foremost(times: Mapping[Seat, int | None]) -> tuple[Seat, ...]:
    """All within a tie of the first; everybody if nobody saw anything."""
    counted = {seat: max(FLOOR_US, time) for seat, time in times.items() if time is not None}
    if not counted:
        return tuple(times)
    limit = min(counted.values()) + TIE_US
    return tuple(seat for seat, time in counted.items() if time <= limit)


def pass_after(best: int, cap: int) -> int:
    """How long after seeing the card our claim could still win against this rival.

    `best` is the rival's time as we saw it, less the credit, plus lateness; other witnesses
    may have seen it later by the cap, and credit us with the cap.
    """
    return max(FLOOR_US, best) + 2 * cap + TIE_US


def lower_median(values: Iterable[int | None]) -> int | None:
    """The lower of the two middle values of an even number; None counts as the greatest.

    >>> lower_median([30, None, 10, 20])
    20
    """
    known = list(values)
    ordered = sorted(value for value in known if value is not None)
    middle = (len(known) - 1) // 2
    return ordered[middle] if middle < len(ordered) else None
