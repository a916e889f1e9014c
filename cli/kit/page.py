"""A page of a README for a terminal: headings, paragraphs, lists and tables in 80 columns.

Only what our own pages use; text between ``` is shown as it is.  Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from engine.wording.layout import WIDTH, fit

GAP: Final = 2
"""How far apart the columns of a table are."""
FENCE: Final = "```"
_ITEM: Final = re.compile(r"(\d+\.|[*-]) ")
_MARKS: Final = re.compile(r"\*\*|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")


def page(markdown: str, until: str = "") -> list[str]:
    """The lines of the page, up to the heading `until` (without it)."""
    lines: list[str] = []
    for block in _blocks(markdown, until):
        lines += ["", *_shown(block)] if lines else _shown(block)
    return lines


def _blocks(markdown: str, until: str) -> Iterator[list[str]]:
    """Lines that belong together: between empty lines, or between fences."""
    block: list[str] = []
    fenced = False
    for line in markdown.splitlines():
        if until and line == until:
            break
        fenced ^= line == FENCE
        if line or fenced:
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _shown(block: Sequence[str]) -> list[str]:
    first = block[0]
    if first == FENCE:
        return list(block[1:-1])
    if first.startswith("#"):
        heading = plain(first.lstrip("# "))
        return [heading, ("=" if first.startswith("# ") else "-") * len(heading)]
    if first.startswith("|"):
        return _table(block)
    return [line for part in _items(block) for line in _wrapped(part)]


def _items(block: Sequence[str]) -> list[str]:
    """The items of a list; a paragraph is one."""
    found: list[str] = []
    for line in block:
        if not found or _ITEM.match(line):
            found.append(line)
        else:
            found[-1] += f" {line.strip()}"
    return found


def _wrapped(text: str) -> list[str]:
    item = _ITEM.match(text)
    indent = " " * len(item.group()) if item else ""
    return fit(plain(text), indent)


def plain(text: str) -> str:
    """The text without the marks for bold, italics and code.

    >>> plain("**Turn.** Do *one* of `a` or `b`; 2 * 3.")
    'Turn. Do one of a or b; 2 * 3.'
    """
    item = _ITEM.match(text)
    mark = item.group() if item else ""
    return mark + _MARKS.sub("", text[len(mark) :])


def _table(block: Sequence[str]) -> list[str]:
    """The columns side by side; the widest are wrapped if all together are too wide."""
    rows = [[plain(cell.strip()) for cell in line.strip("|").split("|")] for line in block]
    del rows[1]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    while sum(widths) + GAP * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    return [line for row in rows for line in _row(row, widths)]


def _row(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    cells = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
    lines = zip_longest(*cells, fillvalue="")
    gap = " " * GAP
    return [
        gap.join(f"{part:{width}}" for part, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
