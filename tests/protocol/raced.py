"""What races by chance come to: `python -m tests.protocol.raced` writes the page again.

A line is a table: links of any length or none, cards that are turned up or laid, claims and passes,
entries that come late, in any order or never, programs that start again, seats that leave, and
witnesses that lie.  The digest is of what each seat says as a witness, until when each of its
passes would wait, and what everybody, also somebody who only follows, makes of all that was said.
`tests.sim.races` shows that races are fair; this shows that they are the same ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from p2p.protocol.races.book import RaceReport, RaceResult, Races
from p2p.protocol.races.relays import Said, unlinked
from p2p.protocol.races.terms import Ping, RaceTerms, one_way, passed_on, race_cap, stated
from p2p.protocol.races.times import Sighting
from p2p.protocol.races.timing import Timing
from p2p.protocol.races.window import Window
from p2p.protocol.step_kinds import COIN, DEAL, OPEN, PLAY, RACE, WITNESS

PAGE: Final = Path(__file__).with_name("raced.txt")
RACES: Final = 40
SEEDS: Final = 6
WAYS_MS: Final = (1, 1, 4, 15, 60, 140)
"""Round trips of links."""
BEFORE: Final = ((OPEN,), (OPEN,), (PLAY,), (DEAL, OPEN), (OPEN, DEAL), (), ())
"""What comes before a race; nothing if it is about the same card as the last one."""
NEVER: Final = 1 << 60


@dataclass(frozen=True)
class Plan:
    """How many sit there, of 100 pairs how many have a link, and of 100 records how many are odd:
    held, lost on the way, or a lie.
    """

    seats: int
    linked: int
    odd: int

    def __str__(self) -> str:
        return f"{self.seats} seats, {self.linked} linked, {self.odd} odd"


PLANS: Final = (
    *(Plan(2, 100, 0), Plan(2, 100, 20), Plan(3, 100, 3), Plan(3, 60, 10), Plan(4, 100, 1)),
    *(Plan(4, 50, 15), Plan(5, 70, 5), Plan(5, 30, 25)),
)


class _Window(NamedTuple):
    """What one seat was asked in a race."""

    length: int | None
    hidden: bool
    awaited: int | None


class _Seat:
    """One program at the table, with a clock of its own."""

    def __init__(self, me: int | None, pings: Sequence[Sequence[Ping]], drift: int) -> None:
        terms = RaceTerms()
        self.me: Final = me
        self.now = 0
        self.ready = 0
        """When the step at hand begins here."""
        self.measured: Final[dict[int, int]] = {}
        self.timing: Final = Timing(lambda: self.now + drift, self.measured.get)
        self.races: Final = Races(
            len(pings),
            race_cap(terms, pings),
            terms.hold_us,
            one_way(pings),
            me,
            passed_on(pings),
            unlinked(pings),
        )
        self.window: Window | None = None

    def asked(self, at: int, asked: _Window) -> None:
        """A race begins at this step."""
        length, hidden, awaited = asked
        self.window = Window(
            self.races, self.timing, at, length=length, hidden=hidden, awaited=awaited
        )

    def says(self, claimants: Sequence[int], at: int) -> Said:
        """What it saw of a race."""
        sightings = {one: self.races.sighting(one, self.timing, at) for one in claimants}
        return Said(sightings, tuple(self.races.parts(self.timing, at)))


class _Table:
    """One table, race after race."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self._plan: Final = plan
        self._rng: Final = Random(f"{plan} {seed}")
        pings = self._pings()
        self._ways: Final = one_way(pings)
        drifts = [self._rng.randrange(10**9) for _ in pings]
        self._seats: Final = [_Seat(me, pings, drift) for me, drift in enumerate(drifts)]
        self._audit: Final = _Seat(None, pings, 0)
        self._left: Final = list(range(plan.seats))
        self._step = 0
        self._digest: Final = hashlib.sha256(repr(pings).encode())
        self.came_of: Final = Counter[str]()

    def _pings(self) -> list[list[Ping]]:
        """As seats state them: one may have measured less than the other, or nothing."""
        count, rng = self._plan.seats, self._rng
        pings: list[list[Ping]] = [[None] * count for _ in range(count)]
        for one in range(count):
            for two in range(one):
                if 100 * rng.random() < self._plan.linked:
                    way = 1_000 * rng.choice(WAYS_MS)
                    pings[one][two] = way + rng.randrange(900)
                    pings[two][one] = None if rng.random() < 0.1 else way + rng.randrange(900)
        return [stated(row, me) for me, row in enumerate(pings)]

    @property
    def _everybody(self) -> list[_Seat]:
        return [*self._playing, self._audit]

    @property
    def _playing(self) -> list[_Seat]:
        return [self._seats[one] for one in self._left]

    def _is_odd(self) -> bool:
        return 100 * self._rng.random() < self._plan.odd

    def _tell(self, told: object) -> None:
        self._digest.update(f"{told}\n".encode())

    def play(self) -> str:
        """What came of the races, and a digest of all that was said."""
        for _ in range(RACES):
            for kind in self._rng.choice(BEFORE):
                owed = self._left if kind != PLAY else [self._rng.choice(self._left)]
                self._run(kind, owed)
            self._race()
            if self._rng.random() < 0.04 and len(self._left) > 2:
                self._lose(self._rng.choice(self._left))
        came_of = ", ".join(f"{count} {name}" for name, count in sorted(self.came_of.items()))
        return f"{came_of}; {self._digest.hexdigest()[:16]}"

    def _lose(self, seat: int) -> None:
        self._left.remove(seat)
        for one in self._everybody:
            one.races.lose(seat)

    # -- one step ----------------------------------------------------------------------------

    def _run(
        self,
        kind: str,
        owed: Sequence[int],
        claims: Sequence[int] = (),
        asked: _Window | None = None,
    ) -> None:
        """Everybody begins it with all of the last one there, and gets the entries of others."""
        makes = {seat: self._seats[seat].ready + self._takes(kind) for seat in owed}
        for one in self._everybody:
            one.races.note(kind, tuple(owed))
        for one in self._playing:
            self._live(one, kind, makes, claims, asked)
        self._step += 1

    def _takes(self, kind: str) -> int:
        """How long a seat takes: a person reacts, a program is quick but not always."""
        if kind in (RACE, PLAY):
            return self._rng.choice((90_000, 150_000, 250_000)) + self._rng.randrange(40_000)
        return 300_000 if self._is_odd() else self._rng.randrange(2_000)

    def _live(
        self,
        one: _Seat,
        kind: str,
        makes: dict[int, int],
        claims: Sequence[int],
        asked: _Window | None,
    ) -> None:
        """What one program lives through in this step, in order."""
        arrive = {seat: self._arrival(one, seat, at) for seat, at in makes.items()}
        events = [(one.ready, 0, -1), *((at, 1, seat) for seat, at in arrive.items())]
        for moment, is_entry, seat in sorted(events):
            one.now = min(moment, one.ready + 900_000)
            if not is_entry:
                self._begin(one, kind, asked)
            elif moment < NEVER:
                self._hear(one, seat, seat in claims)
        one.ready = one.now

    def _begin(self, one: _Seat, kind: str, asked: _Window | None) -> None:
        if self._is_odd() and self._rng.random() < 0.1:
            one.timing.live_from = self._step + 1
        one.timing.begin(self._step, automatic=kind not in (RACE, PLAY), kind=kind)
        if asked is not None:
            one.asked(self._step, asked)

    def _hear(self, one: _Seat, seat: int, claims: bool) -> None:
        one.timing.note(self._step, seat)
        if seat == one.me:
            one.now += self._rng.randrange(3_000)  # until it is on the disk
            one.timing.leave(self._step)
        if one.window is not None:
            if seat != one.me:
                one.window.take(seat, claims)
            self._tell([one.window.pass_at(wants) for wants in (True, False)])

    def _arrival(self, one: _Seat, seat: int, made: int) -> int:
        """When the entry of a seat gets there: never, late, or after its way."""
        if seat == one.me:
            return made
        if self._is_odd():
            return self._rng.choice((NEVER, made + 50_000, made + 250_000, made + 600_000))
        way = self._ways[seat][one.me or 0] or 30_000
        took = way + self._rng.randrange(2_000)
        one.measured[seat] = min(took, one.measured.get(seat, took))
        return made + took

    # -- a race ------------------------------------------------------------------------------

    def _race(self) -> None:
        rng, at = self._rng, self._step
        claimants = tuple(sorted(rng.sample(self._left, rng.randint(1, len(self._left)))))
        asked = _Window(
            rng.choice((None, 400_000)), rng.random() < 0.3, rng.choice((None, *self._left))
        )
        self._run(RACE, self._left, claimants, asked)
        if rng.random() < 0.05:
            for one in self._playing:
                if one.window is not None:
                    one.window.leave(self._left[0])
                    self._tell(one.window.pass_at(wants=True))
        for one in self._playing:
            one.window = None
        coin = [one.races.by_coin(claimants) for one in self._everybody]
        self._tell((claimants, coin, [one.races.relayed for one in self._everybody]))
        if len(claimants) > 1:
            self._decide(claimants, at, by_coin=coin[0])

    def _decide(self, claimants: tuple[int, ...], at: int, *, by_coin: bool) -> None:
        if by_coin:
            self._end(RaceReport(at, "a race", (), claimants[0], RaceResult.COIN))
            return
        said = {one: self._word(self._seats[one], claimants, at) for one in self._left}
        self._tell(said)
        self._run(WITNESS, self._left)
        for one in self._everybody:
            for witness, word in said.items():
                for claimant, sighting in word.claims.items():
                    one.races.lower(witness, claimant, sighting.credit)
        (found, *others) = [one.races.judge(claimants, said) for one in self._everybody]
        assert all(other == found for other in others), "all know the same"
        (times, first, void), pair = found
        alone = RaceResult.FIRST if len(first) == 1 else RaceResult.TIE
        outcome = RaceResult.DISPUTE if void else alone
        if len(first) > 1:
            self._run(COIN, self._left)
        self._end(RaceReport(at, "a race", tuple(times.items()), first[0], outcome, pair))

    def _end(self, report: RaceReport) -> None:
        for one in self._everybody:
            one.races.report(report)
        self.came_of[report.outcome.value] += 1
        self._tell(report)

    def _word(self, one: _Seat, claimants: tuple[int, ...], at: int) -> Said:
        """What a seat says; a lie is one that its entry may hold."""
        said = one.says(claimants, at)
        if not self._is_odd():
            return said
        claims = {claimant: self._bent(one, claimant, said) for claimant in claimants}
        parts = [None if part is None else part + self._off() for part in said.parts]
        return Said(claims, tuple(parts))

    def _bent(self, one: _Seat, claimant: int, said: Said) -> Sighting:
        seen, late, credit = said.claims[claimant]
        most = min(credit, one.races.allowed(one.me or 0, claimant))
        bent = None if seen is None else max(0, seen + self._off())
        return Sighting(bent, late, self._rng.choice((most, most // 2)))

    def _off(self) -> int:
        return self._rng.choice((-90_000, -30_000, -9_000, 0, 9_000, 30_000, 90_000))


def tables() -> list[tuple[Plan, int]]:
    """Each line of the page."""
    return [(plan, seed) for plan in PLANS for seed in range(SEEDS)]


def line(plan: Plan, seed: int) -> str:
    """What one table comes to."""
    return f"{plan}, seed {seed}: {_Table(plan, seed).play()}\n"


if __name__ == "__main__":
    PAGE.write_text("".join(line(*one) for one in tables()), encoding="utf-8")
