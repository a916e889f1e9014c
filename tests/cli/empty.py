"""An environment without anything of the sources: `Empty` makes one, and runs programs there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

MINUTES: Final = 10
FOREIGN: Final = ("PYTHON", "VIRTUAL_ENV", "NODEALER")
"""What a shell of ours would hand on."""


class Empty:
    """A fresh environment in `folder / "venv"`, with a data folder of its own beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.home: Final = folder / "home"
        self.bin: Final = folder / "venv" / "bin"
        kept = {name: text for name, text in os.environ.items() if not name.startswith(FOREIGN)}
        path = f"{self.bin}:{os.defpath}"
        self._environment: Final = {**kept, "NODEALER_HOME": str(self.home), "PATH": path}
        self.done(sys.executable, "-m", "venv", self.bin.parent)

    def run(self, *words: str | Path, at: Path | None = None) -> subprocess.CompletedProcess[str]:
        """What a program does there, without a terminal."""
        return subprocess.run(
            words,
            cwd=at or self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60 * MINUTES,
        )

    def done(self, *words: str | Path, at: Path | None = None) -> str:
        """What it says; AssertionError unless it succeeds."""
        made = self.run(*words, at=at)
        assert made.returncode == 0, f"{words}:\n{made.stdout}{made.stderr}"
        return made.stdout

    def python(self, *words: str | Path, at: Path | None = None) -> str:
        """The same for its Python."""
        return self.done(self.bin / "python", *words, at=at)

    def install(self, *what: str | Path) -> None:
        """Add packages."""
        self.python("-m", "pip", "--disable-pip-version-check", "install", *what)
