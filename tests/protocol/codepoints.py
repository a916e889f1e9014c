"""Writes the table of code points that no name may hold: `python -m tests.protocol.codepoints`.

It needs a Python with the tables of Unicode 14.0 (3.11), the version that protocol section 3 names.
One table for both implementations, each in its own source.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Final

from p2p.text.names import is_hidden

UNICODE: Final = "14.0.0"
ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = ROOT / "p2p" / "text" / "codepoints.py"
SCRIPT: Final = ROOT / "replay" / "page" / "src" / "verifier" / "codepoints.js"
DIGITS: Final = digits + ascii_lowercase
CONJOINING: Final = ((0x1160, 0x11FF), (0xD7B0, 0xD7FF))
"""Vowels and final consonants of Hangul syllables: letters that take no column of their own."""
COLUMNS: Final = 88
HEAD: Final = "Written by tests/protocol/codepoints.py from Unicode 14.0 (protocol.md, section 3)."


def is_unknown(code: int) -> bool:
    """Whether no name may hold this code point: not assigned in Unicode 14.0, or hidden."""
    return unicodedata.category(chr(code)) in ("Cn", "Cs") or is_hidden(chr(code))


def is_mark(code: int) -> bool:
    """Whether it takes no column of its own, so that it has to follow one that does."""
    mark = unicodedata.category(chr(code)).startswith("M")
    joins = any(first <= code <= last for first, last in CONJOINING)
    return (mark or joins) and not is_unknown(code)


def ranges(is_in: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """The first and the last code point of each run."""
    first = None
    for code in range(0x110001):
        inside = code < 0x110000 and is_in(code)
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None


def encoded(is_in: Callable[[int], bool]) -> str:
    """For each run, its distance from the end of the one before, and its length minus one."""
    numbers, end = [], 0
    for first, last in ranges(is_in):
        numbers += [first - end, last - first]
        end = last
    return " ".join(map(_in_base_36, numbers))


def _in_base_36(number: int) -> str:
    rest, digit = divmod(number, 36)
    return (_in_base_36(rest) if rest else "") + DIGITS[digit]


def _folded(text: str) -> Iterator[str]:
    while text:
        cut = text.rfind(" ", 0, COLUMNS) + 1 if len(text) > COLUMNS else len(text)
        yield text[:cut]
        text = text[cut:]


def python() -> str:
    """The module for Python."""
    parts = [f'"""{HEAD}"""\n\nfrom __future__ import annotations\n\nfrom typing import Final\n\n']
    for name, table in (("UNKNOWN", is_unknown), ("MARKS", is_mark)):
        lines = "\n".join(f'    "{line}"' for line in _folded(encoded(table)))
        parts.append(f"{name}: Final = (\n{lines}\n)\n")
    return "".join(parts)


def script() -> str:
    """The module for the page."""
    parts = [f"// {HEAD}\n"]
    for name, table in (("UNKNOWN", is_unknown), ("MARKS", is_mark)):
        lines = " +\n".join(f'  "{line}"' for line in _folded(encoded(table)))
        parts.append(f"\nexport const {name} =\n{lines};\n")
    return "".join(parts)


if __name__ == "__main__":
    assert unicodedata.unidata_version == UNICODE
    PYTHON.write_text(python(), "utf-8")
    SCRIPT.write_text(script(), "utf-8")
