"""Where typed lines come from: a bare file descriptor, or prompt_toolkit on a terminal.

Both block, so they are read in a worker thread while the table's own tasks run on.  A read is
given up when its event is set (in a race the moment to claim goes by): it ends with EOFError,
and what was typed so far belongs to the next one.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence
from threading import Event, Lock
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

_CHUNK: Final = 4096
_LOOKS_UP: Final = 0.05
"""How often, in seconds, a blocked read looks whether it was given up."""


class Lines(Protocol):
    """Reads one line at a time.  EOFError at the end of input or when `given_up` is set."""

    def read(self, prompt: str, words: Sequence[str], given_up: Event) -> str:
        """One line without its end; `words` are what it may be completed to."""

    def wake(self) -> None:
        """Let the `read` that is under way see at once that it was given up."""


class PlainLines:
    """Lines of a file descriptor.

    Not `sys.stdin.readline`: a thread that is left inside it holds the buffer's lock and the
    interpreter dies at exit when it closes the stream.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = b""

    def read(self, prompt: str, words: Sequence[str], given_up: Event) -> str:
        """One line without its end, after `prompt` on stdout."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        while b"\n" not in self._buffer:
            self._buffer += self._more(given_up)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", "replace")

    def wake(self) -> None:
        """Nothing to do: a blocked read looks up by itself."""

    def _more(self, given_up: Event) -> bytes:
        """What comes in next; EOFError when nothing will, or nobody waits for it."""
        ready = False
        while not ready:
            ready = bool(select.select([self._descriptor], [], [], _LOOKS_UP)[0])
            if given_up.is_set():  # what is typed now belongs to the next read
                raise EOFError
        more = os.read(self._descriptor, _CHUNK)
        if not more:
            raise EOFError
        return more


class PromptLines:
    """Lines of a terminal, with editing, history and completion."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession  # noqa: PLC0415 (a tenth of a second to import)

        self._session: PromptSession[str] = PromptSession()
        self._one_at_a_time = Lock()
        self._given_up = Event()
        self._unsent = ""

    def read(self, prompt: str, words: Sequence[str], given_up: Event) -> str:
        """One line; what is printed meanwhile appears above the prompt."""
        from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        completer = WordCompleter(list(words), ignore_case=True)
        with self._one_at_a_time, patch_stdout(raw=True):
            self._given_up, unsent, self._unsent = given_up, self._unsent, ""
            return self._session.prompt(
                prompt,
                completer=completer,
                complete_while_typing=False,
                default=unsent,
                pre_run=self._look_up,
            )

    def wake(self) -> None:
        """End the prompt that is shown if it was given up: the terminal leaves its raw mode."""
        app = self._session.app
        if app.is_running and app.loop is not None:
            app.loop.call_soon_threadsafe(self._look_up)

    def _look_up(self) -> None:
        app = self._session.app
        if self._given_up.is_set() and app.is_running and not app.is_done:
            self._unsent = self._session.default_buffer.text
            app.exit(exception=EOFError())


def terminal_lines(plain: bool) -> Lines:
    """The line reader for this terminal."""
    if plain or os.environ.get("TERM", "dumb") == "dumb" or not sys.stdout.isatty():
        return PlainLines(sys.stdin.fileno())
    return PromptLines()
