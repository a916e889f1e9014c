"""Cards as they are drawn: in one line, or in three to twelve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.kit import faces
from cli.kit.canvas import Line, abreast, beside, clip, drawn_once, pad, suit_style, width
from cli.kit.faces import Face
from cli.kit.glyphs import Glyphs
from cli.screen.board import CardShown

BIG: Final = 8
SIZES: Final = (1, 3, 5, BIG, 12)
"""The lines of a card; a card of one line is its name."""
NEXT_SIZE: Final = dict(zip((None, *SIZES), (*SIZES, None), strict=True))
"""The size that the key switches to; None takes the largest that fits."""
_LEAST_WIDTH: Final = {3: 5, 5: 7, BIG: 10, 12: 16}
TEN: Final = 3
"""A ten has the longest name of most packs: when the last one goes, the others stay in place."""
LIFT: Final = 1
"""How many lines higher a card stands that may be played, in sizes drawn as boxes."""


NEW: Final = "new"


class _Look(NamedTuple):
    """How a card of the hand is drawn: in `size` lines of `columns`, of which `seen` are seen.

    `covers`: it lies on the card before it; `fades`: those are dark that may not be played.
    """

    size: int
    columns: int
    seen: int
    covers: bool
    fades: bool


def hand_height(hand: Sequence[CardShown], size: int, columns: int) -> int | None:
    """The rows that a hand takes in a size; None if its cards cannot lie beside each other.

    A hand that is empty for a moment keeps its rows.
    """
    if size == 1:
        return max(1, -(-len(hand) // max(1, columns // (_longest(hand) + 3))))
    return None if _steps(hand, face_width(_longest(hand), size), columns) is None else size + LIFT


def _longest(hand: Sequence[CardShown]) -> int:
    return max([TEN, *(width(card.name) for card in hand)])


def _steps(hand: Sequence[CardShown], whole: int, columns: int) -> list[int] | None:
    """How much is seen of each card; of those that are covered by the next at least the name."""
    names = [width(card.name) + 1 for card in hand[:-1]]
    spare = columns - whole - sum(names)
    if hand and spare < 0:
        return None
    wanted = [whole - name for name in names]
    if sum(wanted) > spare:
        share = spare / max(1, sum(wanted))
        wanted = [int(more * share) for more in wanted]
    return [name + more for name, more in zip(names, wanted, strict=True)] + [whole]


def face_width(longest: int, size: int) -> int:
    """The columns of one whole card."""
    return max(longest + 2, _LEAST_WIDTH[size])


def hand_lines(hand: Sequence[CardShown], size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    """The hand in a size that fits (see `hand_height`)."""
    if not hand:
        return [[("class:dim", "no cards")]]
    if size == 1:
        return _in_rows(hand, _longest(hand), columns, glyphs)
    whole = face_width(_longest(hand), size)
    steps = _steps(hand, whole, columns) or []
    fades = any(card.playable for card in hand)
    blocks = []
    for place, (card, step) in enumerate(zip(hand, steps, strict=True)):
        covers = place > 0 and steps[place - 1] < whole
        blocks.append(_held(card, _Look(size, whole, step, covers, fades), glyphs))
    return abreast(blocks)


@drawn_once
def _held(card: CardShown, look: _Look, glyphs: Glyphs) -> Sequence[Line]:
    """What is seen of a card of the hand."""
    lines = _solid(card, look, glyphs) if glyphs.solid else _lifted(card, look, glyphs)
    return cut([(lines, look.seen)])


def _solid(card: CardShown, look: _Look, glyphs: Glyphs) -> list[Line]:
    """A card of the hand on felt: the marked and the picked ones stand higher."""
    size, columns, seen, covers, fades = look
    if card.down:
        drawn = faces.back(size, columns, glyphs.back)
    else:
        shown = Face(card.name, card.suit, card.title, light_of(card, fades=fades))
        drawn = faces.face(shown, size, columns, seen=seen, covers=covers)
    room = min(seen, columns - 1)
    sign = _signed(card, _sign(card, glyphs) if fades else "", room)
    middle = (room - width(sign)) // 2
    below: Line = pad([("", " " * middle), ("class:turn", sign)], columns)
    if card.cursor or card.picked:
        return [*drawn, below]
    if sign:
        rest = columns - 1 - middle - width(sign)
        drawn[-1] = [("class:shadow", "▀" * middle), ("class:dim", sign)]
        drawn[-1] += [("class:shadow", "▀" * rest), ("", " ")]
    blank: list[Line] = [[("", " " * columns)]] * LIFT
    return [*blank, *drawn]


def light_of(card: CardShown, *, fades: bool) -> str:
    """How a card of the hand is lit; `fades`: those are dark that may not be played."""
    if card.cursor:
        return faces.LIT
    return faces.FADED if fades and not card.playable else faces.FACE


def ink_style(card: CardShown, *, fades: bool) -> str:
    """The style of a card's name on its face."""
    return faces.inked(light_of(card, fades=fades), card.suit)


