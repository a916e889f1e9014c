"""Simulations of races, and the tables of docs/explanation/races.md.

`python -m tests.sim.race_bounds` prints the tables; a test compares them with a fresh run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from unittest.mock import patch

from engine.zone import Seat
from p2p.protocol.races import window as race_window
from tests.sim import race_stars
from tests.sim.race_cheats import (
    Accomplice,
    FakesDistance,
    Forgetful,
    Honest,
    LeavesOut,
    LeavesOutOne,
    LyingWitness,
    NeverPasses,
    Quick,
    Robot,
    Shades,
    SparingLiar,
    Withholds,
)
from tests.sim.race_simulation import RaceTable

SEED: Final = 20
RACES: Final = {3: 4_000, 4: 8_000, 5: 4_000, 8: 2_000}
"""How many races are played for each number of seats: chance is half a point to a point."""
TABLES, CONTESTED = 40, 200
"""Tables of two, and the contested races at each."""


@dataclass(frozen=True)
class Scene:
    """One row: seat 0 behaves as `first`, seat 1 as `second`, everybody else honestly.

    `whose` is the seat whose share is measured (-1: the last one).  Seat 0 is `far_ms` from the
    middle of the network, and all others are `away_ms` from it.  `at_most` and `at_least` are
    bounds in percent, by the number of seats.
    """

    text: str
    first: Callable[[], Honest] = Honest
    second: Callable[[], Honest] = Honest
    whose: Seat = 0
    far_ms: int = 20
    away_ms: int = 20
    cap_ms: int = 80
    layer: Seat | None = None
    passes_held: bool = True
    at_most: dict[int, float] = field(default_factory=dict)
    at_least: dict[int, float] = field(default_factory=dict)

    def table(self, seats: int, seed: int) -> RaceTable:
        rest = [Honest() for _ in range(seats - 2)]
        away = [self.far_ms] + [self.away_ms] * (seats - 1)
        return RaceTable(
            [self.first(), self.second(), *rest],
            away,
            seed=seed,
            cap_ms=self.cap_ms,
            layer=self.layer,
        )

    def measure(self, seats: int, races: int, seed: int = SEED) -> float:
        """The share in percent of all races."""
        if self.passes_held:
            table = self.table(seats, seed).play(races)
        else:
            with patch.object(race_window, "pass_after", lambda best, cap: 0):
                table = self.table(seats, seed).play(races)
        return table.share(table.seats[self.whose])

    def bound(self) -> str:
        """The bounds as the table states them."""
        bounds = [f"<= {most:g} of {seats}" for seats, most in self.at_most.items()]
        return ", ".join(bounds + [f">= {least:g} of {n}" for n, least in self.at_least.items()])


FAIR = {3: 34.5, 4: 26, 5: 21, 8: 13.5}
"""A withheld share gains a point at most, apart from what chance adds in a run."""
EXPOSED = "honest, and 80 ms faster than the others"
EXPOSED_LAN = "honest, and 6 ms faster, all 2 ms apart"
SCENES: Final = (
    Scene("everybody honest"),
    *(
        Scene(f"own share withheld by {ms} ms", partial(Withholds, ms), at_most=FAIR)
        for ms in (50, 150, 300, 2000)
    ),
    Scene(
        "the same by 150 ms, if passes left at the first claim",
        partial(Withholds, 150),
        passes_held=False,
        at_least={4: 80},
    ),
    Scene("honest, 55 ms farther than the others", far_ms=65, away_ms=10, at_least={4: 21}),
    Scene("the same under a cap of 40 ms", far_ms=65, away_ms=10, cap_ms=40),
    Scene("lies as a witness, always", LyingWitness, at_most={3: 37, 4: 28}),
    Scene("lies as a witness, where it helps", SparingLiar, at_most={3: 37, 4: 28}),
    Scene("says that it saw nothing", Forgetful, at_most={3: 37, 4: 28}),
    Scene("sends its share to all but one", LeavesOutOne),
    Scene("... and what is left to that one", LeavesOutOne, whose=-1),
    Scene("fakes 40 ms of distance", partial(FakesDistance, 40)),
    Scene("... and withholds its share by as much", partial(FakesDistance, 40, 40)),
    Scene(EXPOSED, partial(Quick, 80)),
    Scene(
        "all 2 ms apart, cap 5 ms: fakes distance",
        partial(FakesDistance, 80),
        far_ms=1,
        away_ms=1,
        cap_ms=5,
    ),
    Scene(
        "... and withholds its share by 3 ms",
        partial(FakesDistance, 80, 3),
        far_ms=1,
        away_ms=1,
        cap_ms=5,
    ),
    Scene(EXPOSED_LAN, partial(Quick, 6), far_ms=1, away_ms=1),
    Scene(
        "all 2 ms apart, cap 80 ms: fakes and withholds 78 ms",
        partial(FakesDistance, 78, 78),
        far_ms=1,
        away_ms=1,
    ),
    Scene("the card raced for is its own, laid in turn", layer=0),
    Scene("has a friend who lies as a witness", second=Accomplice),
    Scene("has a friend who sends the share to it alone", LeavesOut, whose=1),
    Scene("a bot that claims after 100 ms", Robot),
)
TWO: Final = (
    Scene("both honest", at_most={2: 52}),
    Scene("own share withheld by 300 ms", partial(Withholds, 300), at_most={2: 52}),
    Scene("lies as a witness, always", LyingWitness, at_most={2: 52}),
    Scene("lies as a witness, only when beaten", SparingLiar, at_most={2: 52}),
    Scene("says that it saw nothing", Forgetful, at_most={2: 52}),
    Scene("never passes", NeverPasses, at_most={2: 52}),
    Scene("states the shortest own time that is not contradicted", Shades),
    Scene("the card raced for is its own, laid in turn", layer=0),
)


def measure_two(scene: Scene, tables: int = TABLES) -> tuple[float, float, float]:
    """Over many tables of two: share in percent, share before the coins, races before them."""
    share = before = 0.0
    played = 0
    for seed in range(tables):
        table = scene.table(2, SEED + seed)
        while not table.races[0].by_coin((0, 1)) and table.outcomes.total() < CONTESTED:
            table.play(1)
        before += table.wins[0]
        played += table.wins.total()
        share += table.play_contested(CONTESTED).share(0)
    return share / tables, 100 * before / played, played / tables


def row(scene: Scene) -> str:
    """The row of a scene, as Markdown."""
    shares = (f"{scene.measure(seats, races):.0f}" for seats, races in RACES.items())
    return f"| {scene.text} | {' | '.join(shares)} | {scene.bound()} |"


def row_two(scene: Scene) -> str:
    """The row of a scene at a table of two, as Markdown."""
    share, before, played = measure_two(scene)
    return f"| two: {scene.text} | {share:.0f} | {before:.0f} | {played:.0f} | {scene.bound()} |"


def main() -> None:
    """Print the tables."""
    for scene in SCENES:
        print(row(scene), flush=True)  # noqa: T201  the result
    for scene in TWO:
        print(row_two(scene), flush=True)  # noqa: T201
    for star in race_stars.STARS:
        print(race_stars.row(star), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
