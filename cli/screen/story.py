"""What has happened, as rows: the last events below the table, or the story beside it.  Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from cli.kit.canvas import Line, clip, drawn_once, folded, pad, suited, width, wrapped
from cli.kit.glyphs import Glyphs
from cli.kit.plates import over, player_style
from cli.kit.tokens import Token, token_lines
from cli.line.talk import BAR, GOES_ON
from cli.screen.board import Board, Heading

Players = tuple[tuple[str, int], ...]
"""Everybody's name and number, for their colours."""
STORY: Final = "class:story"
INDENT: Final = "  "
_GAP: Final = re.compile(r"(?<=\S)\s{2,}(?=\S)")
"""What parts a heading from what stands beside it."""
MIDDLE_ROWS: Final = 3
LAST_ROWS: Final = 4
"""The most rows for which the newest event may take some of the table's."""


def told_rows(text: str, columns: int) -> list[str]:
    """A sentence in as many rows as it needs; what somebody said keeps its mark in each.

    What stands beside a short heading goes on below itself.
    """
    if not text.startswith(BAR) or width(text) <= columns:
        return folded(text, columns, _below(text, columns))
    first, *more = folded(text, columns - len(GOES_ON))
    return [first, *(f"{GOES_ON}{row}" for row in more)]


def _below(text: str, columns: int) -> str:
    """What a row below the first begins with."""
    starts = [width(text[: gap.end()]) for gap in _GAP.finditer(text)]
    return " " * max((start for start in starts if start <= columns // 3), default=len(INDENT))


def middle_lines(
    board: Board, columns: int, glyphs: Glyphs, *, large: bool = False
) -> Sequence[Line]:
    """What is said of the middle of the table, or drawn."""
    if board.tokens and glyphs.solid:
        return _tokens(board.tokens, columns, large)
    lines = [part for text in board.middle for part in wrapped(text, columns - 2, 2)]
    return [suited(f" {line}", "class:strong") for line in lines[:MIDDLE_ROWS]]


@drawn_once
def _tokens(tokens: tuple[Token, ...], columns: int, large: bool) -> Sequence[Line]:
    return token_lines(tokens, columns, tall=large)


def rows_of_last(board: Board, columns: int) -> int:
    """How many rows the newest event needs."""
    last = next((one for one in reversed(board.events) if not isinstance(one, Heading)), "")
    return min(LAST_ROWS, len(told_rows(last, columns - 2)))


def last_events(board: Board, columns: int, rows: int) -> list[Line]:
    """The last events, the newest lowest; what has just come stands out for a moment."""
    lines = _newest(board, columns, rows)
    blank: list[Line] = [[]]
    return blank * (rows - len(lines)) + lines


def _newest(
    board: Board, columns: int, rows: int, *, headings: bool = False, ground: str = ""
) -> list[Line]:
    lines: list[Line] = []
    people = players(board)
    for style, text in _backwards(board):
        if isinstance(text, Heading):
            head = _heading(text, columns, ground)
            if headings and lines and len(lines) + len(head) <= rows:
                lines = [*head, *lines]
            continue
        told = _event(text, style, columns, people, ground)
        if lines and len(lines) + len(told) > rows:
            break
        # Of a last event that does not fit, its beginning is seen rather than its end.
        lines = [*told[:rows], *lines]
    return lines


@drawn_once
def _event(text: str, style: str, columns: int, people: Players, ground: str) -> Sequence[Line]:
    rows = told_rows(text, columns - 2)
    return [_grounded(named(f" {row}", style, people), columns, ground) for row in rows]


def _heading(text: str, columns: int, ground: str) -> list[Line]:
    said: Line = [("class:heading", f" {clip(text, columns - 2)}")]
    return [_grounded(line, columns, ground) for line in ([], said)]


def _grounded(line: Line, columns: int, ground: str) -> Line:
    """The line on its ground, if it has one, with a column to spare."""
    return pad(over(line, ground), columns + 1, ground) if ground else line


def _backwards(board: Board) -> Iterator[tuple[str, str]]:
    count = len(board.events)
    for at in range(count - 1, -1, -1):
        new = at >= count - board.fresh
        yield "class:fresh" if new else "class:event", board.events[at]


def players(board: Board) -> Players:
    """Everybody's name and number."""
    return tuple([(seat.name, seat.number) for seat in board.seats])


def named(text: str, style: str, people: Players) -> Line:
    """A sentence, the cards in it in their colours and the players in theirs."""
    numbers = dict(people)
    line: Line = []
    for piece in _names(tuple(numbers)).split(text):
        mine = player_style(numbers[piece]) if piece in numbers else ""
        line += [(f"{style} {mine}", piece)] if mine else suited(piece, style)
    return line


@lru_cache
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    """What splits a sentence at the names of players, and keeps them."""
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest)) or '(?!)'})(?!\w)")


def story(board: Board, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
    """The story beside the table, from its top on."""
    ground = STORY if glyphs.solid else ""
    title = _grounded([("class:strong", " Story")], columns - 1, ground)
    told = _newest(board, columns - 1, rows - 1, headings=True, ground=ground)
    blank = [_grounded([], columns - 1, ground)]
    return ([title, *told] + blank * rows)[:rows]
