"""How long things take, so that what else the machine does spoils neither values nor ratios."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from time import thread_time
from typing import Final

Work = Callable[[], object]
Clock = Callable[[], float]
PROCESSOR: Final[Clock] = thread_time
"""Seconds that this thread computed.

The wall clock's of a machine with nothing else to do; on a busy one that clock would count
the turns of others, which long work has to wait for and a single library call does not.
"""


def medians(works: Mapping[str, Work], repeats: int, clock: Clock = PROCESSOR) -> dict[str, float]:
    """The median time of each piece of work, in ms; all are done in turn, `repeats` times.

    Turns, not blocks: what else the machine does then falls on all of them, and the ratio of
    two values means something.  A dict keeps its order, so a piece may use what an earlier
    one made.
    """
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            begun = clock()
            work()
            times[name].append(1000 * (clock() - begun))
    return {name: statistics.median(taken) for name, taken in times.items()}
