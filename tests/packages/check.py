"""Runs the one file where there is no Python: `python -m tests.packages.check FILE [ROOT]`.

ROOT is the root folder of a bare system (`debootstrap --variant=minbase`), in which every command's
main path is run by chroot, as root.  Without it they run here, with an empty environment.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.packages.main_paths import FIRST, RUNS

SECONDS: Final = 600
REFUSED: Final = "bench"
"""Needs modules to start, which the one file has not: it says so."""


class Bare:
    """A place without Python: `root` is the folder that is its root, None for this machine's."""

    def __init__(self, file: Path, root: Path | None) -> None:
        self._root: Final = root
        self.folder: Final = Path(tempfile.mkdtemp(dir=root and root / "tmp"))
        shutil.copy(file, self.folder / "nodealer")

    def inside(self, path: Path) -> Path:
        """A path as it is called there."""
        return path if self._root is None else Path("/") / path.relative_to(self._root)

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """What the file does there."""
        there = self.inside(self.folder)
        into = [] if self._root is None else ["chroot", str(self._root)]
        return subprocess.run(
            [*into, str(there / "nodealer"), *words],
            env={"NODEALER_HOME": str(there / "home"), "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )


def main(file: str, root: str | None = None) -> int:
    """The exit code: 0 if every command does what it should."""
    bare = Bare(Path(file), Path(root) if root else None)
    first = json.loads(bare.run(FIRST.split()).stdout)
    folder = bare.inside(bare.folder)
    places = {"log": first["log"], "games": str(folder / "home" / "games"), "folder": str(folder)}
    wrong = 0
    for name, words in RUNS.items():
        done = bare.run(words.format(**places).split())
        right = done.returncode == (2 if name == REFUSED else 0)
        wrong += not right
        print(f"{'ok' if right else 'FAIL':5}{name}", "" if right else done.stdout + done.stderr)
    shutil.rmtree(bare.folder)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
