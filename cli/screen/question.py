"""The lowest rows: what is asked, the choices, what Enter would do, and the keys.  Pure."""

from __future__ import annotations

from typing import Final

from cli.kit.canvas import (
    KEY_GAP,
    Line,
    clip,
    clip_keys,
    clip_sentences,
    length,
    pad,
    suited,
    width,
    wrapped,
)
from cli.screen.board import Board

PROMPT_ROWS: Final = 2
LEFT_OUT: Final = 9
"""The columns in which it is said how many rows of choices are not seen."""
MORE: Final = " (? says all)"
LEAST_KEYS: Final = 12
"""Fewer columns than this beside a typed line say nothing of keys."""


def asked_lines(board: Board, columns: int, rows: int) -> list[Line]:
    """The question, the choices and below them what Enter would do, in exactly so many rows.

    The question begins in the first.  A long answer to a key takes the room of the choices.
    """
    style = "class:prompt" if board.yours or board.held else "class:dim"
    lines = [suited(text, style) for text in prompt_rows(board, columns, PROMPT_ROWS)]
    below = preview(board, columns, rows - len(lines))
    lines += choice_rows(board, columns, rows - len(lines) - len(below))
    blank: list[Line] = [[]]
    return [*lines, *blank * (rows - len(lines) - len(below)), *below]


def prompt_rows(board: Board, columns: int, rows: int) -> list[str]:
    """The question in at most so many rows, marked if it is one's own."""
    if not board.prompt:
        return [""]
    mark = "> " if board.yours else "  "
    first, *more = wrapped(board.prompt, columns - 3, rows)
    return [mark + first, *(f"  {line}" for line in more)]


def choice_rows(board: Board, columns: int, most: int) -> list[Line]:
    """The choices side by side, numbered as digits choose them, in few rows."""
    if not board.choices or most < 1:
        return []
    rows = _choice_rows(board, columns)
    if len(rows) > most:
        rows = _choice_rows(board, columns - LEFT_OUT)
        here = next((i for i, row in enumerate(rows) if any("cursor" in s for s, _ in row)), 0)
        first = min(max(0, here - most + 1), len(rows) - most)
        left_out = len(rows) - most
        rows = rows[first : first + most]
        said = f" +{left_out} row{'s' if left_out > 1 else ''}"
        rows[-1] = [*rows[-1], ("class:dim", said[:LEFT_OUT])]
    return rows


def _choice_rows(board: Board, columns: int) -> list[Line]:
    """All choices in as many rows as they need."""
    rows: list[Line] = [[]]
    for choice in board.choices:
        number = f"{choice.number}) " if choice.number else ""
        text = f"{number}{clip(choice.label, columns - 10 - width(choice.key))}"
        marked: Line = [("class:cursor", f"[{text}]")]
        cell = marked if choice.cursor else suited(f" {text} ", "class:choice")
        if choice.key:
            cell = [("class:headline", f" {choice.key} "), *cell]
        if length(rows[-1]) + length(cell) + 1 > columns and rows[-1]:
            rows.append([])
        rows[-1] = [*rows[-1], ("", " "), *cell]
    return rows


def preview(board: Board, columns: int, rows: int) -> list[Line]:
    """What Enter would do now; or the answer to the last key, in at most so many rows."""
    if board.notice:
        return notice_rows(board, columns, rows)
    said = board.preview
    if width(said) > columns - 2:
        said = f"{clip_sentences(said, columns - 2 - width(MORE))}{MORE}"
    return [suited(f" {said}", "class:dim")]


def notice_rows(board: Board, columns: int, rows: int) -> list[Line]:
    """The answer to the last key."""
    told = wrapped(board.notice, columns - 2, rows)
    return [suited(f" {row}", "class:notice") for row in told]


def foot(board: Board, columns: int) -> Line:
    """What is being typed and what keys do with it, or else all keys."""
    if board.typed or board.label:
        said = f" {board.label}: " if board.label else " "
        line: Line = [("class:strong", said), ("class:typed", board.typed), ("class:cursor", "_")]
        room = columns - length(line) - width(KEY_GAP) - 1
        keys = clip_keys(board.keys, room) if room >= LEAST_KEYS else ""
        return [*line, ("class:dim", f"  {keys}")] if keys else line
    return pad([("class:foot", f" {clip_keys(board.keys, columns - 2)}")], columns, "class:foot")
