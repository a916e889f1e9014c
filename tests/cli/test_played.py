"""What is told of a game when it is over, from its log."""

from __future__ import annotations

from pathlib import Path

from cli.words.played import MOMENTS, played, story_of


def test_a_log_tells_its_last_parts_and_its_end(finished_log: Path) -> None:
    found = played(finished_log)
    assert 1 < len(found.moments) <= MOMENTS
    assert "is over" in found.moments[-1]
    assert found.own is not None
    assert len(found.result) == len(found.names)
    assert found.winners[0] in found.verdict


def test_the_story_of_a_game_in_sentences(finished_log: Path) -> None:
    told = story_of(finished_log, ascii=True)
    assert "At the table, with the fingerprints of their keys:" in told
    assert any("is over" in line for line in told)
    assert all(line.isascii() for line in told)
