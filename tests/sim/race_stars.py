"""Simulations of races at tables where not everybody is linked with everybody.

There are many tables, each with as many races as an evening has: after three disputes coins
decide, so a share over thousands of races at one table would say nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p.protocol.races.book import RaceResult
from tests.sim.race_cheats import Accomplice, FakesDistance, Honest, LyingLeaf, Relay
from tests.sim.race_simulation import RaceTable

SEED: Final = 20
SEATS: Final = (3, 4, 5, 8)
TABLES, RACES = 20, 200
"""Tables of each number of seats, and the races at each."""
FAIR: Final = {seats: 100 / seats for seats in SEATS}
AWAY_MS: Final = 10
"""So guests are 20 ms from the host, and 40 from each other by way of it."""
HOST: Final = 0


Pairs = list[tuple[Seat, Seat]]


def all_of_them(guests: Pairs) -> Pairs:
    """A star: guests are linked with the host only."""
    return guests


def one_guest(guests: Pairs) -> Pairs:
    """The first guest is linked with the host only, and all others with each other."""
    return [pair for pair in guests if pair[0] == 1]


def not_neighbours(guests: Pairs) -> Pairs:
    """Guests are linked with the host, and with the next guest."""
    return [(one, two) for one, two in guests if two > one + 1]


class Measured(NamedTuple):
    """In percent of all races: those that the seat won, and those that were disputed."""

    share: float
    disputed: float


@dataclass(frozen=True)
class Star:
    """One row: the host behaves as `host`, the first guest as `guest`, all others honestly.

    `apart` says which pairs of the guests have no link.  `layer` is who lays the card raced for;
    None if it is turned up.  `above` is how many points more than the fair share the seat `whose`
    may win.
    """

    text: str
    host: Callable[[], Honest] = Honest
    guest: Callable[[], Honest] = Honest
    whose: Seat = HOST
    apart: Callable[[Pairs], Pairs] = all_of_them
    layer: Seat | None = None
    looked_at: bool = True
    """Whether anybody looks at what was held."""
    above: float | None = None
    above_honest: float | None = None
    """The same, but above what the seat wins there if it is honest: a seat that lays a card sees
    it first, and wins more than a fair share without holding anything."""
    disputed_at_most: float | None = None

    def table(self, seats: int, seed: int) -> RaceTable:
        people = [self.host(), self.guest(), *(Honest() for _ in range(seats - 2))]
        return RaceTable(
            people,
            [AWAY_MS] * seats,
            seed=seed,
            layer=self.layer,
            unlinked=self.apart(list(combinations(range(1, seats), 2))),
            looked_at=self.looked_at,
        )

    def measure(self, seats: int, tables: int = TABLES, seed: int = SEED) -> Measured:
        """Measure over this many tables."""
        won = disputed = 0
        for number in range(tables):
            table = self.table(seats, seed + number).play(RACES)
            won += table.wins[self.whose]
            disputed += table.outcomes[RaceResult.DISPUTE]
        return Measured(100 * won / (tables * RACES), 100 * disputed / (tables * RACES))

    def honest(self, seats: int, tables: int = TABLES) -> Measured:
        """The same tables if the host is honest."""
        return replace(self, host=Honest).measure(seats, tables)

    def bound(self) -> str:
        """The bounds as the table states them."""
        share = "" if self.above is None else f"<= fair + {self.above:g}"
        if self.above_honest is not None:
            share = f"<= honest + {self.above_honest:g}"
        most = self.disputed_at_most
        return share if most is None else f"<= {most:g} % disputed"


_ALONE: Final = (1,)
"""The first guest."""
STARS: Final = (
    Star("everybody honest", disputed_at_most=5),
    Star(
        "everybody honest, one guest linked with the host only",
        apart=one_guest,
        disputed_at_most=5,
    ),
    Star(
        "everybody honest, guests linked with the next one",
        apart=not_neighbours,
        disputed_at_most=5,
    ),
    Star("the host holds all by 150 ms, if nobody looks", partial(Relay, 150), looked_at=False),
    *(Star(f"the host holds all by {ms} ms", partial(Relay, ms), above=1) for ms in (50, 150, 500)),
    *(
        Star(f"only shares, by {ms} ms", partial(Relay, ms, ["open"]), above=1)
        for ms in (50, 150, 500)
    ),
    Star("only claims, by 150 ms", partial(Relay, 150, ["race"]), above=1),
    *(
        Star(
            f"only claims, by {ms} ms, and lies as a witness",
            partial(Relay, ms, ["race"], lies=True),
            above=1,
        )
        for ms in (50, 150, 500)
    ),
    Star(
        "the same by 150 ms, before it has claimed itself",
        partial(Relay, 150, ["race"], lies=True, sparing=True),
        above=1,
    ),
    Star("all by 150 ms, in one race of four", partial(Relay, 150, often=4), above=1),
    *(
        Star(f"all to one guest, by {ms} ms", partial(Relay, ms, to=_ALONE), above=1)
        for ms in (50, 150, 500)
    ),
    Star(
        "one guest linked with it only: all by 150 ms",
        partial(Relay, 150),
        apart=one_guest,
        above=1,
    ),
    Star(
        "guests linked with the next one: all by 150 ms",
        partial(Relay, 150),
        apart=not_neighbours,
        above=1,
    ),
    Star("a guest lays the card, everybody honest", layer=1, disputed_at_most=5),
    Star(
        "a guest lays the card: all by 150 ms, if nobody looks",
        partial(Relay, 150),
        layer=1,
        looked_at=False,
    ),
    *(
        Star(f"a guest lays the card: all by {ms} ms", partial(Relay, ms), layer=1, above=1)
        for ms in (50, 150, 500)
    ),
    Star(
        "a guest lays the card: only the card, by 150 ms",
        partial(Relay, 150, ["open"]),
        layer=1,
        above=1,
    ),
    Star(
        "a guest lays the card: all by 150 ms, in one race of four",
        partial(Relay, 150, often=4),
        layer=1,
        above=1,
    ),
    Star("a guest lays the card and says that all came late", guest=LyingLeaf, layer=1, whose=1),
    Star("another guest lays the card, and it says so", guest=LyingLeaf, layer=2, whose=1, above=3),
    Star("the host lays the card, everybody honest", layer=HOST),
    *(
        Star(
            f"the host lays the card: all by {ms} ms",
            partial(Relay, ms),
            layer=HOST,
            above_honest=1,
        )
        for ms in (50, 150, 500)
    ),
    Star("all by 150 ms, and reacts 50 ms later", partial(Relay, 150, mean_ms=350), above=0),
    Star(
        "all by 150 ms, and fakes 40 ms of distance", partial(Relay, 150, late_pongs_ms=40), above=1
    ),
    Star("honest, and fakes 40 ms of distance", partial(FakesDistance, 40)),
    Star("all by 20 ms", partial(Relay, 20)),
    Star(
        "honest, but a busy machine: all by 100 ms, reacts as much later",
        partial(Relay, 100, mean_ms=400),
        above=0,
    ),
    Star("all by 150 ms, a friend lies as a witness", partial(Relay, 150), Accomplice),
    Star(
        "all by 150 ms but to a friend: what the friend wins",
        partial(Relay, 150, spares=_ALONE),
        whose=1,
    ),
    Star("a guest says that all came late, always", guest=LyingLeaf, whose=1, above=3),
    Star(
        "the same, where it is beaten",
        guest=partial(LyingLeaf, sparing=True),
        whose=1,
        above=3,
    ),
)


def row(star: Star) -> str:
    """The row of a scene, as Markdown."""
    cells = (f"{one.share:.0f} ({one.disputed:.0f})" for one in map(star.measure, SEATS))
    return f"| star: {star.text} | {' | '.join(cells)} | {star.bound()} |"
