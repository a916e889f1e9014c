"""The page that ends a game: who won, everybody's plate, and how it came to that.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.kit.canvas import Line, centred, clip, length, pad, suited, width
from cli.kit.glyphs import Glyphs
from cli.kit.marks import mark
from cli.kit.plates import plate, player_style
from cli.screen.afterwards import STORY_KEY
from cli.screen.board import Board, RankShown, ResultShown
from cli.screen.question import foot, notice_rows, prompt_rows
from cli.screen.story import named, players, told_rows

WIDEST: Final = 76
"""The most columns of the plates and of what is told below them."""
AIRY: Final = 3
"""So many rows for each player, and there is air between their plates."""
ASKED_ROWS: Final = 3
"""The most rows of what is asked."""
SAID_ROWS: Final = 4
SMALL: Final = 10
"""What people say has so many rows, but no more than one in this many of the window."""
HOW: Final = "How it went"
PLATE_END: Final = 2
"""So many columns at the end of a plate stay free."""


def result_lines(
    board: Board, result: ResultShown, columns: int, rows: int, glyphs: Glyphs
) -> list[Line]:
    """The page in exactly this many columns and rows; plates come before what is told."""
    head = pad([("class:headline", f" {clip(result.title, columns - 2)}")], columns,
               "class:headline")  # fmt: skip
    asked = [suited(text, "class:prompt") for text in prompt_rows(board, columns, ASKED_ROWS)]
    if board.notice:
        asked = notice_rows(board, columns, ASKED_ROWS)
    asked = [*_said(result, columns, rows), *asked]
    free = rows - 2 - len(asked)
    wide = min(WIDEST, columns - 4)
    within = _within(board, result, wide, free, glyphs)
    left = (columns - wide) // 2
    blank: list[Line] = [[]]
    above = blank * max(0, (free - len(within)) // 3)
    body = [*above, *([("", " " * left), *line] for line in within)]
    return [head, *(body + blank * free)[:free], *asked, foot(board, columns)]


def _said(result: ResultShown, columns: int, rows: int) -> list[Line]:
    """The newest rows of what people say, fewer in a small window."""
    most = min(SAID_ROWS, rows // SMALL)
    told = [row for text in result.said for row in told_rows(text, columns - 2)]
    return [suited(f" {row}", "class:event") for row in told[-most:]]


def _within(board: Board, result: ResultShown, wide: int, rows: int, glyphs: Glyphs) -> list[Line]:
    """The verdict, what is counted, the plates, and as many moments as there is room for."""
    airy = rows - 4 >= AIRY * len(result.ranks)
    blank: list[Line] = [[]]
    roomy = rows >= len(result.ranks) + 3
    lines = [centred([("class:strong", result.verdict)], wide)]
    lines = [*blank, *lines, _scored(result, wide)] if roomy else lines
    points = [rank.points for rank in result.ranks]
    for rank in result.ranks:
        # Whoever has equal points shares the place; the next one counts all who are before.
        lines += _rank(rank, 1 + points.index(rank.points), wide, glyphs)
        lines += blank if airy else []
    lines += _offer(board, result, wide, rows - len(lines))
    room = rows - len(lines) - (1 if airy else 2)
    told, more = _told(board, result.moments, wide, room)
    more += result.untold
    if room >= 0 and (told or more):
        heading = f"{HOW} ({more} more: {STORY_KEY})" if more else HOW
        lines += [*([] if airy else blank), [("class:heading", heading)], *told]
    return lines


def _scored(result: ResultShown, wide: int) -> Line:
    """What the points are, above where they end."""
    beside = _beside(result.ranks[0], 1, wide)
    left = wide - PLATE_END - width(f"{result.scored}{beside}")
    return [("class:dim", f"{' ' * left}{result.scored}")]


def _offer(board: Board, result: ResultShown, wide: int, rows: int) -> list[Line]:
    """What is proposed to be played next, as far as there is room: its name first."""
    if not result.heading:
        return []
    told = [row for text in result.offer for row in told_rows(text, wide)]
    lines: list[Line] = [[("class:headline", clip(f" {result.heading} ", wide))]]
    lines += [named(row, "class:strong", players(board)) for row in told]
    lines.append([])
    return lines[: max(rows, 1)]


def _rank(rank: RankShown, place: int, wide: int, glyphs: Glyphs) -> list[Line]:
    """One player's plate: place, name, points, and what the evening has brought."""
    said, more = rank.said, _beside(rank, place, wide)
    marks, wins = _marks(rank)
    room = wide - _taken(rank, place) - width(more)
    line: Line = [("class:dim", f" {place}  ")]
    line += [(f"class:name {player_style(rank.number)}", clip(rank.name, room))]
    line += [("class:dim", marks), ("class:good", wins)]
    gap = wide - PLATE_END - length(line) - width(f"{said}{more}")
    line += [("", " " * max(1, gap)), ("class:strong", said), ("class:dim", more)]
    return plate([line], wide, rank.number) if glyphs.solid else [pad(line, wide)]


def _marks(rank: RankShown) -> tuple[str, str]:
    """What stands behind the name: who that is, and whether that player wins."""
    return rank.chair or mark(you=rank.you, bot=rank.bot), "  wins" if rank.first else ""


def _taken(rank: RankShown, place: int) -> int:
    """The columns of a plate besides the name and what the evening has brought."""
    marks, wins = _marks(rank)
    return width(f" {place}  {marks}{wins}  {rank.said}") + 3


def _beside(rank: RankShown, place: int, wide: int) -> str:
    """As much of what the evening has brought as leaves room for the whole name."""
    totals = [f"   {text}" for text in (rank.total, rank.total.partition(",")[0]) if text]
    room = wide - _taken(rank, place)
    return next((text for text in totals if width(rank.name + text) <= room), "")


def _told(board: Board, moments: Sequence[str], wide: int, rows: int) -> tuple[list[Line], int]:
    """The last moments that fit whole, in their order, and how many do not."""
    kept: list[Line] = []
    people = players(board)
    for number, text in enumerate(reversed(moments)):
        lines = [named(row, "class:event", people) for row in told_rows(text, wide)]
        if len(kept) + len(lines) > rows:
            return kept, len(moments) - number
        kept = [*lines, *kept]
    return kept, 0
