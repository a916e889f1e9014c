"""A world: virtual time, programs of seats, and what goes wrong between and within them.

Everything that happens is an event at a time, and everything follows from the plan: two runs of one
plan give the same trace (`World.digest`).
"""

from __future__ import annotations

import heapq
import os
import shutil
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from p2p.errors import LobbyError, LocalError, PeerError, StorageError
from p2p.protocol.policy import WAIT, carry_on
from p2p.protocol.proposal import propose
from p2p.protocol.table import GameTable
from p2p.protocol.terms import Terms
from p2p.seat.returning import Patience
from tests.protocol.kit import identities
from tests.sim.worlds import modified
from tests.sim.worlds.drive import Drives
from tests.sim.worlds.ends import Ends
from tests.sim.worlds.games import bot_of, game_of, known_games
from tests.sim.worlds.memo import remembered
from tests.sim.worlds.network import Network
from tests.sim.worlds.numbers import points_are_numbers
from tests.sim.worlds.plan import (
    GIVES_UP,
    Crash,
    Cut,
    Fault,
    FullDisk,
    Jump,
    Leave,
    Plan,
    Restore,
    SlowDisk,
    Split,
    Talk,
    TornWrite,
    Twice,
)
from tests.sim.worlds.process import Process
from tests.sim.worlds.second import Log, log_of
from tests.sim.worlds.watch import FailedError, Moment, Watch

STALLS: Final = 150.0
"""After so many seconds in which nothing got on, nothing will."""
EVENTS: Final = 400_000
"""More than that is a loop."""


@dataclass
class Result:
    """How a world went: the check that failed and why, if one did."""

    plan: Plan
    failed: str = ""
    why: str = ""
    digest: str = ""
    events: int = 0
    seconds: float = 0.0
    endings: tuple[str, ...] = ()
    counts: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)
    """What the second verifier is asked about, if it is."""


