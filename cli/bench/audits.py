"""The audit of a whole match against the library calls that it made."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from cli.asked_table import ask_for_table
from cli.bench.library import call_times, call_works, counted_calls
from cli.bench.row import Row, ratio_at_most
from cli.bench.timing import medians
from cli.bot_match import bot_sitters
from cli.loopback import play_here
from replay.audit import audit_bytes

SEATS: Final = 4
REPEATS: Final = 5


def rows(repeats: int = REPEATS) -> list[Row]:
    """A match of two rounds, played by four bots in one process and audited several times.

    The floor: each call of libsodium and each signature check that the audit makes, counted
    in one audit, times what one takes.
    """
    asked = ask_for_table("flip-over", SEATS, [])
    with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
        first, *others = bot_sitters(asked, seed=1)
        done = play_here(asked, first, others, Path(folder))
        log = done.log.read_bytes()
    with counted_calls() as counted:
        report = audit_bytes(log)
    taken = medians({**call_works(), "audit": lambda: audit_bytes(log)}, repeats)
    floor = call_times(taken).total(counted)
    name = f"a match of {SEATS} seats, {report.steps} steps"
    return [
        Row(f"{name}: played by four bots", 1000 * done.seconds, "ms"),
        Row(f"{name}: audit", taken["audit"], "ms", floor, (ratio_at_most(1.3),)),
        Row(f"{name}: library calls in it", float(sum(counted.values())), "calls"),
    ]
