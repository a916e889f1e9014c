"""Sets that were compared, drawn side by side: whose they are, what they are, and who takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cli.kit.canvas import Line, beside, centred, width
from cli.kit.glyphs import Glyphs
from cli.screen.board import Board, PileShown
from cli.screen.cards import BIG
from cli.screen.piles import drawn_sizes, middle, named, pile_lines, pile_width

PILES: Final = 4
"""The rows of piles that are drawn, with what they are."""


def set_lines(sets: Sequence[PileShown], columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
    """The sets in at most so many rows: as cards, or by their names if there is no room for that.

    Every line begins with one free column.
    """
    room, told = columns - 1, [_told(one, glyphs) for one in sets]
    lines = _drawn(told, room, rows, glyphs) or named(told, room, rows, glyphs)
    return [[("", " "), *line] for line in lines]


def among_piles(
    board: Board, columns: int, height: int, glyphs: Glyphs, most: int
) -> Sequence[Line]:
    """The middle of the table in exactly `height` rows: below the piles the sets, if there are any.

    Where there is no room for both, there are the sets alone.  No card has more than `most` lines.
    """
    told = [_told(one, glyphs) for one in board.sets]
    ways = (_drawn(told, columns, rows, glyphs, most) for rows in (height - PILES, height))
    lines = next(filter(None, ways), None)
    lines = [centred(line, columns) for line in lines or named(told, columns, height, glyphs)]
    rest, least = height - len(lines), PILES if board.piles else 0
    blank: list[Line] = [[("", " " * columns)]]
    if lines and rest < least:
        above = rest // 2
        return [*blank * above, *lines, *blank * (rest - above)]
    return [*middle(board, columns, rest, glyphs, most), *lines]


def _drawn(
    sets: Sequence[PileShown], columns: int, rows: int, glyphs: Glyphs, most: int = BIG
) -> list[Line] | None:
    """The sets as cards of the largest size for which there are rows; None if there is none."""
    for size in drawn_sizes(most) if sets else ():
        in_rows = _in_rows(sets, size, columns)
        if (size + 1) * len(in_rows) <= rows:
            drawn = [[(pile_lines(one, size, wide, glyphs), wide) for one, wide in row]
                     for row in in_rows]  # fmt: skip
            return [line for row in drawn for line in beside(row)]
    return None


def _in_rows(
    sets: Sequence[PileShown], size: int, columns: int
) -> list[list[tuple[PileShown, int]]]:
    """Which sets lie beside each other, and the columns of each."""
    rows: list[list[tuple[PileShown, int]]] = [[]]
    for one in sets:
        wide = min(columns, max(pile_width(one, size), width(one.label) + 2))
        if rows[-1] and sum(each for _, each in rows[-1]) + wide > columns:
            rows.append([])
        rows[-1].append((one, wide))
    return rows


def _told(one: PileShown, glyphs: Glyphs) -> PileShown:
    """A sign says who takes it: cards are lit only where they are solid."""
    return replace(one, label=f"{glyphs.turn} {one.label}") if one.lit else one
