"""`python -m tests.sim.exhaustive`: search all tables of the list, and print what was seen."""

from __future__ import annotations

import time

from tests.sim.exhaustive import apart
from tests.sim.exhaustive.search import Searched, Tables, explore
from tests.sim.exhaustive.tables import APART, TABLES


def main() -> None:
    """Print a line for each table."""
    searched: dict[str, Searched] = {name: Tables(*table) for name, table in TABLES.items()}
    searched |= {name: apart.Tables(*table) for name, table in APART.items()}
    for name, tables in searched.items():
        began = time.process_time()
        found = explore(tables)
        seconds = time.process_time() - began
        print(  # noqa: T201
            f"{name}: {found.states} states, {found.steps} ways looked at, {found.ends} ends, "
            f"{found.runs} runs of a seat, {seconds:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
