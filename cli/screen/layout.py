"""The whole picture: a board in so many columns and rows, as styled lines.

Pure: no terminal and no application is needed.  What has to be seen (who sits where, the
question, the hand, the choices) takes its rows first; the card size is the largest that leaves
room for some events; below the floor a message says how large the window should be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cli.kit.canvas import (
    Line,
    centred,
    clip,
    clip_line,
    clip_sentences,
    length,
    pad,
    suited,
    width,
    wrapped,
)
from cli.kit.glyphs import ASCII, UNICODE, Glyphs, to_ascii
from cli.line.talk import BAR, GOES_ON
from cli.screen.board import Board, Overlay
from cli.screen.cards import SIZES, hand_height, hand_lines
from cli.screen.seats import own_line, table_height, table_lines, wanted_height
from cli.screen.sets import set_lines

LEAST_COLUMNS: Final = 72
PROMPT_ROWS: Final = 2
MIDDLE_ROWS: Final = 3
CHOICE_ROWS: Final = 2
WANTED_EVENTS: Final = {1: 1, 3: 3, 5: 6}
"""A card size is only taken if at least this many events are still seen."""
USUAL_TEXTS: Final = 3
"""The middle, the question and the choices take this many rows, and sometimes more."""
ENOUGH_EVENTS: Final = 4
"""If there are more, some of their rows go to the piles, so that they are drawn as cards."""
ROOMY: Final = 34
"""From this many rows on, links have a line of their own."""
MOST_FOLDS: Final = 9
"""The most rows that a line of a page takes."""
MORE: Final = " (? says all)"
FRAME: Final = 4
"""Headline, own seat, preview, and the line of keys."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How the rows are shared out."""

    table: int
    hand: int
    size: int
    events: int
    roomy: bool


def plan(board: Board, columns: int, rows: int, card_size: int | None = None) -> Plan | None:
    """The rows of each part; None if the board does not fit."""
    if columns < LEAST_COLUMNS:
        return None
    roomy = rows >= ROOMY
    table = table_height(board, roomy=roomy)
    used = FRAME + table + len(_text_rows(board, columns))
    longest = max((width(card.name) for card in board.hand), default=0)
    for size in sorted([card_size] if card_size else SIZES, reverse=True):
        hand = hand_height(len(board.hand), longest, size, columns - 1) if board.hand else 0
        if hand is None:
            continue
        left = rows - used - hand
        if left >= WANTED_EVENTS[size]:
            tall = _tall(board, rows - FRAME - hand - USUAL_TEXTS, rows, roomy=roomy)
            tall = max(table, min(tall, table + left - min(left, ENOUGH_EVENTS)))
            return Plan(tall, hand, size, table + left - tall, roomy)
    return None


