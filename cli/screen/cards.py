"""Cards as they are drawn: in one line, in three or in five."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.kit.canvas import Line, beside, centred, clip, suit_style, width
from cli.kit.glyphs import Glyphs
from cli.screen.board import CardShown, PileShown

SIZES: Final = (1, 3, 5)
_TITLE_PART: Final = re.compile(r"[^-' ]*[-' ]+|[^-' ]+")
LIFT: Final = 1
"""How many lines higher a card stands that may be played, in sizes drawn as boxes."""


def hand_height(count: int, longest: int, size: int, columns: int) -> int | None:
    """The rows that a hand takes in a size; None if it does not fit side by side."""
    if not count:
        return 1
    if size == 1:
        return -(-count // max(1, columns // (longest + 3)))
    # Large cards lie side by side or not at all; those of three lines may overlap.
    whole = face_width(longest, size)
    step = whole if size == 5 else longest + 1
    fits = (count - 1) * step + whole <= columns
    return size + LIFT if fits else None


def face_width(longest: int, size: int) -> int:
    """The columns of one whole card."""
    return max(longest + 2, 7 if size == 5 else 5)


def hand_lines(hand: Sequence[CardShown], size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    """The hand in a size that fits (see `hand_height`)."""
    if not hand:
        return [[("class:dim", "no cards")]]
    longest = max(width(card.name) for card in hand)
    if size == 1:
        return _in_rows(hand, longest, columns, glyphs)
    whole = face_width(longest, size)
    step = whole
    if len(hand) > 1:
        step = max(longest + 1, min(whole, (columns - whole) // (len(hand) - 1)))
    blocks = []
    for place, card in enumerate(hand):
        last = place == len(hand) - 1
        blocks.append((_lifted(card, size, whole, glyphs), whole if last else step))
    return _cut(blocks)


def _cut(blocks: Sequence[tuple[list[Line], int]]) -> list[Line]:
    """Cards side by side: if the next card overlaps one, only its left edge is seen."""
    return beside([([_left(line, seen) for line in lines], seen) for lines, seen in blocks])


def _left(line: Line, columns: int) -> Line:
    kept: Line = []
    for style, text in line:
        part = text[:columns]
        columns -= len(part)
        kept.append((style, part))
    return kept


def _in_rows(hand: Sequence[CardShown], longest: int, columns: int, glyphs: Glyphs) -> list[Line]:
    cell = longest + 3
    across = max(1, columns // cell)
    rows: list[Line] = []
    for start in range(0, len(hand), across):
        row: Line = []
        for card in hand[start : start + across]:
            left, right = _brackets(card, glyphs)
            style = card_style(card)
            name = glyphs.back * width(card.name) if card.down else card.name
            suit = "class:back" if card.down else suit_style(card.suit)
            row += [(style, left), (f"{style} {suit}".strip(), name)]
            row.append((style, right))
            row.append(("", " " * (cell - 2 - width(card.name))))
        rows.append(row)
    return rows


def _brackets(card: CardShown, glyphs: Glyphs) -> tuple[str, str]:
    """The marks of a card in one line: brackets for the cursor, a sign if it may be laid."""
    if card.cursor:
        return ("{", "}") if card.picked else ("[", "]") if card.playable else ("(", ")")
    return (glyphs.picked if card.picked else glyphs.playable if card.playable else " "), " "


def card_style(card: CardShown) -> str:
    """The style of a card by what may be done with it."""
    state = "class:playable" if card.playable else "class:unplayable"
    return f"{state} class:cursor" if card.cursor else state


def _lifted(card: CardShown, size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    face = _back(size, columns, glyphs) if card.down else face_lines(card, size, columns, glyphs)
    blank: list[Line] = [[("", " " * columns)]] * LIFT
    return [*face, *blank] if card.playable or card.picked else [*blank, *face]


def face_lines(card: CardShown, size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    """A card face up, as a box."""
    inner, edge = columns - 2, card_style(card)
    name = f"{edge} {suit_style(card.suit)}".strip()
    mark = str(card.picked)[-1] if card.picked else glyphs.across
    top = f"{glyphs.top_left}{mark}{glyphs.across * (inner - 1)}{glyphs.top_right}"
    foot = glyphs.cursor if card.cursor else glyphs.across
    low = f"{glyphs.low_left}{foot}{glyphs.across * (inner - 1)}{glyphs.low_right}"
    rows: list[tuple[str, str]] = [(name, clip(card.name, inner).ljust(inner))]
    if size == 5:
        suit = glyphs.suits[card.suit] if 0 <= card.suit < 5 else ""
        first, second = _title_rows(card.title, inner)
        rows.append((edge if first else name, (first or suit).center(inner)))
        rows.append((edge, second) if second else (name, clip(card.name, inner).rjust(inner)))
    body: list[Line] = [
        [(edge, glyphs.upright), (style, text), (edge, glyphs.upright)] for style, text in rows
    ]
    return [[(edge, top)], *body, [(edge, low)]]


def _title_rows(title: str, columns: int) -> tuple[str, str]:
    """A title in one row, or in two that are cut between its words."""
    if len(title) <= columns:
        return title, ""
    first = ""
    parts = _TITLE_PART.findall(title)
    while parts and len((first + parts[0]).rstrip()) <= columns:
        first += parts.pop(0)
    first = first.rstrip() or clip(parts.pop(0), columns)
    return first, clip("".join(parts).strip(), columns).center(columns) if parts else ""


def pile_lines(pile: PileShown, size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    """A pile: its top card or its back, and below what it is and how many cards it has."""
    if pile.count == 0:
        blank: list[Line] = [[("", " " * columns)]]
        return blank * (size + (size > 1))
    count = "" if pile.count is None else f" {pile.count}"
    said: Line = [("class:dim", f"{clip(pile.label, columns - len(count) - 1)}{count}")]
    if size == 1:
        shown = pile.top or glyphs.back * 2
        style = suit_style(pile.suit) if pile.top else "class:back"
        left, right = (glyphs.upright, glyphs.upright) if pile.turning else ("[", "]")
        top: Line = [("", left), (f"class:strong {style}".strip(), shown), ("", f"{right} ")]
        return [centred([*top, *said], columns)]
    whole = face_width(width(pile.top), size)
    if pile.top:
        card = CardShown(pile.top, pile.suit, playable=not pile.past)
        box = face_lines(card, size, whole, glyphs)
    else:
        box = _back(size, whole, glyphs)
    if pile.turning:
        box = _half_turned(box, glyphs)
    return [centred(line, columns) for line in [*box, said]]


def _half_turned(box: Sequence[Line], glyphs: Glyphs) -> list[Line]:
    """A card that is seen from below, as it is turned over: flat, its name on it."""
    style, wide = box[0][0][0], width(box[0][0][1])
    rim: Line = [(style, glyphs.across * wide)]
    blank: Line = [("", " " * wide)]
    if len(box) == 3:
        return [blank, [(style, " "), *box[1][1:-1], (style, " ")], rim]
    return [blank, rim, [(style, " "), *box[1][1:-1], (style, " ")], rim, blank]


def _back(size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    """A card face down, as a box."""
    inner = columns - 2
    edge = glyphs.across * inner
    rows = [
        f"{glyphs.top_left}{edge}{glyphs.top_right}",
        *[f"{glyphs.upright}{glyphs.back * inner}{glyphs.upright}"] * (size - 2),
        f"{glyphs.low_left}{edge}{glyphs.low_right}",
    ]
    return [[("class:back", row)] for row in rows]
