"""Styled lines: pieces of text with the names of their styles, measured as terminals do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar, cast

from prompt_toolkit.utils import get_cwidth

Fragment = tuple[str, str]
"""A style ("class:a class:b") and a text, as prompt_toolkit has them."""
Line = list[Fragment]

Given = ParamSpec("Given")
Drawn = TypeVar("Drawn")
KEPT: Final = 256
"""How many drawings of one kind are kept: more than any picture has of them."""

HELP: Final = "? help"
KEY_GAP: Final = "  "
"""Between two keys in a line of them."""
SUIT_OF: Final = {symbol: place for place, symbol in enumerate("♣♠♥♦★")}
_SENTENCE: Final = re.compile(r"[.;](?= )")
_APART: Final = re.compile(r"( {2,})")
_CARD: Final = re.compile("[0-9A-Za-z]*[♣♠♥♦★]")
_WORD: Final = re.compile(r"\s*\S+\s*")


def drawn_once(draw: Callable[Given, Drawn]) -> Callable[Given, Drawn]:
    """Keep what this has drawn for equal arguments: most of a picture is as it was before.

    Whoever gets a drawing reads it, and never changes it.
    """
    return cast("Callable[Given, Drawn]", lru_cache(maxsize=KEPT)(draw))


@lru_cache(maxsize=16 * KEPT)
def width(text: str) -> int:
    """The columns that a text takes."""
    return len(text) if text.isascii() and text.isprintable() else get_cwidth(text)


def length(line: Line) -> int:
    """The columns that a line takes."""
    return sum([width(text) for _, text in line])


def clip(text: str, columns: int) -> str:
    """The beginning of a text, as far as it fits; what is left out is marked."""
    if width(text) <= columns:
        return text
    cut = ""
    for letter in text:
        if width(cut + letter) > columns - 1:
            break
        cut += letter
    return f"{cut.rstrip()}…" if columns > 0 else ""


def clip_sentences(text: str, columns: int) -> str:
    """The sentences that fit, or otherwise the words; what is left out is marked."""
    if width(text) <= columns:
        return text
    cut = clip(text, columns - 1)[:-1]
    ends = [found.end() for found in _SENTENCE.finditer(cut) if 2 * found.end() > len(cut)]
    kept = cut[: ends[-1]] if ends else cut.rpartition(" ")[0] or cut
    return f"{kept} …"


def clip_keys(text: str, columns: int) -> str:
    """A line of keys, two spaces apart; where it is too long, later ones are left out.

    But not the last, which leaves, and the help, which names all of them.  What stands before a
    gap of three spaces is no key, and stays too.

    >>> clip_keys("Enter plays  arrows, digits  ? help  F2 events  Ctrl-C leave", 40)
    'Enter plays  ? help  Ctrl-C leave'
    """
    parts = _APART.split(text)
    for at in range(len(parts) - 3, 1, -2):  # a gap stands between two parts
        if width("".join(parts)) <= columns:
            break
        if parts[at] != HELP and parts[at + 1] == KEY_GAP:
            del parts[at : at + 2]
    return clip("".join(parts), columns)


def clip_line(line: Line, columns: int) -> Line:
    """The beginning of a line, as far as it fits."""
    if length(line) <= columns:
        return line
    kept: Line = []
    left = columns
    for style, text in line:
        if left <= 0:
            break
        part = text if width(text) <= left else clip(text, left)
        kept.append((style, part))
        left -= width(part)
    return kept


def pad(line: Line, columns: int, style: str = "") -> Line:
    """The line, made exactly this wide."""
    missing = columns - length(line)
    if missing < 0:
        line = clip_line(line, columns)
        missing = columns - length(line)
    return [*line, (style, " " * missing)] if missing else line


def merged(line: Line) -> Line:
    """The line with one piece of text instead of several of the same style after each other."""
    pieces: Line = []
    last = None
    for piece in line:
        style, text = piece
        if style == last:
            pieces[-1] = (style, pieces[-1][1] + text)
        elif text:
            pieces.append(piece)
            last = style
    return pieces


def finished(line: Line, columns: int) -> Line:
    """The line made exactly this wide, and merged."""
    pieces: Line = []
    last, left = None, columns
    for piece in line:
        style, text = piece
        left -= width(text)
        if style == last:
            pieces[-1] = (style, pieces[-1][1] + text)
        elif text:
            pieces.append(piece)
            last = style
    if left < 0:
        return merged(pad(line, columns))
    if left and last == "":
        pieces[-1] = ("", pieces[-1][1] + " " * left)
    elif left:
        pieces.append(("", " " * left))
    return pieces


def centred(line: Line, columns: int) -> Line:
    """The line in the middle of this many columns."""
    fitting = clip_line(line, columns)
    left = (columns - length(fitting)) // 2
    return pad([("", " " * left), *fitting], columns)


def beside(blocks: Sequence[tuple[Sequence[Line], int]]) -> list[Line]:
    """Blocks of lines side by side, each of its width, all as high as the highest."""
    height = max((len(lines) for lines, _ in blocks), default=0)
    rows: list[Line] = []
    for row in range(height):
        line: Line = []
        for lines, columns in blocks:
            line += pad(lines[row] if row < len(lines) else [], columns)
        rows.append(merged(line))
    return rows


def abreast(blocks: Sequence[Sequence[Line]]) -> list[Line]:
    """Blocks of equally many lines side by side, each as wide as it is."""
    return [[piece for line in row for piece in line] for row in zip(*blocks, strict=True)]


def laid_over(line: Line, below: Line) -> Line:
    """A line over another one, which is seen where this one has nothing; both equally wide."""
    pairs = zip(_cells(line), _cells(below), strict=True)
    return merged([under if cell == ("", " ") else cell for cell, under in pairs])


def _cells(line: Line) -> Line:
    """A piece for each column; of a wide letter the second one is empty."""
    return [
        (style, part)
        for style, text in line
        for letter in text
        for part in (letter, "")[: max(1, width(letter))]
    ]


@drawn_once
def suited(text: str, style: str = "") -> Line:
    """A sentence, the cards in it in the colours of their suits."""
    line: Line = []
    at = 0
    for found in _CARD.finditer(text):
        if found.start() > at:
            line.append((style, text[at : found.start()]))
        line.append((f"{style} {suit_style(SUIT_OF[found[0][-1]])}".strip(), found[0]))
        at = found.end()
    if at < len(text):
        line.append((style, text[at:]))
    return line


def suit_style(suit: int) -> str:
    """The style of a suit's colour."""
    return f"class:suit{suit}" if 0 <= suit < len(SUIT_OF) else ""


