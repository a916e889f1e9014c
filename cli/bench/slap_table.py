"""A whole table of `slapping` in one process: real sockets, TLS, files, and a clock for all.

Every seat claims in every race after a time of its own, drawn like people's reactions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

import trio

import p2p.net.endpoint
import p2p.net.mesh
import p2p.seat.timing
from cli.bench import delays, slapping
from cli.bench.delays import LOOPBACK, PLACE, Links, SeatOf, Weather
from engine.question import Question
from engine.view import View
from p2p.identity.keys import Identity
from p2p.net.invite import Invite
from p2p.peer import Endpoint, Sitter, Store, TablePlan, host_table, join_table
from p2p.player.events import Event, Raced, Waiting
from p2p.protocol.races.book import RaceReport, RaceResult
from p2p.protocol.races.times import FLOOR_US
from p2p.protocol.races.timing import Clock, Timing
from p2p.protocol.terms import Terms

SLAP: Final = 0
_SECOND_US: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Slaps:
    """What is to be slapped: `rounds` cards by as many seats as `round_trips` has rows.

    `round_trips[i][j]` in ms; `jitter`, `spike` in ms; `spikes` a share of all chunks.
    Reactions are normal, with `reaction` and `spread` in ms, and never below the floor of
    the rules.
    """

    round_trips: Sequence[Sequence[float]]
    rounds: int
    seed: str
    jitter: float = 0.0
    spikes: float = 0.0
    spike: float = 0.0
    reaction: float = 300.0
    spread: float = 45.0

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.round_trips)

    def one_way(self, here: int, there: int) -> float:
        """The least delay of a link in seconds."""
        return self.round_trips[here][there] / 2000

    def weather(self) -> Weather:
        """What the links add to that."""
        return Weather(self.jitter / 1000, self.spikes, self.spike / 1000)

    def react(self, rng: Random) -> float:
        """One reaction in seconds."""
        return max(FLOOR_US / _SECOND_US, rng.gauss(self.reaction, self.spread) / 1000)


@dataclass(slots=True)
class Slapped:
    """The outcome of a table.  Times in ms.

    `wins` by seat.  `ties` races were decided by a public random value; in `alone` only one
    seat claimed before the others could not win any more.  Of each race decided by its
    witnesses: `heard` from when the last seat had the last witness entry of another to its
    decision, `witnessed` from when the last seat could write its witness entry to the last
    decision, `claimed` from the last claim or pass to the last decision.  `late` is by how
    much bots were woken too late, `computed` the seconds of processor time, `passed` those
    of the clock.
    """

    wins: list[int]
    ties: int = 0
    alone: int = 0
    heard: list[float] = field(default_factory=list)
    witnessed: list[float] = field(default_factory=list)
    claimed: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    computed: float = 0.0
    passed: float = 0.0


class _Recorded(Timing):
    """The timing of a seat, which keeps what it noted."""

    def __init__(self, clock: Clock, one_way: Callable[[int], int | None]) -> None:
        super().__init__(clock, one_way)
        self.begun: Final[dict[int, int]] = {}
        self.noted: Final[dict[tuple[int, int], int]] = {}

    def begin(self, step: int, automatic: bool, kind: str = "") -> None:
        super().begin(step, automatic, kind)
        self.begun[step] = self.clock()

    def note(self, step: int, seat: int) -> None:
        super().note(step, seat)
        self.noted.setdefault((step, seat), self.clock())


_TIMINGS: Final[dict[SeatOf, _Recorded]] = {}


def _recorded(clock: Clock, one_way: Callable[[int], int | None]) -> Timing:
    timing = _TIMINGS[PLACE.get()] = _Recorded(clock, one_way)
    return timing


STAND_INS: Final[Sequence[tuple[ModuleType, str, Callable[..., Any]]]] = (
    (p2p.net.mesh, "TcpTransport", delays.DelayedTransport),
    (p2p.net.endpoint, "open_listeners", delays.listen),
    (p2p.seat.timing, "Timing", _recorded),
)
"""What replaces which name, so that links are slow and times are kept."""


def register() -> None:
    """Let this process, and no other, play at tables whose links are slow."""
    slapping.register()
    for module, name, stand_in in STAND_INS:
        setattr(module, name, stand_in)


class _Reflexes:
    """A `Player` that slaps whenever it may; `late` is by how many ms it was woken too late."""

    def __init__(self, slaps: Slaps, seat: int) -> None:
        self.late: Final[list[float]] = []
        self.reports: Final[list[RaceReport]] = []
        self.seated: Callable[[int], None] = lambda count: None
        self._slaps = slaps
        self._rng = Random(f"{slaps.seed}/reactions/{seat}")

    async def decide(self, view: View, question: Question[Any]) -> object:
        """Slap when the reaction is over."""
        due = trio.current_time() + self._slaps.react(self._rng)
        await trio.sleep_until(due)
        self.late.append(1000 * (trio.current_time() - due))
        return SLAP

    def tell(self, event: Event) -> None:
        """Remember races, and that somebody sat down."""
        if isinstance(event, Raced):
            self.reports.append(event.report)
        elif isinstance(event, Waiting):
            self.seated(len(event.names))


async def play(slaps: Slaps, folder: Path) -> Slapped:
    """Play one table to its end; `folder` takes its files.

    Seats sit down one after another, so that seat i is row i of `round_trips`.
    """
    players = [_Reflexes(slaps, seat) for seat in range(slaps.seats)]
    began, computed = time.monotonic(), time.process_time()
    async with trio.open_nursery() as nursery:
        links = Links(nursery, slaps.one_way, slaps.weather(), slaps.seed)
        wins = await _sit_down(links, slaps, players, folder)
        nursery.cancel_scope.cancel()
    slapped = Slapped(wins, late=[late for player in players for late in player.late])
    slapped.computed = time.process_time() - computed
    slapped.passed = time.monotonic() - began
    timings = [_TIMINGS.pop(SeatOf(links, seat)) for seat in range(slaps.seats)]
    _add_up(slapped, slaps.rounds, players[0].reports, timings)
    return slapped


async def _sit_down(
    links: Links, slaps: Slaps, players: Sequence[_Reflexes], folder: Path
) -> list[int]:
    """The number of slaps that each seat won."""
    host, invites, wins = players[0], list[Invite](), list[int]()

    def opened(invite: Invite) -> None:
        invites.append(invite)
        host.seated(1)

    async def open_table() -> None:
        PLACE.set(SeatOf(links, 0))
        done = await host_table(
            Sitter(_identity(0), host),
            TablePlan(Terms.of(slapping.GAME.name, {"rounds": slaps.rounds}), slaps.seats),
            _store(folder, 0),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        )
        wins.extend(done.returns or ())

    async def join(seat: int) -> None:
        PLACE.set(SeatOf(links, seat))
        await join_table(Sitter(_identity(seat), players[seat]), invites[0], _store(folder, seat))

    async with trio.open_nursery() as nursery:
        host.seated = lambda count: nursery.start_soon(join, count) if count < slaps.seats else None
        nursery.start_soon(open_table)
    return wins


def _identity(seat: int) -> Identity:
    return Identity.generate(os.urandom, f"seat {seat}")


def _store(folder: Path, seat: int) -> Store:
    own = folder / str(seat)
    own.mkdir()
    return Store(own, folder / f"ledger {seat}")


def _add_up(
    slapped: Slapped, rounds: int, reports: Sequence[RaceReport], timings: Sequence[_Recorded]
) -> None:
    slapped.alone = rounds - len(reports)
    slapped.ties = sum(report.outcome is RaceResult.TIE for report in reports)
    for step in (report.step for report in reports if report.outcome is RaceResult.FIRST):
        _add_moments(slapped, step, timings)


def _add_moments(slapped: Slapped, step: int, timings: Sequence[_Recorded]) -> None:
    """Add the race of `step`: its witness step is the next, the step after that is decided."""
    seats = range(len(timings))
    claimed = max(timing.noted[step, seat] for seat, timing in enumerate(timings))
    witnessing = max(timing.begun[step + 1] for timing in timings)
    decided = [timing.begun[step + 2] for timing in timings]
    heard = [
        max(timings[here].noted[step + 1, there] for there in seats if there != here)
        for here in seats
    ]
    waited = max(end - last for end, last in zip(decided, heard, strict=True))
    slapped.heard.append(waited / 1000)
    slapped.witnessed.append((max(decided) - witnessing) / 1000)
    slapped.claimed.append((max(decided) - claimed) / 1000)
