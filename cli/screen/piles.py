"""What lies in the middle: piles, tricks, sets of cards beside each other, chips.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.kit import faces, tokens
from cli.kit.canvas import (
    Line,
    beside,
    centred,
    clip,
    drawn_once,
    laid_over,
    length,
    pad,
    suit_style,
    width,
)
from cli.kit.faces import Face
from cli.kit.glyphs import Glyphs
from cli.kit.plates import player_style
from cli.screen.board import Board, CardShown, PileShown, Sliding
from cli.screen.cards import SIZES, cut, face_lines, face_width, ink_style, outline_back

BACK_STEP: Final = 2
"""The columns that are seen of a covered back."""
LEAST_MIDDLE: Final = 16
"""The fewest columns of the middle of the table: a pile in one line."""


def drawn_sizes(most: int) -> list[int]:
    """The sizes of cards of at most so many lines that are more than a name, the largest first."""
    return [size for size in reversed(SIZES) if 1 < size <= most]


def middle(board: Board, columns: int, height: int, glyphs: Glyphs, most: int) -> Sequence[Line]:
    """All that lies in the middle, in exactly `height` rows: as cards, or else by their names.

    No card has more than `most` lines.
    """
    sizes = tuple(drawn_sizes(most))
    room = Room(columns, height, board.places, board.row)
    lines = _middle(board.piles, room, board.direction, glyphs, sizes)
    sliding = board.sliding
    below = None if sliding is None else _slid(sliding, columns, height, glyphs, sizes)
    return lines if below is None else [*map(laid_over, lines, below)]


def _slid(
    sliding: Sliding, columns: int, height: int, glyphs: Glyphs, drawn_in: Sequence[int]
) -> list[Line] | None:
    """Cards on their way from the middle to its edge; None if there is no room to draw them."""
    cards = sliding.cards
    sizes = [size for size in drawn_in if size < height and pile_width(cards, size) <= columns]
    if not sizes:
        return None
    wide = pile_width(cards, sizes[0])
    drawn = pile_lines(cards, sizes[0], wide, glyphs)[:-1]
    left = _between(columns - wide, sliding.across * sliding.part)
    above = _between(height - len(drawn), sliding.down * sliding.part)
    blank: list[Line] = [[("", " " * columns)]]
    moved = [pad([("", " " * left), *line], columns) for line in drawn]
    return (blank * above + moved + blank * height)[:height]


def _between(free: int, way: float) -> int:
    """What is free before something that stands between the two edges (-1 and 1)."""
    return round(free * (1 + way) / 2)


class Room(NamedTuple):
    """What the middle has: columns and rows, and the `places` and the `row` of the board."""

    columns: int
    height: int
    places: int = 0
    row: int = 0

    def indent(self, wide: int, size: int) -> int:
        """What is free before so many columns of piles: a row begins where it will in the end."""
        cards = self.row * pile_width(PileShown("", 0), size)
        whole = cards + pile_width(PileShown("", 0, chips=True), size) if cards else 0
        return (self.columns - max(wide, min(whole, self.columns))) // 2


@drawn_once
def _middle(
    shown: tuple[PileShown, ...],
    room: Room,
    direction: int,
    glyphs: Glyphs,
    sizes: tuple[int, ...],
) -> Sequence[Line]:
    columns, height = room.columns, room.height
    blank: list[Line] = [[("", " " * columns)]]
    piles = [pile for pile in shown if glyphs.solid or not pile.chips]
    if not piles or height < 1:
        return blank * height
    cards = [pile for pile in piles if not pile.chips]
    ways = (_drawn(some, room, glyphs, sizes) for some in (piles, cards))
    lines = next(filter(None, ways), None) or named(cards, columns, height, glyphs)
    if direction and glyphs.solid and len(lines) + 2 <= height:
        lines = [centred(_arrow(direction), columns), *blank, *lines]
    above = max(0, height - len(lines)) // 2
    return (blank * above + lines + blank * height)[:height]


def _arrow(direction: int) -> Line:
    """The way in which turns go round the table, as seen at its far side."""
    return [("class:turn", "─── ▶ ─── ▶" if direction > 0 else "◀ ─── ◀ ───")]


def _drawn(
    piles: Sequence[PileShown], room: Room, glyphs: Glyphs, sizes: Sequence[int]
) -> list[Line] | None:
    """All piles side by side as cards of the largest size that fits; None if none does."""
    empty, columns = PileShown("", 0), room.columns
    row = [*piles, *[empty] * (room.places - sum(pile.count is None for pile in piles))]
    for size in sizes:
        if room.height <= size:  # below each card is what it is
            continue
        widths = [pile_width(pile, size) for pile in row]
        if sum(widths) > columns:
            continue
        wanted = [max(w, width(_said(pile)) + 2) for w, pile in zip(widths, row, strict=True)]
        widths = wanted if sum(wanted) <= columns else widths
        cells = zip(row, widths, strict=True)
        lines = beside([(pile_lines(pile, size, wide, glyphs), wide) for pile, wide in cells])
        before: Line = [("", " " * room.indent(sum(widths), size))]
        return [pad([*before, *line], columns) for line in lines]
    return None


def named(piles: Sequence[PileShown], columns: int, height: int, glyphs: Glyphs) -> list[Line]:
    """Piles by the names of their cards, as many in a row as fit."""
    rows: list[Line] = []
    for pile in piles:
        cell: Line = [*_names(pile, glyphs), *_label(pile, columns), ("", " ")]
        if pile.lit:
            cell[-1:] = [("class:turn", glyphs.cursor), ("", " ")]
        if not rows or length(rows[-1]) + length(cell) > columns:
            rows.append([])
        rows[-1] = [*rows[-1], *cell]
    return [centred(row, columns) for row in rows[:height]]


def pile_width(pile: PileShown, size: int) -> int:
    """The columns of a pile that is drawn in this size."""
    if pile.chips:
        return tokens.stack_width(size) + 2
    covered = sum(_step(card) for card in pile.under)
    return covered + face_width(width(pile.top), size) + 1


def _step(card: CardShown) -> int:
    return BACK_STEP if card.down else width(card.name) + 1


def _said(pile: PileShown) -> str:
    return pile.label if pile.count is None else f"{pile.label} {pile.count}"


@drawn_once
def pile_lines(pile: PileShown, size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    """A pile: its cards, and below what it is and how many cards it has."""
    if pile.count == 0 and not pile.chips:
        blank: list[Line] = [[("", " " * columns)]]
        return blank * (size + 1)
    drawn = tokens.stack(pile.count or 0, size) if pile.chips else _fan(pile, size, glyphs)
    return [centred(line, columns) for line in [*drawn, _label(pile, columns)]]


def _label(pile: PileShown, columns: int) -> Line:
    count = "" if pile.count is None else f" {pile.count}"
    style = "class:dim" if pile.owner is None else player_style(pile.owner)
    return [(style, f"{clip(pile.label, columns - len(count) - 1)}{count}")]


def _names(pile: PileShown, glyphs: Glyphs) -> Line:
    left, right = (glyphs.upright, glyphs.upright) if pile.turning and pile.top else ("[", "]")
    line: Line = []
    if glyphs.solid:
        for card in (*pile.under, CardShown(pile.top, pile.suit, down=not pile.top)):
            style = "class:pattern" if card.down else ink_style(card, fades=False)
            line.append((style, glyphs.back * 2 if card.down else f" {card.name}"))
        return [*line, ("", " ")]
    for card in (*pile.under, CardShown(pile.top, pile.suit, down=not pile.top)):
        style = "class:back" if card.down else f"class:strong {suit_style(card.suit)}".strip()
        line += [("", " ")] if line else []
        line.append((style, glyphs.back * 2 if card.down else card.name))
    return [("", left), *line, ("", f"{right} ")]


def _fan(pile: PileShown, size: int, glyphs: Glyphs) -> list[Line]:
    """The cards of a pile that are seen, each over the one before."""
    whole = face_width(width(pile.top), size)
    blocks = []
    for place, card in enumerate(pile.under):
        step = _step(card)
        wide = face_width(width(card.name), size)
        blocks.append((_card(card, pile, size, wide, glyphs, seen=step, covers=place > 0), step))
    top = CardShown(pile.top, pile.suit, playable=not pile.past, down=not pile.top)
    drawn = _card(top, pile, size, whole, glyphs, covers=bool(pile.under))
    if pile.turning:
        drawn = _turned(top, drawn, size, whole, glyphs)
    elif glyphs.solid and pile.count:
        drawn = faces.thick(drawn, pile.count)
    return cut([*blocks, (drawn, whole)])


def _card(
    card: CardShown,
    pile: PileShown,
    size: int,
    columns: int,
    glyphs: Glyphs,
    *,
    seen: int = 0,
    covers: bool = False,
) -> list[Line]:
    if card.down:
        if glyphs.solid:
            return faces.back(size, columns, glyphs.back, covers=covers)
        return outline_back(size, columns, glyphs)
    if not glyphs.solid:
        return face_lines(card, size, columns, glyphs, seen)
    light = faces.LIT if pile.lit else faces.FADED if pile.past else faces.FACE
    lines = faces.face(_face(card, light), size, columns, seen=seen, covers=covers)
    if pile.lit and not seen:
        lines[-1] = marked(glyphs.cursor, columns)
    return lines


def _face(card: CardShown, light: str) -> Face:
    return Face(card.name, card.suit, card.title, light)


def marked(sign: str, columns: int) -> Line:
    """The shadow of a card with a sign in its middle."""
    half = (columns - 1 - width(sign)) // 2
    rest = columns - 1 - width(sign) - half
    dark = "class:shadow"
    return [(dark, "▀" * half), ("class:turn", sign), (dark, "▀" * rest), ("", " ")]


def _turned(
    card: CardShown, drawn: Sequence[Line], size: int, columns: int, glyphs: Glyphs
) -> list[Line]:
    """A card that is seen from below, as it is turned over: flat, its name on it."""
    if card.down:
        return list(drawn)
    if glyphs.solid:
        return faces.half_turned(_face(card, faces.FACE), size, columns)
    style = drawn[0][0][0]
    rim: Line = [(style, glyphs.across * columns)]
    blank: Line = [("", " " * columns)]
    flat = [[(style, " "), *drawn[1][1:-1], (style, " ")], rim]
    above = (size - 2) // 2
    lines = [*[blank] * above, *([rim] if size > 3 else [blank]), *flat, *[blank] * size]
    return [pad(line, columns) for line in lines[(size == 3) :][:size]]
