"""What has happened, as rows: the last events below the table, or the story beside it.  Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.kit.canvas import Line, folded, pad, suited, width, wrapped
from cli.line.talk import BAR, GOES_ON
from cli.screen.board import Board

INDENT: Final = "  "
MIDDLE_ROWS: Final = 3
LAST_ROWS: Final = 4
"""The most rows for which the newest event may take some of the table's."""


def told_rows(text: str, columns: int) -> list[str]:
    """A sentence in as many rows as it needs; what somebody said keeps its mark in each."""
    if not text.startswith(BAR) or width(text) <= columns:
        return folded(text, columns, INDENT)
    first, *more = folded(text, columns - len(GOES_ON))
    return [first, *(f"{GOES_ON}{row}" for row in more)]


def middle_lines(board: Board, columns: int) -> list[Line]:
    """What is said of the middle of the table."""
    lines = [part for text in board.middle for part in wrapped(text, columns - 2, 2)]
    return [suited(f" {line}", "class:strong") for line in lines[:MIDDLE_ROWS]]


def rows_of_last(board: Board, columns: int) -> int:
    """How many rows the newest event needs."""
    if not board.events:
        return 1
    return min(LAST_ROWS, len(told_rows(board.events[-1], columns - 2)))


def last_events(board: Board, columns: int, rows: int) -> list[Line]:
    """The last events, the newest lowest; what has just come stands out for a moment."""
    lines = _newest(board, columns, rows)
    blank: list[Line] = [[]]
    return blank * (rows - len(lines)) + lines


def _newest(board: Board, columns: int, rows: int) -> list[Line]:
    lines: list[Line] = []
    for style, text in _backwards(board):
        told = [suited(f" {row}", style) for row in told_rows(text, columns - 2)]
        if lines and len(lines) + len(told) > rows:
            break
        # Of a last event that does not fit, its beginning is seen rather than its end.
        lines = [*told[:rows], *lines]
    return lines


def _backwards(board: Board) -> Iterator[tuple[str, str]]:
    count = len(board.events)
    for at in range(count - 1, -1, -1):
        new = at >= count - board.fresh
        yield "class:fresh" if new else "class:event", board.events[at]


def story(board: Board, columns: int, rows: int) -> list[Line]:
    """The story beside the table, from its top on."""
    title: list[Line] = [[], [("class:strong", " Story")], []]
    lines = [*title, *_newest(board, columns - 1, rows - len(title))]
    blank: list[Line] = [[]]
    return [pad(line, columns) for line in (lines + blank * rows)[:rows]]
