"""Readers say of bent bytes what they said before."""

from __future__ import annotations

import pytest

from tests.fuzz.reader import Reader
from tests.fuzz.said import PAGE, line, readers

WRITTEN = PAGE.read_text("utf-8").splitlines(keepends=True)
READERS = readers()
"""As they are before a test adds kinds of steps of its own."""


@pytest.mark.parametrize("reader", READERS.values(), ids=str)
def test_what_a_reader_says_stays(reader: Reader) -> None:
    again = "run `python -m tests.fuzz.said` if that was meant, and read the difference"
    assert line(reader) in WRITTEN, again


def test_every_line_is_of_a_reader() -> None:
    assert [line.rpartition(": ")[0] for line in WRITTEN] == list(READERS)
