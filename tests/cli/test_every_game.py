"""Every game over TLS, and its log audited by somebody who has nothing but the file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.game import Value
from engine.games import NAMES, load

SHORT: dict[str, tuple[int, dict[str, Value]]] = {
    "flip-over": (3, {"rounds": 1}),
    "flaps": (2, {"level": 7, "turn-limit": 30}),
    "flop-a": (2, {"hands": 1}),
    "sneak": (2, {"target": 25}),
    "you-fink": (2, {"cardLimit": "50"}),
}
LEVELS = {"flaps": [{"level": 1}, {"level": 7}]}
EVERY_TABLE = [
    pytest.param(name, seats, options, id="-".join(map(str, (name, seats, *options.values()))))
    for name in NAMES
    for seats in load(name).seats
    for options in LEVELS.get(name, [{}])
]


def run(home: Path, *arguments: str, seconds: float) -> str:
    """What a command prints; nothing of the machine's user is known to it."""
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments],
        env={**os.environ, "HOME": str(home), "NODEALER_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def demo_and_audit(
    folder: Path, name: str, seats: int, options: dict[str, Value], *flags: str, seconds: float
) -> None:
    pairs = [f"--option={option}={value}" for option, value in options.items()]
    asked = ("demo", name, f"--seats={seats}", *pairs, *flags, "--seed=1", "--json")
    said = json.loads(run(folder / "players", *asked, seconds=seconds))
    assert (said["game"], said["seats"], said["verdict"]) == (name, seats, "complete")
    log = shutil.move(said["log"], folder / "found.ndlog")
    shutil.rmtree(folder / "players")
    (report,) = json.loads(run(folder / "nobody", "audit", str(log), "--json", seconds=seconds))[
        "logs"
    ]
    assert (report["verdict"], report["verified"]) == ("complete", True), report["reason"]
    assert (report["game"], report["seats"], report["steps"]) == (name, seats, said["steps"])


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "flaps" else pytest.mark.full) for name in NAMES],
)
def test_one_process_a_seat(name: str, tmp_path: Path) -> None:
    seats, options = SHORT[name]
    demo_and_audit(tmp_path, name, seats, options, "--procs", seconds=100)


@pytest.mark.full
@pytest.mark.parametrize(("name", "seats", "options"), EVERY_TABLE)
def test_every_number_of_seats(
    name: str, seats: int, options: dict[str, Value], tmp_path: Path
) -> None:
    """Whole games with the usual options, which take minutes with many seats."""
    demo_and_audit(tmp_path, name, seats, options, seconds=1800)
