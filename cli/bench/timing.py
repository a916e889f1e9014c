"""How long things take, so that a busy machine falls on a value and its floor alike."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from time import perf_counter

Work = Callable[[], object]


def medians(works: Mapping[str, Work], repeats: int) -> dict[str, float]:
    """The median time of each piece of work, in ms; all are done in turn, `repeats` times.

    Turns, not blocks: what else the machine does then falls on all of them, and the ratio of
    two values means something.  A dict keeps its order, so a piece may use what an earlier
    one made.
    """
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            begun = perf_counter()
            work()
            times[name].append(1000 * (perf_counter() - begun))
    return {name: statistics.median(taken) for name, taken in times.items()}
