"""What came of a study, in rows for people and programs."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final

from engine.games import load
from engine.study import SEATS, Study
from engine.totals import Totals

DIGITS: Final = 4
"""Decimal places of means and shares."""
MEDIAN: Final = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of each setting of a study; fewer games than it has if it was stopped."""

    study: Study
    totals: tuple[Totals, ...]

    @property
    def games(self) -> int:
        """How many games were played in all settings."""
        return sum(one.games for one in self.totals)

    @property
    def steps(self) -> int:
        """All answered questions."""
        return sum(one.steps for one in self.totals)

    @property
    def whole(self) -> bool:
        """Whether every game was played."""
        return self.games == self.study.total

    def rows(self) -> Iterator[dict[str, Any]]:
        """What came of each setting that has a game, as the JSON output tells it."""
        for setting, totals in zip(self.study.settings, self.totals, strict=True):
            if totals.games:
                yield {
                    SEATS: setting.seats,
                    "options": dict(setting.options),
                    **numbers(totals),
                }


def numbers(totals: Totals) -> dict[str, Any]:
    """The numbers of one setting, by the names that the JSON output gives them."""
    return {
        "games": totals.games,
        "returns": _rounded(totals.means()),
        "errors": _rounded(totals.errors()),
        "shares": _rounded(totals.shares()),
        "intervals": [_rounded(one) for one in totals.intervals()],
        "steps": round(totals.steps / totals.games, DIGITS),
        "steps_median": totals.length(MEDIAN),
        "left": totals.left,
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, DIGITS) for value in values]


COLUMNS: Final = (
    *(SEATS, "games", "seat", "share", "share_low", "share_high", "points", "points_error"),
    *("steps", "steps_median", "left"),
)
"""Of the CSV file, after the name of the game and its options, each as `option_NAME`."""


def table(outcome: Outcome) -> str:
    """The CSV file: a line for each seat of each setting that has a game."""
    written = StringIO()
    lines = csv.writer(written, lineterminator="\n")
    names = [option.name for option in load(outcome.study.game).options]
    lines.writerow(["game", *(f"option_{name}" for name in names), *COLUMNS])
    for setting, totals in zip(outcome.study.settings, outcome.totals, strict=True):
        told = setting.told()
        first = [outcome.study.game, *(told[name] for name in names), setting.seats, totals.games]
        for seat in range(setting.seats if totals.games else 0):
            lines.writerow([*first, seat, *_of_seat(totals, seat)])
    return written.getvalue()


def _of_seat(totals: Totals, seat: int) -> list[object]:
    found = numbers(totals)
    by_seat = [
        found["shares"],
        *zip(*found["intervals"], strict=True),
        found["returns"],
        found["errors"],
    ]
    return [*(values[seat] for values in by_seat), *(found[name] for name in COLUMNS[-3:])]
