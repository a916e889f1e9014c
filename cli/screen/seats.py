"""Seats around the table: who sits where, and what is said of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cli.kit.canvas import (
    Line,
    abreast,
    beside,
    clip,
    clip_line,
    drawn_once,
    length,
    pad,
    suited,
    width,
)
from cli.kit.glyphs import Glyphs
from cli.kit.marks import mark
from cli.kit.plates import plate, plate_width, player_style
from cli.screen.board import Board, NumberShown, SeatShown
from cli.screen.cards import BIG, SIZES
from cli.screen.piles import LEAST_MIDDLE
from cli.screen.sets import among_piles

LEAST: Final = 23
"""The fewest columns of a seat's box."""
SIDES: Final = {0: (0, 0, 0), 1: (0, 1, 0), 2: (1, 0, 1), 3: (1, 1, 1), 4: (1, 2, 1), 5: (1, 3, 1)}
"""For each number of others: how many sit to the left, at the top and to the right."""
AT_MOST_ABOVE: Final = 3
PILE: Final = 11
"""The columns of a pile; if the middle has fewer for each, the seats beside it give some."""
TRICK_CARD: Final = 6
"""The columns of a card of a trick that is drawn in three lines."""
DRAWN: Final = 4
"""The rows of a pile that is drawn as a card of three lines, with its label."""
ROOMY: Final = 84
"""From this many columns on numbers of seats at the sides have their whole headings."""
STACKED: Final = 7
"""If the middle has so many rows below the seats at the sides, it takes the whole width there."""
WIDEST_PLATE: Final = 40
_HEADING: Final = re.compile(r"\S+: ")
LARGE_EDGE: Final = 1
"""The free rows above and below the lines of a large box."""


def around(others: int) -> tuple[int, int, int]:
    """How many sit to the left, at the top and to the right.

    >>> around(7)
    (2, 3, 2)
    """
    if others in SIDES:
        return SIDES[others]
    left = (others - AT_MOST_ABOVE + 1) // 2
    return left, others - 2 * left, left


def clockwise(board: Board) -> list[SeatShown]:
    """The others as they are met going clockwise from one's own seat; all, for a spectator."""
    first = 0 if board.you is None else board.you + 1
    count = len(board.seats) - (board.you is not None)
    return [board.seats[(first + step) % len(board.seats)] for step in range(count)]


def side_of(board: Board, number: int) -> tuple[int, int] | None:
    """Where a player sits as seen from the middle: to the right and downwards, each -1, 0 or 1."""
    if number == board.you:
        return 0, 1
    others = [seat.number for seat in clockwise(board)]
    if number not in others:
        return None
    left, above, _ = around(len(others))
    place = others.index(number)
    return (-1, 0) if place < left else (0, -1) if place < left + above else (1, 0)


def box_height(board: Board, *, large: bool = False) -> int:
    """The rows of every box: the name, the numbers, and the text if any seat may have one.

    The table does not jump when a text comes and goes: somebody may be about to slap.  A `large`
    box has a free row above its lines, and another one below them.
    """
    said = 2 + (board.told or any(seat.text for seat in clockwise(board)))
    return said + 2 * LARGE_EDGE if large else said


def table_height(board: Board, *, large: bool = False) -> int:
    """The rows of the table with everybody around it except oneself."""
    left, above, _ = around(len(clockwise(board)))
    box = box_height(board, large=large)
    return (box if above else 0) + max(left * box, 1 if left else DRAWN)


def wanted_height(board: Board) -> int:
    """The rows in which piles are drawn as cards; the same whether or not any lie there now."""
    left, above, _ = around(len(clockwise(board)))
    box = box_height(board)
    return (box if above else 0) + max(left * box, DRAWN)


