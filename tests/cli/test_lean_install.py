"""What `pip install .` brings, what it leaves out, and how that is told."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from tests.repo.sources import ROOT

HEAVY: Final = {"numpy", "scipy", "matplotlib", "iroh", "distributed"}
FOR_DEVELOPERS: Final = {"test", "fuzz", "dev", "all"}
MINUTES: Final = 10


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def names(packages: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", package)[0] for package in packages}


def test_nothing_heavy_is_needed_and_all_has_every_extra() -> None:
    extras = project()["optional-dependencies"]
    assert not names(project()["dependencies"]) & HEAVY
    (everything,) = extras["all"]
    wanted = set(re.findall(r"[\w-]+", everything.removeprefix("nodealer")))
    assert wanted == extras.keys() - FOR_DEVELOPERS
    assert set().union(*(names(extras[name]) for name in wanted)) == HEAVY


@pytest.mark.full
def test_from_a_source_package_in_an_empty_environment(tmp_path: Path) -> None:
    """Outside of the sources: what a program needs to run is in the package, or it is told."""
    bin_folder = tmp_path / "venv" / "bin"
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "VIRTUAL_ENV", "NODEALER"))
    } | {"NODEALER_HOME": str(tmp_path / "home"), "PATH": f"{bin_folder}:{os.defpath}"}

    def run(*words: str | Path, at: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=at,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60 * MINUTES,
        )

    def done(*words: str | Path, at: Path = tmp_path) -> str:
        made = run(*words, at=at)
        assert made.returncode == 0, made.stdout + made.stderr
        return made.stdout

    done(sys.executable, "-m", "venv", bin_folder.parent)
    pip = (bin_folder / "python", "-m", "pip", "--disable-pip-version-check")
    done(*pip, "install", "setuptools>=68")
    sources = tmp_path / "sources"
    done("git", "clone", "--quiet", "--depth=1", ROOT.as_uri(), sources)
    build = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"
    package = done(bin_folder / "python", "-c", build, at=sources).split()[-1]
    done(*pip, "install", sources / "dist" / package)
    listed = {line.split("=")[0].lower() for line in done(*pip, "freeze").splitlines()}
    assert not listed & HEAVY
    assert "sneak" in done("nodealer", "rules", "sneak").lower()
    assert "audit  complete" in done("nodealer", "demo", "flip-over", "--option", "rounds=1")
    games = tmp_path / "home" / "games"
    done("nodealer", "export", games, "--html", "-o", tmp_path / "game.html")
    done("nodealer", "new-game", "war", at=tmp_path)
    for command, package in (("fairness", "scipy"), ("host", "iroh")):
        options = [games] if command == "fairness" else ["sneak", "--reach"]
        refused = run("nodealer", command, *options)
        assert refused.returncode == 2
        assert package in refused.stderr
        found = re.search(r"; (.*) adds it", refused.stderr)
        assert found is not None, refused.stderr
        done(*shlex.split(found[1]))
    assert "known cards in" in done("nodealer", "fairness", games)
