"""Ctrl-C while parts of the program are imported: it ends at once, without a traceback.

Python would raise KeyboardInterrupt in the middle of whichever module is being imported, and where
that is a callback it only prints a traceback.  Nothing has begun by then that needs an end.

This module imports only what Python itself has imported by then: importing `signal` takes longer
than all that is done here.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # (the built-in part of `signal`)
import os

STOPPED = 130
"""The exit code of a program that Ctrl-C ended, as shells have it."""


def _end(*_: object) -> None:
    os.write(2, b"nodealer: stopped.\n")
    os._exit(STOPPED)


def end_at_once() -> object:
    """Let Ctrl-C end the process from now on; return what it did before, for `restore`."""
    try:
        return _signal.signal(_signal.SIGINT, _end)
    except ValueError:  # not the main thread, which alone sees Ctrl-C
        return None


def restore(before: object) -> None:
    """Let Ctrl-C do again what it did before `end_at_once`."""
    if before is not None:
        _signal.signal(_signal.SIGINT, before)


def ignore() -> None:
    """Let Ctrl-C do nothing: the program is at its end."""
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