def table_lines(
    board: Board, columns: int, height: int, *, glyphs: Glyphs, large: bool = False
) -> list[Line]:
    """The table in exactly `height` rows."""
    others = clockwise(board)
    left, above, _ = around(len(others))
    box = box_height(board, large=large)
    low_left = tuple(others[:left][::-1])
    top, right = tuple(others[left : left + above]), tuple(others[left + above :])
    rows = _above(top, columns, box, glyphs)
    rest, most = height - len(rows), SIZES[-1] if large else BIG
    if not left:
        return [*rows, *among_piles(board, columns, rest, glyphs, most)]
    high = left * box
    spread = rest < high + STACKED
    sides = _side(board, others, columns) if spread else _free_side(others, columns)
    centre = columns - 2 * sides
    at_side = rest if spread else high
    blank: list[Line] = [[("", " " * centre)]]
    inner = among_piles(board, centre, rest, glyphs, most) if spread else blank * high
    ends = ((low_left, False), (right, glyphs.solid))
    columns_of = (_column(some, sides, at_side, box, glyphs, at_end=end) for some, end in ends)
    rows = [*rows, *abreast([next(columns_of), inner, next(columns_of)])]
    return rows if spread else [*rows, *among_piles(board, columns, rest - high, glyphs, most)]


@drawn_once
def _above(seats: tuple[SeatShown, ...], columns: int, box: int, glyphs: Glyphs) -> Sequence[Line]:
    """The seats at the far side."""
    each = columns // max(1, len(seats))
    return beside([(_centred_box(seat, each, box, glyphs), each) for seat in seats])


def _places(board: Board) -> int:
    """How many piles the middle has room for: a trick keeps the places of all its cards."""
    laid = sum(pile.count is None for pile in board.piles)
    return len(board.piles) + max(0, max(board.places, board.row) - laid)


def _side(board: Board, others: Sequence[SeatShown], columns: int) -> int:
    """How wide the side boxes are: as wide as their numbers need, with room for the middle too.

    The cards of a trick are drawn if the numbers leave room for that where they are shortest.
    """
    wanted, least = (_numbers_room(others, shorter=brief) for brief in (columns < ROOMY, True))
    usual = columns // 3 if columns // 3 >= PILE * _places(board) else LEAST
    counted = [pile for pile in board.piles if pile.count is not None]
    said = [width(f"{pile.label} {pile.count} ") for pile in counted]
    needed = max(LEAST_MIDDLE, len(said) * max(said, default=0))
    drawn = max(needed, TRICK_CARD * board.places)
    room = (columns - (drawn if columns - drawn >= 2 * least else needed)) // 2
    return max(LEAST, min(usual, room) if board.places else usual, min(wanted, room))


