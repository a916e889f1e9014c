"""An exclusive lock on an open file, held until it is closed or the process ends."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from p2p.disk.outside import open_outside

_HELD: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK})
"""The errors by which systems say that another process holds a lock."""


class NoLocksError(OSError):
    """A file system without locks, or with none left."""


def lock_file(opened: IO[bytes] | int, *, wait: bool = False) -> None:
    """Lock `opened` against every other process, after the others if it may `wait`.

    BlockingIOError if another one holds it; NoLocksError if files cannot be locked there.
    """
    try:
        _lock(opened, wait=wait)
    except OSError as error:
        if error.errno in _HELD:
            raise BlockingIOError(error.errno, error.strerror) from error
        raise NoLocksError(error.errno, error.strerror) from error


def _lock(opened: IO[bytes] | int, *, wait: bool) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 (exists on this platform only)

        descriptor = opened if isinstance(opened, int) else opened.fileno()
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 (exists on this platform only)

        fcntl.flock(opened, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def require_locks(folder: Path) -> None:
    """NoLocksError if files in `folder` cannot be locked; OSError if none can be made there."""
    import tempfile  # noqa: PLC0415 (not every start locks something)

    with tempfile.TemporaryFile(dir=folder) as opened:
        lock_file(opened)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process is in this block for `folder`; not where there are no locks.

    OSError if it cannot be opened.
    """
    descriptor = _lockable(folder)
    try:
        with suppress(NoLocksError):
            lock_file(descriptor, wait=True)
        yield
    finally:
        os.close(descriptor)


def _lockable(folder: Path) -> int:
    """A folder can be locked itself, but on Windows, where a file in it stands for it."""
    if os.name == "posix":
        return os.open(folder, os.O_RDONLY)
    return os.open(folder / ".lock", os.O_RDWR | os.O_CREAT)


def is_locked(path: Path, most: int) -> bool:
    """Whether another process holds a file of at most `most` bytes; OSError if there is none."""
    with open_outside(path, most, write=True) as opened:
        try:
            lock_file(opened)
        except BlockingIOError:
            return True
        except NoLocksError:  # no seat is played where there are none
            return False
    return False
