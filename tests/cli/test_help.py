"""Help: at once, complete, and without the peer-to-peer layers."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata

import pytest

from cli.main import COMMANDS, SECTIONS
from tests.cli.conftest import Run

SHOW_HELP = """
import json, sys
from cli.main import main
try:
    main(["--help"])
except SystemExit as done:
    assert done.code == 0
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
HEAVY = {"p2p", "engine", "replay", "trio", "rich", "prompt_toolkit", "rbcl", "cryptography"}


def test_help_imports_nothing_of_the_layers_below() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHOW_HELP], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stderr)}
    assert "click" in loaded
    assert loaded & HEAVY == set()


def test_the_help_lists_every_command_under_one_head(run: Run) -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)
    shown = run("--help").stdout
    places = [shown.index(f"\n{title}:\n") for title in SECTIONS]
    assert places == sorted(places)


def test_nodealer_alone_is_the_menu(run: Run) -> None:
    result = run()
    assert result.exit_code == 0
    assert [name for name in COMMANDS if f"  {name} " not in result.stdout] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_in_80_columns(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Example: nodealer {name}" in result.stdout
    # What a shell asks for has nothing to say besides.
    assert "--verbose" in result.stdout or name == "completion"
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_version(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"1.2.3 of {name}")
    assert run("--version").stdout == "nodealer 1.2.3 of nodealer\n"


def test_version_of_sources_that_are_not_installed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", unknown)
    assert run("--version").stdout == "nodealer from a folder of sources, not installed\n"