def wrapped(text: str, columns: int, rows: int) -> list[str]:
    """A sentence in at most this many rows; what does not fit is left out and marked."""
    lines = folded(text, columns)
    if len(lines) > rows:
        lines = [*lines[: rows - 1], f"{clip(lines[rows - 1], columns - 4)} ..."]
    return lines[:rows]


@drawn_once
def folded(text: str, columns: int, indent: str = "") -> list[str]:
    """The whole text in rows of at most so many columns; rows after the first are indented.

    It is broken between words, and words that are too long after a hyphen, or within.  A text
    that fits in one row keeps its spaces: it may be a drawing.
    """
    if width(text) <= columns:
        return [text]
    rows: list[str] = []
    row, begun = "", False
    for piece in _pieces(text, max(2, columns - width(indent))):
        if begun and width(row + piece.rstrip()) > columns:
            rows.append(row.rstrip())
            row = indent
        row += piece
        begun = True
    return [*rows, row.rstrip()]


def _pieces(text: str, columns: int) -> Iterator[str]:
    """Words with the spaces after them; parts of words that are wider than the columns."""
    for word in _WORD.findall(text):
        part = ""
        for letter in word if width(word.rstrip()) > columns else ():
            if width(part + letter) > columns:
                head, hyphen, _ = part.rpartition("-")
                yield (said := head + hyphen or part)
                part = part[len(said) :]
            part += letter
        yield part or word


def plain_text(lines: Sequence[Line]) -> str:
    """The characters alone, for tests and for exports."""
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines)
