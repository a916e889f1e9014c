"""A table in memory on a virtual clock: records take their time, and so do players in races."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import combinations

from engine.game import Game
from engine.question import Race
from p2p.protocol.effects import Decide, Effect
from p2p.protocol.entry import decode_entry
from p2p.protocol.races.timing import Timing
from tests.protocol.cheats import acquit
from tests.protocol.kit import Hub, Seat, game_hub, pings_of
from tests.protocol.scenes import SCENES

MS = 1_000
"""Microseconds."""


class Clock:
    """What all clocks of the table show."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class TimedHub(Hub):
    """Every record takes half of the round trip that the header states.

    `reactions` are how long after a race begins each seat claims, in microseconds, or passes
    if it is one of those in `passing`.
    """

    passing: frozenset[int] = frozenset()

    def __init__(self, seats: Sequence[Seat], clock: Clock, reactions: Sequence[int]) -> None:
        super().__init__(seats)
        self.clock = clock
        self.reactions = reactions
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    def spread(self, source: int, record: bytes) -> None:
        for seat in self.seats:
            if seat.seat != source:
                delay = _one_way(source, seat.seat)
                self._after(delay, lambda seat=seat: seat.machine.receive(record))  # type: ignore[misc]

    def _after(self, delay: int, act: Callable[[], None]) -> None:
        self._count += 1
        heappush(self._due, (self.clock.now + delay, self._count, act))

    def _do(self, seat: Seat, effect: Effect) -> None:
        if isinstance(effect, Decide) and isinstance(effect.question, Race):
            self._after(self.reactions[seat.seat], lambda: self._claim(seat, effect))
        else:
            super()._do(seat, effect)

    def _claim(self, seat: Seat, effect: Decide) -> None:
        if seat.machine.chain.step == effect.step:
            decisions = effect.question.decisions(seat.cards.view(seat.seat))
            seat.machine.decide(None if seat.seat in self.passing else decisions[-1])

    def _deliver(self) -> bool:
        if not self._due:
            return False
        self.clock.now, _, act = heappop(self._due)
        act()
        return True


def _one_way(source: int, to: int) -> int:
    stated = pings_of(source, max(source, to) + 1)[to]
    assert stated is not None
    return stated // 2


def timed_hub(game: Game, reactions_ms: Sequence[int], seed: int = 1) -> TimedHub:
    """A table with one seat for each reaction."""
    clock = Clock()
    hub = game_hub(game, len(reactions_ms), seed, clocks=lambda _: Timing(clock))
    return TimedHub(hub.seats, clock, [MS * reaction for reaction in reactions_ms])


HOST = 0
TURNED_UP, LAID = SCENES["slapped-often"], SCENES["laid-and-slapped"]
"""Games of eight races about cards that are turned up, or that seat 1 lays."""
SLOWER = (450, 400, 430)
"""The host reacts last."""
STAR_US = 20 * MS
"""From the host of a star to each guest."""


def star_pings(seat: int, count: int) -> list[int | None]:
    """Guests are linked with the host only."""
    return [
        2 * STAR_US if HOST in (seat, other) and seat != other else None for other in range(count)
    ]


class StarHub(TimedHub):
    """A star whose host passes on what `held` names later, by as many microseconds as it says.

    `held(kind, signer, to)` is asked for each record of a guest.
    """

    held: Callable[[str, int, int], int] = staticmethod(lambda kind, signer, to: 0)

    def spread(self, source: int, record: bytes) -> None:
        entry = decode_entry(record)
        for seat in self.seats:
            if seat.seat == source or HOST not in (source, seat.seat):
                continue
            relays = source == HOST and entry.seat not in (HOST, seat.seat)
            late = self.held(entry.kind, entry.seat, seat.seat) if relays else 0
            self._after(STAR_US + late, partial(seat.machine.receive, record))


def star_hub(game: Game, reactions_ms: Sequence[int], seed: int = 1) -> StarHub:
    """A table with one seat for each reaction, where guests are linked with the host only."""
    clock = Clock()
    hub = game_hub(game, len(reactions_ms), seed, clocks=lambda _: Timing(clock), pings=star_pings)
    return StarHub(hub.seats, clock, [MS * reaction for reaction in reactions_ms])


def hold_all(kind: str, signer: int, to: int) -> int:
    """A host that passes on by 100 ms too late what a race is decided by."""
    return 100 * MS if kind in ("open", "play", "race") else 0


def each_pair_in_turn() -> StarHub:
    """A game of five whose host holds all, and in each race the records of another pair longest.

    So no pair is the one that is named twice, as long as there are others.
    """
    hub = star_hub(TURNED_UP, (SLOWER[HOST], 400, 410, 420, 430))
    pairs = list(combinations(range(1, 5), 2))

    def held(kind: str, signer: int, to: int) -> int:
        longest = pairs[len(hub.seats[HOST].cards.races.reports) % len(pairs)]
        longer = 50 * MS if {signer, to} == {*longest} else 0
        return hold_all(kind, signer, to) + (longer if kind == "open" else 0)

    hub.held = held
    acquit(hub)
    return hub
