"""The signs that the table is drawn with: box drawing, or ASCII only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from engine.cloths import cloth_of


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """Corners and edges of cards, and the marks that say the same as colours.

    There are few of them, made once: each equals itself alone.
    """

    top_left: str = "╭"
    top_right: str = "╮"
    low_left: str = "╰"
    low_right: str = "╯"
    across: str = "─"
    upright: str = "│"
    back: str = "▒"
    turn: str = "▶"
    playable: str = "•"
    cursor: str = "▲"
    picked: str = "+"
    new: str = "*"
    """Beside a card that is new, where there is no room for the word."""
    proven: str = "✓"
    caught: str = "✗"
    suits: str = "♣♠♥♦★"
    chair: tuple[str, str] = ("│  ", "├─┐")
    """An empty chair, in two rows."""
    solid: bool = False
    """Whether cards have solid faces, which takes colours, or outlines."""


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    *("+", "+", "+", "+", "-", "|", "#", ">", "*", "^", "+", "!", "ok", "X", "CSHDT"),
    chair=("h", " "),
)


@cache
def solid(cloth: str) -> Glyphs:
    """The signs of a table with solid cards, whose backs are those of this cloth."""
    return replace(UNICODE, solid=True, back=cloth_of(cloth).sign)


def to_ascii(text: str) -> str:
    """A text in ASCII: suits as letters, dashes as such, anything else as a question mark."""
    plain = text.translate(str.maketrans("♣♠♥♦★–…", "CSHDT-."))
    return plain.encode("ascii", "replace").decode("ascii")
