"""The menu as lines of a full screen.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import inf
from typing import Final

from cli.kit.bindings import HELP, Where, foot
from cli.kit.bindings import LEAVE as LEAVE_KEY
from cli.kit.canvas import (
    SUIT_OF,
    Line,
    clip,
    clip_keys,
    folded,
    length,
    pad,
    width,
    wrapped,
)
from cli.kit.faces import FACE, LIT, inked, shadow
from cli.kit.glyphs import to_ascii
from cli.kit.plates import plate
from cli.menu.asked import Field, Form, Pick, Text
from cli.menu.model import ALIGNED, DIGITS, Menu
from engine.cloths import cloth_of

TITLE: Final = "nodealer   cards among people who trust nobody: no server, no dealer"
AT: Final = Where.MENU
PICK_KEYS: Final = foot(
    AT, "Enter goes on", "Esc back", "arrows mark", "a number opens", HELP, LEAVE_KEY
)
NOTHING_KEYS: Final = foot(AT, "Esc back", LEAVE_KEY)
"""Where there is nothing to choose."""
FORM_KEYS: Final = foot(
    AT, "Enter {does}", "Esc back", "Left Right a value", "Up Down a line", HELP, LEAVE_KEY
)
LEAVE: Final = LEAVE_KEY.name
"""What q does; where the menu is asked over a table it only goes back there."""
TEXT_KEYS: Final = foot(Where.TABLE, "Enter goes on", "Esc back", "type or paste", LEAVE_KEY)
"""Here a letter is text, as at the table."""
NAME: Final = "nodealer"
LOW: Final = 18
"""Where there are fewer rows, none is left free."""
COMMAND_ROWS: Final = 3
PLATE_ROWS: Final = 3
"""A choice as a plate, and a free row."""
SYMBOLS: Final = tuple(SUIT_OF)
CARD: Final = 6
"""The columns of the small card beside a plate."""
WIDEST: Final = 60
_LEFT: Final = 3
_INDENT: Final = " " * 4


def picture(
    menu: Menu,
    columns: int,
    rows: int,
    *,
    ascii: bool = False,  # noqa: A002
    solid: bool = False,
) -> list[Line]:
    """Exactly `rows` lines of exactly `columns` columns; `solid` as in `cli.screen.layout`."""
    low = rows < LOW
    gap: list[Line] = [] if low else [[]]
    title = TITLE if width(TITLE) < columns else NAME
    head: list[Line] = [
        pad([("class:headline", clip(f" {title}", columns))], columns, "class:headline"),
        *gap,
        [("class:strong", f" {clip(menu.asked.title, columns - 2)}")],
        *gap,
    ]
    said = [*_lasts(menu, columns), *_note(menu, columns)]
    foot, note = _foot(menu, columns, gap), [*gap, *said] if said else []
    room = rows - len(head) - len(foot) - len(note)
    lines = [*head, *_body(menu, columns, room, solid and not ascii), *note]
    blank: list[Line] = [[]]
    room = max(0, rows - len(foot))
    lines = ((lines + blank * room)[:room] + foot)[-rows:]
    if ascii:
        lines = [[(style, to_ascii(text)) for style, text in line] for line in lines]
    return [pad(line, columns) for line in lines]


def _body(menu: Menu, columns: int, room: int, solid: bool) -> list[Line]:
    asked = menu.asked
    if isinstance(asked, Pick):
        if solid and len(asked.choices) * PLATE_ROWS <= room:
            return _plates(menu, asked, columns)
        return _choices(menu, asked, columns, max(1, room))
    if isinstance(asked, Form):
        return _fields(menu, columns, max(1, room))
    typed = menu.typed or ""
    # An invite is longer than a line: what was typed last is what has to be seen.
    seen = typed[-(columns - 2 * _LEFT) :]
    line: Line = [("", " " * _LEFT), ("class:typed", seen), ("class:cursor", " ")]
    if not typed:
        line.append(("class:dim", f" {asked.default}"))
    return [line]


def _plates(menu: Menu, asked: Pick, columns: int) -> list[Line]:
    """Few choices as plates, each with a card, of a game on its cloth; the marked card is lit."""
    lines: list[Line] = []
    for at, choice in enumerate(asked.choices):
        marked, suit = at == menu.cursor, at % len(SYMBOLS)
        drawn = _table(choice.cloth, suit, marked) if choice.cloth else _card(suit, marked)
        wide = min(columns - 2 * _LEFT - max(map(length, drawn)), WIDEST)
        sign = "▶" if marked else " "
        number = str(at + 1) if at < DIGITS else " "
        label: Line = [("class:turn" if marked else "class:strong", f"{sign} {choice.label}")]
        name, note = plate(
            [[("class:dim", f" {number} "), *label], [("class:dim", f"     {choice.note}")]],
            wide,
            at,
        )
        beside: list[Line] = [name, note, []]
        margin = ("", " " * _LEFT)
        lines += [[margin, *left, *right] for left, right in zip(drawn, beside, strict=True)]
    return lines


def _card(suit: int, marked: bool) -> list[Line]:
    """A small card."""
    ink, symbol = inked(LIT if marked else FACE, suit), SYMBOLS[suit]
    return [
        [(ink, f" {symbol}   "), ("", " ")],
        [(ink, f"   {symbol} "), ("", " ")],
        shadow(CARD),
    ]


def _table(cloth: str, suit: int, marked: bool) -> list[Line]:
    """A game's table: a back and a card on its cloth."""
    ink, symbol = inked(LIT if marked else FACE, suit), SYMBOLS[suit]
    ground, back = f"class:cloth-{cloth}", cloth_of(cloth).sign * 4
    free = (ground, " ")
    lines: list[Line] = [
        [free, (f"class:pattern-{cloth}", back), free, (ink, face), free, ("", " ")]
        for face in (f" {symbol}  ", f"  {symbol} ")
    ]
    shade = (f"{ground} class:shadow-{cloth}", "▀" * 4)
    return [*lines, [free, shade, free, shade, free, ("", " ")]]


