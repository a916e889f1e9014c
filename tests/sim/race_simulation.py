"""Many races at one table in virtual time, judged by the functions that play them.

Clocks, windows, credits, sightings and the judgement are the protocol's own; here are only the
network, the reactions of people, and cheats (`race_cheats`).  All times are whole microseconds,
all chance comes from one seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from heapq import heappop, heappush
from random import Random

from engine.zone import Seat
from p2p.protocol.races.book import RaceReport, RaceResult, Races
from p2p.protocol.races.relays import Said
from p2p.protocol.races.relays import unlinked as unlinked_pairs
from p2p.protocol.races.terms import HOP_US, RaceTerms, one_way, passed_on, race_cap
from p2p.protocol.races.timing import Timing
from p2p.protocol.races.window import Window
from tests.sim.race_cheats import MS, Honest, Row

JITTER_US = 4 * MS
"""Mean delay of a message beyond the least one."""
SPIKES, SPIKE_US = 0.02, 80 * MS
"""The share of messages that take longer, and by up to how much."""
UNEQUAL_US = 10 * MS
"""The step that shows the card begins at all seats within this time."""
COMPUTING_US = 3 * MS
"""It takes up to this time to make a share."""
HOLD_US = 600 * MS
"""How long a seat without a link to everybody holds its pass, as at tables of people."""
BETWEEN_US = 10_000 * MS
"""From one race to the next."""


class RaceTable:
    """A table whose seats only ever race.

    `behaviours` has one for each seat; `away_ms` says how far each is from the middle of the
    network: a message takes at least the sum of two of these.  `layer` is the seat whose laid
    card is raced for; None if a card is turned up by the shares of all, which all pass on at
    once.  `round_trips_ms` replaces `away_ms`: how far each seat is from each other.  `unlinked`
    are the pairs (the lower seat first) without a link of their own: a seat that is linked with
    both passes their records on; if `looked_at`, what they exchange is looked at.
    """

    def __init__(
        self,
        behaviours: Sequence[Honest],
        away_ms: Sequence[int],
        *,
        seed: int,
        cap_ms: int = 80,
        layer: Seat | None = None,
        round_trips_ms: Sequence[Sequence[int]] | None = None,
        unlinked: Collection[tuple[Seat, Seat]] = (),
        looked_at: bool = True,
    ) -> None:
        self.rng = Random(seed)
        self.seats = range(len(behaviours))
        self.behaviours = behaviours
        self.away_us = [MS * away for away in away_ms]
        self.round_trips_ms = round_trips_ms
        self.layer = layer
        self.linked = [
            [
                here != there and (min(here, there), max(here, there)) not in unlinked
                for there in self.seats
            ]
            for here in self.seats
        ]
        self.now = 0
        pings = self._pings()
        ways, relayed = one_way(pings), passed_on(pings)
        self.cap_us = race_cap(RaceTerms(cap_ms * MS), pings)
        pairs = unlinked_pairs(pings) if looked_at else ()
        self.looked_at = bool(pairs)
        self.races = [
            Races(len(self.seats), self.cap_us, HOLD_US, ways, seat, relayed, pairs)
            for seat in self.seats
        ]
        self.timings = [Timing(lambda: self.now, self._measured(seat)) for seat in self.seats]
        self.step = 0
        self.wins: Counter[Seat] = Counter()
        self.outcomes: Counter[RaceResult] = Counter()

    def play(self, count: int) -> RaceTable:
        """Play this many more races, contested or not."""
        for _ in range(count):
            self.race()
        return self

    def play_contested(self, count: int) -> RaceTable:
        """Play more races until this many have been contested."""
        while self.outcomes.total() < count:
            self.race()
        return self

    def share(self, seat: Seat) -> float:
        """The percentage of all races that `seat` won."""
        return 100 * self.wins[seat] / self.wins.total()

    def delay(self, sender: Seat, receiver: Seat) -> int:
        """The least time of a message."""
        if self.round_trips_ms is not None:
            return self.round_trips_ms[sender][receiver] * MS // 2
        return self.away_us[sender] + self.away_us[receiver]

    def _round_trip(self, asking: Seat, answering: Seat) -> int:
        return 2 * self.delay(asking, answering) + self.behaviours[answering].pongs_late_us

    def _pings(self) -> list[list[int | None]]:
        """What all state; a cheat states what the other measured, as the smaller one counts."""
        return [
            [
                None
                if not self.linked[i][j]
                else max(self._round_trip(i, j), self._round_trip(j, i))
                for j in self.seats
            ]
            for i in self.seats
        ]

    def _measured(self, me: Seat) -> Callable[[Seat], int | None]:
        def measured(seat: Seat) -> int | None:
            return self._round_trip(me, seat) // 2 if self.linked[me][seat] else None

        return measured

    def race(self) -> None:
        self.now += BETWEEN_US
        self.step += 4
        race = OneRace(self)
        race.run()
        self.decide(tuple(sorted(race.claimants)))

    def decide(self, claimants: tuple[Seat, ...]) -> None:
        """Decide as the protocol does: witnesses, judgement, and chance between equals."""
        if len(claimants) == 1:
            self.wins[claimants[0]] += 1
            return
        if self.races[0].by_coin(claimants):
            first, outcome, pair = self.rng.choice(claimants), RaceResult.COIN, None
        else:
            self._note_steps()
            finding, pair = self.races[0].judge(claimants, self._witness(claimants))
            tie = RaceResult.TIE if len(finding.first) > 1 else RaceResult.FIRST
            outcome = RaceResult.DISPUTE if finding.void else tie
            first = self.rng.choice(finding.first)
        self.wins[first] += 1
        self.outcomes[outcome] += 1
        for races in self.races:
            races.report(RaceReport(self.step, "", (), first, outcome, pair))

    def _note_steps(self) -> None:
        """Note the steps of a race, up to the one in which all are witnesses."""
        shown = ("open", self.seats) if self.layer is None else ("play", [self.layer])
        for races in self.races:
            for kind, owed in (shown, ("race", self.seats), ("witness", self.seats)):
                races.note(kind, owed)

    def _witness(self, claimants: tuple[Seat, ...]) -> dict[Seat, Said]:
        rows: dict[Seat, Row] = {}
        parts: dict[Seat, tuple[int | None, ...]] = {}
        for seat in sorted(self.seats, key=lambda seat: self.behaviours[seat].waits_for_others):
            behaviour, races, timing = self.behaviours[seat], self.races[seat], self.timings[seat]
            row = {one: races.sighting(one, timing, self.step + 1) for one in claimants}
            rows[seat] = behaviour.says(seat, row, rows)
            honest = rows[seat] == row
            parts[seat] = behaviour.says_of_parts(races.parts(timing, self.step + 1), honest)
        for witness, row in rows.items():
            for claimant, sighting in row.items():
                assert 0 <= sighting.credit <= self.races[0].allowed(witness, claimant)
                for races in self.races:
                    races.lower(witness, claimant, sighting.credit)
        return {seat: Said(row, parts[seat]) for seat, row in sorted(rows.items())}


class OneRace:
    """The events of one race in the order of time."""

    def __init__(self, table: RaceTable) -> None:
        self.table = table
        self.rng = table.rng
        self.shown, self.at = table.step, table.step + 1
        self.claimants: set[Seat] = set()
        self.owed = frozenset(table.seats if table.layer is None else [table.layer])
        self._missing = {seat: set(self.owed) for seat in table.seats}
        self._has: set[tuple[Seat, Seat]] = set()
        self._begun: set[Seat] = set()
        self.windows: dict[Seat, Window] = {}
        self._early: dict[Seat, list[Seat]] = {seat: [] for seat in table.seats}
        self._events: list[tuple[int, int, Callable[..., None], tuple[Seat, ...]]] = []
        self._count = 0

    def run(self) -> None:
        table = self.table
        for seat in table.seats:
            self.later(self.rng.randrange(UNEQUAL_US), self._begin, seat)
        while self._events:
            table.now, _, act, seats = heappop(self._events)
            act(*seats)

    def later(self, delay: int, act: Callable[..., None], *seats: Seat) -> None:
        self._count += 1
        heappush(self._events, (self.table.now + delay, self._count, act, seats))

    def travel(self, sender: Seat, receiver: Seat) -> int:
        spike = self.rng.random() * SPIKE_US if self.rng.random() < SPIKES else 0
        jitter = self.rng.expovariate(1 / JITTER_US)
        return self.table.delay(sender, receiver) + int(jitter + spike)

    def _begin(self, seat: Seat) -> None:
        """The step that shows the card begins at a seat, which makes its share."""
        table = self.table
        table.timings[seat].begin(
            self.shown,
            automatic=table.layer is None,
            kind="open" if table.layer is None else "play",
        )
        self._begun.add(seat)
        behaviour = table.behaviours[seat]
        if seat in self.owed:
            if behaviour.share_after():
                self._missing[seat].discard(seat)  # it has its own share, whoever else has it
            making = self.rng.randrange(COMPUTING_US)
            self.later(making + behaviour.share_after(), self._send_share, seat)
        self.see(seat)

    def _send_share(self, seat: Seat) -> None:
        table = self.table
        self._has.add((seat, seat))
        table.timings[seat].leave(self.shown)
        self._share_is_here(seat, seat)
        later = table.behaviours[seat].leaves_out(seat, table.seats)
        self._pass_on(seat, seat, [other for other in table.seats if other not in later])

    def _pass_on(self, here: Seat, of: Seat, to: Sequence[Seat]) -> None:
        for other in to:
            if self.table.linked[here][other] and (other, of) not in self._has:
                hop = 0 if here == of else self._hop(here, of, other, "open")
                self.later(hop + self.travel(here, other), self._take_share, other, of)

    def _hop(self, here: Seat, of: Seat, to: Seat, kind: str) -> int:
        """How long a seat takes to pass on what it received."""
        held = self.table.behaviours[here].holds(kind, of, to, self.at // 4, here in self.claimants)
        return self.rng.randrange(2 * HOP_US) + held

    def _take_share(self, here: Seat, of: Seat) -> None:
        """A share of `of` comes in, the first time or again."""
        if (here, of) in self._has:
            return
        self._has.add((here, of))
        self._share_is_here(here, of)
        linked = self.table.linked
        lack = [s for s in self.table.seats if self.table.layer is None or not linked[of][s]]
        self._pass_on(here, of, lack)

    def _share_is_here(self, here: Seat, of: Seat) -> None:
        if here != of or self.table.layer is not None:
            self.table.timings[here].note(self.shown, of)
        self._missing[here].discard(of)
        self.see(here)

    def see(self, seat: Seat) -> None:
        """With the last share the card is seen, and the race begins here."""
        table = self.table
        if seat not in self._begun or self._missing[seat] or seat in self.windows:
            return
        timing = table.timings[seat]
        timing.begin(self.at, automatic=False, kind="race")
        races = table.races[seat]
        window = Window(races, timing, self.at, length=None, hidden=False, awaited=None)
        self.windows[seat] = window
        for claimant in self._early[seat]:
            window.take(claimant, claims=True)
        self.later(table.behaviours[seat].claims_after(self.rng), self.react, seat)

    def react(self, seat: Seat) -> None:
        """The seat claims, unless its pass has left before."""
        leaves = self.windows[seat].pass_at(wants=True)
        passed = leaves is not None and leaves < self.table.now
        if not (passed and self.table.behaviours[seat].passes):
            self.claimants.add(seat)
        elif not self.table.looked_at:
            return  # it does not matter when a pass came
        self.table.timings[seat].note(self.at, seat)
        self.table.timings[seat].leave(self.at)
        for other in self.table.seats:
            if self.table.linked[seat][other]:
                self.later(self.travel(seat, other), self.entry_is_here, other, seat)

    def entry_is_here(self, here: Seat, of: Seat) -> None:
        """A claim or pass comes in; seats that are not linked with its seat get it from us."""
        if self.table.timings[here].arrived(self.at, of) is not None:
            return
        self.table.timings[here].note(self.at, of)
        linked = self.table.linked
        for other in self.table.seats:
            if linked[here][other] and other != of and not linked[of][other]:
                hop = self._hop(here, of, other, "race")
                self.later(hop + self.travel(here, other), self.entry_is_here, other, of)
        if of in self.claimants:
            self.take_claim(here, of)

    def take_claim(self, here: Seat, of: Seat) -> None:
        if here in self.windows:
            self.windows[here].take(of, claims=True)
        else:
            self._early[here].append(of)
