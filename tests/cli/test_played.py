"""What is told of a game when it is over, from its log."""

from __future__ import annotations

from pathlib import Path

from cli.words.played import MOMENTS, played


def test_a_log_tells_its_last_parts_and_its_end(finished_log: Path) -> None:
    found = played(finished_log)
    assert 1 < len(found.moments) <= MOMENTS
    assert "is over" in found.moments[-1]
    assert found.own is not None
    assert len(found.result) == len(found.names)
    assert found.winners[0] in found.verdict
