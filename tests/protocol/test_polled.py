"""Polls by chance come to what they came to before."""

from __future__ import annotations

from tests.protocol.polled import PAGE, page


def test_polls_by_chance_stay() -> None:
    again = "run `python -m tests.protocol.polled` if that was meant, and read the difference"
    assert page() == PAGE.read_text("utf-8"), again