class World:
    """One run of a plan, in a folder of its own."""

    def __init__(self, plan: Plan, root: Path, *, trace: bool = False) -> None:
        self.plan: Final = plan
        self.now = 0.0
        self.root: Final = root
        self.counts: Final[Counter[str]] = Counter()
        self.orders: Final[Counter[int]] = Counter()
        self.writes: Final[Counter[int]] = Counter()
        self.entries: Final[Counter[int]] = Counter()
        """How many entries each seat has begun to write."""
        self.said: Final[dict[int, dict[bytes, int]]] = defaultdict(dict)
        """The entries of a seat that have left it, numbered; of a seat that a fault waits for."""
        self.events = 0
        self.lines: Final[list[str]] = []
        self.drives: Final = Drives()
        *seated, self.stranger = identities(plan.seats + 1)
        self.identities: Final = seated
        self.today: Final = datetime(2026, 1, 1, tzinfo=UTC)
        self.patience: Final = Patience(gives_up=GIVES_UP)
        seats = [(one.public, one.name, False) for one in self.identities]
        token = plan.rng("token").randbytes(16)
        game = game_of(plan.game)
        options = dict(plan.options)
        self.proposal: Final = propose(
            token,
            Terms.of(
                game.name, options, carry_on(plan.least) if plan.least else WAIT, clock=plan.clock
            ),
            seats,
        )
        self.bot: Final = bot_of(plan.game)
        self.network: Final = Network(self)
        self.watch: Final = Watch(self)
        self._at_the_end: Final = Ends(self, self.watch)
        self.processes: Final[dict[int, list[Process]]] = defaultdict(list)
        self.coming: Final[Counter[int]] = Counter()
        """How many programs of a seat will be started."""
        self._trace: Final = trace
        self._digest: Final = sha256()
        self._heap: Final[list[tuple[float, int, Callable[[], object]]]] = []
        self._numbers: Final = count()
        self._faults: Final[dict[tuple[type[Any], int], list[Any]]] = {}
        self._used: Final[set[Fault]] = set()
        self._back: Final[dict[int, float | None]] = {}
        self._copies: Final[dict[Fault, Path]] = {}
        self._moved_at = 0.0
        self._folders: Final = count()

    # -- time ------------------------------------------------------------------------------

    def at(self, when: float, act: Callable[[], object]) -> None:
        """Do this at a time."""
        heapq.heappush(self._heap, (when, next(self._numbers), act))

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        self.at(self.now + seconds, act)

    def note(self, seat: int, text: str) -> None:
        """Something happened, for the trace."""
        line = f"{self.now:12.6f}  seat {seat}  {text}"
        self._digest.update(line.encode())
        if self._trace:
            self.lines.append(line)

    def told(self, seat: int, how: str, peer: bytes, frame: bytes) -> None:
        """A frame leaves or comes."""
        self._digest.update(b"%d %d" % (seat, round(1e6 * self.now)) + peer + frame)
        if self._trace:
            to = self.proposal.identities.index(peer)
            self.lines.append(f"{self.now:12.6f}  seat {seat}  {how} {to} {modified.shown(frame)}")

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    def moved(self) -> None:
        """Something got on."""
        self._moved_at = self.now

    def run(self) -> None:
        """Until nothing more will happen; FailedError if a check fails."""
        self._begin()
        while self._heap and not self._is_over():
            when, _, act = heapq.heappop(self._heap)
            self.now = max(self.now, when)
            self.events += 1
            if self.events > EVENTS:
                raise FailedError("an end", "there is no end of events")
            act()
        self._at_the_end.check()

    def _is_over(self) -> bool:
        return self.now - self._moved_at > STALLS or not (
            any(map(self.running, self.processes)) or any(self.coming.values())
        )

    # -- programs --------------------------------------------------------------------------

    def running(self, seat: int) -> list[Process]:
        return [process for process in self.processes[seat] if process.runs]

    def faults(self, kind: type[Any], seat: int) -> list[Any]:
        """The faults of this kind that this seat has yet to meet."""
        place = kind, seat
        if place not in self._faults:
            self._faults[place] = self.plan.of(kind, seat)
        faults = self._faults[place]
        return [fault for fault in faults if fault not in self._used] if faults else faults

    def happens(self, fault: Fault, process: Process) -> None:
        """A fault comes true; the program ends by it, and the person comes back or does not."""
        self._used.add(fault)
        self.counts[type(fault).__name__] += 1
        process.note(f"meets {fault}")
        self._back[process.seat] = getattr(fault, "back", None)
        self.moved()

    def died(self, process: Process, power: bool) -> None:
        """A program ended without its table: it may be started again with what it left."""
        seat, back = process.seat, self._back.pop(process.seat, None)
        self.moved()
        if back is None:
            return
        folder = self._folder(seat)
        if power:
            process.drive.after(folder, self.plan.rng("power", seat, process.number))
        else:
            process.drive.copy(folder)
        self._start_in(back, seat, folder)

    def ended(self, process: Process) -> None:
        """A program came to its own end."""
        self.moved()
        full = isinstance(process.outcome, StorageError) and process.seat in self._back
        if full:
            self.died(process, power=False)
            return
        self.watch.ended(process)

    def _folder(self, seat: int) -> Path:
        return self.root / f"{seat}-{next(self._folders)}"

    def _start_in(self, seconds: float, seat: int, folder: Path) -> None:
        self.coming[seat] += 1
        self.after(seconds, partial(self._start, seat, folder))

    def _watch(self, seat: int) -> None:
        for process in self.running(seat)[:1]:
            process.company.watch()

    def _start(self, seat: int, folder: Path) -> None:
        self.coming[seat] -= 1
        self.moved()
        for inside in ("games", "ledger"):
            (folder / inside).mkdir(parents=True, exist_ok=True)
        kind = modified.process_of(self.plan, seat)
        process = kind(self, seat, len(self.processes[seat]), folder)
        self.processes[seat].append(process)
        process.start()
        for other in range(self.plan.seats):
            if other != seat:
                for one in self.running(other):
                    self.network.dial(process, one)

    # -- faults with a time ----------------------------------------------------------------

    def _begin(self) -> None:
        late = dict(self.plan.late)
        for seat in range(self.plan.seats):
            self._start_in(late.get(seat, 0.0), seat, self._folder(seat))
        if self.plan.watched is not None:
            seat, when = self.plan.watched
            self.at(when, partial(self._watch, seat))
        for fault in self.plan.faults:
            at = getattr(fault, "at", None)
            if isinstance(fault, Restore):
                self.at(fault.copied, partial(self._copy, fault))
            if at is not None:
                self.at(at, partial(self._befall, fault))

    def _befall(self, fault: Fault) -> None:
        if isinstance(fault, Cut | Split):
            self.counts[type(fault).__name__] += 1
            self.note(-1, str(fault))
            self.moved()
            act = self.network.cut if isinstance(fault, Cut) else self.network.split
            act(fault)  # type: ignore[operator]
            return
        assert not isinstance(fault, Crash | TornWrite | FullDisk)
        for process in self.running(fault.seat)[:1]:
            self._befall_one(fault, process)

    def _befall_one(self, fault: Any, process: Process) -> None:
        match fault:
            case SlowDisk():
                self.counts["SlowDisk"] += 1
            case Jump():
                self.happens(fault, process)
                process.jump(fault)
            case Leave():
                self.happens(fault, process)
                process.leave()
            case Talk():
                self.happens(fault, process)
                process.enter(lambda: self._talk(process, fault.lines))
            case Twice():
                self.happens(fault, process)
                self._start_twice(process, fault)
            case Restore() if fault in self._copies:
                self.happens(fault, process)
                self._restore(process, fault)

    def _talk(self, process: Process, lines: int) -> None:
        for number in range(lines if process.company.chat is not None else 0):
            process.company.chat.say(f"line {number}")  # type: ignore[union-attr]

    def _start_twice(self, process: Process, fault: Twice) -> None:
        if fault.copy:
            folder = self._folder(process.seat)
            process.drive.copy(folder)
            self.watch.doubtful.add(process.seat)
            self._start_in(0.0, process.seat, folder)
        elif process.files._seat is not None:
            self.watch.locked(process)

    def _copy(self, fault: Restore) -> None:
        for process in self.running(fault.seat)[:1]:
            self._copies[fault] = self.root / f"copy-{next(self._folders)}"
            process.drive.copy(self._copies[fault])

    def _restore(self, process: Process, fault: Restore) -> None:
        self._back.pop(process.seat, None)
        process.note(f"program {process.number} dies, older files are restored")
        process._stop()
        self.moved()
        folder = self._folder(process.seat)
        ledger = self._copies[fault] if fault.whole else process.drive.root
        if fault.whole:
            self.watch.doubtful.add(process.seat)
        shutil.copytree(ledger / "ledger", folder / "ledger")
        shutil.copytree(self._copies[fault] / "games", folder / "games")
        self._start_in(fault.back, process.seat, folder)