def _free_side(others: Sequence[SeatShown], columns: int) -> int:
    """How wide the side boxes are with nothing between them."""
    return max(LEAST, min(columns // 2, _numbers_room(others, shorter=False)))


def _numbers_room(seats: Sequence[SeatShown], *, shorter: bool) -> int:
    """The columns of a box for the numbers of these seats."""
    return max((_room(seat.numbers, " ", shorter) for seat in seats), default=0) + 4


@drawn_once
def _room(numbers: tuple[NumberShown, ...], between: str, shorter: bool) -> int:
    """The columns of numbers, of which each may have two digits: boxes do not move with them."""
    wide = (
        replace(one, value=max(one.value, "000" if one.value[:1] in ("+", "-") else "00", key=len))
        for one in numbers
    )
    return width(between.join(number.said(shorter=shorter) for number in wide))


@drawn_once
def _column(
    seats: tuple[SeatShown, ...],
    columns: int,
    height: int,
    box: int,
    glyphs: Glyphs,
    *,
    at_end: bool,
) -> Sequence[Line]:
    """Seats below each other, spread over the height; `at_end`: they stand at the right."""
    free = height - box * len(seats)
    lines: list[Line] = [[]] * (free // 2)
    for seat in seats:
        lines += _box_within(seat, columns, box, glyphs, at_end=at_end)
    return [pad(line, columns) for line in (lines + [[]] * height)[:height]]


def _centred_box(seat: SeatShown, columns: int, box: int, glyphs: Glyphs) -> list[Line]:
    lines = seat_box(seat, min(columns, WIDEST_PLATE), box, glyphs)
    return _indented(lines, _free_beside(seat, lines, columns, glyphs) // 2)


def _box_within(
    seat: SeatShown, columns: int, box: int, glyphs: Glyphs, *, at_end: bool
) -> list[Line]:
    lines = seat_box(seat, columns, box, glyphs)
    free = _free_beside(seat, lines, columns, glyphs) if at_end else 0
    return _indented(lines, free)


def _free_beside(seat: SeatShown, lines: Sequence[Line], columns: int, glyphs: Glyphs) -> int:
    """The columns that a box leaves free, whatever its numbers are now."""
    numbers = _room(seat.numbers, "  ", False) + (4 if glyphs.solid else 2)
    return columns - max(numbers, *map(length, lines))


def _indented(lines: Sequence[Line], indent: int) -> list[Line]:
    return [[("", " " * max(0, indent)), *line] for line in lines]


@drawn_once
def seat_box(seat: SeatShown, columns: int, height: int, glyphs: Glyphs) -> list[Line]:
    """A seat in `height` rows: a plate in its colour, or plain lines."""
    if seat.empty:
        return _chair(seat, columns, height, glyphs)
    room = columns - 2 if glyphs.solid else columns
    texts = (height - 2) % 2  # what is free is above and below the lines alike
    shown = _parted(seat, room) if texts else seat
    lines = [_name_line(seat, room, glyphs), _numbers(shown, room, solid=glyphs.solid)]
    if texts:
        lines.append(clip_line([("", "  "), *suited(_fitting(shown.text, room - 3))], room - 1))
    free: list[Line] = [[]] * ((height - len(lines)) // 2)
    lines = [*free, *lines, *free]
    if not glyphs.solid:
        return lines
    return plate(lines, plate_width(lines, LEAST - 1, columns - 1), seat.number)


def _parted(seat: SeatShown, columns: int) -> SeatShown:
    """The seat with its last numbers before its text, if not all have room for their headings."""
    kept = next(
        (count for count in range(len(seat.numbers), 1, -1)
         if _room(seat.numbers[:count], " ", False) <= columns - 3),
        1,
    )  # fmt: skip
    moved = [number.said(shorter=False) for number in seat.numbers[kept:]]
    return replace(
        seat, numbers=seat.numbers[:kept], text="  ".join(filter(None, [*moved, seat.text]))
    )


def _fitting(text: str, columns: int) -> str:
    """The text; where there is no room, without gaps, its last words, and headings."""
    text = text if width(text) <= columns else text.replace("  ", " ")
    while width(text) > columns and ", " in text:
        text = text.rpartition(", ")[0]
    return text if width(text) <= columns else _HEADING.sub("", text)


def _chair(seat: SeatShown, columns: int, height: int, glyphs: Glyphs) -> list[Line]:
    """An empty chair: whose it was, and why it is empty; the numbers stay, as tallies do."""
    back, legs = (f" {part} " for part in glyphs.chair)
    room = columns - 1 - width(f"{back}{seat.empty}  ")
    name = f"class:name {player_style(seat.number)}"
    first: Line = [("class:dim", back), (name, clip(seat.name, room)), ("", "  ")]
    first.append(("class:dim", seat.empty))
    numbers = [("class:dim", text) for _, text in _numbers(seat, columns - width(legs) - 1)]
    return [first, [("class:dim", legs), *numbers], *[[]] * (height - 2)]


def _name_line(seat: SeatShown, columns: int, glyphs: Glyphs, *, with_link: bool = True) -> Line:
    turn: Line = [("class:turn", f"{glyphs.turn} ")] if seat.turn else [("", "  ")]
    bot = mark(bot=seat.bot)
    beside = max(columns // 2 - 2, columns - 3 - width(seat.name + bot))
    link = _link(seat, beside, glyphs) if with_link else []
    # The next box begins with the room for its mark, so this one may take all its columns.
    room = columns - 2 - (length(link) + 1 if link else 0) - width(bot)
    style = "class:turn" if seat.turn else f"class:name {player_style(seat.number)}"
    line = [*turn, (style, clip(seat.name, room)), *([("class:dim", bot)] if bot else [])]
    return [*line, ("", " "), *link] if link else line


def _link(seat: SeatShown, columns: int, glyphs: Glyphs) -> Line:
    """What is wrong with a seat, or slow."""
    line: Line = [("class:bad", f"{glyphs.caught} caught ")] if seat.proof == "caught" else []
    if seat.link:
        room = columns - length(line)
        style = "class:bad" if seat.lost else "class:dim"
        short = seat.link if width(seat.link) <= room else seat.link.partition(",")[0]
        line.append((style, clip(short, room)))
    return line


def _numbers(seat: SeatShown, columns: int, *, solid: bool = False) -> Line:
    """ "7 cards  wins 0": the count of cards first, as people say it."""
    ways: list[tuple[str, bool]] = [("  ", False), (" ", False), NARROWEST]
    fitting = (way for way in ways if _room(seat.numbers, *way) <= columns - 3)
    between, shorter = next(fitting, ways[-1])
    line: Line = [("", " ")]
    for number in seat.numbers:
        line += [("", " " if len(line) == 1 else between), *_number(number, solid, shorter)]
    return clip_line(line, columns)


def _number(number: NumberShown, solid: bool, shorter: bool) -> Line:
    """A number; of chips with one of them before it."""
    if not (solid and number.chips):
        return suited(number.said(shorter=shorter))
    *heading, value = number.said(shorter=shorter).rpartition(" ")
    return [("", "".join(heading)), ("class:gold", f"●{value}" if value != "0" else value)]


NARROWEST: Final = " ", True
"""Between the numbers of a seat, and whether their headings are short, where there is no room."""
EDGES: Final = 3
"""The columns that the sign of a plate and the free ones beside it take."""


def own_height(*, large: bool) -> int:
    """The rows of one's own seat."""
    return 1 + 2 * LARGE_EDGE if large else 1


def own_lines(board: Board, columns: int, glyphs: Glyphs, *, large: bool) -> list[Line]:
    """One's own seat, above the hand; a large one has free rows as the others have."""
    line = own_line(board, columns, glyphs)
    free: Line = []
    if glyphs.solid and board.seats and board.you is not None:
        number = board.seats[board.you].number
        free = [("", " "), *plate([[]], length(line) - 1, number)[0]]
    edge = [free] * (LARGE_EDGE if large else 0)
    return [*edge, line, *edge]


def own_line(board: Board, columns: int, glyphs: Glyphs) -> Line:
    """One's own seat, in one line above the hand."""
    if not board.seats:
        return []
    if board.you is None:
        return [("class:dim", "You watch; nobody's hand is shown.")]
    you = mark(you=not board.saved)
    return _own(board.seats[board.you], board.hand_note, you, columns, glyphs)


@drawn_once
def _own(seat: SeatShown, note: str, you: str, columns: int, glyphs: Glyphs) -> Line:
    uncounted = replace(seat, numbers=tuple(one for one in seat.numbers if not one.counted))
    ways = (
        (seat, you, "  ", f"   {note}"),
        (seat, "", "  ", f"   {note}"),  # that it is one's own is seen by its place
        (seat, "", " ", f" {note}"),
        (uncounted, "", " ", f" {note}"),  # the cards that are counted lie below
    )
    room = columns - EDGES
    for told, mine, between, said in ways:
        line = _own_numbers(told, mine, between, said if note else "", solid=glyphs.solid)
        name = _name_line(seat, columns, glyphs, with_link=False)
        if length(name) + length(line) <= room:
            break
    else:  # one's own name is what one knows best
        name = _name_line(seat, room - length(line), glyphs, with_link=False)
    line = [*name, *line]
    if glyphs.solid:
        wide = plate_width([line], LEAST, columns - 2)
        return [("", " "), *plate([line], wide, seat.number)[0]]
    return pad(clip_line(line, columns), columns)


def _own_numbers(seat: SeatShown, you: str, between: str, note: str, *, solid: bool) -> Line:
    """What stands beside one's own name; every number has its whole heading."""
    line: Line = [("class:dim", f"{you} ")]
    for number in seat.numbers:
        line += [("", between), *_number(number, solid, shorter=False)]
    line += [("", "  "), *suited(seat.text)] if seat.text else []
    return [*line, ("class:dim", note)] if note else line


def proven(board: Board, glyphs: Glyphs) -> Line:
    """That the proofs of all others check, or nothing."""
    proofs = [seat.proof for seat in board.seats if not seat.you]
    if not proofs or any(proof in ("", "caught") for proof in proofs):
        return []
    return [(f"class:headline {'class:good' if glyphs.solid else ''}".rstrip(),
             f"{glyphs.proven} {proofs[0]} ")]  # fmt: skip
