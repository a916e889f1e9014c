"""The rows as people read them."""

from __future__ import annotations

from collections.abc import Iterable

from cli.bench.row import Row, number

HEADINGS = ("measured", "value", "floor", "ratio", "target", "")
WIDTHS = (52, 15, 9, 6, 24, 0)


def heading() -> str:
    """The line above the rows."""
    return _line(HEADINGS)


def line(row: Row) -> str:
    """One row; a number that was not reached says so in words."""
    said = {True: "reached", False: "NOT reached", None: ""}[row.reached]
    return _line(
        (
            row.name,
            f"{number(row.value)} {row.unit}",
            number(row.floor) if row.floor else "",
            f"{row.ratio:.2f}" if row.ratio else "",
            ", ".join(target.said(row.unit) for target in row.targets),
            said,
        )
    )


def _line(cells: Iterable[str]) -> str:
    first, *others = zip(cells, WIDTHS, strict=True)
    return (f"{first[0]:<{first[1]}}" + "".join(f" {c:>{w}}" for c, w in others)).rstrip()
