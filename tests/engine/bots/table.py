"""How strong bots are, as a table of docs/explanation/bots.md: `python -m tests.engine.bots.table`.

`--games N` are so many games for each pair of kinds, `--hard N` for each pair with a hard bot (0:
none are played, and their cells say so), `--jobs N` the processes.  Hard games take long.  The
digests of how these levels play are written with it (`tests.engine.bots.plays`).
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from engine.bots.contest import Deal, Outcome, Pairing, deals, play_deal, summed
from engine.bots.reference import REFERENCES
from engine.games import load
from replay.workers import workers
from tests.engine.bots import plays
from tests.engine.bots.plays import PAGE, SHORT

BEGIN: Final = "<!-- python -m tests.engine.bots.table -->\n"
END: Final = "<!-- end -->\n"
SEED: Final = 19
TABLES: Final = [(name, seats) for name in SHORT for seats in (max(2, load(name).seats[0]), 4)]
LEVELS: Final = (Pairing("normal", "easy"), Pairing("hard", "normal"))


class Cells(NamedTuple):
    """What is known of a table: each level among the one below, the best reference among each."""

    game: str
    seats: int
    found: dict[Pairing, Outcome]

    def row(self) -> str:
        """A line of the table."""
        title = load(self.game).title
        cells = [*map(self._share, LEVELS), self._best("normal"), self._best("hard")]
        return f"| {title} | {self.seats} | {1 / self.seats:.0%} | {' | '.join(cells)} |"

    def _share(self, pair: Pairing) -> str:
        outcome = self.found.get(pair)
        if outcome is None:
            return "not measured"
        low, high = outcome.interval()
        return f"{outcome.share:.0%} ({low:.0%} to {high:.0%}, {outcome.games})"

    def _best(self, level: str) -> str:
        pairs = [pair for pair in self.found if pair.rest == level and pair.one in REFERENCES]
        if not pairs:
            return "not measured"
        best = max(pairs, key=lambda pair: self.found[pair].share)
        return f"{best.one} {self._share(best)}"


HEAD: Final = (
    "| game | seats | fair | normal among easy | hard among normal | best reference among normal "
    "| best reference among hard |\n|---|---|---|---|---|---|---|"
)


def measured(games: int, hard: int, jobs: int) -> Iterator[Cells]:
    """Play all pairs at all tables."""
    pairs = [*LEVELS, *[Pairing(one, rest) for rest in ("normal", "hard") for one in REFERENCES]]
    play = partial(play_deal, clock=time.process_time)
    with workers(jobs) as crowd:
        submit = partial(crowd.hand_out, play)
        for name, seats in TABLES:
            due: list[Deal] = []
            for pair in pairs:
                wanted = hard if "hard" in pair else games
                due += deals(name, seats, SHORT[name], pair, wanted, SEED) if wanted else []
            found: dict[Pairing, list[Outcome]] = {}
            outcomes = crowd.each(submit, due)
            for deal, outcome in zip(due, outcomes, strict=True):
                found.setdefault(deal.pairing, []).append(outcome)
            yield Cells(name, seats, {pair: summed(one) for pair, one in found.items()})


def written(page: str, rows: Sequence[str]) -> str:
    """The page with these rows in place of those between its marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}{HEAD}\n" + "\n".join(rows) + f"\n{END}{after}"


if __name__ == "__main__":
    asked = ArgumentParser(description=__doc__)
    for option, usual in (("--games", 200), ("--hard", 0), ("--jobs", 1)):
        asked.add_argument(option, type=int, default=usual)
    given = asked.parse_args()
    lines = []
    for cells in measured(given.games, given.hard, given.jobs):
        lines.append(cells.row())
        sys.stderr.write(f"{lines[-1]}\n")
    PAGE.write_text(written(PAGE.read_text("utf-8"), lines), "utf-8")
    plays.write(("easy", "normal", "hard") if given.hard else ("easy", "normal"))
