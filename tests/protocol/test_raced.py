"""Races by chance come to what they came to before."""

from __future__ import annotations

import pytest

from tests.protocol.raced import PAGE, Plan, line, tables

WRITTEN = PAGE.read_text("utf-8").splitlines(keepends=True)


@pytest.mark.parametrize(
    ("plan", "seed", "written"),
    [
        pytest.param(*one, row, id=row.split(":")[0])
        for one, row in zip(tables(), WRITTEN, strict=True)
    ],
)
def test_races_by_chance_stay(plan: Plan, seed: int, written: str) -> None:
    again = "run `python -m tests.protocol.raced` if that was meant, and read the difference"
    assert line(plan, seed) == written, again
