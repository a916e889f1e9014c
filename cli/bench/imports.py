"""Start-up: whole processes, compared with one that does nothing."""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter
from typing import Final

from cli.bench.row import Row, Target
from cli.bench.timing import Work, medians

REPEATS: Final = 10
NOTHING: Final = "pass"
THE_ENGINE: Final = "import engine.session, engine.games; engine.games.load(engine.games.FIRST)"
PEERS: Final = "from cli.kit.garbage import look_seldom; look_seldom(); import p2p.peer"
"""As every command of ours imports them."""


def rows(repeats: int = REPEATS) -> list[Row]:
    """Processes in turn, median of ten, after one of each to warm the disk's cache."""
    works: dict[str, Work] = {
        "nothing": _process("-c", NOTHING),
        "engine": _process("-c", THE_ENGINE),
        "help": _process("-m", "cli.main", "--help"),
        "peers": _process("-c", PEERS),
    }
    medians(works, 1, perf_counter)
    taken = medians(works, repeats, perf_counter)
    nothing = taken["nothing"]
    engine = taken["engine"] - nothing
    return [
        Row("start-up: python, nothing else", nothing, "ms"),
        Row("start-up: engine and game", engine, "ms", None, (Target(40.0),)),
        Row("start-up: nodealer --help, all", taken["help"], "ms", nothing, (Target(100.0),)),
        Row("start-up: peers", taken["peers"] - nothing, "ms"),
    ]


def _process(*arguments: str) -> Work:
    def run() -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    return run
