"""The table in a small window, a phone upright for instance: people and cards as a list.  Pure.

One's hand, the question, what Enter would do and the last event come first; everything else is
added by what it is worth as long as there are rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.kit.canvas import (
    Line,
    clip,
    clip_line,
    drawn_once,
    folded,
    length,
    pad,
    suit_style,
    suited,
    width,
    wrapped,
)
from cli.kit.glyphs import Glyphs
from cli.kit.marks import mark
from cli.kit.plates import player_style
from cli.kit.tokens import token_lines
from cli.screen.board import Board, CardShown, PileShown, SeatShown
from cli.screen.cards import hand_height, hand_lines
from cli.screen.question import choice_rows, foot, preview, prompt_rows
from cli.screen.seats import clockwise, own_line
from cli.screen.story import last_events, rows_of_last

PROMPT_ROWS: Final = 3
CHOICE_ROWS: Final = 4
"""The most rows of choices: there may be hundreds."""
NOTICE_ROWS: Final = 3
GAP: Final = "  "
PARTED: Final = "   "
"""Between the parts of a headline."""


class _Part(NamedTuple):
    """Some rows of the picture; `worth`: the highest are drawn first, 0 always."""

    worth: int
    lines: Sequence[Line]


def small_lines(board: Board, columns: int, rows: int, glyphs: Glyphs) -> list[Line] | None:
    """Exactly so many rows; None if not even what has to be seen fits."""
    parts = [*_above(board, columns, glyphs), _choices(board, columns)]
    hand = _hand(board, columns, rows, glyphs)
    style = "class:prompt" if board.yours or board.held else "class:dim"
    prompt = [suited(text, style) for text in prompt_rows(board, columns, PROMPT_ROWS)]
    least, keys = choice_rows(board, columns, 1), foot(board, columns)
    free = rows - len(hand) - len(prompt) - len(least) - 2  # keys, and one row of what happened
    low = [*preview(board, columns, max(1, min(NOTICE_ROWS, free))), keys]
    left = free + 2 - len(low)
    events = min(rows_of_last(board, columns), left)
    if events < 1:
        return None
    kept, left = _kept(parts, left - events + len(least))
    *above, own, choices = kept
    told = last_events(board, columns, events + left)
    return [*[line for part in above for line in part], *told, *own, *hand, *prompt, *choices, *low]


def _hand(board: Board, columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
    if not board.holds:
        return []
    size = 3 if rows >= 20 else 1
    if hand_height(board.hand, size, columns - 1) is None:
        size = 1
    return [[("", " "), *line] for line in hand_lines(board.hand, size, columns - 1, glyphs)]


def _above(board: Board, columns: int, glyphs: Glyphs) -> list[list[_Part]]:
    """From top to bottom, in several ways each, the shortest first; one's own seat comes last."""
    others = clockwise(board)
    short = [_Part(8, [_headline(clip(board.headline, columns - 2), columns)])]
    rows = _headline_rows(board.headline, columns - 2)
    if len(rows) > 1:
        short.append(_Part(5, [_headline(row, columns) for row in rows]))
    brief = [_Part(7, _flow([_person(seat, glyphs) for seat in others], columns))]
    brief.append(_Part(2, [_in_full(seat, columns, glyphs) for seat in others]))
    piles = [
        _Part(
            9,
            _flow(
                [_pile(pile) for pile in board.piles if pile.count != 0 and not pile.chips], columns
            ),
        )
    ]
    said = [_Part(4, _middle(board, columns, glyphs))]
    own = [_Part(3, [own_line(board, columns, glyphs)])]
    return [short, brief, piles, said, own]


def _choices(board: Board, columns: int) -> list[_Part]:
    """In one row, which there always is, and in more as there is room."""
    most = len(choice_rows(board, columns, CHOICE_ROWS))
    ways = enumerate(choice_rows(board, columns, rows) for rows in range(1, most + 1))
    return [_Part(6 if more else 10, lines) for more, lines in ways] or [_Part(10, [])]


