"""What people say, in rows that begin like nothing else: no person can speak as the program.

Every row begins with a bar, also if it continues another, and none is so wide that a terminal
would break it and leave its end at the edge by itself.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator
from typing import Final

from p2p.text.names import called, printable

BAR: Final = "| "
GOES_ON: Final = "|   "
WIDEST: Final = 68
"""What the smallest full screen shows in one row; a narrower terminal has less."""
LEAST: Final = 12


def talk_lines(name: str, text: str, columns: int | None = None) -> list[str]:
    """A line that somebody said, in rows of at most so many columns (as the terminal has)."""
    room = min(WIDEST, (columns or shutil.get_terminal_size().columns) - 1)
    rows = _rows(f"{called(name)}: {printable(text)}", max(LEAST, room - len(GOES_ON)))
    return [f"{GOES_ON if number else BAR}{row}" for number, row in enumerate(rows)]


def _rows(text: str, room: int) -> Iterator[str]:
    """The text in rows of `room` columns, broken at blanks if it has some."""
    row = ""
    for letter in text:
        if _columns(row) + _columns(letter) > room:
            cut = row.rfind(" ") + 1 or len(row)
            yield row[:cut].rstrip()
            row = row[cut:]
        row += letter
    yield row


def _columns(text: str) -> int:
    """The columns that a text takes at most."""
    return sum(2 if unicodedata.east_asian_width(one) in "WFA" else 1 for one in text)
