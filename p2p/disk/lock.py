"""An exclusive lock on an open file, held until it is closed or the process ends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from p2p.disk.outside import open_outside


def lock_file(opened: IO[bytes]) -> None:
    """Lock `opened` against every other process; OSError if another one holds it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 (exists on this platform only)

        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 (exists on this platform only)

        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(path: Path, most: int) -> bool:
    """Whether another process holds a file of at most `most` bytes; OSError if there is none."""
    with open_outside(path, most, write=True) as opened:
        try:
            lock_file(opened)
        except OSError:
            return True
    return False
