"""The viewer of saved games: opening a long log, and showing any step of it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from random import Random
from typing import Final

from cli.bench.row import Row, Target
from cli.bench.timing import medians
from cli.options.asked_table import ask_for_table
from cli.screen.layout import render
from cli.tables.bot_match import bot_sitters
from cli.tables.loopback import play_here
from cli.viewer.audit import Checking
from cli.viewer.model import Viewer
from engine.games.measured import LONG
from replay.game import open_game

STEPS: Final = 2_000
"""How many steps the game of the promise has."""
SEATS: Final = 3
SHOWN: Final = 300
COLUMNS: Final = 80
ROWS: Final = 24


def rows() -> list[Row]:
    """A long game of three bots, opened without verification, and its steps shown at random.

    Opening is scaled to 2,000 steps, so the number is a little too high for a shorter game.
    """
    asked = ask_for_table(LONG[0], SEATS, LONG[1:])
    with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
        first, *others = bot_sitters(asked, seed=1)
        log = play_here(asked, first, others, Path(folder)).log
        game = open_game(log)
        count = len(game.steps)
        opening = medians({"open": lambda: open_game(log)}, 5)["open"]
        viewer = Viewer(game, 0, 0, time.monotonic, checked=lambda: "verifying")
        places = Random(1).sample(range(count), min(SHOWN, count))
        alone = max(_shown(viewer, place) for place in places)
        checking = Checking(log)
        checking.start()
        meanwhile = max(_shown(viewer, place) for place in places)
        checking.stop()
    name = f"a saved game of {count} steps"
    return [
        Row(
            f"{name}: opened, for {STEPS} steps",
            opening * STEPS / count,
            "ms",
            targets=(Target(500),),
        ),
        Row(f"{name}: any step shown, the slowest", alone, "ms", targets=(Target(50),)),
        Row(f"{name}: the same while it is verified", meanwhile, "ms", targets=(Target(50),)),
    ]


def _shown(viewer: Viewer, place: int) -> float:
    """Milliseconds to go to a step and to draw it."""
    began = time.perf_counter()
    viewer.go(place)
    render(viewer.board(), COLUMNS, ROWS)
    return 1000 * (time.perf_counter() - began)
