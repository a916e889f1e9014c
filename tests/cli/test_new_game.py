"""`nodealer new-game`: what it writes plays and passes, whatever it is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cli.template import FILES, LONGEST, renamed
from tests.cli.conftest import Run
from tests.repo.sources import ROOT
from tests.sixth_game import FOLDER

NAME = "high-eights"


@pytest.fixture
def written(run: Run, tmp_path: Path) -> Path:
    """A new game in its folder."""
    result = run("new-game", NAME, "--into", str(tmp_path))
    assert result.exit_code == 0, result.output
    return tmp_path / NAME


def install(package: Path, site: Path) -> None:
    """What pip leaves of the package: its metadata, with the entry point that it declares."""
    declared = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    points = declared["entry-points"]["nodealer.games"]
    info = site / f"{NAME.replace('-', '_')}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {declared['name']}\nVersion: 1\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[nodealer.games]", *lines, ""]))


def python(*arguments: str, paths: list[Path], home: Path) -> subprocess.CompletedProcess[str]:
    known = os.pathsep.join([*map(str, paths), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=paths[0],
        env={**os.environ, "PYTHONPATH": known, "NODEALER_HOME": str(home)},
    )


def test_its_own_tests_pass(written: Path, tmp_path: Path) -> None:
    done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", paths=[written], home=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "15 passed" in done.stdout


def test_it_is_played_between_peers_as_soon_as_it_is_installed(
    written: Path, tmp_path: Path
) -> None:
    install(written, tmp_path / "site")
    command = ("-m", "cli.main", "demo", NAME, "--seats", "2", "--json")
    done = python(*command, paths=[written, tmp_path / "site"], home=tmp_path / "home")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["game"], said["verdict"], said["verified"]) == (NAME, "complete", True)


def test_no_other_name_is_left_in_it(written: Path) -> None:
    files = [
        path for path in written.rglob("*") if path.is_file() and "__pycache__" not in str(path)
    ]
    assert len(files) == len(FILES) + 1
    for path in files:
        text = path.read_text("utf-8")
        assert "crazy" not in text.lower()
        if path.suffix == ".py":
            compile(text, str(path), "exec")


def test_its_size_is_that_of_crazy_eights(written: Path) -> None:
    parts = [written / "high_eights" / f"{part}.py" for part in ("cards", "rules", "text")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in parts) < 200


@pytest.mark.parametrize("part", ["cards", "rules", "text", "bot"])
def test_it_is_the_game_of_the_how_to(part: str) -> None:
    known = (FOLDER / f"{part}.py").read_text("utf-8")
    assert (ROOT / "cli" / "template" / f"{part}.txt").read_text("utf-8") == known
    assert renamed(part, "crazy-eights").replace("CrazyEightsTable", "EightsTable") == known


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Foo", "A game is called by at most 30 small letters"),
        ("a--b", "A game is called by"),
        ("../x", "A game is called by"),
        ("", "A game is called by"),
        ("8-balls", "A game is called by"),
        ("x" * (LONGEST + 1), "A game is called by"),
        ("flip-over", "There is a game flip-over already. Choose another name."),
        ("json", "json is a word or a module of Python already"),
        ("class", "class is a word or a module of Python already"),
        ("engine", "engine is a word or a module of Python already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_one_sentence(
    run: Run, tmp_path: Path, name: str, why: str
) -> None:
    result = run("new-game", name, "--into", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"nodealer: {why}")
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*/pyproject.toml"))


def test_a_folder_that_exists_is_left_as_it_is(run: Run, written: Path) -> None:
    before = {path: path.read_bytes() for path in written.rglob("*") if path.is_file()}
    result = run("new-game", NAME, "--into", str(written.parent))
    assert result.exit_code == 2
    said = f"{written} is there already; nothing was written. Choose another name, or --into."
    assert result.stderr == f"nodealer: {said}\n"
    assert {path: path.read_bytes() for path in written.rglob("*") if path.is_file()} == before


def test_a_place_that_cannot_be_written_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("new-game", NAME, "--into", str(tmp_path / "file"))
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_json_names_what_was_written(run: Run, tmp_path: Path) -> None:
    said = json.loads(run("new-game", NAME, "--into", str(tmp_path), "--json").stdout)
    assert (said["game"], said["folder"]) == (NAME, str(tmp_path / NAME))
    assert all(Path(path).is_file() for path in said["files"])
