"""A run of worlds that is stopped by Ctrl-C or by SIGTERM, in one process or in several."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class StopError(BaseException):
    """Somebody stops the run.  No code of a seat may catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.code: Final = 128 + number
        """The exit code that shells expect after this signal."""


def _stop(number: int, frame: FrameType | None) -> None:
    for one in SIGNALS:
        signal.signal(one, signal.SIG_IGN)  # the summary is not stopped
    raise StopError(number)


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise StopError in this block at the first signal."""
    before = [signal.signal(one, _stop) for one in SIGNALS]
    try:
        yield
    finally:
        for one, handler in zip(SIGNALS, before, strict=True):
            signal.signal(one, handler)


def end_tidily() -> None:
    """Let SIGTERM end a child process by an exception, which removes the folders of its world."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


@contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes that start in this block never hear of Ctrl-C: a terminal sends it to all.

    A blocked signal stays blocked in a new program; here it waits until the end of the block.
    """
    resource_tracker.ensure_running()  # its start unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
