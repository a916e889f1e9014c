"""Tries the project with every other supported Python of this machine: `make pythons`.

Each gets an environment of its own in `build/pythons`.  It runs the tests of the channel, the
proofs and the log, plays a game between processes, and simulates each game: the same seed has to
give the same results with every Python.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.games import NAMES
from tests.repo.sources import ROOT

PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OLDEST: Final = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
NEEDED: Final = ("hypothesis", "pytest", "pytest-trio", "pytest-xdist")
"""Packages of the extra `test` that these tests use.  Plots and browsers are left out."""
TESTS: Final = ("tests/net", "tests/crypto", "tests/vectors", "tests/protocol/test_logfile.py")
GAMES: Final = 20
ABOUT: Final = """
import json, ssl, sys
print(json.dumps([sys.version_info[:3], sys.base_prefix, ssl.OPENSSL_VERSION]))
"""


@dataclass(frozen=True)
class Python:
    """An interpreter, and what it says about itself."""

    path: Path
    version: tuple[int, ...]
    prefix: str
    openssl: str

    @property
    def name(self) -> str:
        """Return the version and the place, as a title."""
        return f"Python {'.'.join(map(str, self.version))} of {self.prefix} ({self.openssl})"


def candidates() -> Iterator[Path]:
    """Yield every place where a Python may be: on PATH, of the distribution, of pyenv."""
    names = ["python3", *(f"python3.{minor}" for minor in range(OLDEST[1], OLDEST[1] + 10))]
    for name in names:
        for folder in [*os.get_exec_path(), "/usr/bin", "/usr/local/bin"]:
            yield Path(folder, name)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob("versions/*/bin/python3"))


def about(path: Path) -> Python | None:
    """Ask a Python about itself; None if it does not start, as a shim of pyenv may not."""
    done = subprocess.run([path, "-c", ABOUT], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    version, prefix, openssl = json.loads(done.stdout)
    return Python(path, tuple(version), prefix, openssl)


def others() -> list[Python]:
    """Return the supported Pythons of this machine, without the one that runs this."""
    found = {(sys.version_info[:3], sys.base_prefix): None}
    for path in candidates():
        python = about(path) if os.access(path, os.X_OK) else None
        if python and python.version >= OLDEST:
            found.setdefault((python.version, python.prefix), python)
    return [python for python in found.values() if python]


def run(*command: object) -> str:
    """Run a command in the project's folder and return what it printed; end if it fails."""
    done = subprocess.run(
        [*map(str, command)], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nThis failed: {' '.join(map(str, command))}")
    return done.stdout


def environment(python: Python) -> Path:
    """Return the folder of the commands of a new environment with this Python."""
    folder = ROOT / "build" / "pythons" / python.name.split()[1]
    shutil.rmtree(folder, ignore_errors=True)
    run(python.path, "-m", "venv", folder)
    extra = PROJECT["optional-dependencies"]
    wanted = [line for line in extra["test"] if line.split(">")[0] in NEEDED]
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet"]
    run(*pip, "--disable-pip-version-check", "--editable", ".[reach]", *wanted)
    return folder / "bin"


def simulated(commands: Path) -> dict[str, str]:
    """Return the results of the simulation of each game."""
    options = ["--games", GAMES, "--no-times", "--json"]
    return {game: run(commands / "nodealer", "simulate", game, *options) for game in NAMES}


def check(python: Python, expected: dict[str, str]) -> None:
    """Try everything with one Python."""
    commands = environment(python)
    pytest = [commands / "python", "-m", "pytest", "-n", 2, "-m", "not full and not slow"]
    print(python.name, run(*pytest, *TESTS).splitlines()[-1], sep="\n  ", flush=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["NODEALER_HOME"] = home
        played = json.loads(run(commands / "nodealer", "demo", "--procs", "--seats", 3, "--json"))
    if played["verdict"] != "complete":
        sys.exit(f"{python.name}: the audit of a game between processes says {played}")
    if different := [name for name, said in simulated(commands).items() if said != expected[name]]:
        sys.exit(f"{python.name}: the same seed gives other games of {', '.join(different)}")
    print(f"  a game between processes, and {GAMES} equal games of each kind", flush=True)


def main() -> None:
    """Try all that there are."""
    pythons = others()
    if not pythons:
        print("No other supported Python is on this machine.")
        return
    expected = simulated(Path(sys.executable).parent)
    for python in pythons:
        check(python, expected)


if __name__ == "__main__":
    main()
