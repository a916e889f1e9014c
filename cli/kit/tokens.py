"""Tokens and chips: small things that lie on the table beside the cards.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.kit.canvas import Line, centred, clip, width
from cli.kit.plates import player_style

STACK: Final = 6
"""The columns of a stack of chips."""
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


def token_lines(tokens: Sequence[Token], columns: int) -> list[Line]:
    """The tokens side by side, below each who has it; as many rows of them as are needed."""
    widest = max(width(token.label) for token in tokens)
    cell = max(widest + 1, min(7, columns // len(tokens)))
    across = max(1, columns // cell)
    lines: list[Line] = []
    for first in range(0, len(tokens), across):
        row = tokens[first : first + across]
        lines.append([part for token in row for part in _token(token, cell)])
        lines.append([part for token in row for part in _below(token, cell)])
    return [centred(line, columns) for line in lines]


def _token(token: Token, columns: int) -> Line:
    left: Line = [("", " ")] if columns > width(token.label) + 2 else []
    said = token.label.center(columns - len(left) - 1)
    kind = "good" if token.good else "bad"
    style = f"class:taken class:taken{kind}" if token.owner else f"class:token{kind}"
    return [*left, (style, said), ("", " ")]


def _below(token: Token, columns: int) -> Line:
    if token.current:
        return centred([("class:turn", "▲")], columns)
    style = player_style(token.number) if token.owner else ""
    return centred([(style, clip(token.owner, columns - 1))], columns)


def stack(chips: int, size: int) -> list[Line]:
    """Chips on top of each other, in `size` lines of STACK columns, the lowest on the table."""
    layers = 0 if chips <= 0 else min(2 * (size - 1), 1 + chips // _PER_LAYER)
    lines: list[Line] = [[("class:shadow", "▀" * (STACK - 1)), ("", " ")]] if layers else []
    for layer in range(0, layers, 2):
        whole = layer + 1 < layers
        style = "class:chip" if whole else "class:chiptop"
        lines.insert(0, [(style, "▄" * (STACK - 1)), ("", " ")])
    blank: Line = [("", " " * STACK)]
    return [*[blank] * (size - len(lines)), *lines]
