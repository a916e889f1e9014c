"""Writing so that it is on the disk: whole, synced, and under its name."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_DATA: Final = getattr(os, "fdatasync", os.fsync)
"""Without the times of the file, if the system can leave them out."""
_NO_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP})
"""The errors of file systems that keep the names in a folder without being asked."""
_BYTES: Final = getattr(os, "O_BINARY", 0)
_NAME_KEPT: Final = 40
"""Letters of a name that its draft begins with: the draft's own name must not be too long."""
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
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


def write_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a whole file, as `write_parts` does."""
    write_parts(path, (data,), mode)


def write_parts(path: Path, parts: Iterable[bytes], mode: int = 0o666) -> None:
    """Replace a file by these parts: all are on the disk, under its name, when this returns.

    Whatever fails, in `parts` too, leaves the older file as it was and nothing beside it.  A link
    stays a link: its target is replaced, with the permissions that it had.  `mode` is that of a new
    file.  A pipe or a device is written directly.  OSError if the disk refuses.
    """
    if os.path.islink(path) and not _is_special(path):
        path = Path(os.path.realpath(path))
    if _is_special(path):
        _write_directly(path, parts)
        return
    older, draft = _mode_of(path), _draft_of(path)
    try:
        _write_draft(draft, parts, mode)
        if older is not None:
            draft.chmod(older)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def write_new(path: Path, data: bytes, mode: int) -> None:
    """Write a file that is new: whole, on the disk, under its name, or not at all.

    FileExistsError if there is one; OSError if the disk refuses.
    """
    draft = _draft_of(path)
    try:
        _write_draft(draft, (data,), mode)
        _publish(draft, path, mode)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def _publish(draft: Path, path: Path, mode: int) -> None:
    """Give `draft` its final name; unlike a rename, a link never replaces a file."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        # No hard links here (some Android and network file systems): claim the name first.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        draft.replace(path)


def _draft_of(path: Path) -> Path:
    """Not named by the process: another one with its number may have left a draft in a crash."""
    return path.with_name(f"{path.name[:_NAME_KEPT]}.{os.urandom(8).hex()}.new")


def _is_special(path: Path) -> bool:
    """Whether it is a pipe, a socket or a device; OSError for a folder."""
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    return not stat.S_ISREG(kind)


def _write_directly(path: Path, parts: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        for part in parts:
            write_all(descriptor, part)
    finally:
        os.close(descriptor)


def _mode_of(path: Path) -> int | None:
    """The permissions of an older file; PermissionError if they do not let us write it."""
    try:
        found = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return stat.S_IMODE(found)


def _write_draft(draft: Path, parts: Iterable[bytes], mode: int) -> None:
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BYTES, mode)
    try:
        for part in parts:
            write_all(descriptor, part)
        sync(descriptor)
    finally:
        os.close(descriptor)


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
