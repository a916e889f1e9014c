"""The set-up of the discs, for every start there is."""

from __future__ import annotations

from itertools import groupby, product

import pytest

from engine.games.flip_over.discs import set_up


@pytest.mark.parametrize(("discs", "ends", "most"), [(8, 34, 4), (10, 84, 6), (12, 208, 10)])
def test_every_start_ends_balanced(discs: int, ends: int, most: int) -> None:
    """Section 2: balanced, no run above 2; the numbers of end rows and of flips are known."""
    rows, flips = set(), 0
    for start in product((True, False), repeat=discs):
        row = list(start)
        flips = max(flips, len(set_up(row)))
        assert 2 * sum(row) == discs
        assert max(len(list(run)) for _, run in groupby(row)) <= 2
        rows.add(tuple(row))
    assert (len(rows), flips) == (ends, most)
