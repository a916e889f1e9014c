"""A command line with a data folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main

Run = Callable[..., Result]
NOTHING = "There is no unfinished table to go back to. nodealer play begins one."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("NODEALER_HOME", str(folder))
    return folder


@pytest.fixture
def run(home: Path) -> Run:
    """Run `nodealer` in this process; a fault of ours is raised, not swallowed."""

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(main, list(arguments), catch_exceptions=False)

    return call


@pytest.fixture(scope="session")
def finished_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a real match: three seats, one round."""
    folder = tmp_path_factory.mktemp("finished")
    arguments = ["demo", "--seats", "3", "--option", "rounds=1", "--seed", "5", "--json"]
    result = CliRunner(env={"NODEALER_HOME": str(folder)}).invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return Path(json.loads(result.stdout)["log"])
