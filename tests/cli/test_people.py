"""Who sat at the table of a saved game."""

from __future__ import annotations

from pathlib import Path

from cli.menu.shelf import HomeShelf
from tests.repo.sources import ROOT


def test_a_saved_game_says_who_sat_there(home: Path) -> None:
    """Several games of one kind could be told apart by their dates only."""
    games = home / "games"
    games.mkdir(parents=True)
    recorded = (ROOT / "docs" / "screenshots" / "recorded.ndlog").read_bytes()
    (games / "2026-11-21-flip-over-d49ee0973d78.ndlog").write_bytes(recorded)
    (games / "2026-11-20-flip-over-0123456789ab.ndlog").write_bytes(recorded[:100])
    whole, cut = sorted((choice.note for choice in HomeShelf().saved()), key=len, reverse=True)
    assert whole.endswith("table d49ee0   Ada (bot), Bo (bot), Cleo (bot)")
    assert cut.endswith("table 012345")
