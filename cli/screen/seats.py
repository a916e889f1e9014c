"""Seats around the table: who sits where, and what is said of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.kit.canvas import Line, beside, clip, clip_line, length, pad, suited, width
from cli.kit.glyphs import Glyphs
from cli.screen.board import Board, PileShown, SeatShown
from cli.screen.cards import BIG, pile_lines

LEAST: Final = 23
"""The fewest columns of a seat's box."""
SIDES: Final = {0: (0, 0, 0), 1: (0, 1, 0), 2: (1, 0, 1), 3: (1, 1, 1), 4: (1, 2, 1), 5: (1, 3, 1)}
"""For each number of others: how many sit to the left, at the top and to the right."""
AT_MOST_ABOVE: Final = 3
PILE: Final = 11
"""The columns of a pile; if the middle has fewer for each, the seats beside it give some."""
NARROWEST: Final = {3: 5, 5: 8, BIG: 11}
"""The fewest columns that a pile takes, by the lines of its card."""
DRAWN: Final = 4
"""The rows of a pile that is drawn as a card of three lines, with its label."""
LEAST_MIDDLE: Final = 16
"""The fewest columns of the middle of the table: a pile in one line."""


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


def box_height(board: Board, *, roomy: bool) -> int:
    """The rows of every box: the name, the numbers, the text if any seat may have one, the link.

    The table does not jump when a text comes and goes: somebody may be about to slap.
    """
    return 2 + (board.told or any(seat.text for seat in clockwise(board))) + roomy


def table_height(board: Board, *, roomy: bool) -> int:
    """The rows of the table with everybody around it except oneself."""
    left, above, _ = around(len(clockwise(board)))
    box = box_height(board, roomy=roomy)
    middle = 1 if left else DRAWN
    return (box if above else 0) + max(left * box, middle)


def wanted_height(board: Board, *, roomy: bool) -> int:
    """The rows in which piles are drawn as cards; the same whether or not any lie there now."""
    left, above, _ = around(len(clockwise(board)))
    box = box_height(board, roomy=roomy)
    return (box if above else 0) + max(left * box, DRAWN)


def table_lines(
    board: Board, columns: int, height: int, *, roomy: bool, glyphs: Glyphs
) -> list[Line]:
    """The table in exactly `height` rows."""
    others = clockwise(board)
    left, above, _ = around(len(others))
    box = box_height(board, roomy=roomy)
    places = _places(board)
    sides = _side(others, board.piles, places, columns)
    low_left = others[:left][::-1]
    top, right = others[left : left + above], others[left + above :]
    rows: list[Line] = []
    if top:
        each = columns // len(top) if len(top) > 1 else columns
        at = [(_centred_box(seat, each, box, roomy, glyphs), each) for seat in top]
        rows += beside(at)
    rest = height - len(rows)
    if not left:
        return rows + _centre(board.piles, places, columns, rest, glyphs)
    centre = columns - 2 * sides
    return rows + beside(
        [
            (_column(low_left, sides, rest, box, roomy, glyphs), sides),
            (_centre(board.piles, places, centre, rest, glyphs), centre),
            (_column(right, sides, rest, box, roomy, glyphs), sides),
        ]
    )


def _places(board: Board) -> int:
    """How many piles the middle has room for: a trick keeps the places of all its cards."""
    trick = [pile for pile in board.piles if pile.count is None]
    return len(board.piles) + (len(board.seats) - len(trick) if trick else 0)


