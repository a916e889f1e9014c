"""Races where not everybody is linked with everybody, under exactly the rules that are played."""

from __future__ import annotations

import math
import re
from typing import Final

import pytest

from tests.repo.sources import ROOT
from tests.sim.race_stars import FAIR, RACES, SEATS, SEED, STARS, TABLES, Measured, Star

DOCUMENT: Final = ROOT / "docs" / "explanation" / "races.md"
NAMED: Final = {star.text: star for star in STARS}
SOON: Final = (
    "everybody honest",
    "the host holds all by 150 ms",
    "only claims, by 150 ms, and lies as a witness",
    "all to one guest, by 50 ms",
    "a guest says that all came late, always",
)
FEW: Final = 2
"""Tables in a short test."""
CHANCE: Final = 3.0
"""This many standard errors are chance."""
ROUNDED: Final = 1.0


def _check(star: Star, seats: int, measured: Measured, tables: int) -> None:
    told = f"{star.text}: {measured} of {seats} seats, {tables} tables, seed {SEED}"
    print(told)  # noqa: T201  shown when it fails
    fair, races = FAIR[seats], tables * RACES
    if star.above is not None:
        error = math.sqrt(fair * (100 - fair) / races)
        assert measured.share <= fair + star.above + CHANCE * error, told
    if star.above_honest is not None:
        honest, error = star.honest(seats, tables).share, math.sqrt(2 * fair * (100 - fair) / races)
        assert measured.share <= honest + star.above_honest + CHANCE * error, told
    if star.disputed_at_most is not None:
        assert measured.disputed <= star.disputed_at_most, told


@pytest.mark.parametrize("text", SOON)
def test_bounds_of_stars_in_short(text: str) -> None:
    _check(NAMED[text], 4, NAMED[text].measure(4, FEW), FEW)


def test_without_the_comparison_a_host_that_holds_wins_every_race() -> None:
    star = NAMED["the host holds all by 150 ms, if nobody looks"]
    assert star.measure(4, 1).share > 99


@pytest.mark.full
@pytest.mark.parametrize("star", STARS, ids=[star.text for star in STARS])
def test_the_document_tells_what_is_measured_of_stars(star: Star) -> None:
    row = rf"^\| star: {re.escape(star.text)} \| (.*) \|$"
    (found,) = re.findall(row, DOCUMENT.read_text("utf-8"), re.M)
    *cells, bound = [cell.strip() for cell in found.split("|")]
    assert bound == star.bound()
    for seats, cell in zip(SEATS, cells, strict=True):
        measured = star.measure(seats)
        share, disputed = map(float, re.findall(r"\d+", cell))
        assert abs(measured.share - share) <= ROUNDED
        assert abs(measured.disputed - disputed) <= ROUNDED
        _check(star, seats, measured, TABLES)


def test_the_document_has_a_row_for_every_star_and_no_other() -> None:
    rows = re.findall(r"^\| star: ([^|]+) \|", DOCUMENT.read_text("utf-8"), re.M)
    assert rows == [star.text for star in STARS]
