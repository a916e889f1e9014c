"""A program that is stopped and continued by a real shell, in a window of tmux."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import named
from tests.cli.tmux import windows

pytestmark = pytest.mark.skipif(
    not shutil.which("tmux") or not shutil.which("bash"), reason="tmux or bash is not installed"
)


@pytest.mark.parametrize("how", ["a key", "a signal"])
async def test_fg_draws_the_screen_anew_and_keys_are_read_again(tmp_path: Path, how: str) -> None:
    """SIGSTOP cannot be heard: then the shell writes on the picture, and in another mode."""
    home = tmp_path / "alone"
    named(home)
    async with windows(tmp_path, ("alone",)) as (window,):
        await window.run("-e", f"NODEALER_HOME={home}", "-e", "PS1=ready>", "bash", "--norc", "-i")
        await window.type(f"{sys.executable} -m cli.main")
        await window.until("1  play")
        if how == "a key":
            await window.keys("C-z")
        else:
            await window.stop_what_the_shell_runs()
        await window.until("Stopped")
        await window.type("fg")
        await window.until_gone("Stopped")
        await window.until("1  play")
        await window.keys("Down")
        await window.until("> 2  host")
        await window.keys("q")
        # What is typed while the program closes is still read by it, not by the shell.
        await window.until("-m cli.main\nready>")
        await window.type("echo the $((6 * 7))nd")
        await window.until("the 42nd")
