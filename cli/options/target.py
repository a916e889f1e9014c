"""The file into which a command was asked to write: `-o`, `--csv`, `--plot`, `--log-file`."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from cli.failures import UserMistakeError, why_no_file

STDOUT: Final = "-"
"""The name of standard output, where a file is asked for."""
_KEPT: Final = (".ndlog", ".ndseat", ".ndhand", ".ndtime", ".ndbot", ".ndnote", ".evidence")
"""The endings of files that nobody can make again."""
_IDENTITY: Final = "identity.json"


def require_target(file: str, *read: str | Path) -> None:
    """UserMistakeError if nothing can be written under this name: before the work, not after.

    `read` are the files that the command needs itself.
    """
    try:
        _check(file, read)
    except (OSError, ValueError) as error:
        raise _refused(file, error) from error


def write_target(file: str, parts: Iterable[bytes]) -> None:
    """Write a file whole, or leave what was there before; UserMistakeError if the disk refuses."""
    from p2p.disk.durable import write_parts  # noqa: PLC0415 (not every command writes a file)

    try:
        write_parts(Path(file), parts)
    except (OSError, ValueError) as error:
        raise _refused(file, error) from error


def _refused(file: str, error: Exception) -> UserMistakeError:
    return UserMistakeError(f"{file} cannot be written: {why_no_file(error)}; choose another file.")


def _check(file: str, read: Iterable[str | Path]) -> None:
    if not file:
        raise FileNotFoundError(errno.ENOENT, "an empty name is no name of a file")
    if any(_is_one(file, other) for other in read):
        raise FileExistsError(errno.EEXIST, "this command reads it")
    found = _found(file)
    if found is None:
        folder = Path(os.path.realpath(file) if os.path.islink(file) else file).parent
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no folder {folder}")
        _require_permission(folder)
    elif stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    else:
        _require_permission(file)


def _found(file: str) -> os.stat_result | None:
    try:
        found = os.stat(file)
    except FileNotFoundError:
        return None
    require_no_game(file)
    return found


def require_no_game(file: str) -> None:
    """FileExistsError if this is the name of a file that nobody can make again."""
    name = os.path.basename(os.path.realpath(file))
    if name.endswith(_KEPT) or name == _IDENTITY:
        raise FileExistsError(errno.EEXIST, "it is a file of nodealer that cannot be made again")


def _is_one(file: str, other: str | Path) -> bool:
    """Whether both names are of one file, whether it is there or not."""
    try:
        return os.path.samefile(file, other)
    except FileNotFoundError:
        return os.path.realpath(file) == os.path.realpath(other)


def _require_permission(place: str | Path) -> None:
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
