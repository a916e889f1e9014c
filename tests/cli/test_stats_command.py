"""`nodealer stats`: one's own games in lines, as JSON, and drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p.identity.file import create_identity
from tests.cli.conftest import Run
from tests.cli.test_refusals import assert_refused
from tests.protocol.kit import seeded
from tests.replay.saved import write_log


@pytest.fixture
def games(home: Path) -> Path:
    """The folder of somebody who played two games as the second seat, with a broken file."""
    folder = home / "games"
    folder.mkdir(parents=True)
    create_identity(home / "identity.json", "Bo", seeded(("identity", 1)))
    for game in ("flip-over", "flop-a"):
        write_log(game, folder)
    (folder / "broken.ndlog").write_bytes(b"x")
    return folder


def test_lines(run: Run, games: Path) -> None:
    result = run("stats")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("2 games, ")
    assert max(map(len, (line for line in lines if "broken" not in line))) <= 80
    assert [line.split()[:2] for line in lines if line.startswith(("Fl", "seat"))] == [
        *(["Flip", "Over"], ["Flop-A", "1"], ["seat0", "2"], ["seat2", "2"]),
    ]
    assert f"not read: {games / 'broken.ndlog'} cannot be replayed: " in result.stdout
    assert lines[-1] == "Not counted: 1 not readable"


def test_json_has_the_same_numbers_whoever_reads(run: Run, games: Path) -> None:
    found = [run("stats", str(games), "--json", "--jobs", jobs) for jobs in ("1", "2")]
    assert found[0].stdout == found[1].stdout
    told = json.loads(found[0].stdout)
    assert set(told) == {
        *("games", "won", "left", "unfinished", "by_bot", "foreign", "unreadable"),
        *("by_game", "by_opponent", "streaks", "races"),
    }
    assert (told["games"], told["unreadable"]) == (2, 1)
    assert sum(one["won"] for one in told["by_game"]) == told["won"]
    assert [one["name"] for one in told["by_opponent"]] == ["seat0", "seat2"]


@pytest.mark.slow
def test_it_is_drawn(run: Run, games: Path, tmp_path: Path) -> None:
    assert run("stats", "--plot", str(tmp_path / "own.png")).exit_code == 0
    assert (tmp_path / "own.png").read_bytes().startswith(b"\x89PNG")


def test_whoever_did_not_play_has_no_games(run: Run, games: Path) -> None:
    (games.parent / "identity.json").unlink()
    assert_refused(run, 2, f"There is no identity in {games.parent}", "stats")
    run("id", "--name", "Eve")
    text = run("stats").stdout.splitlines()
    assert text[0] == "No finished game of yours is here."
    assert text[-1] == "Not counted: 2 of other people, 1 not readable"
    assert_refused(run, 2, "There is nothing to draw", "stats", "--plot", str(games / "x.png"))


def test_a_folder_without_logs_is_a_sentence(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in ("empty", "none"):
        path = tmp_path / folder
        assert_refused(run, 2, f"There is no log (.ndlog) in the folder {path}", "stats", str(path))
    assert_refused(run, 2, "name a file that ends in", "stats", "--plot", "x.gif")