def _middle(board: Board, columns: int, glyphs: Glyphs) -> list[Line]:
    if board.tokens and glyphs.solid:
        return token_lines(board.tokens, columns)
    rows = [part for text in board.middle for part in folded(text, columns - 2, "  ")]
    return [suited(f" {part}", "class:strong") for part in rows]


def _kept(parts: Sequence[Sequence[_Part]], left: int) -> tuple[list[Sequence[Line]], int]:
    """For each part the lines for which there is room, and the rows that are left."""
    kept: list[Sequence[Line]] = [[] for _ in parts]
    ways = [(way.worth, at, way.lines) for at, part in enumerate(parts) for way in part]
    for _, at, lines in sorted(ways, key=lambda way: -way[0]):
        more = len(lines) - len(kept[at])
        if more <= left:
            kept[at], left = lines, left - more
    return kept, left


def _headline_rows(text: str, columns: int) -> list[str]:
    """In two rows at most; broken between its parts, if that is possible."""
    first, *others = text.split(PARTED)
    rows = [first]
    for part in others:
        longer = f"{rows[-1]}{PARTED}{part}"
        rows[-1:] = [longer] if width(longer) <= columns else [rows[-1], part]
    fits = len(rows) <= 2 and max(map(width, rows)) <= columns
    return rows if fits else wrapped(text, columns, 2)


def _headline(text: str, columns: int) -> Line:
    return pad([("class:headline", f" {text}")], columns, "class:headline")


@drawn_once
def _person(seat: SeatShown, glyphs: Glyphs) -> Line:
    """A name, how many cards, and what is wrong with the link."""
    style = "class:turn" if seat.turn else f"class:name {player_style(seat.number)}"
    line: Line = [(style, f"{glyphs.turn if seat.turn else ' '}{clip(seat.name, 12)}")]
    line += [("", f" {number.value}") for number in seat.numbers]
    if seat.empty:
        return [*line, ("class:dim", f" {seat.empty}")]
    return [*line, *([("class:bad", f" {glyphs.caught}")] if seat.lost else [])]


@drawn_once
def _in_full(seat: SeatShown, columns: int, glyphs: Glyphs) -> Line:
    style = "class:turn" if seat.turn else f"class:name {player_style(seat.number)}"
    wrong = seat.empty or (seat.link if seat.lost else "")
    link = f"{GAP}{wrong}" if wrong else ""
    room = columns - width(clip(seat.name, 14) + mark(bot=seat.bot) + link + seat.text) - 1
    ways = [
        gap.join(number.said(shorter=shorter) for number in seat.numbers)
        for gap, shorter in ((GAP, False), (" ", False), (" ", True))
    ]
    said = next((way for way in ways if width(way) + 2 * len(GAP) <= room), ways[-1])
    line: Line = [(style, f"{glyphs.turn if seat.turn else ' '}{clip(seat.name, 14)}")]
    line += [("class:dim", mark(bot=seat.bot))]
    line += [("", GAP), *suited(said)]
    if link:
        line.append(("class:dim" if seat.empty else "class:bad", link))
    return clip_line([*line, ("", GAP), *suited(seat.text)], columns)


@drawn_once
def _pile(pile: PileShown) -> Line:
    count = "" if pile.count is None else f" {pile.count}"
    laid = pile.count is None  # of a pile only the top card is of interest, if it is seen
    top = CardShown(pile.top, pile.suit, down=laid and not pile.top)
    said: Line = [("class:dim", f" {clip(pile.label, 12)}{count}")]
    cards: Line = [part for card in (*pile.under, top) for part in _card(card)]
    return [*cards, *said]


def _card(card: CardShown) -> Line:
    if card.down:
        return [("class:back", "[?]")]
    style = f"class:strong {suit_style(card.suit)}".strip()
    return [(style, f"[{card.name}]")] if card.name else []


def _flow(cells: Sequence[Line], columns: int) -> list[Line]:
    """Cells side by side, in as many rows as they need."""
    rows: list[Line] = []
    for cell in cells:
        taken = length(rows[-1]) if rows else columns
        if taken + len(GAP) + length(cell) > columns:
            rows.append([("", " ")])
        rows[-1] = [*rows[-1], *cell, ("", GAP)]
    return rows
