"""The audit of the game on the screen, in a thread, with its state to be shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Final

from p2p.text.names import called
from replay.audit import Report, UnreadableError, audit

UNVERIFIED: Final = "not verified yet"


class _StoppedError(Exception):
    """Nobody looks any more."""


class Checking:
    """Verifies a log from `start` on; `changed` is called from its thread when there is news."""

    def __init__(self, log: Path, changed: Callable[[], None] = lambda: None) -> None:
        self.changed = changed
        self.report: Report | None = None
        self._log: Final = log
        self._said = UNVERIFIED
        self._broken = False
        self._stop: Final = Event()
        self._thread: Final = Thread(target=self._run, name="audit", daemon=True)

    def start(self) -> None:
        """Begin to verify."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the audit, and wait until it has stopped."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def said(self) -> str:
        """The state in words: not verified yet, verifying 40 %, verified, or what failed.

        RuntimeError if the audit itself has failed: it is our mistake, and has to be seen.
        """
        if self._broken:
            raise RuntimeError("the audit has failed: see above")
        return self._said

    @property
    def failed(self) -> bool:
        """Whether a fault was found."""
        return self.report is not None and not self.report.verified

    def _run(self) -> None:
        try:
            self._judge()
        except _StoppedError:
            return
        except BaseException:
            self._broken = True
            self.changed()
            raise
        self.changed()

    def _judge(self) -> None:
        try:
            self.report = audit(self._log, progress=self._progress)
            self._said = verdict(self.report)
        except UnreadableError as error:
            self._said = f"NOT VERIFIED: {error}"

    def _progress(self, done: int, of: int) -> None:
        if self._stop.is_set():
            raise _StoppedError
        said = f"verifying {100 * done // of} %"
        if said != self._said:
            self._said = said
            self.changed()


def verdict(report: Report) -> str:
    """The verdict in a few words: whether it is verified, and how far it is proven."""
    if report.verified:
        return f"VERIFIED: {report.verdict}"
    step = "" if report.step is None else f", step {report.step}"
    seat = "" if report.seat is None else f", {called(report.names[report.seat])}"
    proven = "" if report.proven_to is None else f", proven to step {report.proven_to}"
    return f"NOT VERIFIED: {report.verdict}{step}{seat}{proven}"
