"""The whole picture: a board in so many columns and rows, as styled lines.

Pure: no terminal and no application is needed.  `plan.py` says how much room each part has; in a
window that is too narrow for a table, `small.py` draws a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cli.kit import glyphs as signs
from cli.kit.canvas import (
    KEY_GAP,
    Line,
    centred,
    clip,
    clip_keys,
    finished,
    folded,
    length,
    pad,
    suited,
    width,
)
from cli.kit.glyphs import ASCII, UNICODE, Glyphs, to_ascii
from cli.kit.plates import Sitting
from cli.screen.board import Board, Overlay
from cli.screen.cards import hand_lines
from cli.screen.plan import LEAST_COLUMNS, LEAST_ROWS, PREVIEW_ROWS, Plan, plan
from cli.screen.question import asked_lines, foot
from cli.screen.result import result_lines
from cli.screen.seats import own_lines, proven, table_lines
from cli.screen.sets import set_lines
from cli.screen.small import small_lines
from cli.screen.story import last_events, middle_lines, story, told_rows
from engine.cloths import HOUSE

SAID_ROWS: Final = 4
"""What people say has so many rows even where a page has to be scrolled for that."""
WIDEST_PAGE: Final = 80
"""The most columns of the plates on a page."""


class WindowShown(NamedTuple):
    """What was drawn last: so many columns and rows, with solid cards or not."""

    columns: int = 80
    rows: int = 24
    solid: bool = False


def floor(board: Board, columns: int) -> int:
    """The fewest rows in which this board can be drawn in so many columns."""
    possible = range(LEAST_ROWS, 200)
    return next(rows for rows in possible if _picture(board, columns, rows, None, UNICODE))


def render(
    board: Board,
    columns: int,
    rows: int,
    *,
    ascii: bool = False,  # noqa: A002
    card_size: int | None = None,
    solid: bool = False,
) -> list[Line]:
    """Exactly `rows` lines of exactly `columns` columns.

    Styles are class names ("class:suit2"); themes.py says what they look like in a theme and
    a colour depth.  `card_size` is one of `cards.SIZES`; None takes the largest that fits.
    `solid` draws things as they look on a table, in a theme that has colours for that.
    """
    glyphs = ASCII if ascii else signs.solid(board.cloth) if solid else UNICODE
    if board.overlay is not None and columns >= 20 and rows >= 4:
        lines = _overlay(board, board.overlay, columns, rows, glyphs)
    elif board.result is not None and columns >= LEAST_COLUMNS and rows >= LEAST_ROWS:
        lines = result_lines(board, board.result, columns, rows, glyphs)
    else:
        found = _picture(board, columns, rows, card_size, glyphs)
        lines = found or _too_small(board, columns, rows)
    blank: list[Line] = [[]]
    lines = (lines + blank * rows)[:rows]
    if ascii:  # before lines are measured: a wide letter becomes a narrow one
        lines = [[(style, to_ascii(text)) for style, text in line] for line in lines]
    return [finished(line, columns) for line in lines]


def _picture(
    board: Board, columns: int, rows: int, card_size: int | None, glyphs: Glyphs
) -> list[Line] | None:
    """The table, or in a small window the list; None if there is no room for either."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return None
    planned = plan(board, columns, rows, glyphs, card_size) or plan(board, columns, rows, glyphs)
    if planned is not None:
        return _drawn(board, columns, rows, planned, glyphs)
    return small_lines(board, columns, rows, glyphs)


def _drawn(board: Board, columns: int, rows: int, planned: Plan, glyphs: Glyphs) -> list[Line]:
    """The table in the middle of its part of the window, the story beside it if there is room."""
    part = columns - planned.story
    within = _table_part(board, planned, glyphs)
    left = (part - planned.columns) // 2
    blank: list[Line] = [[]]
    inner = blank * planned.above + [[("", " " * left), *line] for line in within]
    lines = (inner + blank * rows)[: rows - 2]
    if planned.story:
        told = story(board, planned.story, rows - 2, glyphs)
        lines = [[*pad(line, part), *beside] for line, beside in zip(lines, told, strict=True)]
    return [headline(board, columns, glyphs), *lines, foot(board, columns)]


def headline(board: Board, columns: int, glyphs: Glyphs) -> Line:
    """What is played, and if there is room that all proofs check."""
    said = f" {clip(board.headline, columns - 2)}"
    checked = proven(board, glyphs)
    free = columns - width(said) - length(checked)
    line: Line = [("class:headline", said)]
    if free > 0:
        line += [("class:headline", " " * free), *checked]
    return pad(line, columns, "class:headline")