def _side(
    others: Sequence[SeatShown], piles: Sequence[PileShown], places: int, columns: int
) -> int:
    """How wide the side boxes are: as wide as their numbers need, with room for the middle too."""
    wanted = max((width(_said(seat, " ")) for seat in others), default=0) + 3
    usual = columns // 3 if columns // 3 >= PILE * places else LEAST
    said = [width(f"{pile.label} {pile.count} ") for pile in piles if pile.count is not None]
    needed = max(LEAST_MIDDLE, len(said) * max(said, default=0))
    return max(LEAST, usual, min(wanted, (columns - needed) // 2))


def _column(
    seats: Sequence[SeatShown], columns: int, height: int, box: int, roomy: bool, glyphs: Glyphs
) -> list[Line]:
    """Seats below each other, spread over the height."""
    free = height - box * len(seats)
    lines: list[Line] = [[]] * (free // 2)
    for seat in seats:
        lines += seat_box(seat, columns, box, roomy=roomy, glyphs=glyphs)
    return (lines + [[]] * height)[:height]


def _centred_box(
    seat: SeatShown, columns: int, box: int, roomy: bool, glyphs: Glyphs
) -> list[Line]:
    lines = seat_box(seat, min(columns, 40), box, roomy=roomy, glyphs=glyphs)
    indent = (columns - max(map(length, lines))) // 2
    return [[("", " " * max(0, indent)), *line] for line in lines]


def _centre(
    piles: Sequence[PileShown], places: int, columns: int, height: int, glyphs: Glyphs
) -> list[Line]:
    if not piles or height < 1:
        return [[]] * height
    # One line more than the card: the label of the pile.
    sizes = [s for s in (BIG, 5, 3) if height > s and columns // places >= NARROWEST[s]]
    size = sizes[0] if sizes else 1
    in_lines = max(min(len(piles), columns // LEAST_MIDDLE), -(-len(piles) // height))
    across = places if size > 1 else in_lines
    each = columns // across
    lines: list[Line] = []
    for start in range(0, len(piles), across):
        row = piles[start : start + across]
        lines += beside([(pile_lines(pile, size, each, glyphs), each) for pile in row])
    above = max(0, height - len(lines)) // 2
    blank: list[Line] = [[]]
    return (blank * above + lines + blank * height)[:height]


def seat_box(
    seat: SeatShown, columns: int, height: int, *, roomy: bool, glyphs: Glyphs
) -> list[Line]:
    """A seat in `height` rows; the link stands beside the name, or below it if it is roomy."""
    lines = [_name_line(seat, columns, glyphs, with_link=not roomy)]
    lines.append(_numbers(seat, columns))
    if roomy:
        lines.append([("", "  "), *_link(seat, columns - 2, glyphs)])
    if len(lines) < height:
        lines.append(clip_line([("", "  "), *suited(seat.text)], columns - 1))
    return lines


def _name_line(seat: SeatShown, columns: int, glyphs: Glyphs, *, with_link: bool) -> Line:
    mark: Line = [("class:turn", f"{glyphs.turn} ")] if seat.turn else [("", "  ")]
    beside = max(columns // 2 - 2, columns - 3 - width(seat.name))
    link = _link(seat, beside, glyphs) if with_link else []
    # The next box begins with the room for its mark, so this one may take all its columns.
    room = columns - 2 - (length(link) + 1 if link else 0)
    name = clip(seat.name, room)
    style = "class:turn" if seat.turn else "class:name"
    line = [*mark, (style, name)]
    return [*line, ("", " "), *link] if link else line


def _link(seat: SeatShown, columns: int, glyphs: Glyphs) -> Line:
    line: Line = []
    if seat.proof:
        caught = seat.proof == "caught"
        sign = f"{glyphs.caught} caught " if caught else f"{glyphs.proven} "
        line.append(("class:bad" if caught else "class:good", sign))
    if seat.link:
        room = columns - length(line)
        style = "class:bad" if seat.lost else "class:dim"
        short = seat.link if width(seat.link) <= room else seat.link.partition(",")[0]
        line.append((style, clip(short, room)))
    return line


def _numbers(seat: SeatShown, columns: int) -> Line:
    """ "7 cards  wins 0": the count of cards first, as people say it."""
    ways = (_said(seat, "  "), _said(seat, " "), _said(seat, " ", shorter=True))
    said = next((way for way in ways if width(way) <= columns - 3), ways[-1])
    return [("", "  "), *suited(clip(said, columns - 2))]


def _said(seat: SeatShown, between: str, *, shorter: bool = False) -> str:
    return between.join(number.said(shorter=shorter) for number in seat.numbers)


def own_line(board: Board, columns: int, glyphs: Glyphs) -> Line:
    """One's own seat, in one line above the hand."""
    if board.you is None:
        return [("class:dim", "You watch; nobody's hand is shown.")]
    seat = board.seats[board.you]
    line = _name_line(seat, columns, glyphs, with_link=False)
    line += [("class:dim", " (you) "), *_numbers(seat, columns)]
    if seat.text:
        line += [("", "  "), *suited(seat.text)]
    if board.hand_note:
        line += [("class:dim", f"   {board.hand_note}")]
    return pad(clip_line(line, columns), columns)
