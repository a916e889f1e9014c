"""The exported page of a game: how large it is, and how long it takes to write."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from cli.bench.row import Row, Target
from cli.bench.timing import medians
from cli.options.asked_table import ask_for_table
from cli.tables.bot_match import bot_sitters
from cli.tables.loopback import play_here
from engine.games.measured import WIDE
from replay.audit import audit
from replay.game import open_game
from replay.html import page

SEATS: Final = 4
REPEATS: Final = 3
MEGABYTE: Final = 1_000_000


def rows(repeats: int = REPEATS) -> list[Row]:
    """A game of many cards between four bots, written as a page; its audit is not counted."""
    asked = ask_for_table(WIDE, SEATS, [])
    with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
        first, *others = bot_sitters(asked, seed=1)
        log = play_here(asked, first, others, Path(folder)).log
        report = audit(log)

        def written() -> str:
            return "\n".join(page(log, open_game(log), report))

        size = len(written().encode()) / MEGABYTE
        of_log = log.stat().st_size / MEGABYTE
        taken = medians({"write": written}, repeats)["write"]
    name = f"a page of {asked.game.title}, {SEATS} seats, {report.steps} steps"
    return [
        Row(f"{name}: its size, against the log", size, "MB", of_log, (Target(3.0),)),
        Row(f"{name}: written", taken, "ms"),
    ]
