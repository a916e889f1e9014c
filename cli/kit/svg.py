"""A picture of the screen as SVG: the same styled lines, for documents.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from cli.kit.canvas import Line, width
from cli.kit.themes import style_rules
from engine.cloths import HOUSE

CELL_WIDTH: Final = 9
CELL_HEIGHT: Final = 19
BASELINE: Final = 14
MARGIN: Final = 10
FONTS: Final = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
PAGE: Final = "class:page"
DEPTH: Final = 24
_BLOCKS: Final = {
    "▀": (0.0, 0.0, 1.0, 0.5),
    "▄": (0.0, 0.5, 1.0, 0.5),
    "█": (0.0, 0.0, 1.0, 1.0),
    "▏": (0.0, 0.0, 0.125, 1.0),
    "▎": (0.0, 0.0, 0.25, 1.0),
    "▌": (0.0, 0.0, 0.5, 1.0),
    "▊": (0.0, 0.0, 0.75, 1.0),
}
"""Block characters are drawn as such, without gaps: left, top, width and height in cells."""


@dataclass(frozen=True, slots=True)
class Look:
    """Colours and marks of one piece of text."""

    text: str
    background: str
    bold: bool
    italic: bool
    underline: bool


def svg(lines: Sequence[Line], theme: str, title: str, cloth: str = HOUSE) -> str:
    """The lines of `layout.render` in a theme; `title` is for people who cannot see the picture.

    `cloth` is what the game is played on (`engine.cloths`).
    """
    paper = Paper(theme, cloth, columns_of(lines), len(lines))
    body = [part for row, line in enumerate(lines) for part in paper.row(line, row)]
    return "\n".join([*paper.head(title), *body, "</svg>", ""])


def columns_of(lines: Sequence[Line]) -> int:
    """How many columns the longest line has."""
    return max(sum(width(text) for _, text in line) for line in lines)


class Paper:
    """What a screen of this size is drawn on, in the colours of a theme on a cloth."""

    def __init__(self, theme: str, cloth: str, columns: int, rows: int) -> None:
        self._rules: Final = style_rules(theme, DEPTH, cloth)
        self._across: Final = columns * CELL_WIDTH + 2 * MARGIN
        self._down: Final = rows * CELL_HEIGHT + 2 * MARGIN

    def head(self, title: str) -> list[str]:
        """The beginning of the picture, with the page."""
        across, down = self._across, self._down
        page = _look("", self._rules)
        root = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" '
            f'width="{across}" height="{down}" role="img" font-family="{FONTS}" font-size="15">'
        )
        return [
            root,
            f"<title>{escape(title)}</title>",
            f'<rect width="{across}" height="{down}" rx="8" fill="{page.background}"/>',
        ]

    def row(self, line: Line, row: int) -> list[str]:
        """The pieces of a line in this row."""
        return _row(line, MARGIN + row * CELL_HEIGHT, self._rules)


def _look(style: str, rules: Mapping[str, str]) -> Look:
    """The look of a style's classes on the page; later ones override earlier ones."""
    text = background = ""
    marks = set()
    for name in [PAGE, *style.split()]:
        for part in rules.get(name.removeprefix("class:"), "").split():
            if part.startswith("bg:"):
                background = part.removeprefix("bg:")
            elif part.startswith("#"):
                text = part
            else:
                marks.add(part)
    if "reverse" in marks:
        text, background = background, text
    return Look(text, background, "bold" in marks, "italic" in marks, "underline" in marks)


def _row(line: Line, top: int, rules: Mapping[str, str]) -> list[str]:
    """The pieces of one line: a box behind highlighted ones, then the text."""
    parts, column = [], 0
    page = _look("", rules)
    for style, text in filter(_has_text, line):
        drawn = _look(style, rules)
        left, wide = MARGIN + column * CELL_WIDTH, width(text) * CELL_WIDTH
        if drawn.background != page.background:
            parts.append(_box(left, top, wide, CELL_HEIGHT, drawn.background))
        if text[0] in _BLOCKS and set(text) == {text[0]}:
            parts.append(_block(text, left, top, drawn))
        elif text.strip():
            parts.append(_text(text, left, top + BASELINE, drawn))
        column += width(text)
    return parts


def _has_text(piece: tuple[str, str]) -> bool:
    return bool(piece[1])


def _block(text: str, left: int, top: int, drawn: Look) -> str:
    """Block characters, all the same: one box if they meet."""
    at, above, wide, high = _BLOCKS[text[0]]
    across = CELL_WIDTH * (wide if len(text) == 1 else len(text))
    left_edge, top_edge = left + at * CELL_WIDTH, top + above * CELL_HEIGHT
    return _box(left_edge, top_edge, across, high * CELL_HEIGHT, drawn.text)


def _box(left: float, top: float, wide: float, high: float, colour: str) -> str:
    return f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" fill="{colour}"/>'


def _text(text: str, left: int, baseline: int, drawn: Look) -> str:
    """One piece of text, stretched to its columns so that frames meet in any font."""
    lead = len(text) - len(text.lstrip())
    shown = text.strip()
    left += lead * CELL_WIDTH
    marks = "".join(
        f' {name}="{value}"'
        for name, value, on in (
            ("font-weight", "bold", drawn.bold),
            ("font-style", "italic", drawn.italic),
            ("text-decoration", "underline", drawn.underline),
        )
        if on
    )
    return (
        f'<text x="{left}" y="{baseline}" fill="{drawn.text}" xml:space="preserve" '
        f'textLength="{width(shown) * CELL_WIDTH}" lengthAdjust="spacingAndGlyphs"{marks}>'
        f"{escape(shown)}</text>"
    )
