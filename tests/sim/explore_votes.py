"""`python -m tests.sim.explore_votes [MINUTES=60] [TABLE...]`: search small tables that vote.

A line for each table says how much was looked at.  A search ends after MINUTES of processor time.
"""

from __future__ import annotations

import math
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
    "4 seats, 3 agree, 1 round, a liar who jumps": Shape(4, 3, 1, liar=3, jumps=True),
    "4 seats, 3 agree, 2 rounds": Shape(4, 3, 2),
}
ENDLESS: Final = {
    "4 seats, 3 agree, 2 rounds, a liar": Shape(4, 3, 2, liar=3),
    "4 seats, 3 agree, 2 rounds, a liar who jumps": Shape(4, 3, 2, liar=3, jumps=True),
}
"""Tables that were never searched to the end: give MINUTES, an hour takes 5 GB."""
TABLES: Final = QUICK | LONG | ENDLESS
MINUTES: Final = "MINUTES="


def main(given: Sequence[str]) -> None:
    """Print a line for each table."""
    minutes = [float(one.removeprefix(MINUTES)) for one in given if one.startswith(MINUTES)]
    names = [one for one in given if not one.startswith(MINUTES)]
    for name in names or TABLES:
        _search(name, 60 * min(minutes, default=math.inf))


def _search(name: str, seconds: float) -> None:
    began = time.process_time()

    def spent() -> float:
        return time.process_time() - began

    found = Explorer(TABLES[name]).search(stop=lambda: spent() > seconds)
    looked = f"{found.states} states, {found.ends} ends"
    whole = f"all within {found.events - 1} events, {found.left} left" if found.left else "all"
    print(f"{name}: {looked}, {whole}, {spent():.0f} s", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
