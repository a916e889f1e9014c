"""How a seat behaves in a simulated race: honestly, or each cheat in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.zone import Seat
from p2p.protocol.races.times import AGREEMENT_US, Sighting, Sightings, judge

MS = 1_000
"""Microseconds."""
Row = dict[Seat, Sighting]


class Honest:
    """A person of usual reactions whose program follows the protocol.

    In `says`, `others` are the witness entries of all other seats: a cheat may wait for them
    before it makes its own.
    """

    least_us = 150 * MS
    mean_us = 300 * MS
    spread_us = 45 * MS
    pongs_late_us = 0
    """How much later than necessary it answers a ping."""
    waits_for_others = False
    passes = True
    """Whether its pass leaves once it could no longer win."""

    def share_after(self) -> int:
        """How long its own share is withheld."""
        return 0

    def leaves_out(self, me: Seat, seats: Sequence[Seat]) -> Sequence[Seat]:
        """Seats that get its share only when another seat passes it on."""
        return ()

    def holds(self, kind: str, of: Seat, to: Seat, race: int, claimed: bool) -> int:
        """How long it holds a record ("open", "race") that it passes on from one seat to another.

        `race` is the number of the race; `claimed`: it has already claimed itself.
        """
        return 0

    def says_of_parts(self, parts: list[int | None], honest: bool) -> tuple[int | None, ...]:
        """When it says that it had the others' parts; `honest`: the rest of its entry is honest."""
        return tuple(parts)

    def claims_after(self, rng: Random) -> int:
        """How long after it could see the card it claims."""
        return max(self.least_us, round(rng.gauss(self.mean_us, self.spread_us)))

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        """Its witness entry; `row` is the honest one."""
        return row


class Quick(Honest):
    """Honest, and faster than usual by some time: the measure of a cheat's gain."""

    def __init__(self, by_ms: int) -> None:
        self.mean_us = Honest.mean_us - by_ms * MS


class Robot(Honest):
    """Claims as soon as the rules count at all."""

    def claims_after(self, rng: Random) -> int:
        return 100 * MS


class NeverPasses(Honest):
    """Claims in every race, however late."""

    passes = False


class Withholds(Honest):
    """Looks at the card with the others' shares, and sends its own later."""

    def __init__(self, by_ms: int) -> None:
        self.by_us = by_ms * MS

    def share_after(self) -> int:
        return self.by_us


class LeavesOut(Honest):
    """Sends its share to one seat only; the others wait until it is passed on."""

    def leaves_out(self, me: Seat, seats: Sequence[Seat]) -> Sequence[Seat]:
        return [seat for seat in seats if seat != me][1:]


class LeavesOutOne(Honest):
    """Sends its share to all but the last seat."""

    def leaves_out(self, me: Seat, seats: Sequence[Seat]) -> Sequence[Seat]:
        return [seat for seat in seats if seat != me][-1:]


class FakesDistance(Withholds):
    """Answers pings late from the start, to be credited with more than its messages take.

    It may also withhold its share by as much as it is credited with (`by_ms`).
    """

    def __init__(self, by_ms: int, withheld_ms: int = 0) -> None:
        super().__init__(withheld_ms)
        self.pongs_late_us = 2 * by_ms * MS


class LyingWitness(Honest):
    """Says that it saw everybody else half a second later than it did."""

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        return {seat: _later(seen, 500 * MS) if seat != me else seen for seat, seen in row.items()}


class SparingLiar(LyingWitness):
    """Lies only if it would be beaten otherwise, and claims in every race."""

    passes = False
    waits_for_others = True

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        honest = judge(tuple(row), {**others, me: row}).first
        return row if honest == (me,) else super().says(me, row, others)


class Forgetful(Honest):
    """Says that it saw nothing at all."""

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        return {seat: Sighting(None, None, 0) for seat in row}


class Accomplice(Honest):
    """Does what a witness can for seat 0, and against all others."""

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        lies = {seat: _later(seen, 500 * MS) for seat, seen in row.items()}
        return {**lies, 0: row[0]._replace(seen=0, late=0)} if 0 in row else lies


class Shades(NeverPasses):
    """At a table of two: states its shortest time that the other's word does not contradict."""

    waits_for_others = True

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        (other,) = others.values()
        if me not in row or other[me].seen is None or other[me].late is None:
            return row
        seen, late, credit = other[me]
        least = seen + late - 2 * credit - AGREEMENT_US
        return {**row, me: Sighting(max(0, least), 0, 0)}


def _later(sighting: Sighting, by: int) -> Sighting:
    return sighting._replace(seen=None if sighting.seen is None else sighting.seen + by)


class Relay(LyingWitness):
    """Passes records on late; it sees the card itself when it has all shares.

    It holds these `kinds` of records, to the seats `to` only (None: all) and never to those in
    `spares`, in every race whose number `often` divides; if `sparing`, claims only as long as it
    has not claimed itself.  `lies`: it is a false witness of all other claims as well.
    """

    def __init__(
        self,
        by_ms: int,
        kinds: Sequence[str] = ("open", "race"),
        *,
        to: Sequence[Seat] | None = None,
        spares: Sequence[Seat] = (),
        sparing: bool = False,
        often: int = 1,
        lies: bool = False,
        late_pongs_ms: int = 0,
        mean_ms: int = 300,
    ) -> None:
        self.by_us, self.kinds, self.to, self.spares = by_ms * MS, kinds, to, spares
        self.sparing, self.often, self.lies = sparing, often, lies
        self.pongs_late_us = 2 * late_pongs_ms * MS
        self.mean_us = mean_ms * MS

    def holds(self, kind: str, of: Seat, to: Seat, race: int, claimed: bool) -> int:
        chosen = (self.to is None or to in self.to) and to not in self.spares
        idle = race % self.often or (self.sparing and kind == "race" and claimed)
        return self.by_us if kind in self.kinds and chosen and not idle else 0

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        return super().says(me, row, others) if self.lies else row


class LyingLeaf(Honest):
    """Says that its own claims were fast and that all parts came late to it."""

    passes = False

    def __init__(self, by_ms: int = 1_000, *, sparing: bool = False) -> None:
        self.by_us, self.sparing = by_ms * MS, sparing
        self.waits_for_others = sparing

    def says(self, me: Seat, row: Row, others: Sightings) -> Row:
        if me not in row or (
            self.sparing and judge(tuple(row), {**others, me: row}).first == (me,)
        ):
            return row
        own = row[me].seen or 0
        return {**row, me: Sighting(max(0, own - self.by_us), 0, 0)}

    def says_of_parts(self, parts: list[int | None], honest: bool) -> tuple[int | None, ...]:
        if honest:
            return tuple(parts)
        return tuple(None if part is None else part + self.by_us for part in parts)
