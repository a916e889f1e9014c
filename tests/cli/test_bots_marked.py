"""Whoever says of itself that a bot decides there is marked wherever its name stands."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cli.line.told import Teller
from cli.options.settings import Settings
from p2p.player.events import Seated
from p2p.protocol.terms import Terms
from tests.cli.conftest import Run
from tests.page.pages import DATA
from tests.screen.boards import NAMES, position

BOTS = ("Ada (bot)", "Bo (bot)", "Cleo (bot)")
"""Of `finished_log`: all of them are."""


def flat(text: str) -> str:
    """A text whose lines may have been broken within a name, as one line."""
    return " ".join(text.split())


def test_in_the_rows_of_line_mode() -> None:
    at, words = position("flip-over"), ("a-b",) * 4
    teller = Teller(Settings())
    teller.news(Seated(NAMES[:4], words, 0, Terms.of("flip-over"), 80_000, bots=frozenset({1, 2})))
    rows = [line[2:18].rstrip() for line in teller.table(at.view)]
    assert {"Zoe (you)", "Ada (bot)", "Bartholom. (bot)", "Cleo"} <= set(rows)


def test_in_a_step_and_in_the_prose_of_a_saved_game(run: Run, finished_log: Path) -> None:
    step = run("replay", str(finished_log), "--step", "20", "--plain").stdout
    prose = run("export", str(finished_log), "--text").stdout
    report = run("audit", str(finished_log)).stdout
    assert "Bo (bot) " in step
    assert "Cleo (bot) " in step
    for bot in BOTS:
        assert f"{bot}: " in prose.partition("Options")[0]
        # The cards differ from run to run: signs are told only if somebody is below zero.
        points = rf"{re.escape(bot)} [+-]?\d"
        assert re.search(points, flat(prose))
        assert re.search(points, flat(report))


def test_on_the_exported_page(run: Run, finished_log: Path) -> None:
    page = run("export", str(finished_log), "--html").stdout
    found = DATA.search(page)
    assert found is not None
    data = json.loads(found[2])
    assert data["bots"] == [0, 1, 2]
    for table in data["tables"]:
        assert sorted(data["texts"][row[0]] for row in table["rows"]) == list(BOTS)
