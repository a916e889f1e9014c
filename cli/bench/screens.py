"""The full screen: from the command to the first picture, and from a key to its picture.

Keys are pressed twice, the second time while hard bots think in processes as beside a table.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from cli.bench.row import Row, Target
from cli.failures import UserMistakeError
from cli.home.preferences import FILE
from engine import games
from engine.bots.beside import Asked, Teller, serve
from engine.dealer import TrustedDealer
from engine.session import Session

REPEATS: Final = 10
KEYS: Final = 60
BOTS: Final = 3
PLAY: Final = ("play", games.FIRST, "--bots", str(BOTS))
FIRST: Final = b"Flip Over, 4 seats"
ASKED: Final = b"Enter:"
PATIENCE: Final = 60.0
NO_TERMINALS: Final = (
    "The benchmark screen runs nodealer on a pseudo-terminal, which this system does not have. The"
    " other benchmarks can be run by name."
)
SETTLES: Final = 0.2
"""Seconds without anything new on the screen before a key is pressed."""


@dataclass(slots=True)
class _Seen:
    """What a process has drawn on its terminal."""

    descriptor: int
    shown: bytes = b""

    def until(self, text: bytes) -> None:
        """Read on until the text is shown; TimeoutError if it never is."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            if time.monotonic() > deadline or not self.more(PATIENCE):
                raise TimeoutError(f"{text!r} was never drawn")

    def more(self, seconds: float) -> bool:
        """Read what comes within this many seconds; whether anything came."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return False
        try:
            self.shown += os.read(self.descriptor, 65536)
        except OSError:  # Linux: EIO when the process has closed its side
            return False
        return True


def rows(repeats: int = REPEATS, keys: int = KEYS) -> list[Row]:
    """Whole processes behind a terminal of 80 x 24, median; keys on a real table of peers."""
    with tempfile.TemporaryDirectory() as home:
        Path(home, FILE).write_text('name = "Ada"\n', "utf-8")  # nobody has to be asked
        floor = [_timed(_LIBRARIES, b".", home) for _ in range(repeats)]
        first = [_timed([*_COMMAND, *PLAY], FIRST, home) for _ in range(repeats)]
        echo = 1e3 * median(_echoes(home, keys))
        with _thinking(BOTS):
            busy = 1e3 * median(_echoes(home, keys))
    return [
        Row("screen: first picture", 1e3 * median(first), "ms", 1e3 * median(floor), _FIRST),
        Row("screen: key to picture", echo, "ms", None, (Target(30.0),)),
        Row("screen: key while bots think", busy, "ms", echo, (Target(30.0),)),
    ]


_FIRST: Final = (Target(300.0),)
# What is always needed: the command line, and what draws.
_IMPORTS: Final = "import click, prompt_toolkit.application; print('.')"
_LIBRARIES: Final = (sys.executable, "-c", _IMPORTS)
_COMMAND: Final = (sys.executable, "-m", "cli.main")


def _timed(command: Sequence[str], text: bytes, home: str) -> float:
    began = time.perf_counter()
    with _terminal(command, home) as seen:
        seen.until(text)
        return time.perf_counter() - began


def _echoes(home: str, keys: int) -> list[float]:
    """The times until the cursor has moved; bots wait for us meanwhile."""
    taken = []
    with _terminal([*_COMMAND, *PLAY], home) as seen:
        seen.until(ASKED)
        for _ in range(keys):
            while seen.more(SETTLES):
                continue
            began = time.perf_counter()
            os.write(seen.descriptor, b"\x1b[C")
            if seen.more(PATIENCE):
                taken.append(time.perf_counter() - began)
    return taken


@contextmanager
def _thinking(bots: int) -> Iterator[None]:
    """So many processes in which a hard bot thinks without a pause, as each does beside a table."""
    context = get_context("spawn")
    thinkers = [
        context.Process(target=serve, args=(_Endless(), time.monotonic), daemon=True)
        for _ in range(bots)
    ]
    for thinker in thinkers:
        thinker.start()
    try:
        yield
    finally:
        for thinker in thinkers:
            thinker.kill()
            thinker.join()


class _Endless:
    """A pipe in which the first decision of a game is asked about again and again."""

    def __init__(self) -> None:
        dealer, session = TrustedDealer(Random(1)), Session(games.load(games.FIRST), 1 + BOTS, {})
        while (asked := session.pending) is not None and not asked.deciders:
            session.answer(dealer.act(session.table, asked))
        assert asked is not None  # a game begins with something to decide
        view = dealer.view(session.table, asked.deciders[0], session.course)
        self._asked: Final = Teller().tell(view, 1)

    def recv(self) -> Asked:
        """What is asked; EOFError if nobody is there any more to measure."""
        parent = parent_process()
        if parent is None or not parent.is_alive():
            raise EOFError
        return self._asked

    def send(self, value: object) -> None:
        """Nobody waits for a decision."""


def _pseudo_terminal() -> tuple[int, int]:
    """Both ends of a terminal of 80 x 24; UserMistakeError where the system has none (Windows)."""
    try:
        import fcntl  # noqa: PLC0415 (this and the next two are missing on Windows)
        import pty  # noqa: PLC0415
        import termios  # noqa: PLC0415
    except ImportError as error:
        raise UserMistakeError(NO_TERMINALS) from error
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    return outer, inner


@contextmanager
def _terminal(command: Sequence[str], home: str) -> Iterator[_Seen]:
    descriptor, inner = _pseudo_terminal()
    own = {"NODEALER_HOME": home, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
    process = subprocess.Popen(
        command, stdin=inner, stdout=inner, stderr=inner, env={**os.environ, **own}
    )
    os.close(inner)
    try:
        yield _Seen(descriptor)
    finally:
        process.kill()
        process.wait()
        os.close(descriptor)
