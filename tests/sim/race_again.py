"""Two races about one card: to slap, a seat touches the forehead first, which is aside.

The second race has no card before it that a seat could see sooner than others; but a seat that
saw the card of the first race sooner is ready sooner.
"""

from __future__ import annotations

from engine.zone import Seat
from p2p.protocol.races.window import Window
from tests.sim.race_cheats import MS
from tests.sim.race_simulation import BETWEEN_US, OneRace, RaceTable

LEAST_US, MEAN_US, SPREAD_US = 80 * MS, 150 * MS, 30 * MS
"""From the touch to the slap."""


class TouchTable(RaceTable):
    """A table whose seats touch and slap; it counts who wins the slaps."""

    def race(self) -> None:
        self.now += BETWEEN_US
        self.step += 4
        race = _Again(self)
        race.run()
        self.step += 1  # the race that is decided is the second one
        if race.slapped:
            self.decide(tuple(sorted(race.slapped)))
        self.step -= 1


class _Again(OneRace):
    """A race in which all touch, and one in which those who have touched slap."""

    def __init__(self, table: RaceTable) -> None:
        super().__init__(table)
        self.again = self.at + 1
        self.touched: dict[Seat, int] = {}
        self.slapped: set[Seat] = set()
        self._entries: dict[Seat, set[Seat]] = {seat: set() for seat in table.seats}
        self._second: dict[Seat, Window] = {}
        self._soon: dict[Seat, list[Seat]] = {seat: [] for seat in table.seats}

    def see(self, seat: Seat) -> None:
        super().see(seat)
        self._look(seat)

    def _look(self, seat: Seat) -> None:
        """A pass leaves by itself once it may."""
        window = self.windows.get(seat)
        leaves = window.pass_at(wants=True) if window else None
        if leaves is not None and seat not in self._entries[seat]:
            self.later(max(0, leaves - self.table.now), self._pass, seat)

    def _pass(self, seat: Seat) -> None:
        leaves = self.windows[seat].pass_at(wants=True)
        if leaves is not None and leaves <= self.table.now:
            self._answer(seat)

    def react(self, seat: Seat) -> None:
        if seat not in self._entries[seat]:
            self.touched[seat] = self.table.now
            self._answer(seat)

    def _answer(self, seat: Seat) -> None:
        """Its entry, a touch or a pass, goes to all."""
        if seat in self._entries[seat]:
            return
        self._take(seat, seat)
        for other in self.table.seats:
            if other != seat:
                self.later(self.travel(seat, other), self._take, other, seat)

    def _take(self, here: Seat, of: Seat) -> None:
        table = self.table
        table.timings[here].note(self.at, of)
        self._entries[here].add(of)
        if here != of and of in self.touched:
            self.take_claim(here, of)
            self._look(here)
        if self._entries[here] == set(table.seats):
            self._begin_again(here)

    def _begin_again(self, seat: Seat) -> None:
        table = self.table
        timing = table.timings[seat]
        timing.begin(self.again, automatic=False, kind="race")
        window = self._second[seat] = Window(
            table.races[seat], timing, self.again, length=None, hidden=False, awaited=None
        )
        for claimant in self._soon[seat]:
            window.take(claimant, claims=True)
        if seat in self.touched:
            hand = max(LEAST_US, round(self.rng.gauss(MEAN_US, SPREAD_US)))
            self.later(max(0, self.touched[seat] + hand - table.now), self._slap, seat)

    def _slap(self, seat: Seat) -> None:
        leaves = self._second[seat].pass_at(wants=True)
        if leaves is not None and leaves < self.table.now:
            return
        self.slapped.add(seat)
        self.table.timings[seat].note(self.again, seat)
        for other in self.table.seats:
            if other != seat:
                self.later(self.travel(seat, other), self._slap_is_here, other, seat)

    def _slap_is_here(self, here: Seat, of: Seat) -> None:
        self.table.timings[here].note(self.again, of)
        if here in self._second:
            self._second[here].take(of, claims=True)
        else:
            self._soon[here].append(of)
