"""How strong bots are, as a table of docs/explanation/bots.md: `python -m tests.engine.bots.table`.

It writes the table of what was measured (`measured.txt`).  Names of cells, or patterns of them, are
measured anew before: `'flaps:2:hard:normal'`, `'*:normal:easy'`, `'*'`; with `--games N` for each,
and `--jobs N` processes.  Hard games take long.  A figure of bots that play in another way by now
is marked.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import partial
from typing import Final

from engine.bots.contest import Pairing, deals, play_deal, summed
from engine.bots.reference import REFERENCES
from engine.games import load
from replay.workers import workers
from tests.engine.bots import measured
from tests.engine.bots.measured import FILE, Cell, Digests, Measured
from tests.engine.bots.plays import PAGE, SHORT, digests

BEGIN: Final = "<!-- python -m tests.engine.bots.table -->\n"
END: Final = "<!-- end -->\n"
SEED: Final = 19
TABLES: Final = [(name, seats) for name in SHORT for seats in (max(2, load(name).seats[0]), 4)]
LEVELS: Final = (Pairing("normal", "easy"), Pairing("hard", "normal"))
AGAINST: Final = ("normal", "hard")
PAIRS: Final = (*LEVELS, *[Pairing(one, rest) for rest in AGAINST for one in REFERENCES])
CELLS: Final = [Cell(*table, pair) for table in TABLES for pair in PAIRS]
CHANGED: Final = "; they have changed"
HEAD: Final = (
    "| game | seats | fair | normal among easy | hard among normal | best reference among normal "
    "| best reference among hard |\n|---|---|---|---|---|---|---|"
)


def play(cell: Cell, games: int, jobs: int, now: Digests) -> Measured:
    """Measure a cell."""
    due = deals(cell.game, cell.seats, SHORT[cell.game], cell.pair, games, SEED)
    one = partial(play_deal, clock=time.process_time)
    with workers(jobs) as crowd:
        outcome = summed([*crowd.each(partial(crowd.hand_out, one), due)])
    return Measured(outcome.games, outcome.won, cell.digests(now))


def row(game: str, seats: int, found: Mapping[Cell, Measured], now: Digests) -> str:
    """A line of the table: each level among the one below, the best reference among each."""
    share = partial(_share, found=found, now=now)
    cells = [share(Cell(game, seats, pair)) for pair in LEVELS]
    for level in AGAINST:
        known = [Cell(game, seats, Pairing(one, level)) for one in REFERENCES]
        best = max(known, key=lambda cell: found[cell].outcome.share if cell in found else -1.0)
        cells.append(f"{best.pair.one} {share(best)}" if best in found else share(best))
    return f"| {load(game).title} | {seats} | {1 / seats:.0%} | {' | '.join(cells)} |"


def _share(cell: Cell, found: Mapping[Cell, Measured], now: Digests) -> str:
    one = found.get(cell)
    if one is None:
        return "not measured"
    low, high = one.outcome.interval()
    changed = CHANGED if one.digests != cell.digests(now) else ""
    return f"{one.outcome.share:.0%} ({low:.0%} to {high:.0%}, {one.games}{changed})"


def rows(found: Mapping[Cell, Measured], now: Digests) -> Iterator[str]:
    """All lines of the table."""
    for table in TABLES:
        yield row(*table, found, now)


def written(page: str, lines: Sequence[str]) -> str:
    """The page with these rows in place of those between its marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}{HEAD}\n" + "\n".join(lines) + f"\n{END}{after}"


def chosen(patterns: Collection[str]) -> list[Cell]:
    """The cells that one of these patterns names."""
    return [cell for cell in CELLS if any(fnmatch(str(cell), one) for one in patterns)]


def main() -> None:
    """Measure what is asked for, and write the table."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("cells", nargs="*")
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--jobs", type=int, default=1)
    given, page = asked.parse_args(), PAGE.read_text("utf-8")
    found, now = measured.load(FILE.read_text("ascii")), digests(page)
    for cell in chosen(given.cells):
        found[cell] = play(cell, given.games, given.jobs, now)
        FILE.write_text(measured.text_of(found, CELLS), "ascii")
        sys.stderr.write(f"{cell} {_share(cell, found, now)}\n")
    PAGE.write_text(written(page, [*rows(found, now)]), "utf-8")


if __name__ == "__main__":
    main()
