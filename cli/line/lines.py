"""Where typed lines come from: a bare file descriptor.

Reading blocks, so it is done in a worker thread while the table's own tasks run on.  A read is
given up when its event is set (in a race, once it is too late to claim): it ends with EOFError,
and what was typed so far belongs to the next read.  An Enter alone does not: it was meant for a
question that is over, and could play a card, leave, or agree to a game.

Windows has neither `termios` nor a `select` for anything but sockets: there, a thread of its own
reads (`ThreadedLines`), and what was typed of a line without Enter cannot be dropped.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Final, Protocol

from cli.kit.output import say

_CHUNK: Final = 4096
LOCAL: Final = 3
"""Where the local modes are among a terminal's settings (termios.tcgetattr)."""
_LOOKS_UP: Final = 0.05
"""How often, in seconds, a blocked read checks whether it was given up."""


class Lines(Protocol):
    """Reads one line at a time.  EOFError at the end of input or when `given_up` is set."""

    def drop_number(self) -> str:
        """Drop the digits that were typed without Enter, and give them back; "" if none were."""

    def drop(self) -> None:
        """Drop all that was typed and not read yet."""

    def read(self, prompt: str, given_up: Event) -> str:
        """One line without its end, after `prompt`."""


class _Lines:
    """Lines out of the pieces that `_more` brings."""

    def __init__(self) -> None:
        self._buffer = b""

    def _more(self, given_up: Event) -> bytes:
        """What comes in next; EOFError if nothing will, or if nobody waits for it."""
        raise NotImplementedError

    def _drop_enters(self) -> None:
        """Drop each Enter alone that was typed before what is asked now could be read."""

    def read(self, prompt: str, given_up: Event) -> str:
        """One line without its end, after `prompt` on stdout."""
        if given_up.is_set():  # before this thread began: a line that waits is not for it
            raise EOFError
        self._drop_enters()
        say(prompt, end="")
        while b"\n" not in self._buffer:
            self._buffer += self._more(given_up)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", "replace")


class PlainLines(_Lines):
    """Lines of a file descriptor.

    Not `sys.stdin.readline`: a thread that is left inside it holds the buffer's lock, and the
    interpreter dies at exit when it closes the stream.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._has_ended = False

    def drop_number(self) -> str:
        """As in `Lines`; only a terminal has lines that are not finished."""
        if not os.isatty(self._descriptor):
            return ""
        begun = _begun_line(self._descriptor)
        digits = begun.decode("utf-8", "replace").strip()
        if digits.isdecimal():
            return digits
        self._buffer += begun
        return ""

    def drop(self) -> None:
        """As in `Lines`; what does not come from a terminal was not typed for any moment."""
        if os.isatty(self._descriptor):
            import termios  # noqa: PLC0415 (missing on Windows)

            self._buffer = b""
            termios.tcflush(self._descriptor, termios.TCIFLUSH)

    def _drop_enters(self) -> None:
        """As in `_Lines`; only a terminal has people who press Enter once too often."""
        if not os.isatty(self._descriptor):
            return
        while not self._has_ended and self._is_ready(0):
            more = os.read(self._descriptor, _CHUNK)
            self._buffer, self._has_ended = self._buffer + more, not more
        self._buffer = self._buffer.lstrip(b"\n")

    def _is_ready(self, seconds: float) -> bool:
        return bool(select.select([self._descriptor], [], [], seconds)[0])

    def _more(self, given_up: Event) -> bytes:
        """As in `_Lines`."""
        ready = self._has_ended
        while not ready:
            ready = self._is_ready(_LOOKS_UP)
            if given_up.is_set():  # what is typed now belongs to the next read
                raise EOFError
        more = b"" if self._has_ended else os.read(self._descriptor, _CHUNK)
        if not more:
            raise EOFError
        return more


class ThreadedLines(_Lines):
    """Lines of anything that can only be read by waiting for it; `take` is b"" at its end."""

    def __init__(self, take: Callable[[], bytes]) -> None:
        super().__init__()
        self._take = take
        self._came: SimpleQueue[bytes] = SimpleQueue()
        self._reader: Thread | None = None

    def drop_number(self) -> str:
        """As in `Lines`; what is typed comes only with Enter."""
        return ""

    def drop(self) -> None:
        """As in `Lines`."""
        self._buffer = b""
        while not self._came.empty():
            self._came.get()

    def _more(self, given_up: Event) -> bytes:
        """As in `_Lines`."""
        if self._reader is None:
            # A daemon: whoever leaves does not have to press Enter for it.
            self._reader = Thread(target=self._wait, name="typed lines", daemon=True)
            self._reader.start()
        while not given_up.is_set():
            try:
                more = self._came.get(timeout=_LOOKS_UP)
            except Empty:
                continue
            if not more:
                self._came.put(more)  # the end stays the end
                break
            return more
        raise EOFError

    def _wait(self) -> None:
        more = b"-"
        while more:
            more = self._take()
            self._came.put(more)


def _begun_line(terminal: int) -> bytes:
    """Take from a terminal what was typed of a line that is not finished.

    A terminal that hands out whole lines keeps it; it lets go of it when told to hand out letters.
    """
    import termios  # noqa: PLC0415 (missing on Windows)

    as_it_was = termios.tcgetattr(terminal)
    by_letters = list(as_it_was)
    by_letters[LOCAL] = as_it_was[LOCAL] & ~termios.ICANON
    termios.tcsetattr(terminal, termios.TCSANOW, by_letters)
    try:
        ready = select.select([terminal], [], [], 0)[0]
        return os.read(terminal, _CHUNK) if ready else b""
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, as_it_was)


def terminal_lines() -> Lines:
    """The line reader for this terminal."""
    if sys.platform == "win32":
        # A console's raw stream reads it as UTF-8; its descriptor would give its old code page.
        return ThreadedLines(lambda: sys.stdin.buffer.raw.read(_CHUNK) or b"")
    return PlainLines(sys.stdin.fileno())
