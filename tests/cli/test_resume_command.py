"""A person leaves a table of three, sits down again, and the game is played to its end."""

from __future__ import annotations

import json
from pathlib import Path

from replay.game import open_game
from replay.narration import unknown_cards
from tests.cli.conftest import NOTHING, Run
from tests.cli.terminal import ASKED, Terminal
from tests.cli.test_processes import finish, start


def test_leave_and_come_back(tmp_path: Path) -> None:
    homes = [tmp_path / name for name in ("host", "bot", "person")]
    table = ("--seats", "3", "--bind", "127.0.0.1", "--option", "rounds=1", "--json")
    host = start(homes[0], "host", "flip-over", *table)
    assert host.stdout is not None
    invite = json.loads(host.stdout.readline())["invite"]
    bot = start(homes[1], "join", invite, "--json")
    with Terminal(["join", invite, "--plain", "--yes"], homes[2]) as person:
        person.until(*ASKED)
        person.until(">")
        person.type("1")
        person.until(*ASKED)
        person.type("\x03")
        person.until("nodealer resume goes back to it")
        assert person.end() == 1
    back = start(homes[2], "resume", "--json")
    said = finish([host, bot, back])
    assert json.loads(said[2][0])["verdict"] == "complete"
    logs = [next((home / "games").glob("*.ndlog")) for home in homes]
    assert len({log.read_bytes() for log in logs}) == 1
    assert list((homes[2] / "games").glob("*.ndseat")) == []
    for log in logs:  # what a seat saw before it left is remembered too
        game = open_game(log)
        assert game.own is not None
        for step in game.steps:
            assert unknown_cards(game.view(game.after(step.number), game.own)) == 0


def test_nothing_to_go_back_to(run: Run) -> None:
    result = run("resume")
    assert result.exit_code == 2
    assert result.stderr == f"nodealer: {NOTHING}\n"


def test_a_finished_log_is_no_table(run: Run, finished_log: Path) -> None:
    result = run("resume", str(finished_log))
    assert result.exit_code == 2
    assert "is no table that you could sit down at again" in result.stderr
