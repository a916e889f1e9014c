"""One card as a solid face on felt, for the table, the menu and the pictures alike.  Pure.

A card of so many lines has one line less of face, and below it a shadow of half a line.  Its last
column is left free, so that cards beside each other do not touch.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cli.kit.canvas import SUIT_OF, Line, clip, width

FACE: Final = "class:face"
LIT: Final = "class:lit"
FADED: Final = "class:faded"
"""The lights of a face: as it lies, marked or winning, and not to be played now."""
BIG_FACE: Final = 7
"""From this many lines on a face has pips."""
PIP_LINES: Final = 4
"""By so many lines a face has to be higher for its pips to stand one line further apart."""
_TITLE_PART: Final = re.compile(r"[^-' ]*[-' ]+|[^-' ]+")
_L, _C, _R = -2, 0, 2
_MIDDLE: Final = 3
"""The line in the middle of these."""
_LOW: Final = ((_L, 1), (_R, 1), (_L, 5), (_R, 5))
_SIX: Final = (*_LOW, (_L, 3), (_R, 3))
_EIGHT: Final = (*_LOW, (_L, 2), (_R, 2), (_L, 4), (_R, 4))
_PIPS: Final = {
    "A": ((_C, 3),),
    "1": ((_C, 3),),
    "2": ((_C, 1), (_C, 5)),
    "3": ((_C, 1), (_C, 3), (_C, 5)),
    "4": _LOW,
    "5": (*_LOW, (_C, 3)),
    "6": _SIX,
    "7": (*_SIX, (_C, 2)),
    "8": (*_SIX, (_C, 2), (_C, 4)),
    "9": (*_EIGHT, (_C, 3)),
    "10": (*_EIGHT, (_L, 3), (_R, 3)),
}
"""Where the pips of a rank are on the smallest face that has some: the column from the middle, and
the line; on larger ones so many times as far from the middle."""


class Face(NamedTuple):
    """What stands on a card; `suit` is a place in `SUIT_OF`, or none of them."""

    name: str
    suit: int
    title: str = ""
    light: str = FACE

    @property
    def symbol(self) -> str:
        """The sign of its suit, if its name ends with it."""
        return self.name[-1:] if SUIT_OF.get(self.name[-1:]) == self.suit else ""

    @property
    def rank(self) -> str:
        """Its name without the sign."""
        return self.name.removesuffix(self.symbol) if self.symbol else self.name


def face(card: Face, size: int, columns: int, *, seen: int = 0, covers: bool = False) -> list[Line]:
    """A card face up in `size` lines of `columns`.

    `seen` columns are left by a card that covers its right side (0: all); `covers`: it lies on
    another one itself, and has a visible edge.
    """
    wide, high = columns - 1, size - 1
    grid = [[" "] * wide for _ in range(high)]
    if 0 < seen < (wide if high < BIG_FACE else _pips_end(wide, high)) and high > 2:
        _put(grid, 1, 0, card.rank)
        _put(grid, 1, 1, card.symbol)
    elif card.title and high > 1:
        _titled(grid, card, wide - 1)
    elif high > 2 and card.symbol:
        _cornered(grid, card)
    else:
        _put(grid, 1, 0, card.name)
    ink = inked(card.light, card.suit)
    lines: list[Line] = []
    for row in grid:
        text = "".join(row)
        edge = [(f"{card.light} class:rim", "▏"), (ink, text[1:])] if covers else [(ink, text)]
        lines.append([*edge, ("", " ")])
    return [*lines, shadow(columns)]


def _apart(high: int) -> int:
    """How far apart the pips of a face stand."""
    return (high - BIG_FACE) // PIP_LINES + 1


def _pips_end(wide: int, high: int) -> int:
    """So many columns of a big face have to be seen for all pips to be."""
    return wide // 2 + _apart(high) * _R + 1


def inked(light: str, suit: int) -> str:
    """The style of what stands on a face."""
    return f"{light} class:ink{suit}" if suit in SUIT_OF.values() else light


def back(size: int, columns: int, sign: str, *, covers: bool = False) -> list[Line]:
    """A card face down, filled with this sign; `covers`: it lies on another one."""
    edge: Line = [("class:pattern class:rim", "▏")] if covers else []
    line: Line = [*edge, ("class:pattern", sign * (columns - 1 - len(edge))), ("", " ")]
    return [*[line] * (size - 1), shadow(columns)]


def shadow(columns: int) -> Line:
    """What lies below a card."""
    return [("class:shadow", "▀" * (columns - 1)), ("", " ")]


def thick(card: list[Line], count: int) -> list[Line]:
    """A card as the top of a pile: the more cards it has, the broader its side."""
    side = "" if count < 2 else "▎" if count < 12 else "▌" if count < 40 else "▊"
    return [[*line[:-1], ("class:side", side)] if side else line for line in card[:-1]] + card[-1:]


def half_turned(card: Face, size: int, columns: int) -> list[Line]:
    """A card while it is turned over: flat, its name on it."""
    blank: Line = [("", " " * columns)]
    flat = [*face(card, 3, columns)[:1], shadow(columns)]
    above = (size - 2) // 2
    return [*[blank] * above, *flat, *[blank] * (size - 2 - above)]


def _titled(grid: list[list[str]], card: Face, room: int) -> None:
    """The name, and its title in the lines below it."""
    _put(grid, 1, 0, card.name)
    first = 1 if len(grid) <= 4 else 2
    for at, row in enumerate(title_rows(card.title, room, len(grid) - first)):
        _put(grid, 1, first + at, row)


def title_rows(title: str, columns: int, most: int) -> list[str]:
    """A title in at most so many rows, cut between its words if that is possible.

    Where there is one row, a title that does not fit is left out: its beginning says nothing.
    """
    if most == 1 and width(title) > columns:
        return []
    rows: list[str] = []
    for part in _TITLE_PART.findall(title):
        if rows and (len(rows) == most or width((rows[-1] + part).rstrip()) <= columns):
            rows[-1] += part
        else:
            rows.append(part)
    return [clip(row.strip(), columns) for row in rows]


def _cornered(grid: list[list[str]], card: Face) -> None:
    """Rank and suit in two corners; on a big card pips instead of the small suits."""
    high, wide = len(grid), len(grid[0])
    rank, symbol = card.rank, card.symbol
    apart = _apart(high)
    corner = card.name if apart > 1 else rank
    _put(grid, 1, 0, corner)
    _put(grid, wide - 1 - width(corner), high - 1, corner)
    pips = _PIPS.get(rank, ()) if high >= BIG_FACE else ()
    for column, row in pips:
        _put(grid, wide // 2 + apart * column, high // 2 + apart * (row - _MIDDLE), symbol)
    if not pips and apart < 2:
        _put(grid, 1, 1, symbol)
        _put(grid, wide - 2, high - 2, symbol)
    if high >= BIG_FACE and not pips:
        _framed(grid, apart - 1)
        _put(grid, (wide - width(rank)) // 2, high // 2, rank)


def _framed(grid: list[list[str]], apart: int) -> None:
    """The frame of a picture in the middle of a face, where there is room for one."""
    if not apart:
        return
    high, wide = 2 * apart + 3, 4 * apart + 5
    left, above = (len(grid[0]) - wide) // 2, (len(grid) - high) // 2
    for row in range(high):
        first, fill, last = "╭─╮" if not row else "╰─╯" if row == high - 1 else "│ │"
        _put(grid, left, above + row, first + fill * (wide - 2) + last)


def _put(grid: list[list[str]], column: int, row: int, text: str) -> None:
    for letter in text:
        if 0 <= column < len(grid[row]):
            grid[row][column] = letter
        column += 1
