"""Windows of tmux for tests: a real terminal of 80 x 24 for each program, driven by its text."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from tests.cli.terminal import named
from tests.patience import PATIENCE

LOOKS_SECONDS = 0.05
"""Between two looks at a window."""


class Window:
    """One program in a window of its own."""

    def __init__(self, server: Sequence[str], name: str, home: Path) -> None:
        self._server = server
        self._name = name
        self._home = home

    async def start(self, *arguments: str) -> None:
        """Run `nodealer ARGUMENTS`, in place of what ran here before."""
        named(self._home)
        await self.run(*self._command(arguments))

    async def run(self, *words: str) -> None:
        """Run any program, in place of what ran here before; `-e NAME=VALUE` may come first."""
        await self._tmux("respawn-pane", "-k", "-t", self._name, *words)

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return ["-e", f"NODEALER_HOME={self._home}", sys.executable, "-m", "cli.main", *arguments]

    async def text(self, before: int = 0) -> str:
        """What a person sees; a line longer than the window is one line.

        With so many lines that have left the window at its top.
        """
        return await self._tmux("capture-pane", "-p", "-J", "-S", str(-before), "-t", self._name)

    async def until(
        self,
        wanted: str,
        meanwhile: Callable[[str], Awaitable[None]] | None = None,
        seconds: float = PATIENCE,
    ) -> str:
        """Look until this is seen; the whole text.  `meanwhile` gets what is seen until then."""
        seen, since = await self.text(), trio.current_time()
        try:
            with trio.fail_after(seconds):
                while wanted not in seen:
                    if meanwhile is not None:
                        await meanwhile(seen)
                    await trio.sleep(LOOKS_SECONDS)
                    seen = await self.text()
        except (trio.Cancelled, trio.TooSlowError):
            waited = f"{trio.current_time() - since:.1f} s for {wanted!r}"
            sys.stderr.write(f"{self._name} waited {waited} and saw:\n{seen}")
            raise
        return seen

    async def until_gone(self, unwanted: str, *pressed: str) -> None:
        """Look until this is seen no more; meanwhile press keys again and again, if any."""
        with trio.fail_after(PATIENCE):
            while unwanted in await self.text():
                if pressed:
                    await self.keys(*pressed)
                await trio.sleep(LOOKS_SECONDS)

    async def keys(self, *names: str) -> None:
        """Press keys, by tmux's names ("Enter", "Down") or as characters."""
        await self._tmux("send-keys", "-t", self._name, *names)

    async def type(self, line: str) -> None:
        """Type a line, and Enter."""
        await self._tmux("send-keys", "-t", self._name, "-l", line)
        await self.keys("Enter")

    async def paste(self, text: str) -> None:
        """Paste as the terminal does: in brackets if the program asked for them."""
        await self._tmux("load-buffer", "-b", self._name, "-", typed=text)
        await self._tmux("paste-buffer", "-p", "-d", "-b", self._name, "-t", self._name)

    async def resize(self, columns: int, rows: int) -> None:
        """Make the window this large."""
        size = ("-x", str(columns), "-y", str(rows))
        await self._tmux("resize-window", "-t", self._name, *size)

    async def kill(self) -> None:
        """kill -9, while the window stays."""
        os.kill(await self._pid(), signal.SIGKILL)

    async def stop_what_the_shell_runs(self) -> None:
        """kill -STOP to what was typed into a shell that was started by `run`."""
        found = await trio.run_process(["pgrep", "-P", str(await self._pid())], capture_stdout=True)
        os.kill(int(found.stdout), signal.SIGSTOP)

    async def _pid(self) -> int:
        return int(await self._tmux("display-message", "-p", "-t", self._name, "#{pane_pid}"))

    async def ended(self) -> None:
        """Wait until the program is gone.

        Do not wait for its exit code: tmux 3.3a leaves a child a zombie now and then.
        """
        asked = ("display-message", "-p", "-t", self._name, "#{pane_dead}")
        with trio.fail_after(PATIENCE):
            while await self._tmux(*asked) != "1\n":
                await trio.sleep(LOOKS_SECONDS)

    async def _tmux(self, *words: str, typed: str = "") -> str:
        command = [*self._server, *words]
        done = await trio.run_process(command, capture_stdout=True, stdin=typed.encode())
        return done.stdout.decode()


@asynccontextmanager
async def windows(folder: Path, names: Sequence[str]) -> AsyncIterator[list[Window]]:
    """A window of 80 x 24 for each name, with a home folder of that name."""
    # Not in `folder`: the path of a socket has 107 bytes at most.
    with tempfile.TemporaryDirectory() as place:
        server = ["tmux", "-S", f"{place}/tmux", "-f", os.devnull]
        environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        environment.pop("TMUX", None)
        words = ["start-server", ";", "set-option", "-g", "remain-on-exit", "on"]
        for name in names:
            words += [";", "new-session", "-d", "-s", name, "-x", "80", "-y", "24", "cat"]
        subprocess.run([*server, *words], check=True, env=environment)
        try:
            yield [Window(server, name, folder / name) for name in names]
        finally:
            subprocess.run([*server, "kill-server"], check=False)
