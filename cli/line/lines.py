"""Where typed lines come from: a bare file descriptor, or prompt_toolkit on a terminal.

Both block, so they are read in a worker thread while the table's own tasks run on; `stop`,
from any thread, ends a `read` with EOFError.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

_CHUNK: Final = 4096


class Lines(Protocol):
    """Reads one line at a time.  EOFError at the end of input or after `stop`."""

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """One line without its end; `words` are what it may be completed to."""

    def stop(self) -> None:
        """End the `read` that is under way, if any."""


class PlainLines:
    """Lines of a file descriptor.

    Not `sys.stdin.readline`: a thread that is left inside it holds the buffer's lock and the
    interpreter dies at exit when it closes the stream.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._woken, self._waker = os.pipe()
        self._buffer = b""

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """One line without its end, after `prompt` on stdout."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        while b"\n" not in self._buffer:
            self._buffer += self._more()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", "replace")

    def stop(self) -> None:
        """End the `read` that is under way."""
        os.write(self._waker, b"\0")

    def _more(self) -> bytes:
        """What comes in next; EOFError when nothing will, or after `stop`."""
        ready, _, _ = select.select([self._descriptor, self._woken], [], [])
        if self._woken in ready:
            os.read(self._woken, 1)
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

    def read(self, prompt: str, words: Sequence[str]) -> str:
        """One line; what is printed meanwhile appears above the prompt."""
        from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        completer = WordCompleter(list(words), ignore_case=True)
        with patch_stdout(raw=True):
            return self._session.prompt(prompt, completer=completer, complete_while_typing=False)

    def stop(self) -> None:
        """End the prompt that is shown, so that the terminal leaves its raw mode."""
        app = self._session.app
        if app.is_running and app.loop is not None:
            app.loop.call_soon_threadsafe(lambda: app.exit(exception=EOFError()))


def terminal_lines(plain: bool) -> Lines:
    """The line reader for this terminal."""
    if plain or os.environ.get("TERM", "dumb") == "dumb" or not sys.stdout.isatty():
        return PlainLines(sys.stdin.fileno())
    return PromptLines()
