"""The game of docs/how-to/add-a-game.md, installed as if by its own package."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game import Game
from engine.games import load

NAME = "crazy-eights"
FOLDER = Path(__file__).parents[1] / "docs" / "how-to" / "crazy_eights"


def install(monkeypatch: pytest.MonkeyPatch, site: Path, name: str = NAME) -> None:
    """What pip does with a package of that entry point: the code and a dist-info on the path."""
    info = site / "crazy_eights-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: crazy-eights\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[nodealer.games]\n{name} = crazy_eights\n")
    monkeypatch.syspath_prepend(str(FOLDER.parent))
    monkeypatch.syspath_prepend(str(site))


@pytest.fixture
def sixth(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    """The game, loaded by its name."""
    install(monkeypatch, tmp_path)
    return load(NAME)
