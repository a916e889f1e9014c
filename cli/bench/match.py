"""A whole match between peers over loopback TLS in one process, and its audit."""

from __future__ import annotations

import tempfile
from pathlib import Path

from cli.asked_table import ask_for_table
from cli.bench.row import Row
from cli.bot_match import bot_sitters
from cli.loopback import play_here
from replay.audit import audit


def measure() -> list[Row]:
    """Flip Over, four seats, two rounds: seconds to play, seconds to audit."""
    asked = ask_for_table("flip-over", 4, [])
    with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
        first, *others = bot_sitters(asked, seed=1)
        done = play_here(asked, first, others, Path(folder))
        report = audit(done.log)
    return [
        Row("match, 4 peers", round(done.seconds, 3), "s", less_is_better=True),
        Row("audit of it", round(report.seconds, 3), "s", less_is_better=True),
    ]
