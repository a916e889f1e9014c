"""The row of discs and how it is set up (rules section 2)."""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[bool]
"""One colour for each disc, lowest first: True is blue (plus), False is red (minus)."""


def next_flip(row: Row) -> int | None:
    """The place of the disc to be turned next; None when the row is set up.

    Rule 1: in a run of three or more of one colour, the second largest (the lowest such run
    first; the order does not change the result).  Rule 2: while there is more of one colour,
    the larger of the highest pair of equal neighbours.

    >>> next_flip([True, True, True, False]), next_flip([False, True, True, False, True, True])
    (1, 5)
    """
    start = 0
    for place in range(1, len(row) + 1):
        if place == len(row) or row[place] != row[start]:
            if place - start >= 3:
                return place - 2
            start = place
    if 2 * sum(row) == len(row):
        return None
    return max(place for place in range(1, len(row)) if row[place] == row[place - 1])


def set_up(row: list[bool]) -> list[int]:
    """Turn discs until the row is set up; return the numbers of the discs turned, in order.

    >>> row = [True, True, True, False, False, False, True, True]
    >>> set_up(row), "".join("RB"[blue] for blue in row)
    ([2, 5, 8], 'BRBRBRBR')
    """
    turned = []
    while (place := next_flip(row)) is not None:
        row[place] = not row[place]
        turned.append(place + 1)
    return turned


def alternating(first: bool, count: int) -> list[bool]:
    """The row for a first game: colours in turn.

    >>> alternating(True, 4)
    [True, False, True, False]
    """
    return [first ^ bool(place % 2) for place in range(count)]
