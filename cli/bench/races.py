"""Who wins races over links of different lengths, and how soon a race is decided.

Four peers over TLS and real sockets, whose links a proxy makes as long as those of the
internet (`delays`).  All slap at every card after a time of their own, drawn from one
distribution for all, so that each seat's fair share is a quarter.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from math import ceil
from typing import Final

from cli.bench import processes
from cli.bench.row import MORE, Row, Target
from cli.bench.slap_table import Slapped, Slaps

SLAPS: Final = 600
"""These fit into two minutes; a share then has a standard error of 1.8 points."""
ROUNDS: Final = 50
TABLES_AT_ONCE: Final = 4
"""Races are mostly waiting; with more tables at once, bots would be woken late."""
FAIR: Final = 25.0
POINTS: Final = 3.0
QUICK: Final = 20
"""How many races the decision is timed by."""

LINKS: Final = ((0, 5, 20, 60), (5, 0, 20, 60), (20, 20, 0, 120), (60, 60, 120, 0))
"""Round trips in ms, from each seat to each other one."""
WEATHER: Final = {"jitter": 2.0, "spikes": 0.02, "spike": 80.0}
SIXTY: Final = tuple(tuple(0 if i == j else 60 for j in range(4)) for i in range(4))
NEAR: Final = ((0,) * 4,) * 4


def rows(slaps: int = SLAPS, seed: int = 0) -> list[Row]:
    """The decision over short and long links, then the shares of at least `slaps` slaps.

    Runs with other seeds have other slaps: their shares may be added up.
    """
    return [*decision_rows(QUICK), *share_rows(slaps, seed=seed)]


def decision_rows(rounds: int) -> list[Row]:
    """Medians over races decided by their witnesses, without jitter."""
    near, sixty = (
        played(Slaps(links, rounds, "decision", reaction=200.0), 1)[0] for links in (NEAR, SIXTY)
    )
    loopback, far = "a race of 4 seats over loopback, decided", "the same, all links 60 ms"
    return [
        Row(f"{loopback}: after last witness", *_median(near.heard), None, (Target(10.0),)),
        Row(f"{loopback}: after all claims", *_median(near.witnessed)),
        Row(f"{far}: after the last claim", *_median(sixty.claimed), None, (Target(80.0),)),
    ]


def share_rows(slaps: int, rounds: int = ROUNDS, seed: int = 0) -> list[Row]:
    """The share that each seat wins, over links of all lengths with jitter and spikes."""
    tables = played(Slaps(LINKS, rounds, f"shares/{seed}", **WEATHER), ceil(slaps / rounds))
    total = rounds * len(tables)
    wins = [sum(table.wins[seat] for table in tables) for seat in range(len(LINKS))]
    late = [late for table in tables for late in table.late]
    name = "slaps of 4 seats, links of 5 to 120 ms"
    fair = (Target(FAIR - POINTS, MORE), Target(FAIR + POINTS))
    return [
        Row(f"{name}: decided", total, "slaps"),
        *(
            Row(f"{name}: won by seat {seat}", 100 * won / total, "%", None, fair)
            for seat, won in enumerate(wins)
        ),
        Row(f"{name}: by lot, as ties", 100 * sum(t.ties for t in tables) / total, "%"),
        Row(f"{name}: bots woken late", *_median(late)),
        Row(f"{name}: 95th percentile", statistics.quantiles(late, n=20)[-1], "ms"),
        Row(f"{name}: processor, a slap", 1000 * sum(t.computed for t in tables) / total, "ms"),
    ]


def _median(times: Sequence[float]) -> tuple[float, str]:
    return statistics.median(times), "ms"


def played(slaps: Slaps, tables: int) -> list[Slapped]:
    """Play this many tables, some at once, each in a process of its own."""
    at_once = min(tables, TABLES_AT_ONCE)
    shares = [len(range(place, tables, at_once)) for place in range(at_once)]
    with ExitStack() as running:
        started = [
            running.enter_context(
                processes.started(
                    "cli.bench.slap_process",
                    json.dumps(asdict(replace(slaps, seed=f"{slaps.seed}/{place}"))),
                    str(count),
                )
            )
            for place, count in enumerate(shares)
        ]
        # Read as tables end: a process whose lines nobody reads stops when its pipe is full.
        return [Slapped(**processes.line(started[place % at_once])) for place in range(tables)]
