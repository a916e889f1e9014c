"""A terminal for tests: a process behind a pseudo-terminal of 80 x 24, driven by what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from tests.patience import PATIENCE

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[>=]|\r")


def named(home: Path) -> None:
    """Choose a name in this folder, so that nobody is asked for one."""
    home.mkdir(parents=True, exist_ok=True)
    if not any((home / kept).exists() for kept in ("settings.toml", "identity.json")):
        (home / "settings.toml").write_text('name = "Robin"\n')


LEAVES = ("stay", "later", "is kept", "Leave the table?")
"""Parts of what is asked of a person who leaves: only what differs on the screen is drawn anew."""
ASKED = ("You lead", "You follow", "You hold no")
"""How a player of Flip Over is asked for a card."""


class Terminal:
    """`nodealer ARGUMENTS` as a person sees it; `new`: one who has no name here yet.

    `module`: what is run, if not the program itself.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        home: Path,
        *,
        new: bool = False,
        module: str = "cli.main",
        **environment: str,
    ) -> None:
        self._fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        # prompt_toolkit would wait for this terminal to say where its cursor is.
        if not new:
            named(home)
        own = {"NODEALER_HOME": str(home), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**os.environ, **own, **environment},
            start_new_session=True,
            preexec_fn=_own_terminal,  # noqa: PLW1509 (Ctrl-C needs a controlling terminal)
        )
        os.close(inner)
        self.raw = self.shown = ""
        self._seen = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._fd)

    def type(self, line: str) -> None:
        """Type a line and Enter; or a control character alone."""
        os.write(self._fd, (line if line and line < " " else line + "\r").encode())

    def keys(self, text: str) -> None:
        """Press keys, and no Enter."""
        os.write(self._fd, text.encode())

    def until(self, *texts: str, press: str = "") -> str:
        """Read on until one of the texts appears after what was read before; return that text.

        Meanwhile press the keys `press` again and again.
        """
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = [(at, text) for text in texts if (at := self.shown.find(text, self._seen)) >= 0]
            if found:
                at, text = min(found)
                self._seen = at + len(text)
                return text
            if press:
                os.write(self._fd, press.encode())
            if not self._more(0.2 if press else 1.0):
                break
        raise AssertionError(f"none of {texts} was shown:\n{self.shown}")

    def asked(self) -> bool:
        """Whether the person is asked for a card, after looking for a moment."""
        self._more(0.1)
        return any(words in self.shown[self._seen :] for words in ASKED)

    def end(self, seconds: float = PATIENCE) -> int:
        """Read to the end, which comes within this time; return the exit code."""
        deadline = time.monotonic() + seconds
        while self._more():
            assert time.monotonic() < deadline, f"it does not end:\n{self.shown}"
        return self.process.wait(PATIENCE)

    def _more(self, seconds: float = 1.0) -> bool:
        running = self.process.poll() is None
        ready, _, _ = select.select([self._fd], [], [], seconds)
        if not ready:
            return running  # what it said before it ended is looked for once more
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # Linux: EIO when the process has closed its side
            return False
        text = data.decode("utf-8", "replace")
        self.raw += text
        self.shown += CONTROL.sub("", text)
        return bool(data)


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # A shell that runs the tests in the background makes them ignore it, and this is inherited.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
