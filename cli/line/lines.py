"""Where typed lines come from: a bare file descriptor.

Reading blocks, so it is done in a worker thread while the table's own tasks run on.  A read is
given up when its event is set (in a race, once it is too late to claim): it ends with EOFError,
and what was typed so far belongs to the next read.
"""

from __future__ import annotations

import os
import select
import sys
from threading import Event
from typing import Final, Protocol

from cli.kit.output import say

_CHUNK: Final = 4096
_LOOKS_UP: Final = 0.05
"""How often, in seconds, a blocked read checks whether it was given up."""


class Lines(Protocol):
    """Reads one line at a time.  EOFError at the end of input or when `given_up` is set."""

    def read(self, prompt: str, given_up: Event) -> str:
        """One line without its end, after `prompt`."""


class PlainLines:
    """Lines of a file descriptor.

    Not `sys.stdin.readline`: a thread that is left inside it holds the buffer's lock, and the
    interpreter dies at exit when it closes the stream.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = b""

    def read(self, prompt: str, given_up: Event) -> str:
        """One line without its end, after `prompt` on stdout."""
        say(prompt, end="")
        while b"\n" not in self._buffer:
            self._buffer += self._more(given_up)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _more(self, given_up: Event) -> bytes:
        """What comes in next; EOFError if nothing will, or if nobody waits for it."""
        ready = False
        while not ready:
            ready = bool(select.select([self._descriptor], [], [], _LOOKS_UP)[0])
            if given_up.is_set():  # what is typed now belongs to the next read
                raise EOFError
        more = os.read(self._descriptor, _CHUNK)
        if not more:
            raise EOFError
        return more


def terminal_lines() -> Lines:
    """The line reader for this terminal."""
    return PlainLines(sys.stdin.fileno())