def _choices(menu: Menu, asked: Pick, columns: int, room: int) -> list[Line]:
    """As many choices as there is room for, around the marked one; no word of them is cut.

    If not all fit with their notes, a note stands at the marked choice alone, unless it is what
    tells choices of one name apart.
    """
    count = len(asked.choices)
    rows = [_choice(menu, asked, at, columns) for at in range(count)]
    if sum(map(len, rows)) > room and len({choice.label for choice in asked.choices}) == count:
        rows = [_choice(menu, asked, at, columns, noted=at == menu.cursor) for at in range(count)]
    if sum(map(len, rows)) <= room:
        return list(chain(*rows))
    first, last = _around(list(map(len, rows)), menu.cursor, room - 1)
    shown = list(chain(*rows[first:last]))[: max(1, room - 1)]
    place: Line = [("class:dim", f"      {first + 1} to {last} of {count}")]
    return [*shown, place] if room > 1 else shown


def _around(heights: Sequence[int], marked: int, room: int) -> tuple[int, int]:
    """The first choice that is shown, and the one after the last: the marked one in the middle."""
    first, last = marked, marked + 1
    left = room - heights[marked]
    while left >= 0:
        above = heights[first - 1] if first else inf
        below = heights[last] if last < len(heights) else inf
        up = above <= left and (below > left or marked - first < last - marked)
        if not up and below > left:
            break
        left -= int(above if up else below)
        first, last = first - up, last + (not up)
    return first, last


