"""The plate of a player: some lines on a ground of their own, with an edge in his colour.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.kit.canvas import Line, clip_line, length, pad

PLATE: Final = "class:plate"
COLOURS: Final = 8
"""How many players have colours that differ."""


def player_style(number: int) -> str:
    """The style in which a player is named wherever that is."""
    return f"class:player{number % COLOURS}"


def plate(lines: Sequence[Line], columns: int, number: int) -> list[Line]:
    """The lines as a plate of `columns`, for the player of this number."""
    edge = (f"{PLATE} {player_style(number)}", "▌")
    return [
        [edge, *pad(over(clip_line(line, columns - 1), PLATE), columns - 1, PLATE)]
        for line in lines
    ]


def plate_width(lines: Sequence[Line], least: int, most: int) -> int:
    """The columns that a plate of these lines takes."""
    return min(most, max([least, *(length(line) + 2 for line in lines)]))


def over(line: Line, ground: str) -> Line:
    """The line on another ground."""
    return [(f"{ground} {style}".rstrip(), text) for style, text in line]
