"""What people get: the wheel has all that runs and nothing else, and every command runs from it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from cli import manual
from cli.main import COMMANDS
from tests.cli.empty import Empty
from tests.packages.main_paths import RUNS
from tests.repo.sources import PACKAGES, ROOT

BUILD: Final = "from setuptools import build_meta; print(build_meta.build_wheel('dist'))"
BESIDE: Final = ("pyproject.toml", "setup.py", "README.md", "LICENSE")


def shipped() -> set[str]:
    """Whatever of the packages is under version control and has to be in the wheel."""
    listed = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    # What the page's program is made from is not needed to run it.
    made_from = (
        "replay/page/src/",
        "replay/page/package",
        "replay/page/README",
        "replay/page/build.mjs",
    )
    return {name for name in listed.stdout.split() if not name.startswith(made_from)}


def wheel(folder: Path) -> Path:
    """The wheel of the sources as they stand."""
    sources = folder / "sources"
    for name in PACKAGES:
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        shutil.copy(ROOT / name, sources)
    made = subprocess.run(
        [sys.executable, "-c", BUILD], cwd=sources, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return sources / "dist" / made.stdout.split()[-1]


@pytest.mark.slow
def test_the_wheel_holds_all_that_runs_and_nothing_else(tmp_path: Path) -> None:
    path = wheel(tmp_path)
    assert path.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(path) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        archive.extractall(tmp_path / "held")
    pages = {name for name in held if ".data/data/share/man/man1/" in name}
    assert {Path(name).name for name in pages} == manual.pages("").keys()
    assert held - pages == shipped()
    for words, said in (
        (["rules", "sneak"], "Sneak"),
        (["demo", "--seats", "3", "--option", "rounds=1"], "audit  complete"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *words],
            cwd=tmp_path / "held",
            env={"NODEALER_HOME": str(tmp_path / "home"), "PYTHONPATH": str(tmp_path / "held")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert said in done.stdout, done.stderr


def test_every_command_has_a_main_path() -> None:
    # Going back to a table takes one that was left: tests/cli/test_resume_command.py.
    assert RUNS.keys() == COMMANDS.keys() - {"resume"}


@pytest.mark.full
def test_every_command_runs_from_the_wheel_in_an_empty_environment(tmp_path: Path) -> None:
    """As people get it: built and checked as for a registry, then installed with all extras."""
    there = Empty(tmp_path)
    there.install("build", "setuptools>=77", "twine")
    sources, made = tmp_path / "sources", tmp_path / "dist"
    there.done("git", "clone", "--quiet", "--depth=1", ROOT.as_uri(), sources)
    there.python("-m", "build", "--no-isolation", "--outdir", made, sources)
    assert "PASSED" in there.done("twine", "check", "--strict", *made.iterdir())
    shutil.rmtree(sources)
    (package,) = made.glob("*.whl")
    there.install(f"{package}[all]")
    assert (there.bin.parent / "share" / "man" / "man1" / "nodealer-play.1").is_file()
    first = json.loads(there.done("nodealer", "demo", "--option", "rounds=1", "--json"))
    places = {"log": first["log"], "games": there.home / "games", "folder": tmp_path}
    for name, words in RUNS.items():
        done = there.run("nodealer", *words.format(**places).split())
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
        assert not done.stderr or name in ("host", "play"), done.stderr
    assert "<html" in (tmp_path / "game.html").read_text("utf-8")
    assert (tmp_path / "fairness.png").stat().st_size > 10_000