def _table_part(board: Board, planned: Plan, glyphs: Glyphs) -> list[Line]:
    columns = planned.columns
    large = planned.large
    below = () if planned.story else board.sets
    around = replace(board, sets=()) if below else board
    lines = table_lines(around, columns, planned.table, glyphs=glyphs, large=large)
    lines += middle_lines(board, columns, glyphs, large=large)
    shown = set_lines(below, columns, planned.events, glyphs)
    rest = planned.events - len(shown)
    blank: list[Line] = [[]]
    lines += shown
    lines += blank * rest if planned.story else last_events(board, columns, rest)
    lines += own_lines(board, columns, glyphs, large=large)
    if planned.hand:
        hand = hand_lines(board.hand, planned.size, columns - 1, glyphs)
        lines += ([[("", " "), *line] for line in hand] + [[]] * planned.hand)[: planned.hand]
    return [*lines, *asked_lines(board, columns, planned.asked + PREVIEW_ROWS)]


class Scroll(NamedTuple):
    """How far a page is moved: so many rows, and so many times what is seen of it at once."""

    rows: int = 0
    pages: int = 0


def scrolled(page: Overlay, by: Scroll, window: WindowShown) -> Overlay:
    """The page moved that far, while there is something to see in such a window."""
    columns, rows, solid = window
    glyphs = signs.solid(HOUSE) if solid else UNICODE
    wide, said = _page_parts(page, columns, rows, glyphs)
    room = _page_room(rows, said, _feet(page.longer or page.foot, columns))
    end = max(0, len(wide) - room)
    return replace(page, top=max(0, min(end, min(end, page.top) + by.rows + by.pages * room)))


def _page_parts(
    page: Overlay, columns: int, rows: int, glyphs: Glyphs
) -> tuple[list[Line], list[Line]]:
    """All rows of a page, and what people say below them."""
    fits = max(map(width, page.lines), default=0) <= columns - 4
    indent = 2 if fits and not page.whole else 0
    wide = [part for text in page.lines for part in _page_rows(text, columns, indent, glyphs)]
    most = max(min(SAID_ROWS, rows // 2 - 1), rows - 3 - len(wide))
    return wide, _said(page, columns, most)


def _page_room(rows: int, said: Sequence[Line], feet: Sequence[Line]) -> int:
    """How many rows of a page are seen between title and keys."""
    return rows - 1 - len(said) - len(feet)


def _feet(told: str, columns: int) -> list[Line]:
    """The last rows of a page: keys in one row, a sentence in as many as it needs."""
    keys = KEY_GAP in told
    rows = [clip_keys(told, columns - 1)] if keys else folded(told, columns - 1)
    return [pad([("class:foot", f" {row}")], columns, "class:foot") for row in rows]


def _overlay(board: Board, overlay: Overlay, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
    wide, said = _page_parts(overlay, columns, rows, glyphs)
    told = board.notice or overlay.longer or overlay.foot
    feet = [foot(board, columns)] if board.label else _feet(told, columns)
    seen = _page_room(rows, said, feet)
    first = max(0, min(overlay.top, len(wide) - seen))
    last = min(len(wide), first + seen)
    more = _place(first, last, len(wide), columns - 1 - width(overlay.title))
    title = f" {clip(overlay.title, columns - width(more) - 1)}{more}"
    lines = [pad([("class:headline", title)], columns, "class:headline")]
    lines += wide[first:last]
    if not more and not board.label:
        feet = _feet(board.notice or overlay.foot, columns)
    lines += [[]] * (rows - len(feet) - len(said) - len(lines))
    return [*lines, *said, *feet]


def _place(first: int, last: int, count: int, columns: int) -> str:
    """Which rows of a page are seen, if not all of them; shorter where there is little room."""
    if last - first == count:
        return ""
    told = f"   {first + 1}-{last} of {count}"
    return told if width(told) <= columns else f"  {first + 1}-{last}/{count}"


def _said(overlay: Overlay, columns: int, most: int) -> list[Line]:
    """The newest rows of what people say, set apart by a blank one; nothing if nobody spoke."""
    rows = [part for text in overlay.said for part in told_rows(text, columns - 2)]
    told = [suited(f" {row}", "class:event") for row in rows[-most:]]
    blank: list[Line] = [[]]
    return blank + told if told else []


def _page_rows(text: str, columns: int, indent: int, glyphs: Glyphs) -> list[Line]:
    """A line of a page in as many rows as it needs: on a plate if it is about a player."""
    if glyphs.solid and isinstance(text, Sitting):
        wide = min(WIDEST_PAGE, columns) - 1
        return text.plate(told_rows(text, wide), wide)
    return [suited(" " * indent + row) for row in told_rows(text, columns - 2 * indent)]


def _too_small(board: Board, columns: int, rows: int) -> list[Line]:
    """What a window that is too small shows; the table goes on behind it."""
    wanted = f"{LEAST_COLUMNS} x {floor(board, max(columns, LEAST_COLUMNS))}"
    said = [f"{columns} x {rows}: too small", f"Make it {wanted}"]
    if board.yours:
        said.append("It is your turn!")
    texts = [centred([("class:strong", clip(text, columns))], columns) for text in said]
    blank: list[Line] = [[]]
    return (blank * max(0, (rows - len(texts)) // 2) + texts)[:rows]
