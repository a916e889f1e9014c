"""A table whose chance comes from a seed writes the same bytes as ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.protocol.kit import Hub
from tests.protocol.written import PAGE, line, tables

WRITTEN = PAGE.read_text("utf-8").splitlines(keepends=True)


@pytest.mark.parametrize(
    ("name", "make", "written"),
    [pytest.param(*one, row, id=one[0]) for one, row in zip(tables(), WRITTEN, strict=True)],
)
def test_a_table_writes_what_it_wrote(name: str, make: Callable[[], Hub], written: str) -> None:
    again = "run `python -m tests.protocol.written` if that was meant"
    assert line(name, make) == written, again