def _choice(menu: Menu, asked: Pick, at: int, columns: int, *, noted: bool = True) -> list[Line]:
    """A choice with its number and, if it is `noted`, its note: beside it, or in rows below."""
    choice, inner = asked.choices[at], columns - 5
    short = [width(one.label) for one in asked.choices if width(one.label) <= ALIGNED]
    number, note = str(at + 1) if at < DIGITS else " ", choice.note if noted else ""
    gap = " " * max(0, max(short, default=0) - width(choice.label))
    name = f" {number}  {choice.label}"
    beside = f"{name}{gap}  "
    if width(beside + note) <= inner:
        rows: list[Line] = [[("", beside), ("class:dim", note)]]
    else:
        told = folded(" ".join(note.split()), max(1, inner - len(_INDENT))) if note else []
        rows = [[("", part)] for part in folded(name, inner, _INDENT)]
        rows += [[("class:dim", _INDENT + part)] for part in told]
    if at == menu.cursor:
        said = "".join(text for _, text in rows[0]).rstrip()
        return [
            [("", " "), ("class:cursor", f">{said} ")],
            *[[("", "  "), *row] for row in rows[1:]],
        ]
    return [[("", "  "), *row] for row in rows]


def _fields(menu: Menu, columns: int, room: int) -> list[Line]:
    """As many lines of the form as there is room for, around the marked one."""
    fields = menu.fields()
    broad = max(len(field.label) for field in fields)
    lines: list[Line] = []
    marked, ruled = 0, False
    for at, field in enumerate(fields):
        if field.rule and not ruled:
            lines += [[], [("class:dim", " House rules, as they are usual:")]]
            ruled = True
        marked = len(lines) if at == menu.cursor else marked
        line: Line = [
            ("", "  > " if at == menu.cursor else "    "),
            ("", f"{field.label:<{broad}}  "),
        ]
        lines.append(line + _values(menu, field, columns - broad - 6, at == menu.cursor))
    first = max(0, min(marked - room // 2, len(lines) - room))
    if len(lines) <= room or room < 2:
        return lines[first : first + room]
    shown = lines[first : first + room - 1]
    return [*shown, [("class:dim", f"      {menu.cursor + 1} of {len(fields)}")]]


def _values(menu: Menu, field: Field, room: int, marked: bool) -> Line:
    """All values of a line, or, if they are too many, the chosen one and how far they go."""
    now = menu.chosen[field.name]
    style = "class:cursor" if marked else "class:strong"
    if sum(len(value) + 2 for value in field.values) > room:
        return [(style, f"[{now}]"), ("class:dim", f"  {field.range}")]
    return [
        (style, f"[{value}]") if value == now else ("class:dim", f" {value} ")
        for value in field.values
    ]


def _note(menu: Menu, columns: int) -> list[Line]:
    if menu.notice:
        style, text = "class:notice", menu.notice
    elif isinstance(menu.asked, Form):
        field = menu.fields()[menu.cursor]
        style, text = "class:dim", field.told(menu.chosen[field.name])
    else:
        style, text = "class:dim", menu.asked.note
    told = wrapped(text, columns - 2 * _LEFT, 3) if text else []
    return [[(style, f"{' ' * _LEFT}{part}")] for part in told]


def _lasts(menu: Menu, columns: int) -> list[Line]:
    """How long a game with these values may take."""
    text = menu.asked.lasts(menu.chosen) if isinstance(menu.asked, Form) else ""
    told = folded(text, columns - 2 * _LEFT) if text else []
    return [[("class:strong", f"{' ' * _LEFT}{part}")] for part in told]


def _foot(menu: Menu, columns: int, gap: Sequence[Line]) -> list[Line]:
    """What would be run, as typed in a shell, and the keys."""
    command = menu.command()
    lines: list[Line] = []
    if command:
        lines.append([("class:dim", " The same, typed:")])
        parts = folded(command, columns - 2 * _LEFT)[:COMMAND_ROWS]
        lines += [[("", " " * _LEFT), ("class:strong", part)] for part in parts]
    said = {Pick: PICK_KEYS, Form: FORM_KEYS, Text: TEXT_KEYS}[type(menu.asked)]
    if isinstance(menu.asked, Pick) and not menu.asked.choices:
        said = NOTHING_KEYS
    if menu.over_a_table:
        said = said.replace(LEAVE, "back")
    if isinstance(menu.asked, Form):
        said = said.format(does=menu.asked.does)
    keys = clip_keys(f" {said}", columns)
    return [*lines, *gap, pad([("class:foot", keys)], columns, "class:foot")]
