"""What a person reads when a table ends before the game does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cli.failures import NotFinishedError, explain, leaves
from cli.folders import Logs, logs_in, newest_log

Result = TypeVar("Result")


def to_the_end(folder: Path, play: Callable[[], Result], *, resumable: bool) -> Result:
    """Call `play`; when somebody leaves or interrupts it, say where the log in `folder` is.

    NotFinishedError then; every other error goes through.  A table that is not `resumable`
    (its other seats end with this process) leaves no secrets behind.
    """
    before = logs_in(folder)
    try:
        return play()
    except BaseException as error:
        left = [leaf for leaf in leaves(error) if isinstance(leaf, _LEAVING)]
        if not left or explain(error) is None:
            raise
        raise NotFinishedError(f"{_how(left[0])} {_where(folder, before, resumable)}") from None


_LEAVING = (NotFinishedError, KeyboardInterrupt)


def _how(error: BaseException) -> str:
    return "You left the table." if isinstance(error, KeyboardInterrupt) else str(error)


def _where(folder: Path, before: Logs, resumable: bool) -> str:
    log = newest_log(folder, before)
    if log is None:
        return "The game had not begun, so nothing was saved."
    saved = f"The unfinished game is saved: {log}"
    if resumable:
        return f"{saved} (nodealer resume goes back to it)"
    log.with_suffix(".ndseat").unlink(missing_ok=True)
    return saved
