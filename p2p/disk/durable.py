"""Writing so that it is on the disk: whole, synced, and under its name."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Final

_DATA: Final = getattr(os, "fdatasync", os.fsync)
"""Without the times of the file, if the system can leave them out."""
ROOM: Final = 16 * 1024 * 1024
"""How many bytes have to be free before a table begins."""


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`; OSError if the disk takes less."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync(descriptor: int) -> None:
    """Return once what was written is on the disk; OSError if this fails."""
    _DATA(descriptor)


def sync_folder(folder: Path) -> None:
    """Do the same for the names of files that were made in `folder`, or removed."""
    if os.name != "posix":
        return  # elsewhere a folder cannot be opened, and names are kept by the system
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Put a whole file on the disk, under its name, when this returns; OSError if that fails.

    A crash leaves what was there before, or all of the new one.  `mode` is that of a new file.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        try:
            write_all(descriptor, data)
            sync(descriptor)
        finally:
            os.close(descriptor)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def require_room(folder: Path) -> None:
    """OSError with a sentence unless a whole game can still be written in `folder`."""
    free = shutil.disk_usage(folder).free
    if free < ROOM:
        few = f"{free / 2**20:.1f} MB are free, and a game may need {ROOM / 2**20:.0f}"
        raise OSError(errno.ENOSPC, few)


def erase(path: Path) -> None:
    """Overwrite a file and remove it: any secret in it is gone."""
    with path.open("r+b", buffering=0) as opened:
        write_all(opened.fileno(), bytes(path.stat().st_size))
        sync(opened.fileno())
    path.unlink()
    sync_folder(path.parent)
