"""`python -m tests.sim.explore_votes`: search small tables that vote, and print their states."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Final

from tests.sim.vote_states import Explorer
from tests.sim.vote_tables import Shape

QUICK: Final = {
    "3 seats, 2 agree, 2 rounds": Shape(3, 2, 2),
    "3 seats, 2 agree, 2 rounds, a liar": Shape(3, 2, 2, liar=2),
    "3 seats, 2 agree, 1 round, a liar who jumps": Shape(3, 2, 1, liar=2, jumps=True),
    "4 seats, 3 agree, 1 round": Shape(4, 3, 1),
}
LONG: Final = {
    "3 seats, 2 agree, 3 rounds": Shape(3, 2, 3),
    "3 seats, 2 agree, 2 rounds, a liar who jumps": Shape(3, 2, 2, liar=2, jumps=True),
    "4 seats, 3 agree, 2 rounds": Shape(4, 3, 2),
    "4 seats, 3 agree, 2 rounds, a liar": Shape(4, 3, 2, liar=3),
}
TABLES: Final = QUICK | LONG


def main(names: Sequence[str]) -> None:
    """Print a line for each table."""
    for name in names or TABLES:
        began = time.process_time()
        found = Explorer(TABLES[name]).search()
        seconds = time.process_time() - began
        print(  # noqa: T201
            f"{name}: {found.states} states, {found.ends} ends, {seconds:.0f} s", flush=True
        )


if __name__ == "__main__":
    main(sys.argv[1:])
