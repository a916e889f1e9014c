"""`make` on a machine that lacks something: exactly the line that helps."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.repo.sources import ROOT

MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None, reason="make is not installed here")


def make(
    tmp_path: Path, *arguments: str, stdin: int | None = None
) -> subprocess.CompletedProcess[str]:
    folders = [f"VENV={tmp_path}/venv", f"COMPILED={tmp_path}/compiled"]
    return subprocess.run(
        ["make", "-C", str(ROOT), "--no-print-directory", *folders, *arguments],
        stdin=stdin,
        capture_output=True,
        text=True,
        check=False,
        # A make that runs these tests would hand its own flags down.
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
    )


def python(tmp_path: Path, script: str) -> str:
    """A stand-in for `python3`."""
    path = tmp_path / "python3"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"PYTHON={path}"


@pytest.mark.parametrize("target", ["play", "test", "quick", "attacks", "lint", "compiled"])
def test_without_venv_or_python(tmp_path: Path, target: str) -> None:
    done = make(tmp_path, target, python(tmp_path, "exit 1"))
    assert done.returncode != 0
    assert done.stdout == "apt install python3-venv make git\n"


def test_with_an_old_python(tmp_path: Path) -> None:
    old = python(tmp_path, 'case "$2" in *version*) exit 1;; esac')
    done = make(tmp_path, "play", old)
    assert done.returncode != 0
    assert done.stdout.startswith("nodealer needs Python 3.11 or newer: make PYTHON=")


def test_without_the_headers_of_python(tmp_path: Path) -> None:
    lacking = python(tmp_path, 'case "$2" in *Python.h*) exit 1;; esac')
    (tmp_path / "compiled").mkdir()
    done = make(tmp_path, "compiled", lacking)
    assert done.returncode != 0
    assert done.stdout == "apt install gcc python3-dev\n"


def test_a_second_call_installs_nothing(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    venv.mkdir()
    for stamp in ("venv", "play", "extras", "test", "lint"):  # in the order in which they are made
        (venv / f".stamp-{stamp}").touch()
    (tmp_path / "compiled").mkdir()
    for stamp in ("venv", "compiled"):
        (tmp_path / "compiled" / f".stamp-{stamp}").touch()
    for target in ("play", "test", "quick", "lint", "compiled"):
        assert "pip" not in make(tmp_path, "--dry-run", target).stdout


def test_play_says_how_to_go_on_and_leaves_with_the_code_of_the_table(tmp_path: Path) -> None:
    """The table opens at once; what it does not need is installed meanwhile."""
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    for stamp in ("venv", "play"):
        (venv / f".stamp-{stamp}").touch()
    for name, script in (("nodealer", "echo table $*; exit 3"), ("python", "echo $*")):
        (venv / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (venv / "bin" / name).chmod(0o755)
    first, second = make(tmp_path, "play"), make(tmp_path, "play")
    going_on = f"friends: {venv}/bin/nodealer (a menu with the commands)\n"
    for done in (first, second):
        assert done.stdout.startswith("table play flip-over\n")
        assert done.stdout.endswith(going_on)
        assert "Error 3" in done.stderr
    assert "Installing" not in second.stdout
    assert (venv / "extras.log").read_text().startswith("-m pip install ")


@pytest.mark.parametrize(
    ("code", "at_a_terminal", "ends"), [(1, True, 0), (1, False, 2), (3, True, 2)]
)
def test_leaving_the_table_is_no_error_of_make(
    tmp_path: Path, code: int, at_a_terminal: bool, ends: int
) -> None:
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    for stamp in ("venv", "play", "extras"):
        (venv / f".stamp-{stamp}").touch()
    (venv / "bin" / "nodealer").write_text(f"#!/bin/sh\nexit {code}\n")
    (venv / "bin" / "nodealer").chmod(0o755)
    leader, inner = pty.openpty()
    done = make(tmp_path, "play", stdin=inner if at_a_terminal else subprocess.DEVNULL)
    os.close(leader)
    os.close(inner)
    assert done.returncode == ends, done.stderr
    assert done.stderr.startswith("make: ***") is (ends != 0)


@pytest.mark.parametrize("target", ["compiled", "wheel", "compiled-wheel"])
def test_building_removes_nothing_else_that_is_built(tmp_path: Path, target: str) -> None:
    kept = {"build/site", "build/screens", "build/binary", "build"}
    told = make(tmp_path, "--dry-run", target).stdout
    removed = [
        word for line in re.findall(r"rm -rf (.*)", told) for word in line.split(" #")[0].split()
    ]
    assert removed
    assert not [one for one in removed for path in kept if fnmatch(path, one)]


def test_one_screen_of_the_readme_leads_from_the_first_table_to_a_friends() -> None:
    screen = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:24])
    steps = ["make play", ".venv/bin/nodealer", "nodealer host ", "nodealer join ND1:", "'.[all]'"]
    places = [screen.index(step) for step in steps]
    assert places == sorted(places)
    assert max(map(len, screen.splitlines())) <= 110


def test_ci_runs_the_tests_the_checks_and_a_match() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    text = script.read_text("utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    places = [text.index(line) for line in ("make test\n", "make lint\n", "make play </dev/null\n")]
    assert places == sorted(places)


def test_the_quick_tests_leave_out_what_is_slow_and_folders_that_are_there(tmp_path: Path) -> None:
    command = make(tmp_path, "--dry-run", "quick").stdout
    assert '-m "not full and not slow" -p tests.quick ' in command
    ignored = re.findall(r"--ignore=(\S+)", command)
    assert ignored
    assert [folder for folder in ignored if not (ROOT / folder).is_dir()] == []


TESTS = """
import pytest

@pytest.mark.parametrize("n", range(9))
def test_of_nine(n): assert n < 9

def test_single(): assert True

@pytest.mark.slow
def test_marked(): raise AssertionError

def test_that_should_be_marked(monkeypatch):
    from tests import quick
    monkeypatch.setattr(quick.time, "process_time", lambda: 1000.0)
"""


def test_one_case_of_each_quick_test_and_a_word_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    command = ["-m", "pytest", "-v", "-p", "tests.quick", "-m", "not full and not slow"]
    done = subprocess.run(
        [sys.executable, *command, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.count("test_of_nine[") == 1
    assert "3 passed, 1 deselected" in done.stdout
    told = [line for line in done.stdout.splitlines() if "mark it slow" in line]
    assert [line.rpartition("::")[2] for line in told] == ["test_that_should_be_marked"]
