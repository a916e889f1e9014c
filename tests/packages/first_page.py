"""Follows the site's first page, and nothing else: `python -m tests.packages.first_page WAY FROM`.

WAY is the title of a tab of docs/index.md, FROM what the page takes for granted there: the
repository to clone, a wheel, or the one file.  What the page says is typed as it stands, in a
terminal of 80 x 24, with an empty home and nothing of our environment: until the first card can be
laid, and then until the saved game is found to be fair.  ROOT=folder: by chroot in a bare system.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import trio

from tests.cli.tmux import Window, windows
from tests.repo.sources import ROOT

PAGE: Final = ROOT / "docs" / "index.md"
TAB: Final = re.compile(
    r'^=== "(?P<title>[^"]+)"\n\n    ```sh\n(?P<lines>.*?)^    ```', re.M | re.S
)
WHEEL: Final = re.compile(r"nodealer-[\w.-]+-none-any\.whl")
AFTERWARDS: Final = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
SECONDS: Final = 480
"""For one line: `make play` and pipx install what they need."""
ANSWERS: Final = {"audit": (1, "valid up to step"), "fairness": (0, "Nothing stands out.")}
"""What commands about a game that was left end with: exit code and words."""
HANDED_ON: Final = "PIP_"
"""What pip has to know to reach packages here."""
LINES: Final = 100
"""How far is looked back for what a command said."""
SOURCES: Final = "From the source"
PACKAGE: Final = "As a package"
FOLDER: Final = "nodealer"
"""Where the repository is cloned to, as git calls it."""


def ways() -> dict[str, list[str]]:
    """The lines to be typed, by the title of their tab."""
    found = TAB.finditer(PAGE.read_text("utf-8"))
    return {
        tab["title"]: tab["lines"].replace("\n    ", "\n").strip().splitlines() for tab in found
    }


def afterwards() -> list[str]:
    """The lines to be typed after the game."""
    (block,) = AFTERWARDS.findall(PAGE.read_text("utf-8"))
    return str(block).splitlines()


class Reader:
    """Somebody who types what the page says.  Each prompt tells its number and the last code."""

    def __init__(self, window: Window) -> None:
        self._window: Final = window
        self._typed = 0

    async def begin(self, home: Path, root: Path | None) -> None:
        """Open a shell that knows of nothing but this home and the programs of the system."""
        path = f"{home}/.local/bin:/usr/bin:/bin"
        handed = [
            f"{name}={text}" for name, text in os.environ.items() if name.startswith(HANDED_ON)
        ]
        own = [f"HOME={home}", f"PATH={path}", "TERM=xterm-256color"]
        own += ["LC_ALL=C.UTF-8", "HISTFILE="]  # nothing is left behind
        into = [str(shutil.which("chroot")), str(root)] if root else []
        shell = ["bash", "--norc", "--noprofile", "-i"]
        await self._window.run("env", "-i", *handed, *own, r"PS1=<\#:$?> ", *into, *shell)
        await self._window.until("<1:0>")
        await self.type("cd")

    async def type(self, line: str) -> tuple[int, str]:
        """Type a line; its exit code, and what is seen when it has ended."""
        await self._begin(line)
        return await self._ended()

    async def plays(self, line: str) -> None:
        """Type a line that opens a table, lay the first card, read that, and leave for a while."""
        await self._begin(line)
        await self._window.until("Name [", seconds=SECONDS)
        await self._window.keys("Enter")
        await self._window.until("Enter plays")
        await self._window.until_gone("Enter plays", "Enter")  # the first one may be hasty
        await self._window.until(" lays ")  # compiled rules once told nobody what happened
        await self._window.keys("q")
        await self._window.until("Do you leave, or let a bot play?")
        await self._window.keys("l")
        await self._ended()

    async def looks(self, line: str) -> str:
        """Type a line that opens a full screen, and leave that."""
        await self._begin(line)
        seen = await self._window.until("? help")
        await self._window.keys("q")
        await self._ended()
        return seen

    async def _begin(self, line: str) -> None:
        await self._window.keys("-l", "clear; " + line)
        await self._window.keys("Enter")
        self._typed += 1

    async def _ended(self) -> tuple[int, str]:
        prompt = f"<{self._typed + 1}:"
        await self._window.until(prompt, seconds=SECONDS)
        seen = await self._window.text(LINES)
        return int(seen.rpartition(prompt)[2].partition(">")[0]), seen


async def follow(way: str, home: Path, file: str, root: Path | None = None) -> None:
    """AssertionError with what was seen where the page does not lead on.

    `home` is that of somebody who has nothing else (`prepare`), as it is called in `root`, if that
    is given.  `file` is the name of what lies there: the page names the wheel for all systems.
    """
    with tempfile.TemporaryDirectory() as place:
        async with windows(Path(place), ["reader"]) as (window,):
            reader = Reader(window)
            await reader.begin(home, root)
            if way == SOURCES:
                await reader.type(f"cd {FOLDER}")
            for line in (WHEEL.sub(file, line) for line in ways()[way]):
                if "play" in line.split():
                    await reader.plays(line)
                else:
                    code, seen = await reader.type(line)
                    assert code == 0, seen
            for line in afterwards():
                await _checks(reader, line)


async def _checks(reader: Reader, line: str) -> None:
    command = line.split()[1]
    if command == "replay":
        assert "Flip Over" in await reader.looks(line)
        return
    wanted, words = ANSWERS[command]
    code, seen = await reader.type(line)
    assert (code, words in seen) == (wanted, True), seen


def prepare(home: Path, way: str, source: Path, pipx: Path) -> None:
    """Lay into a home what the page takes for granted."""
    programs = home / ".local" / "bin"
    programs.mkdir(parents=True)
    if way == SOURCES:
        clone = ["git", "clone", "--quiet", "--depth=1", source.absolute().as_uri()]
        subprocess.run([*clone, str(home / FOLDER)], check=True)
        return
    shutil.copy(source, home)
    if way == PACKAGE:
        (programs / "pipx").symlink_to(pipx)


def main(way: str, source: str, root: str | None = None) -> None:
    """Follow one way, here or in a bare system."""
    bare = Path(root).absolute() if root else None
    with tempfile.TemporaryDirectory(dir=bare and bare / "tmp") as folder:
        home = Path(folder)
        prepare(home, way, Path(source), Path(sys.executable).with_name("pipx"))
        inside = Path("/") / home.relative_to(bare) if bare else home
        trio.run(follow, way, inside, Path(source).name, bare)
    print(f"ok   {way}: the first page leads to the first card, and to a fair game")


if __name__ == "__main__":
    main(*sys.argv[1:])
