"""A seat that returns to a long game: how fast it gets the log, against an audit of that log.

Three seats of one process, whose frames go from desk to desk; the records are those of a match that
bots played.  The seat that returns has nothing, and asks the two others.  Frames are faster than
proofs, as on links whose other end does not wait: whatever was sent arrives before one is verified.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cli.bench.row import Row, Target, ratio_at_most
from cli.options.asked_table import ask_for_table
from cli.tables.bot_match import bot_sitters
from cli.tables.loopback import play_here
from p2p.net.mesh import LinkState
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.inline import run_inline
from p2p.protocol.logfile import split_log
from p2p.protocol.outcome import attempt, returning
from p2p.protocol.table import open_table
from p2p.seat.desk import Ask, Consult, Desk, Flood, Flush, Measure, Post, Run, Save
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from replay.audit import audit_bytes

GAME: Final = "flaps"
SEATS: Final = 3
WINS: Final = 9
"""So many wins end the match, after 2,000 steps or so."""
SECONDS_MAX: Final = 10.0
STANDS_STILL: Final = 60.0
"""How many seconds without a step are a fault."""


def rows(wins: int = WINS) -> list[Row]:
    """One match: its audit, the return of a seat to its last step, and what that seat was sent."""
    log = _match(wins)
    begun = time.perf_counter()
    report = audit_bytes(log)
    audited = time.perf_counter() - begun
    records, header = split_log(log).records, decode_header(split_log(log).header)
    table = _Table(header, records)
    begun = time.perf_counter()
    table.catch_up(report.steps)
    taken = time.perf_counter() - begun
    name = f"{report.steps} steps of Flaps: a seat returns"
    limit = max(SECONDS_MAX, 1.2 * audited)
    size = sum(map(len, records))
    return [
        Row(name, taken, "s", audited, (Target(limit),)),
        Row(f"{name}, bytes", table.received / 1000, "kB", size / 1000, (ratio_at_most(1.2),)),
    ]


def _match(wins: int) -> bytes:
    asked = ask_for_table(GAME, SEATS, [f"wins={wins}"])
    with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
        first, *others = bot_sitters(asked, seed=1)
        return play_here(asked, first, others, Path(folder)).log.read_bytes()


class _Audience:
    """Nobody."""

    def step(self, records: Sequence[bytes]) -> None:
        """Nobody watches."""

    def left(self, key: bytes) -> None:
        """Nobody watches."""

    def end(self, frames: Sequence[bytes]) -> None:
        """Nobody watches."""


class _Seat:
    """A seat that signs nothing, with the records that it has at first."""

    def __init__(self, table: _Table, seat: int, header: Header, records: Sequence[bytes]) -> None:
        self.key: Final = header.proposal.identities[seat]
        self.desk: Final = Desk(time.perf_counter, table, os.urandom)
        audience = _Audience()
        self.runner: Final = Runner(self.desk, header.proposal, seat, Patience(), audience)
        self.machine: Final = open_table(header, os.urandom).machine
        if records:
            self.machine.start()
        for record in records:
            self.machine.receive(record)
            run_inline(self.machine)

    def begin(self) -> None:
        """Answer the others, and ask for what is lacking."""
        if self.machine.started:
            self.runner.answer_for(self.machine)
        else:
            self.runner.run(self.machine)


class _Table:
    """The seats, and the frames on their way.  The first seat has no records."""

    def __init__(self, header: Header, records: Sequence[bytes]) -> None:
        self.keys: Final = header.proposal.identities
        self.received = 0
        """Bytes that the first seat was sent."""
        self._frames: Final[deque[tuple[bytes, int, bytes]]] = deque()
        self._runs: Final[deque[tuple[_Seat, Run]]] = deque()
        self._seats: Final = [
            _Seat(self, seat, header, records if seat else ()) for seat in range(len(self.keys))
        ]

    def is_linked(self, key: bytes, /) -> bool:
        return True

    def links(self) -> Mapping[bytes, LinkState]:
        return dict.fromkeys(self.keys, LinkState(True))

    def round_trip_us(self, key: bytes, /) -> int | None:
        return None

    def source(self, key: bytes, /) -> str:
        return ""

    def catch_up(self, steps: int) -> None:
        """Let the first seat come to the last of these steps."""
        machine, stood = self._seats[0].machine, (0, time.perf_counter())
        for seat in reversed(self._seats):
            seat.begin()
        while machine.chain.step < steps:
            if not self._work():
                time.sleep(0.001)
            if machine.chain.step > stood[0]:
                stood = machine.chain.step, time.perf_counter()
            elif time.perf_counter() > stood[1] + STANDS_STILL:
                raise AssertionError("a seat does not catch up")

    def _work(self) -> bool:
        """Do what the seats want, then deliver a frame or compute; whether there was anything."""
        for seat in self._seats:
            seat.desk.ring()
            while (order := seat.desk.take()) is not None:
                self._carry_out(seat, order)
        if not self._frames:
            return self._compute()
        source, to, frame = self._frames.popleft()
        self.received += 0 if to else len(frame)
        self._seats[to].runner.receive(source, frame)
        return True

    def _compute(self) -> bool:
        if not self._runs:
            return False
        seat, run = self._runs.popleft()
        seat.desk.answer(run.number, attempt(run.job))
        return True

    def _carry_out(self, seat: _Seat, order: Any) -> None:
        match order:
            case Post(peer, frame):
                self._frames.append((seat.key, self.keys.index(peer), frame))
            case Flood(frame, skip):
                others = [to for to, key in enumerate(self.keys) if key not in (seat.key, skip)]
                self._frames.extend((seat.key, to, frame) for to in others)
            case Run():
                self._runs.append((seat, order))
            case Save(number) | Flush(number) | Measure(number):
                seat.desk.answer(number, returning(None))
            case Ask() | Consult():
                raise AssertionError("a seat that signs nothing asks nobody")
