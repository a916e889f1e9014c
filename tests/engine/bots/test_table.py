"""The table of the bots' strengths, and how it is written."""

from __future__ import annotations

import re

from engine.bots.contest import Outcome, Pairing
from engine.games import NAMES
from tests.engine.bots.plays import PAGE, SHORT
from tests.engine.bots.table import BEGIN, END, HEAD, TABLES, Cells, written


def test_every_game_is_measured_for_two_and_for_four() -> None:
    assert [*SHORT] == ["flip-over", "flaps", "flop-a", "sneak", "you-fink"]
    assert {*SHORT} == {*NAMES}
    assert {seats for _, seats in TABLES} == {2, 3, 4}
    assert len(TABLES) == 2 * len(NAMES)


def test_a_row_says_what_was_measured_and_what_was_not() -> None:
    found = {
        Pairing("normal", "easy"): Outcome(10, 8.0, {}),
        Pairing("greedy", "normal"): Outcome(10, 0.0, {}),
        Pairing("random", "normal"): Outcome(10, 5.0, {}),
    }
    assert Cells("sneak", 2, found).row() == (
        "| Sneak | 2 | 50% | 80% (49% to 94%, 10) | not measured "
        "| random 50% (24% to 76%, 10) | not measured |"
    )


def test_the_table_takes_the_place_of_the_one_before() -> None:
    page = f"before\n{BEGIN}old\n{END}after\n"
    once = written(page, ["| new |"])
    assert once == f"before\n{BEGIN}{HEAD}\n| new |\n{END}after\n"
    assert written(once, ["| new |"]) == once


def test_the_page_has_a_row_for_each_table() -> None:
    table = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = re.findall(r"^\| ([\w !-]+) \| (\d) \|", table, re.MULTILINE)
    assert len(rows) == len(TABLES)
    assert [int(seats) for _, seats in rows] == [seats for _, seats in TABLES]
