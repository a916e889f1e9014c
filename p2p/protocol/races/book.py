"""What a table knows about its races: the terms, credits, disputes, and what came of each."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import dropwhile
from typing import Final

from engine.zone import Seat
from p2p.protocol import step_kinds
from p2p.protocol.races.relays import Pair, Reckoning, Said
from p2p.protocol.races.terms import HOP_US
from p2p.protocol.races.times import BETWEEN_MAX, DISPUTES_MAX, RaceFinding, Sighting, judge
from p2p.protocol.races.timing import REMEMBERED, Timing
from p2p.protocol.step_kinds import Asked, asks

ALLOWANCE_US: Final = 20_000
"""A share that takes this long to make is not withheld: computers are not equally fast."""


class RaceResult(Enum):
    """How a race with several claims was decided."""

    FIRST = "first"
    """One claim was before all others."""
    TIE = "tie"
    """Several were equally fast; a public random value decided."""
    DISPUTE = "dispute"
    """The two seats of a table contradict each other, or records between two unlinked seats
    were late; a public random value decided."""
    COIN = "coin"
    """After too many disputes, clocks are no longer asked."""


@dataclass(frozen=True, slots=True)
class RaceReport:
    """One race: who claimed, at which agreed times (microseconds, None: unseen), who was first.

    `held` is the pair whose records were late on the way between them, if that was disputed.
    """

    step: int
    topic: str
    times: tuple[tuple[Seat, int | None], ...]
    first: Seat
    outcome: RaceResult
    held: Pair | None = None


class Races:
    """The races of one table.

    `cap_us` bounds every credit, `hold_us` is how long passes out of hidden hands are held,
    `one_way[j][i]` how long a message from i to j takes by the header (None: unknown), and
    `passed_on[j][i]` the same for what all pass on at once; `pairs` have no link of their own.
    """

    def __init__(
        self,
        seats: int,
        cap_us: int = 0,
        hold_us: int = 0,
        one_way: Sequence[Sequence[int | None]] | None = None,
        me: Seat | None = None,
        passed_on: Sequence[Sequence[int | None]] | None = None,
        pairs: Sequence[Pair] = (),
    ) -> None:
        self.cap_us: Final = cap_us
        self.hold_us: Final = hold_us
        self.reports: Final[list[RaceReport]] = []
        self.disputes = 0
        self.pairs = tuple(pairs)
        self._held: Final = Counter[Pair]()
        self._steps: Final[deque[tuple[str, Collection[Seat]]]] = deque(maxlen=REMEMBERED)
        self._ways: Final = self._capped(seats, one_way)
        self.me: Final = me
        self._left: Final[set[Seat]] = set()
        self._credits = self._capped(seats, one_way)
        self._passed_on: Final = self._capped(seats, passed_on)

    @property
    def _own_seat(self) -> Seat:
        """The seat whose clock this is; LookupError if no seat is played."""
        if self.me is None:
            raise LookupError("an auditor has seen no race itself")
        return self.me

    def _capped(self, seats: int, ways: Sequence[Sequence[int | None]] | None) -> list[list[int]]:
        return [
            [self._least(ways[j][i] if ways else None) for i in range(seats)] for j in range(seats)
        ]

    def _least(self, one_way: int | None) -> int:
        return self.cap_us if one_way is None else min(one_way, self.cap_us)

    def allowed(self, witness: Seat, claimant: Seat) -> int:
        """The most that `witness` may credit `claimant` with.

        A least round trip never grows, so no seat may credit more than it once said.
        """
        return 0 if witness == claimant else self._credits[witness][claimant]

    def lower(self, witness: Seat, claimant: Seat, credit: int) -> None:
        """Note that `witness` credited `claimant` with this, and may not credit more later."""
        self._credits[witness][claimant] = credit

    def credit(self, claimant: Seat, timing: Timing) -> int:
        """What we credit `claimant` with: the least one-way time known to us."""
        allowed, measured = self.allowed(self._own_seat, claimant), timing.one_way(claimant)
        return allowed if measured is None else min(allowed, measured)

    def sighting(self, claimant: Seat, timing: Timing, at: int) -> Sighting:
        """What this machine saw of the claim that `claimant` made in step `at`.

        At a table of two the claimant's own time is also asked for, and lateness tells how far
        to believe it.  If there are other witnesses, a claim is counted from when its seat could
        see, which already includes lateness.
        """
        seen = timing.since(at, claimant)
        if claimant == self.me:
            return Sighting(seen if self._two else timing.own_after(at), 0, 0)
        credit = self.credit(claimant, timing)
        if self._two:
            return Sighting(seen, timing.lateness(at - 1, claimant, 2 * credit), credit)
        late = self._withheld(claimant, timing, at)
        return Sighting(self._since_it_saw(claimant, timing, at), late and late + credit, credit)

    def _since_it_saw(self, claimant: Seat, timing: Timing, at: int) -> int | None:
        """How long its claim took to get here after `claimant` could see what step `at` is about.

        Its own part of the step before does not count if nobody had anything to decide: a seat
        that withholds it can see all the same.  Counting from when we ourselves could see would
        make every claim of the seat with the longest way late.
        """
        began, arrived = timing.began(at), timing.arrived(at, claimant)
        if began is None or arrived is None:
            return None
        saw = self._was_there(at - 1, claimant, timing, leave_out=claimant)
        return max(0, arrived - (began if saw is None else saw))

    def _withheld(self, claimant: Seat, timing: Timing, at: int) -> int:
        """How much later than possible the claimant sent its share of the card; 0 if it did not.

        Only if races about the same card came between: by then everybody is long ready, but
        a seat that saw the card before the others is ready sooner, and nothing else shows it.
        """
        shown = timing.turned_up(at - 1)
        if shown is None or shown == at - 1:
            return 0
        arrived, began = timing.arrived(shown, claimant), timing.began(shown)
        if arrived is None or began is None:
            return 0
        could = self._was_there(shown - 1, claimant, timing, leave_out=None)
        way = self._way(claimant, timing, relayed=True)
        late = arrived - way - (began if could is None else could)
        return max(0, late - ALLOWANCE_US)

    def _was_there(
        self, step: int, claimant: Seat, timing: Timing, leave_out: Seat | None
    ) -> int | None:
        """When the last part of `step` reached `claimant`, on our clock; None if that is unknown.

        It follows from when it got here: less the way to us, plus the way to the claimant.
        """
        relayed = timing.relayed(step)
        parts = timing.parts(step, self.me, leave_out)
        there = [at + self._detour(here, claimant, timing, relayed) for here, at in parts.items()]
        return max(there, default=None)

    def _detour(self, here: Seat, claimant: Seat, timing: Timing, relayed: bool) -> int:
        """How much later, at most, a part of `here` reaches `claimant` than it reaches us.

        It relies on the claimant's own word on that way, which the pings bound: by the word of
        `here` a cheat could credit itself on its way to us but not to others, and make them slow.
        It is no later than what we pass on at once.  If all do that (`relayed`), each of the
        three ways may be shorter through another seat.
        """
        ours = self._way(claimant, timing, relayed)
        if here == self.me:
            return ours
        between = self.allowed(claimant, here)
        if relayed:
            between = min(between, self._passed_on[claimant][here])
        return min(ours + HOP_US, between - self._way(here, timing, relayed))

    def _way(self, other: Seat, timing: Timing, relayed: bool) -> int:
        """The way from another seat to us, the shorter one through others if that counts."""
        credit = self.credit(other, timing)
        return min(credit, self._passed_on[self._own_seat][other]) if relayed else credit

    @property
    def _two(self) -> bool:
        return len(self._credits) - len(self._left) == 2

    def lose(self, seat: Seat) -> None:
        """A seat has left: it is no longer a witness, and passes nothing on."""
        self._left.add(seat)
        staying = [one.without(seat) for one in self.pairs]
        self.pairs = tuple([one for one in staying if one.between and seat not in one.seats])
        held = [(pair.without(seat), count) for pair, count in self._held.items()]
        self._held.clear()
        for pair, count in held:
            self._held[pair] += count

    @property
    def relayed(self) -> bool:
        """Whether our own seat gets the records of some seat only through others."""
        return any(self.me in pair.seats for pair in self.pairs)

    def parts(self, timing: Timing, at: int) -> list[int | None]:
        """When the part of each other seat in the race at step `at` came.

        Counted from when our own had left.  A seat's part is its entry in the step that showed
        what is raced for or, if it owed none there, its claim or pass.
        """
        opened, showed = timing.turned_up(at - 1), self.showed()
        shown = at - 1 if opened is None else opened
        parts = [shown if seat in showed else at for seat in range(len(self._credits))]
        own = parts[self._own_seat]
        return [
            None if seat == self.me else timing.after_own(part, seat, own)
            for seat, part in enumerate(parts)
        ]

    def note(self, kind: str, owed: Collection[Seat]) -> None:
        """Note that the next step of the table begins, in which `owed` give an entry."""
        self._steps.append((kind, owed))

    def showed(self) -> Collection[Seat]:
        """The seats whose entries showed what is raced for; the same for everybody.

        These are entries of the step that turned a card up, if only steps of races followed, else
        of the step before the race: its claims, then witnesses, perhaps again and again, as long as
        seats are lost there, are the last.
        """
        steps = dropwhile(lambda one: one[0] == step_kinds.WITNESS, reversed(self._steps))
        before = [*steps][1:]
        shown = next((one for one in before if not asks(one[0], Asked.RACING)), None)
        if shown is None or not asks(shown[0], Asked.PASSED_ON):
            shown = next(iter(before), ("", ()))
        return shown[1]

    def judge(
        self, claimants: tuple[Seat, ...], said: Mapping[Seat, Said]
    ) -> tuple[RaceFinding, Pair | None]:
        """Who was first by what all witnesses say, and whose records were held, if that matters.

        If it does, all claimants are first together.
        """
        finding = judge(claimants, {seat: one.claims for seat, one in said.items()})
        if finding.void:
            return finding, None
        ways = self._ways
        pair = Reckoning(
            self.pairs, lambda one, two: ways[one][two], finding, said, frozenset(self.showed())
        ).held()
        return (finding if pair is None else RaceFinding(finding.times, claimants, True)), pair

    def by_coin(self, claimants: Sequence[Seat]) -> bool:
        """Whether no clock is asked in a race with these claimants.

        That is so after three disputes: at a table of two always, at others if a claimant is
        of the disputed pair or between the two.  After six disputes in which a seat was between
        any two, it is so if that seat claims.
        """
        if self._two:
            return self.disputes >= DISPUTES_MAX
        return any(self._in_doubt(seat) for seat in claimants)

    def _in_doubt(self, seat: Seat) -> bool:
        """Whether records that this seat sent, received or passed on were disputed too often."""
        of_pairs = (count for pair, count in self._held.items() if pair.concerns(seat))
        between = (count for pair, count in self._held.items() if seat in pair.between)
        return max(of_pairs, default=0) >= DISPUTES_MAX or sum(between) >= BETWEEN_MAX

    def report(self, report: RaceReport) -> None:
        """Remember what came of a race."""
        self.reports.append(report)
        self.disputes += report.outcome is RaceResult.DISPUTE
        if report.held is not None:
            self._held[report.held] += 1
