"""Files that somebody else may have made, or put where we look: opened and read without harm.

Whoever sends a folder of games chooses what is in it: a link to `/dev/zero` never ends, a pipe
never answers, a sparse file of two gigabytes takes no room on the disk.  So only regular files are
read, their size is checked first, and each kind has a limit.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO, Final

MEGABYTE: Final = 1024 * 1024
LOG_MAX: Final = 256 * MEGABYTE
"""The largest log or evidence file, in bytes, as are the others."""
SEAT_MAX: Final = LOG_MAX
"""Of a seat file, which holds what one seat signed."""
HAND_MAX: Final = 4 * MEGABYTE
TIMES_MAX: Final = 4 * MEGABYTE
STATE_MAX: Final = 4 * MEGABYTE
IDENTITY_MAX: Final = 64 * 1024
NOTE_MAX: Final = 64 * 1024
SETTINGS_MAX: Final = 8 * 1024
"""Reading TOML takes time that grows faster than its length."""
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""A pipe is opened without waiting for its writer, and then refused."""
_BYTES: Final = getattr(os, "O_BINARY", 0)


class UnsuitableError(OSError):
    """A file that exists and is not read: `strerror` says why."""


def open_outside(path: Path, most: int, *, write: bool = False) -> IO[bytes]:
    """A regular file of at most `most` bytes, without a buffer; OSError for anything else."""
    flags = (os.O_RDWR if write else os.O_RDONLY) | _AT_ONCE | _BYTES
    descriptor = os.open(path, flags)
    try:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise UnsuitableError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(found.st_mode):
            raise UnsuitableError(errno.EINVAL, "it is no regular file")
        if found.st_size > most:
            raise UnsuitableError(errno.EFBIG, f"it is larger than {_size(most)}")
    except OSError:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "r+b" if write else "rb", buffering=0)


def read_outside(path: Path, most: int) -> bytes:
    """What is in a regular file of at most `most` bytes; OSError for anything else.

    A file that grows meanwhile is read up to the size that it had when it was opened.
    """
    with open_outside(path, most) as opened:
        return read_opened(opened)


def read_opened(opened: IO[bytes]) -> bytes:
    """What is in a file that `open_outside` opened."""
    size = os.fstat(opened.fileno()).st_size
    data = opened.read(size)
    while len(data) < size and (more := opened.read(size - len(data))):
        data += more
    return data


def _size(most: int) -> str:
    return f"{most // MEGABYTE} MB" if most >= MEGABYTE else f"{most // 1024} kB"
