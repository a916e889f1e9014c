"""`nodealer audit --states`: where two peers disagree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.games import load
from engine.session import Session
from p2p.files.state_file import state_text
from tests.cli.conftest import Run


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Two states that differ in the leader."""
    table = Session(load("flip-over"), 3, {}).table
    mine, yours = tmp_path / "mine.txt", tmp_path / "yours.txt"
    mine.write_text(state_text(bytes(32), 42, table), encoding="utf-8")
    table.leader = 2  # type: ignore[attr-defined]
    yours.write_text(state_text(bytes(32), 42, table), encoding="utf-8")
    return str(mine), str(yours)


def test_the_first_difference(run: Run, files: tuple[str, str]) -> None:
    result = run("audit", "--states", *files)
    assert result.exit_code == 1
    assert result.stdout == (
        f"The states before step 42 differ first in leader:\n  {files[0]}: 0\n  {files[1]}: 2\n"
    )


def test_json(run: Run, files: tuple[str, str]) -> None:
    result = run("audit", "--states", "--json", *files)
    said = json.loads(result.stdout)
    assert (said["equal"], said["place"], said["values"]) == (False, "leader", [0, 2])
    assert (said["states"], said["step"]) == (list(files), 42)
    equal = json.loads(run("audit", "--states", "--json", files[0], files[0]).stdout)
    assert (equal["equal"], equal["place"], equal["values"]) == (True, None, [])


def test_equal_states(run: Run, files: tuple[str, str]) -> None:
    result = run("audit", "--states", files[0], files[0])
    assert result.exit_code == 0
    assert result.stdout == "The two states before step 42 are the same.\n"


def test_what_cannot_be_compared(run: Run, files: tuple[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text(Path(files[0]).read_text("utf-8").replace("step 42", "step 43"), "utf-8")
    letter = tmp_path / "letter.txt"
    letter.write_bytes(b"\xff\xfe")
    for paths, sentence in (
        ((files[0],), "Name the two state files to compare: --states FILE FILE."),
        (
            (files[0], str(other)),
            "These are states of different tables or steps: compare two of one step.",
        ),
        (
            (files[0], str(letter)),
            f"{letter} is not a state file: name one that lies beside a saved game.",
        ),
        (
            (files[0], str(tmp_path / "none")),
            "No such file or directory; name a state file (.txt).",
        ),
    ):
        result = run("audit", "--states", *paths)
        assert result.exit_code == 2
        assert sentence in result.stderr
