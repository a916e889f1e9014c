"""The audit of a whole match against the library calls that it made."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from cli.bench.library import LOOPS, call_times, call_works, counted_calls
from cli.bench.row import MORE, Row, Target, ratio_at_most
from cli.bench.timing import medians
from cli.options.asked_table import ask_for_table
from cli.tables.bot_match import bot_sitters
from cli.tables.loopback import play_here
from engine.games import FIRST
from replay.audit import audit_bytes
from replay.batch import audit_each
from replay.workers import workers

SEATS: Final = 4
REPEATS: Final = 5
LOGS: Final = 40
WALL: Final = time.perf_counter
"""The computing of other processes does not count as time of this thread."""
TWICE: Final = Target(1.8, MORE)
CALLS: Final = 800
"""How many library calls take about as long as the audit of one such log."""


def rows(repeats: int = REPEATS) -> list[Row]:
    """A match of two rounds, played by four bots in one process and audited several times.

    The floor: each call of libsodium and each signature check that the audit makes, counted in one
    audit, times the duration of one.  Beside the speed of two processes is what two reach on this
    machine with nothing but such calls: no audit can gain more.
    """
    asked = ask_for_table(FIRST, SEATS, [])
    with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
        first, *others = bot_sitters(asked, seed=1)
        done = play_here(asked, first, others, Path(folder))
        log = done.log.read_bytes()
        two = _two_jobs(done.log, min(repeats, 3))
    most = _twice(_calls_in_each, min(repeats, 3))
    with counted_calls() as counted:
        report = audit_bytes(log)
    taken = medians({**call_works(), "audit": lambda: audit_bytes(log)}, repeats)
    floor = call_times(taken).total(counted)
    name = f"a match of {SEATS} seats, {report.steps} steps"
    return [
        Row(f"{name}: played by four bots", 1000 * done.seconds, "ms"),
        Row(f"{name}: audit", taken["audit"], "ms", floor, (ratio_at_most(1.3),)),
        Row(f"{name}: library calls in it", float(sum(counted.values())), "calls"),
        Row(f"{LOGS} such logs: two processes against one", two, "times", most, (TWICE,)),
    ]


def _two_jobs(log: Path, repeats: int) -> float:
    """How many times as fast two processes audit many logs; their start-up is counted too."""
    logs = [log] * LOGS

    def audited(jobs: int) -> None:
        with workers(jobs) as crowd:
            for report in audit_each(logs, crowd):
                if not report.verified:
                    raise AssertionError(report.reason)

    return _twice(audited, repeats)


def _calls_in_each(jobs: int) -> None:
    """The same amount of bare library calls, as if it were many audits."""
    if jobs == 1:
        for _ in range(LOGS):
            _calls()
        return
    with ProcessPoolExecutor(jobs) as pool:
        for done in [pool.submit(_calls) for _ in range(LOGS)]:
            done.result()


def _calls() -> None:
    multiply = call_works()["call multiply"]
    for _ in range(CALLS // LOOPS):
        multiply()


def _twice(work: Callable[[int], None], repeats: int) -> float:
    """How many times as fast this work goes with two processes."""
    taken = medians({"one": lambda: work(1), "two": lambda: work(2)}, repeats, WALL)
    return taken["one"] / taken["two"]
