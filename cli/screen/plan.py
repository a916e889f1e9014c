"""How the columns and rows of a window are shared out.

Sizes follow from the window, the game and the number of cards, never from what is said at the
moment: the hand keeps its size and its place, and so do the question and what Enter would do.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cli.kit.glyphs import UNICODE, Glyphs
from cli.screen.board import Board
from cli.screen.cards import BIG, SIZES, face_width, hand_height
from cli.screen.seats import own_height, table_height, wanted_height
from cli.screen.story import MIDDLE_ROWS, middle_lines, rows_of_last

LEAST_COLUMNS: Final = 45
LEAST_ROWS: Final = 15
"""What a phone shows upright: below this there is only a message."""
TABLE_COLUMNS: Final = 72
"""From this many columns on people sit around a table; with fewer they stand in a list."""
WIDEST: Final = 90
"""The most columns of a table with cards of up to BIG lines: what belongs together is seen so."""
STORY_FROM: Final = 110
"""From this many columns on the story stands beside the table."""
STORY: Final = (34, 56)
"""The fewest and the most columns of the story."""
NARROW_TABLE: Final = 84
"""What the table gets of the columns before the story has more than its fewest."""
AIR: Final = 6
"""The rows left free around the piles if there is room."""
ROOMY: Final = 34
"""From this many rows on cards may be big."""
EDGES: Final = 2
"""The headline and the line of keys, across the whole window."""
PREVIEW_ROWS: Final = 1
"""The rows of what Enter would do."""
USUAL_MIDDLE: Final = 2
WANTED_EVENTS: Final = {1: 1, 3: 3, 5: 3}
"""A card size is only taken if this many events are still seen below the table."""
WANTED_BELOW_BIG: Final = 4
"""The same of cards of BIG lines and more."""
ABREAST: Final = 6
"""Cards of more than BIG lines are taken where so many lie beside each other."""


class Plan(NamedTuple):
    """The rows of each part, the columns of table and story, and the size of the cards.

    `asked` are the rows of the question and the choices; `above` is left free under the headline.
    """

    table: int
    hand: int
    size: int
    events: int
    asked: int
    above: int
    columns: int
    story: int

    @property
    def large(self) -> bool:
        """Whether all else on the table is larger, too."""
        return self.size > BIG


def sides(columns: int) -> tuple[int, int]:
    """The columns of the table's part and of the story beside it (0: it is below)."""
    if columns < STORY_FROM:
        return columns, 0
    least, most = STORY
    story = max(least, min(most, columns - NARROW_TABLE))
    return columns - story, story


def asked_rows(rows: int) -> int:
    """The rows of the question and its choices together."""
    return 3 if rows < 28 else 4


def plan(
    board: Board, columns: int, rows: int, glyphs: Glyphs = UNICODE, card_size: int | None = None
) -> Plan | None:
    """The plan of a table; None if people do not fit around it."""
    if columns < TABLE_COLUMNS:
        return None
    part, story = sides(columns)
    found = (_of_size(board, part, story, rows, glyphs, size) for size in _sizes(card_size, rows))
    return next(filter(None, found), None)


def _of_size(
    board: Board, part: int, story: int, rows: int, glyphs: Glyphs, size: int
) -> Plan | None:
    """The plan with cards of this size, for a table in so many columns; None without the room."""
    large, within = size > BIG, min(part, _widest(size))
    hand = hand_height(board.hand, size, within - 1) if board.holds else 0
    if hand is None or (large and within < ABREAST * face_width(0, size)):
        return None
    least = table_height(board, large=large)
    middle = len(middle_lines(board, within, glyphs, large=large))
    last = 0 if story else rows_of_last(board, within)
    inner = rows - EDGES
    below = hand + asked_rows(rows) + PREVIEW_ROWS + own_height(large=large)
    usual = _usual_middle(board, large=large)
    if story:
        inner = min(inner, below + usual + tallest(board, size))
    room = inner - below
    fewest = least + size + 1 if large else wanted_height(board) if size > 3 else least
    wanted = 0 if story else WANTED_EVENTS.get(size, WANTED_BELOW_BIG)
    if room - fewest - usual < (wanted if size > 1 else -usual):
        return None
    least = fewest if large else least
    table = _table(board, room - usual, rows, least, beside=story > 0)
    table = max(least, min(table, room - middle - last))
    events = room - middle - table
    if events < min(last, 1):
        return None
    above = (rows - EDGES - inner) // 2
    return Plan(table, hand, size, events, asked_rows(rows), above, within, story)


def _usual_middle(board: Board, *, large: bool) -> int:
    """The rows that are kept for what is said of the middle of the table, or drawn as tokens."""
    if not board.says:
        return 0
    return MIDDLE_ROWS + bool(board.tokens) if large else USUAL_MIDDLE


def _widest(size: int) -> int:
    """The most columns of a table with cards of this size."""
    return WIDEST if size <= BIG else WIDEST * face_width(0, size) // face_width(0, BIG)


def _sizes(asked: int | None, rows: int) -> list[int]:
    if asked:
        return [asked]
    return [size for size in sorted(SIZES, reverse=True) if size < BIG or rows >= ROOMY]


def tallest(board: Board, size: int) -> int:
    """The most rows of the table: what belongs together is not spread over a high window."""
    return table_height(board, large=size > BIG) + max(BIG, size) + 1 + AIR


def _table(board: Board, room: int, rows: int, least: int, *, beside: bool) -> int:
    """The rows of the table, whatever is said below it: it stays where it is meanwhile."""
    if beside:
        return room
    events = max(5, rows // 5)
    return max(least, room - events, min(wanted_height(board), room - 2))
