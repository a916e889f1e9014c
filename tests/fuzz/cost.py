"""What reading costs: turns of an empty loop that take as long, and bytes at the worst moment.

Seconds say how fast a machine is, and how busy; turns, counted on the same machine at the same
time, hardly depend on that.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Final

_TURNS: Final = 500_000
_QUICK: Final = 0.05
"""Seconds of what is not worth a comparison: it counts as nothing."""


def _seconds(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return time.process_time() - began


def _loop() -> None:
    for _ in range(_TURNS):
        pass


def turns_of(act: Callable[[], object]) -> float:
    """How many turns of an empty loop take as much of the processor as `act`."""
    took = _seconds(act)
    return took / (min(_seconds(_loop) for _ in range(3)) / _TURNS) if took > _QUICK else 0.0


def peak_of(act: Callable[[], object]) -> int:
    """How many bytes more than before `act` holds at its worst moment."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
