"""What the screen says: one frame for all games, each of which adds its own words.

Pure: a view, a question or a note goes in; sentences and lines come out, without any control code
of a terminal.  Line mode, the full-screen table and the exports all use it.
"""

from __future__ import annotations

from engine.wording.layout import (
    CardSet,
    Column,
    Disc,
    TableText,
    Trick,
    chairs_of,
    empty_chairs,
    with_chairs,
)
from engine.wording.roles import SPACE, ClaimKey, MarkKind, ShownSet
from engine.wording.scene import Scene
from engine.wording.wording import Wording
from engine.wording.words import (
    CardStyle,
    Words,
    by_value,
    counted,
    listed,
    may_be_beaten,
    scores,
    sentence,
)

__all__ = [
    "SPACE",
    "CardSet",
    "CardStyle",
    "ClaimKey",
    "Column",
    "Disc",
    "MarkKind",
    "Scene",
    "ShownSet",
    "TableText",
    "Trick",
    "Wording",
    "Words",
    "by_value",
    "chairs_of",
    "counted",
    "empty_chairs",
    "listed",
    "may_be_beaten",
    "scores",
    "sentence",
    "with_chairs",
]