def _tall(board: Board, room: int, rows: int, *, roomy: bool) -> int:
    """The rows of the table, whatever is said below it: it stays where it is meanwhile."""
    events = max(8, rows // 3)
    return max(room - events, min(wanted_height(board, roomy=roomy), room - ENOUGH_EVENTS))


def floor(board: Board, columns: int) -> int:
    """The fewest rows in which this board can be drawn in so many columns."""
    return next(rows for rows in range(1, 200) if plan(board, columns, rows) is not None)


def render(
    board: Board,
    columns: int,
    rows: int,
    *,
    ascii: bool = False,  # noqa: A002
    card_size: int | None = None,
) -> list[Line]:
    """Exactly `rows` lines of exactly `columns` columns.

    Styles are class names ("class:suit2"); themes.py says what they look like in a theme and
    a colour depth.  `card_size` 1, 3 or 5 asks for one; None takes the largest that fits.
    """
    glyphs = ASCII if ascii else UNICODE
    if board.overlay is not None and columns >= 20 and rows >= 4:
        lines = _overlay(board, board.overlay, columns, rows)
    else:
        planned = plan(board, columns, rows, card_size) or plan(board, columns, rows)
        if planned is None:
            lines = _too_small(board, columns, rows)
        else:
            lines = _drawn(board, columns, planned, glyphs)
    blank: list[Line] = [[]]
    lines = (lines + blank * rows)[:rows]
    if ascii:  # before lines are measured: a wide letter becomes a narrow one
        lines = [[(style, to_ascii(text)) for style, text in line] for line in lines]
    return [pad(line, columns) for line in lines]


def _drawn(board: Board, columns: int, planned: Plan, glyphs: Glyphs) -> list[Line]:
    lines = [pad([("class:headline", f" {clip(board.headline, columns - 2)}")], columns,
                 "class:headline")]  # fmt: skip
    lines += table_lines(board, columns, planned.table, roomy=planned.roomy, glyphs=glyphs)
    lines += [suited(text, "class:strong") for text in _middle(board, columns)]
    shown = set_lines(board.sets, columns, planned.events, glyphs)
    lines += shown
    lines += _events(board, columns, planned.events - len(shown))
    lines.append(own_line(board, columns, glyphs))
    if board.hand:
        hand = hand_lines(board.hand, planned.size, columns - 1, glyphs)
        lines += [[("", " "), *line] for line in hand]
    style = "class:prompt" if board.yours or board.held else "class:dim"
    lines += [suited(text, style) for text in _prompt(board, columns)]
    lines += _choice_rows(board, columns)
    lines.append(_preview(board, columns))
    lines.append(_foot(board, columns))
    return lines


def _text_rows(board: Board, columns: int) -> list[object]:
    """The things that take a row each besides the frame, the table, the hand and the events."""
    return [*_middle(board, columns), *_prompt(board, columns), *_choice_rows(board, columns)]


def _middle(board: Board, columns: int) -> list[str]:
    lines = [part for text in board.middle for part in wrapped(text, columns - 2, 2)]
    return [f" {line}" for line in lines[:MIDDLE_ROWS]]


def _prompt(board: Board, columns: int) -> list[str]:
    if not board.prompt:
        return [""]
    mark = "> " if board.yours else "  "
    first, *more = wrapped(board.prompt, columns - 3, PROMPT_ROWS)
    return [mark + first, *(f"  {line}" for line in more)]


def _events(board: Board, columns: int, rows: int) -> list[Line]:
    """The last events, the newest lowest; what has just come stands out for a moment."""
    shown = list(board.events[-rows:]) if rows else []
    lines: list[Line] = [[]] * (rows - len(shown))
    for place, text in enumerate(shown):
        new = place >= len(shown) - board.fresh
        lines.append(suited(f" {clip(text, columns - 2)}", "class:fresh" if new else "class:event"))
    return lines


def _choice_rows(board: Board, columns: int) -> list[Line]:
    """The choices side by side, numbered as digits choose them, in few rows."""
    rows: list[Line] = [[]]
    for choice in board.choices:
        number = f"{choice.number}) " if choice.number else ""
        text = f"{number}{clip(choice.label, columns - 10)}"
        cell = suited(f"[{text}]" if choice.cursor else f" {text} ",
                      "class:cursor" if choice.cursor else "class:choice")  # fmt: skip
        if length(rows[-1]) + length(cell) + 1 > columns and rows[-1]:
            rows.append([])
        rows[-1] = [*rows[-1], ("", " "), *cell]
    if len(rows) > CHOICE_ROWS:
        here = next((i for i, row in enumerate(rows) if any("cursor" in s for s, _ in row)), 0)
        first = min(max(0, here - CHOICE_ROWS + 1), len(rows) - CHOICE_ROWS)
        left_out = len(rows) - CHOICE_ROWS
        rows = rows[first : first + CHOICE_ROWS]
        rows[-1] = [*clip_line(rows[-1], columns - 12), ("class:dim", f" +{left_out} rows")]
    return rows if board.choices else []


def _preview(board: Board, columns: int) -> Line:
    if board.notice:
        return suited(f" {clip(board.notice, columns - 2)}", "class:notice")
    said = board.preview
    if width(said) > columns - 2:
        said = f"{clip_sentences(said, columns - 2 - width(MORE))}{MORE}"
    return suited(f" {said}", "class:dim")


def _foot(board: Board, columns: int) -> Line:
    """What is being typed, or else the keys."""
    if board.typed or board.label:
        said = f" {board.label}: " if board.label else " "
        return [("class:strong", said), ("class:typed", board.typed), ("class:cursor", "_")]
    return pad([("class:foot", f" {clip(board.keys, columns - 2)}")], columns, "class:foot")


def _overlay(board: Board, overlay: Overlay, columns: int, rows: int) -> list[Line]:
    fits = max(map(width, overlay.lines), default=0) <= columns - 4
    seen, indent = rows - 2, 2 if fits and not overlay.whole else 0
    wide = [part for text in overlay.lines for part in _folded(text, columns - 2 * indent)]
    first = max(0, min(overlay.top, len(wide) - seen))
    last = min(len(wide), first + seen)
    more = f"   {first + 1}-{last} of {len(wide)}" if len(wide) > seen else ""
    lines = [pad([("class:headline", f" {overlay.title}{more}")], columns, "class:headline")]
    lines += [suited(" " * indent + text) for text in wide[first:last]]
    lines += [[]] * (rows - 1 - len(lines))
    foot = board.notice or overlay.foot
    lines.append(pad([("class:foot", clip(f" {foot}", columns))], columns, "class:foot"))
    return lines


def _folded(text: str, columns: int) -> list[str]:
    """A line in rows; what somebody said keeps its mark in each (`cli.line.talk`)."""
    if not text.startswith(BAR) or width(text) <= columns:
        return wrapped(text, columns, MOST_FOLDS) if text else [""]
    first, *more = wrapped(text, columns - len(GOES_ON), MOST_FOLDS)
    return [first, *(f"{GOES_ON}{row}" for row in more)]


def _too_small(board: Board, columns: int, rows: int) -> list[Line]:
    """What a window that is too small shows; the table goes on behind it."""
    wanted = f"{LEAST_COLUMNS} x {floor(board, max(columns, LEAST_COLUMNS))}"
    said = [f"{columns} x {rows}: too small", f"Make it {wanted}"]
    if board.yours:
        said.append("It is your turn!")
    texts = [centred([("class:strong", clip(text, columns))], columns) for text in said]
    blank: list[Line] = [[]]
    return (blank * max(0, (rows - len(texts)) // 2) + texts)[:rows]
