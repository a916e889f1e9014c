"""`python -m tests.sim.exhaustive`: search all tables of the list, and print what was seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from tests.sim.exhaustive import apart
from tests.sim.exhaustive.columns import AtOnce
from tests.sim.exhaustive.levels import Levels
from tests.sim.exhaustive.search import explore, search
from tests.sim.exhaustive.seat import Found
from tests.sim.exhaustive.tables import APART, MANY, TABLES


def main() -> None:
    """Print a line for each table."""
    searches: dict[str, Callable[[], Found]] = {}
    searches |= {name: partial(search, *table) for name, table in TABLES.items()}
    searches |= {name: partial(explore, apart.Tables(*table)) for name, table in APART.items()}
    searches |= {name: Levels(AtOnce(*table)).run for name, table in MANY.items()}
    for name, run in searches.items():
        began = time.process_time()
        found = run()
        seconds = time.process_time() - began
        print(  # noqa: T201
            f"{name}: {found.states} states, {found.steps} ways looked at, {found.ends} ends, "
            f"{found.runs} runs of a seat, {seconds:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
