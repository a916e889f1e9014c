"""Sets that were compared, drawn side by side: whose they are, what they are, and who takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cli.kit.canvas import Line, beside, width
from cli.kit.glyphs import Glyphs
from cli.screen.board import PileShown
from cli.screen.piles import named, pile_lines, pile_width

SIZE: Final = 3
DRAWN: Final = SIZE + 1
"""The rows of a set that is drawn: its cards, and below them its label."""


def set_lines(sets: Sequence[PileShown], columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
    """The sets in at most so many rows: as cards, or by their names if there is no room for that.

    Every line begins with one free column.
    """
    room = columns - 1
    drawn: list[list[tuple[list[Line], int]]] = [[]]
    told = [_told(one, glyphs) for one in sets]
    for one in told:
        wide = min(room, max(pile_width(one, SIZE), width(one.label) + 2))
        if drawn[-1] and sum(each for _, each in drawn[-1]) + wide > room:
            drawn.append([])
        drawn[-1].append((pile_lines(one, SIZE, wide, glyphs), wide))
    if sets and DRAWN * len(drawn) <= rows:
        return [[("", " "), *line] for row in drawn for line in beside(row)]
    return [[("", " "), *line] for line in named(told, room, rows, glyphs)]


def _told(one: PileShown, glyphs: Glyphs) -> PileShown:
    """A sign says who takes it: cards are lit only where they are solid."""
    return replace(one, label=f"{glyphs.turn} {one.label}") if one.lit else one
