"""The order of entries at coins: each share, vote and value in turn."""

from __future__ import annotations

import pytest

from tests.sim.worlds.entry_order import is_open

SENT, NONE = ("coin", True), ("coin", False)
LOST, LATER = ("vote", True), ("vote", False)


@pytest.mark.parametrize(
    ("steps", "open_after"),
    [
        ([], False),
        ([SENT], False),
        ([LOST], True),
        ([LOST, SENT], True),
        ([LOST, SENT, SENT], False),
        ([LOST, SENT, LOST, SENT], True),
        ([LOST, SENT, LOST, SENT, SENT], False),
        ([LOST, LATER, SENT], True),
        ([LATER], False),
        ([LATER, SENT], False),
        ([SENT, NONE, LATER], False),
        ([LOST, SENT, SENT, SENT], False),
    ],
)
def test_coin_without_its_value_is_open(steps: list[tuple[str, bool]], open_after: bool) -> None:
    assert is_open(steps) is open_after
