"""Sets that were compared, drawn side by side: whose they are, what they are, and who takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.kit.canvas import Line, beside, clip, clip_line, length, suited, width
from cli.kit.glyphs import Glyphs
from cli.screen.board import SetShown
from cli.screen.cards import face_lines, face_width

DRAWN: Final = 4
"""The rows of a set that is drawn: its label, and cards of three lines."""
GAP: Final = 2


def set_lines(sets: Sequence[SetShown], columns: int, rows: int, glyphs: Glyphs) -> list[Line]:
    """The sets in at most so many rows: as cards, or in a line each if there is no room for that.

    Every line begins with one free column.
    """
    room = columns - 1
    drawn: list[list[tuple[list[Line], int]]] = [[]]
    for one in sets:
        block, wide = _block(one, room, glyphs)
        if drawn[-1] and sum(each for _, each in drawn[-1]) + wide > room:
            drawn.append([])
        drawn[-1].append((block, wide))
    if DRAWN * len(drawn) <= rows:
        return [[("", " "), *line] for row in drawn for line in beside(row)]
    return [[("", " "), *_in_a_line(one, room, glyphs)] for one in sets[:rows]]


def _block(one: SetShown, room: int, glyphs: Glyphs) -> tuple[list[Line], int]:
    """A set as cards with its label above, and how many columns it takes."""
    whole = face_width(max(width(card.name) for card in one.cards), 3)
    faces = beside([(face_lines(card, 3, whole, glyphs), whole) for card in one.cards])
    label = _label(one, glyphs)
    wide = min(room, max(whole * len(one.cards), length(label)) + GAP)
    return [clip_line(line, wide) for line in (label, *faces)], wide


def _label(one: SetShown, glyphs: Glyphs) -> Line:
    said = f"{clip(one.label, 12)} {one.said}".rstrip()
    return [("class:turn", f"{glyphs.turn} {said}")] if one.taken else [("class:name", said)]


def _in_a_line(one: SetShown, room: int, glyphs: Glyphs) -> Line:
    cards = " ".join(card.name for card in one.cards)
    return clip_line([*_label(one, glyphs), ("", "  "), *suited(cards)], room)
