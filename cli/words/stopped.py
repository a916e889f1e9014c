"""What a person reads when a table ends before the game does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from cli.failures import NotFinishedError, explain, leaves
from cli.home.folders import logs_in, newest_log, unfinished
from p2p.disk import durable as disk
from p2p.installation import program

Result = TypeVar("Result")


def to_the_end(folder: Path, play: Callable[[], Result], *, resumable: bool) -> Result:
    """Call `play`; if somebody leaves or interrupts it, say where the log in `folder` is.

    NotFinishedError then; every other error goes through.  A table that is not `resumable`
    (its other seats end with this process) leaves no secrets behind.
    """
    before, seats = logs_in(folder), set(unfinished(folder))
    try:
        return play()
    except BaseException as error:
        left = [leaf for leaf in leaves(error) if isinstance(leaf, _LEAVING)]
        if not left or explain(error) is None:
            raise
        begun = [path for path in unfinished(folder) if path not in seats]
        if not resumable:
            for path in begun:
                disk.erase(path)
        where = _where(newest_log(folder, before), begun, resumable)
        raise NotFinishedError(f"{_how(left[0])} {where}") from None


_LEAVING = (NotFinishedError, KeyboardInterrupt)


def _how(error: BaseException) -> str:
    return "You left the table." if isinstance(error, KeyboardInterrupt) else str(error)


def _where(log: Path | None, begun: Sequence[Path], resumable: bool) -> str:
    """What remains of a table; `begun` are the seat files that were made for it."""
    back = f" ({program()} resume goes back to it)" if resumable else ""
    if log is not None:
        return f"The unfinished game is saved: {log}{back}"
    if begun and resumable:
        return f"Not everybody has signed the table yet{back}."
    return "The game had not begun, so nothing was saved."
