"""What is told to be typed works in this shell, however the program was installed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from p2p.installation import Installation, command_line, here, packages_of, program, to_add

IROH = "'iroh<2,>=1.2'"


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """An environment in the folder in which the shell is, and not on its PATH."""
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("nodealer", "python"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.defpath)
    return Installation(folder / "nodealer", folder / "python", tmp_path / ".venv", True, False)


def test_an_environment_in_this_folder_is_called_by_its_place(venv: Installation) -> None:
    assert venv.program == ".venv/bin/nodealer"
    assert venv.to_install(["iroh<2,>=1.2"]) == f".venv/bin/python -m pip install {IROH}"


def test_from_another_folder_the_whole_path_is_told(
    venv: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "another folder"
    other.mkdir()
    monkeypatch.chdir(other)
    assert venv.program == str(venv.script)
    monkeypatch.chdir(tmp_path / ".venv" / "bin")
    assert venv.program == "./nodealer"


def test_a_switched_on_environment_needs_only_the_name(
    venv: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert venv.script is not None
    monkeypatch.setenv("PATH", f"{venv.script.parent}{os.pathsep}{os.defpath}")
    assert venv.program == "nodealer"


def test_another_program_of_that_name_is_not_this_one(
    venv: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "elsewhere" / "nodealer"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    assert venv.program == ".venv/bin/nodealer"


def test_pipx_is_asked_for_what_it_installed(
    venv: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert venv.script is not None
    (venv.prefix / "pipx_metadata.json").write_text("{}")
    link = tmp_path / "local" / "nodealer"
    link.parent.mkdir()
    link.symlink_to(venv.script)
    monkeypatch.setenv("PATH", str(link.parent))
    assert venv.program == "nodealer"
    kept = replace(venv, prefix=venv.prefix.rename(tmp_path / "nodealer"))
    assert kept.to_install(["iroh<2,>=1.2"]) == f"pipx inject nodealer {IROH}"


def test_an_environment_without_pip_belongs_to_uv(venv: Installation) -> None:
    bare = replace(venv, has_pip=False)
    told = f"uv pip install --python .venv/bin/python {IROH}"
    assert bare.to_install(["iroh<2,>=1.2"]) == told


def test_the_python_of_the_system_has_to_be_told_twice(venv: Installation) -> None:
    managed = replace(venv, externally_managed=True)
    assert "pip install --break-system-packages " in managed.to_install(["iroh"])


def test_sources_without_a_program_are_run_by_their_python(venv: Installation) -> None:
    assert replace(venv, script=None).program == ".venv/bin/python -m cli.main"


@pytest.mark.parametrize(
    ("extra", "packages"),
    [
        ("reach", {"iroh"}),
        ("stats", {"matplotlib", "numpy", "scipy"}),
        ("cluster", {"distributed"}),
    ],
)
def test_an_extra_is_told_by_its_packages(extra: str, packages: set[str]) -> None:
    """Of whichever version this was installed, wherever that lay."""
    found = packages_of(extra)
    assert {one.partition("<")[0].partition(">")[0] for one in found} == packages
    assert to_add(extra).endswith(found[-1] + "'")


def test_without_a_record_the_folder_of_the_sources_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", none)
    (told,) = packages_of("reach")
    assert told.endswith("[reach]")
    assert (Path(told.removesuffix("[reach]")) / "pyproject.toml").is_file()


def test_a_command_that_is_told_runs_with_blanks_and_quotes_in_a_path(tmp_path: Path) -> None:
    path = tmp_path / "Ada's game 1.ndlog"
    done = subprocess.run(
        command_line("audit", str(path)), shell=True, capture_output=True, text=True, check=False
    )
    assert f"{path}" in done.stderr, "it looked for this file"
    assert done.returncode == 2


def test_what_is_told_here_runs() -> None:
    done = subprocess.run(
        f"{program()} --version", shell=True, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("nodealer ")
    assert here().python == Path(sys.executable)
