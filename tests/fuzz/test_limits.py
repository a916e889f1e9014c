"""Readers have the limits that they had before."""

from __future__ import annotations

import re

import pytest

from tests.fuzz.limits import PAGE, asked, lines
from tests.fuzz.reader import Reader

WRITTEN = {
    block.partition("\n")[0]: block
    for block in re.split(r"^(?=\S)", PAGE.read_text("utf-8"), flags=re.M)
}
READERS = asked()
"""As they are before a test adds kinds of steps of its own."""


@pytest.mark.parametrize("reader", READERS.values(), ids=str)
def test_the_limits_of_a_reader_stay(reader: Reader) -> None:
    again = "run `python -m tests.fuzz.limits` if that was meant, and read the difference"
    assert lines(reader) == WRITTEN.get(reader.name), again


def test_each_reader_has_its_lines() -> None:
    assert [name for name in WRITTEN if name] == list(READERS)
