"""Races by chance come to what they came to before."""

from __future__ import annotations

import pytest

from tests.protocol.paged import again, written
from tests.protocol.raced import PAGE, Plan, line, tables


@pytest.mark.parametrize(("plan", "seed", "row"), written(PAGE, tables()))
def test_races_by_chance_stay(plan: Plan, seed: int, row: str) -> None:
    assert line(plan, seed) == row, again("tests.protocol.raced")
