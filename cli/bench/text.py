"""The rows for people, 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cli.bench.row import Row, number

_WIDTHS: Final = (26, 17, 6, 5, 17, 4)
_REACHED: Final = {True: "yes", False: "NO"}


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Lines, as rows come: a heading for each subject, a line for each target.

    The subject is what comes before the colon in a row's name.
    """
    yield _line(("", "value", "floor", "ratio", "target", "met?"))
    subject = ""
    for row in rows:
        about, _, what = row.name.partition(": ")
        if about != subject:
            subject = about
            yield subject
        yield from _lines(row, what)


def _lines(row: Row, what: str) -> Iterator[str]:
    floor = number(row.floor) if row.floor else ""
    ratio = f"{row.ratio:.2f}" if row.ratio else ""
    cells = [f"  {what}", f"{number(row.value)} {row.unit}", floor, ratio]
    if not row.targets:
        yield _line(cells)
    for target in row.targets:
        reached = target.reached(row.value, row.ratio)
        yield _line([*cells, target.said(row.unit), _REACHED[reached]])
        cells = ["", "", "", ""]


def _line(cells: Iterable[str]) -> str:
    first, *others = zip(cells, _WIDTHS, strict=False)
    return (f"{first[0]:<{first[1]}}" + "".join(f" {c:>{w}}" for c, w in others)).rstrip()
