"""The plate of a player: some lines on a ground of their own, with an edge in his colour.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

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


class Sitting(str):
    """A line that says who sits somewhere: where things are drawn it stands on his plate.

    `number` is the player's; `name` and `state` are those parts of the line that have a style of
    their own: his, and `look`.
    """

    number: int
    name: str
    state: str
    look: str

    def __new__(cls, text: str, number: int, name: str, state: str = "", look: str = "") -> Self:
        """The line, and what it says."""
        made = super().__new__(cls, text)
        made.number, made.name, made.state, made.look = number, name, state, look
        return made

    def indented(self) -> Sitting:
        """The same line, one column further to the right."""
        return Sitting(f" {self}", self.number, self.name, self.state, self.look)

    def plate(self, rows: Sequence[str], columns: int) -> list[Line]:
        """The line, folded into these rows, on a plate from the second column on."""
        first, *more = (row[2:] for row in rows)
        styled = [self._styled(row) for row in (first, *(f" {row}" for row in more))]
        return [[("", " "), *line] for line in plate(styled, columns, self.number)]

    def _styled(self, row: str) -> Line:
        before, name, after = row.partition(self.name)
        between, state, words = after.partition(self.state) if self.state else (after, "", "")
        line = [("class:dim", before), (f"class:name {player_style(self.number)}", name),
                ("", between), (self.look, state), ("class:dim", words)]  # fmt: skip
        return [piece for piece in line if piece[1]]
