"""A game of another package on the command line, one process for each seat."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from tests.sixth_game import FOLDER, NAME, install


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For this process and those that it starts."""
    site = tmp_path / "site"
    site.mkdir()
    install(monkeypatch, site)
    paths = (str(site), str(FOLDER.parent), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path / "home"))


def test_processes_play_it_and_its_log_audits_without_any_secret(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played = CliRunner().invoke(main, ["demo", NAME, "--seats", "3", "--procs", "--json"])
    assert played.exit_code == 0, played.output
    said = json.loads(played.stdout)
    assert (said["game"], said["verdict"], said["verified"]) == (NAME, "complete", True)
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path / "nobody"))
    audited = CliRunner().invoke(main, ["audit", said["log"]])
    assert audited.exit_code == 0, audited.output


def test_it_is_simulated_by_its_name() -> None:
    done = CliRunner().invoke(main, ["simulate", NAME, "--games", "20", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["game"] == NAME


def test_its_rules_are_its_brief_and_its_options_without_a_page() -> None:
    told = CliRunner().invoke(main, ["rules", NAME])
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    assert "Lay a card of the suit or the rank that lies there; an eight always fits." in lines
    assert "Options" in lines
    assert lines[-1] == "With an option: nodealer play crazy-eights --option hands=2"
