"""The site's first page leads from nothing to the first card, and to a game that is found fair.

The one file takes minutes to build: `make first-page` follows all three ways.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.empty import Empty
from tests.cli.test_packages import wheel
from tests.packages.first_page import PACKAGE, SOURCES, afterwards, follow, prepare, ways
from tests.repo.sources import ROOT

TMUX = shutil.which("tmux")


def test_three_ways_and_what_is_done_after_each() -> None:
    assert list(ways()) == [SOURCES, PACKAGE, "As one file"]
    for lines in ways().values():
        assert sum("play" in line.split() for line in lines) == 1
    assert [line.split()[1] for line in afterwards()] == ["audit", "fairness", "replay"]


@pytest.mark.full
@pytest.mark.skipif(TMUX is None, reason="tmux is not installed here")
@pytest.mark.parametrize("way", [SOURCES, PACKAGE])
async def test_somebody_who_types_what_the_page_says(way: str, tmp_path: Path) -> None:
    there = Empty(tmp_path)
    source = ROOT
    if way == PACKAGE:
        there.install("pipx")
        source = wheel(tmp_path)
    home = tmp_path / "reader"
    prepare(home, way, source, there.bin / "pipx")
    await follow(way, home)
