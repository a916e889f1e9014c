"""How long things take, so that other work of the machine spoils neither values nor ratios."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from time import thread_time
from typing import Final

Work = Callable[[], object]
Clock = Callable[[], float]
PROCESSOR: Final[Clock] = thread_time
"""Seconds that this thread computed.

On a machine with nothing else to do, these equal the wall clock's; on a busy one that clock would
count the turns of other processes, for which long work has to wait and a single library call does
not.
"""


def medians(works: Mapping[str, Work], repeats: int, clock: Clock = PROCESSOR) -> dict[str, float]:
    """The median time of each piece of work, in ms; all are done in turn, `repeats` times.

    Turns, not blocks: other work of the machine then affects all of them, and the ratio of two
    values means something.  A dict keeps its order, so a piece may use what an earlier one made.
    """
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            begun = clock()
            work()
            times[name].append(1000 * (clock() - begun))
    return {name: statistics.median(taken) for name, taken in times.items()}
