"""`--json`: exactly one object on stdout, with the keys that others rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

GAME_KEYS = {"game", "seats", "steps", "seconds", "result", "log", "verified", "verdict"}
ONE_ROUND = ("--seats", "3", "--option", "rounds=1")


def answer(run: Run, *arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(
    "command", [("demo", *ONE_ROUND), ("demo",), ("play", "flip-over", *ONE_ROUND)]
)
def test_a_whole_match(run: Run, home: Path, command: tuple[str, ...]) -> None:
    found = answer(run, *command)
    assert set(found) >= GAME_KEYS
    assert (found["game"], found["verdict"], found["verified"]) == ("flip-over", "complete", True)
    assert len(found["result"]) == found["seats"]
    # Two rounds: the same discs, turned over, so all points add up to zero.
    assert ONE_ROUND[0] in command or sum(found["result"]) == 0
    assert Path(found["log"]).parent == home / "games"
    left = [path.suffix for path in sorted((home / "games").iterdir())]
    assert left == [".ndhand", ".ndlog", ".ndtime"]


def test_processes(run: Run) -> None:
    found = answer(run, "demo", "--procs", *ONE_ROUND)
    assert set(found) >= GAME_KEYS
    assert (found["seats"], found["verdict"]) == (3, "complete")


def test_the_seed_decides_choices_and_never_cards(run: Run) -> None:
    logs = [Path(answer(run, "demo", *ONE_ROUND, "--seed", "1")["log"]) for _ in range(2)]
    assert logs[0].read_bytes() != logs[1].read_bytes()


def test_simulate_is_repeatable(run: Run) -> None:
    found = [answer(run, "simulate", "flip-over", "--games", "20", "--seed", "9") for _ in range(2)]
    assert set(found[0]) >= {"games", "seconds", "games_per_s", "steps_per_s", "returns"}
    assert found[0]["returns"] == found[1]["returns"]
    assert len(found[0]["returns"]) == 4


def test_simulate_counts_who_left_and_repeats_that_too(run: Run) -> None:
    line = (
        "simulate",
        "flop-a",
        "--seats",
        "4",
        "--games",
        "5",
        "--seed",
        "9",
        "--option",
        "hands=2",
    )
    found = [answer(run, *line, "--leave", "0.05") for _ in range(2)]
    assert found[0]["left"] == found[1]["left"] > 0
    assert found[0]["returns"] == found[1]["returns"]
    stayed = answer(run, *line)
    assert stayed["left"] == 0
    assert stayed["returns"] == answer(run, *line, "--leave", "0")["returns"]


def test_rules(run: Run) -> None:
    found = answer(run, "rules", "flip-over")
    assert found["title"] == "Flip Over"
    assert "trump" in found["rules"]
    assert "rounds" in found["options"]


def test_id(run: Run, home: Path) -> None:
    found = answer(run, "id", "--name", "Ada")
    assert found["name"] == "Ada"
    assert len(found["words"].split("-")) == 6
    assert bytes.fromhex(found["public"]).hex() == found["public"]
    secret = json.loads((home / "identity.json").read_text())["secret"]
    assert secret not in json.dumps(found)
    assert answer(run, "id") == found
