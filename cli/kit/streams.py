"""The standard streams of this process, which cannot end a command by surprise.

A stream that was closed before the start would be opened again as the next file: whatever is
printed would then be written into that one.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any, Final, TextIO

_FLAGS: Final = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)
"""How a closed stdin, stdout or stderr is opened: what is printed on this stdout fails."""


class OutputError(Exception):
    """Standard output takes nothing more: one sentence for the user."""


class _Sink(io.RawIOBase):
    """The bytes of a standard stream; after its first error they are dropped."""

    def __init__(self, before: TextIO, failed: Callable[[OSError], None]) -> None:
        self._before: Final = before
        self._raw: Final[Any] = getattr(before.buffer, "raw", before.buffer)
        self._failed: Final = failed
        self._gone = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._before.fileno()

    def isatty(self) -> bool:
        return self._before.isatty()

    def write(self, data: Any) -> int | None:
        """Write some of it, as any raw stream does."""
        try:
            if not self._gone:
                written: int | None = self._raw.write(data)
                return written
        except OSError as error:
            self._gone = True
            self._failed(error)
        return memoryview(data).nbytes


def _refuse(error: OSError) -> None:
    """A reader that has seen enough (`| head`) stops nothing."""
    if not isinstance(error, BrokenPipeError):
        raise OutputError(
            f"Standard output cannot be written: {error.strerror}; choose another file."
        ) from error


def _ignore(error: OSError) -> None:
    """What stderr does not take can be told to nobody."""


def secure() -> None:
    """Put our streams in place of those with which the process began."""
    for descriptor, flags in enumerate(_FLAGS):
        _open_closed(descriptor, flags)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (for the whole process)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(1, sys.stdout, _refuse)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(2, sys.stderr, _ignore)


def _open_closed(descriptor: int, flags: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        opened = os.open(os.devnull, flags)
        if opened != descriptor:
            os.dup2(opened, descriptor)
            os.close(opened)


def _text(descriptor: int, before: TextIO | None, failed: Callable[[OSError], None]) -> TextIO:
    """A file name may not be text: what cannot be printed is escaped."""
    if before is None:
        before = open(descriptor, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sink = _Sink(before, failed)
    return io.TextIOWrapper(
        io.BufferedWriter(sink),
        encoding=before.encoding,
        errors="backslashreplace",
        line_buffering=bool(before.line_buffering),
    )
