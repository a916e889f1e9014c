"""What `pip install .` brings, what it leaves out, and how that is told."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.empty import Empty
from tests.repo.sources import ROOT

HEAVY: Final = {"numpy", "scipy", "matplotlib", "iroh", "distributed"}
FOR_DEVELOPERS: Final = {"test", "fuzz", "dev", "docs", "package", "env", "all"}


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
    there = Empty(tmp_path)
    there.install("setuptools>=77")
    sources = tmp_path / "sources"
    there.done("git", "clone", "--quiet", "--depth=1", ROOT.as_uri(), sources)
    build = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"
    package = there.python("-c", build, at=sources).split()[-1]
    there.install(sources / "dist" / package)
    frozen = there.python("-m", "pip", "freeze").splitlines()
    assert not {line.split("=")[0].lower() for line in frozen} & HEAVY
    assert "sneak" in there.done("nodealer", "rules", "sneak").lower()
    assert "audit  complete" in there.done("nodealer", "demo", "flip-over", "--option", "rounds=1")
    games = there.home / "games"
    for command, package in (("fairness", "scipy"), ("host", "iroh")):
        options = [games] if command == "fairness" else ["sneak", "--reach"]
        refused = there.run("nodealer", command, *options)
        assert refused.returncode == 2
        assert package in refused.stderr
        found = re.search(r"; (.*) adds it", refused.stderr)
        assert found is not None, refused.stderr
        there.done(*shlex.split(found[1]))
    assert "known cards in" in there.done("nodealer", "fairness", games)
