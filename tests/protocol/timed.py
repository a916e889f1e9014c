"""A table in memory on a virtual clock: records take their time, and so do players in races."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush

from engine.game import Game
from engine.question import Race
from p2p.protocol.effects import Decide, Effect
from p2p.protocol.entry import decode_entry
from p2p.protocol.timing import Timing
from tests.protocol.kit import Hub, Seat, game_hub, pings_of

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

    `reactions` are how long after a race begins each seat claims, in microseconds.
    """

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
            seat.machine.decide(decisions[-1])

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
