"""Tokens and chips: small things that lie on the table beside the cards.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.kit.canvas import Line, centred, clip, width
from cli.kit.plates import player_style

STACK: Final = 6
"""The fewest columns of a stack of chips."""
_CELLS: Final = {False: 7, True: 11}
"""The most columns of a token, and of a tall one."""
_PER_LAYER: Final = 8
"""So many chips make a stack half a line higher."""


class Token(NamedTuple):
    """A token: what it says, which of its two colours lies up, and who has it.

    `good` is the colour of what counts for its owner; `current`: it is played for now.
    """

    label: str
    good: bool
    current: bool = False
    owner: str = ""
    number: int = 0
    """The owner's number, for his colour."""


def token_lines(tokens: Sequence[Token], columns: int, *, tall: bool = False) -> list[Line]:
    """The tokens side by side, below each who has it; as many rows of them as are needed.

    A `tall` token has a line of its colour above its label, and another one below it.
    """
    widest = max(width(token.label) for token in tokens)
    cell = max(widest + 1, min(_CELLS[tall], columns // len(tokens)))
    across = max(1, columns // cell)
    lines: list[Line] = []
    for first in range(0, len(tokens), across):
        row = tokens[first : first + across]
        label = [part for token in row for part in _token(token, cell)]
        edge = [part for token in row for part in _token(token, cell, edge=True)]
        lines += [edge, label, edge] if tall else [label]
        lines.append([part for token in row for part in _below(token, cell)])
    return [centred(line, columns) for line in lines]


def _token(token: Token, columns: int, *, edge: bool = False) -> Line:
    left: Line = [("", " ")] if columns > width(token.label) + 2 else []
    said = ("" if edge else token.label).center(columns - len(left) - 1)
    kind = "good" if token.good else "bad"
    style = f"class:taken class:taken{kind}" if token.owner else f"class:token{kind}"
    return [*left, (style, said), ("", " ")]


def _below(token: Token, columns: int) -> Line:
    if token.current:
        return centred([("class:turn", "▲")], columns)
    style = player_style(token.number) if token.owner else ""
    return centred([(style, clip(token.owner, columns - 1))], columns)


def stack_width(size: int) -> int:
    """The columns of a stack beside cards of so many lines."""
    return max(STACK, size - 2)


def stack(chips: int, size: int) -> list[Line]:
    """Chips on top of each other, in `size` lines, the lowest on the table."""
    wide = stack_width(size)
    layers = 0 if chips <= 0 else min(2 * (size - 1), 1 + chips // _PER_LAYER)
    lines: list[Line] = [[("class:shadow", "▀" * (wide - 1)), ("", " ")]] if layers else []
    for layer in range(0, layers, 2):
        whole = layer + 1 < layers
        style = "class:chip" if whole else "class:chiptop"
        lines.insert(0, [(style, "▄" * (wide - 1)), ("", " ")])
    blank: Line = [("", " " * wide)]
    return [*[blank] * (size - len(lines)), *lines]
