"""That a bot finished a game in somebody's place (`NAME.ndbot`, beside the log).

What others see of that is talk, which is not in a log.  So the program of whoever left the game to
a bot notes it on its own disk, and statistics do not count such a game as theirs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from p2p.errors import StorageError

SUFFIX: Final = ".ndbot"


def note_bot(log: Path) -> None:
    """Note that a bot decided in one's own seat when the game of this log was over.

    StorageError if the disk refuses.
    """
    note = log.with_suffix(SUFFIX)
    try:
        note.touch(mode=0o600)
    except OSError as error:
        raise StorageError.of(note, error) from error


def finished_by_bot(log: Path) -> bool:
    """Whether that was noted."""
    return log.with_suffix(SUFFIX).exists()
