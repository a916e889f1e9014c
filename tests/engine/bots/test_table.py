"""The table of the bots' strengths, and how it is written."""

from __future__ import annotations

from engine.bots.contest import Pairing
from engine.games import NAMES
from tests.engine.bots.measured import FILE, Cell, Measured, load, text_of
from tests.engine.bots.plays import PAGE, SHORT, digests
from tests.engine.bots.table import (
    BEGIN,
    CELLS,
    END,
    HEAD,
    TABLES,
    chosen,
    play,
    row,
    rows,
    written,
)

NOW = {("sneak", "normal"): "a" * 12, ("sneak", "easy"): "b" * 12}


def cell(one: str, rest: str) -> Cell:
    return Cell("sneak", 2, Pairing(one, rest))


FOUND = {
    cell("normal", "easy"): Measured(10, 8.0, ("a" * 12, "b" * 12)),
    cell("greedy", "normal"): Measured(10, 0.0, ("-", "a" * 12)),
    cell("random", "normal"): Measured(10, 5.0, ("-", "a" * 12)),
}


def test_every_game_is_measured_for_two_and_for_four() -> None:
    assert [*SHORT] == ["flip-over", "flaps", "flop-a", "sneak", "you-fink"]
    assert {*SHORT} == {*NAMES}
    assert {seats for _, seats in TABLES} == {2, 3, 4}
    assert len(TABLES) == 2 * len(NAMES)


def test_a_row_says_what_was_measured_and_what_was_not() -> None:
    assert row("sneak", 2, FOUND, NOW) == (
        "| Sneak | 2 | 50% | 80% (49% to 94%, 10) | not measured "
        "| random 50% (24% to 76%, 10) | not measured |"
    )


def test_a_figure_of_bots_that_have_changed_says_so() -> None:
    changed = {**NOW, ("sneak", "easy"): "c" * 12}
    assert row("sneak", 2, FOUND, changed) == (
        "| Sneak | 2 | 50% | 80% (49% to 94%, 10; they have changed) | not measured "
        "| random 50% (24% to 76%, 10) | not measured |"
    )


def test_what_was_measured_is_read_as_it_was_written() -> None:
    text = text_of(FOUND, CELLS)
    assert load(text) == FOUND
    assert text.splitlines()[0] == f"sneak 2 normal easy 10 8 {'a' * 12} {'b' * 12}"
    known = FILE.read_text("ascii")
    assert text_of(load(known), CELLS) == known


def test_cells_are_measured_by_name() -> None:
    assert [str(one) for one in chosen(["flaps:2:hard:normal"])] == ["flaps:2:hard:normal"]
    assert len(chosen(["*:normal:easy"])) == len(TABLES)
    assert chosen(["*"]) == CELLS
    assert chosen([]) == []
    found = play(Cell("flip-over", 3, Pairing("normal", "random")), 3, 1, {})
    assert (found.games, found.digests) == (3, ("-", "-"))
    assert found.won > 1


def test_the_table_takes_the_place_of_the_one_before() -> None:
    page = f"before\n{BEGIN}old\n{END}after\n"
    once = written(page, ["| new |"])
    assert once == f"before\n{BEGIN}{HEAD}\n| new |\n{END}after\n"
    assert written(once, ["| new |"]) == once


def test_the_page_has_what_was_measured() -> None:
    page = PAGE.read_text("utf-8")
    again = "run `python -m tests.engine.bots.table`"
    lines = [*rows(load(FILE.read_text("ascii")), digests(page))]
    assert written(page, lines) == page, again
