"""Machines by chance ask for what they asked for before, and answer the same."""

from __future__ import annotations

import pytest

from tests.protocol.paged import again, written
from tests.protocol.walked import PAGE, Plan, line, tables


@pytest.mark.parametrize(("plan", "seed", "row"), written(PAGE, tables()))
def test_machines_by_chance_stay(plan: Plan, seed: int, row: str) -> None:
    assert line(plan, seed) == row, again("tests.protocol.walked")
