"""How long whole processes take to say something, median of ten warm runs."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Final

from cli.bench.row import Row

RUNS: Final = 10
# design: interface, start-up
HELP_SECONDS: Final = 0.10


def measure() -> list[Row]:
    """The help; it imports nothing of the peer-to-peer layers."""
    return [Row("help", _median_seconds(["--help"]), "s", HELP_SECONDS, less_is_better=True)]


def _median_seconds(arguments: Sequence[str]) -> float:
    times = [_seconds(arguments) for _ in range(RUNS + 1)]
    return round(median(times[1:]), 4)


def _seconds(arguments: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments], check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - began