def _signed(card: CardShown, sign: str, room: int) -> str:
    """What stands below a card: its sign, and that it is new if there is room for that.

    Of two marks the first stays: the cursor.
    """
    told = [f"{kept}{NEW}" for kept in (sign, sign[:1])] if card.new else []
    return next((one for one in told if width(one) <= room), sign or NEW[:room] * card.new)


def _sign(card: CardShown, glyphs: Glyphs) -> str:
    """What says the same as light and height."""
    if card.picked:
        return f"{glyphs.picked}{card.picked}"
    marks = (glyphs.cursor, card.cursor), (glyphs.playable, card.playable)
    return "".join(sign for sign, given in marks if given)


def cut(blocks: Sequence[tuple[list[Line], int]]) -> list[Line]:
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
    fades = any(card.playable for card in hand)
    rows: list[Line] = []
    for start in range(0, len(hand), across):
        row: Line = []
        for card in hand[start : start + across]:
            left, right = _brackets(card, glyphs)
            name = glyphs.back * width(card.name) if card.down else card.name
            if glyphs.solid:
                edge = style = "class:pattern" if card.down else ink_style(card, fades=fades)
            else:
                edge = card_style(card)
                suit = "class:back" if card.down else suit_style(card.suit)
                style = f"{edge} {suit}".strip()
            row += [(edge, left), (style, name), (edge, right)]
            row.append(("class:turn", glyphs.new if card.new else " "))
            row.append(("", " " * (cell - 3 - width(card.name))))
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


def _lifted(card: CardShown, look: _Look, glyphs: Glyphs) -> list[Line]:
    """A card of the hand as a box: those that may be played stand higher."""
    size, columns, seen, *_ = look
    if card.down:
        face = outline_back(size, columns, glyphs)
    else:
        face = face_lines(card, size, columns, glyphs, seen)
    blank: list[Line] = [[("", " " * columns)]] * LIFT
    return [*face, *blank] if card.playable or card.picked else [*blank, *face]


def face_lines(
    card: CardShown, size: int, columns: int, glyphs: Glyphs, seen: int = 0
) -> list[Line]:
    """A card face up, as a box; `seen` columns of it are not covered (0: all)."""
    inner, edge = columns - 2, card_style(card)
    room = min(seen or columns, columns - 1) - 1
    name = f"{edge} {suit_style(card.suit)}".strip()
    place = str(card.picked)[-1] if card.picked else ""
    mark = f"{_signed(card, place, room):{glyphs.across}{'<' if place else '^'}{inner}}"
    top = f"{glyphs.top_left}{mark}{glyphs.top_right}"
    foot = glyphs.cursor if card.cursor else glyphs.across
    low = f"{glyphs.low_left}{foot}{glyphs.across * (inner - 1)}{glyphs.low_right}"
    rows: list[tuple[str, str]] = [(name, clip(card.name, inner))]
    if size > 3:
        suit = glyphs.suits[card.suit] if 0 <= card.suit < 5 else ""
        first, second = [*faces.title_rows(card.title, room, 2), "", ""][:2]
        blank = [(edge, "")] * (size - 5)
        rows += blank[: len(blank) // 2]
        rows.append((edge if first else name, (first or suit).center(room)))
        rows += blank[len(blank) // 2 :]
        rows.append(
            (edge, second.center(room)) if second else (name, clip(card.name, inner).rjust(inner))
        )
    body: list[Line] = [
        [(edge, glyphs.upright), (style, text.ljust(inner)), (edge, glyphs.upright)]
        for style, text in rows
    ]
    return [[(edge, top)], *body, [(edge, low)]]


def outline_back(size: int, columns: int, glyphs: Glyphs) -> list[Line]:
    """A card face down, as a box."""
    inner = columns - 2
    edge = glyphs.across * inner
    rows = [
        f"{glyphs.top_left}{edge}{glyphs.top_right}",
        *[f"{glyphs.upright}{glyphs.back * inner}{glyphs.upright}"] * (size - 2),
        f"{glyphs.low_left}{edge}{glyphs.low_right}",
    ]
    return [[("class:back", row)] for row in rows]