def run(plan: Plan, *, trace: bool = False, logs: bool = False) -> Result:
    """Run one world to its end; with `logs`, keep them for the second verifier.

    LocalError if it could not read them.
    """
    if logs and plan.numbers:
        raise LocalError("the page's verifier has a group of its own")
    memory = Path("/dev/shm")
    root = Path(mkdtemp(prefix=f"world-{os.getpgrp()}-", dir=memory if memory.is_dir() else None))
    result = Result(plan)
    try:
        with _laws(plan):
            world = World(plan, root, trace=trace)
            _run(world, result)
            if logs:
                result.logs = [log_of(*log) for log in world.watch.audited.items()]
    finally:
        shutil.rmtree(root)
    return result


def _run(world: World, result: Result) -> None:
    try:
        with world.drives.plugged_in():
            world.run()
    except FailedError as error:
        result.failed, result.why = error.check, error.why
        world.note(-1, f"FAILED {error.check}: {error.why}")
    finally:
        world.watch.close()
    result.digest, result.events, result.seconds = world.digest, world.events, world.now
    result.counts, result.lines = world.counts, world.lines
    result.moments = world.watch.moments
    result.endings = tuple(world._at_the_end.ending(seat) for seat in range(world.plan.seats))


@contextmanager
def _laws(plan: Plan) -> Iterator[None]:
    with ExitStack() as laws:
        laws.enter_context(known_games())
        # A program that dies in the midst of a call leaves its files to the system.
        laws.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", ResourceWarning)
        if plan.numbers:
            laws.enter_context(points_are_numbers())
        elif plan.memo:
            laws.enter_context(remembered({}))
        yield


Ending = GameTable | LobbyError | PeerError
