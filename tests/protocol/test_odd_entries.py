"""What is a little odd is refused as it was refused before, or accepted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.protocol.kit import Hub
from tests.protocol.odd_entries import PAGE, lines, tables

WRITTEN = PAGE.read_text("utf-8").splitlines(keepends=True)


@pytest.mark.parametrize(("name", "make"), [pytest.param(*one, id=one[0]) for one in tables()])
def test_odd_entries_are_judged_as_they_were(name: str, make: Callable[[], Hub]) -> None:
    again = "run `python -m tests.protocol.odd_entries` if that was meant, and read the difference"
    written = [line for line in WRITTEN if line.startswith(f"{name}, ")]
    assert lines(name, make).splitlines(keepends=True) == written, again


def test_every_line_is_of_a_table() -> None:
    names = tuple(f"{name}, " for name, _ in tables())
    assert [line for line in WRITTEN if not line.startswith(names)] == []
