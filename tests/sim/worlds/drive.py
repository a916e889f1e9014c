"""A disk that forgets: the product's file code runs on real files, and this knows what was synced.

Each program of a seat has a folder of its own.  When its machine loses power, `after` makes the
folder that the next one finds: what was synced is there; of what was written since, any part may
be, torn at any byte, in another order than it was written.  So it is with names: a file that was
made, renamed or removed is as it was before or as it is now, until its folder is synced.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from p2p.disk import durable

SMALL: Final = 1024
"""Of a file of at most so many bytes, which is written over and over, each version is kept."""


class CrashedError(BaseException):
    """The program ends here, in the midst of whatever it does."""


class Drive:
    """The folder of one program: what is on its disk, and what is only said to be."""

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        self.syncs = True
        """Whether what is synced is on the disk; it only says so otherwise."""
        self.at_write: Callable[[bytes], tuple[str, float] | None] = lambda data: None
        """Says what is wrong with a write, or with a sync (of nothing): "crash" or "full", after
        which part of it."""
        self._synced: Final[dict[int, bytes]] = {}
        self._versions: Final[dict[int, list[bytes]]] = {}
        self._names: Final[dict[Path, dict[str, int]]] = {}
        self._paths: Final[dict[int, Path | None]] = {}
        """Where each file lay when it was last looked for."""
        for folder in (root, *_folders(root)):
            self._names[folder.relative_to(root)] = _names(folder)
            for path in _files(folder):
                self._synced[path.stat().st_ino] = path.read_bytes()

    def has(self, path: Path, data: bytes) -> bool:
        """Whether these bytes are in the synced part of a file."""
        return path.exists() and data in self._synced.get(path.stat().st_ino, b"")

    # -- what the product does -------------------------------------------------------------

    def write(self, descriptor: int, data: bytes, really: Callable[[int, bytes], None]) -> None:
        """Write it, unless something is wrong; then, only part of it."""
        wrong = self.at_write(data)
        if wrong is None:
            really(descriptor, data)
            self._note_version(descriptor)
            return
        what, part = wrong
        really(descriptor, data[: int(part * len(data))])
        self._note_version(descriptor)
        _fail(what)

    def sync(self, descriptor: int) -> None:
        """All of this file is on the disk now."""
        wrong = self.at_write(b"")
        if wrong is not None and wrong[1] < 0.5:
            _fail(wrong[0])
        inode = os.fstat(descriptor).st_ino
        if self.syncs:
            self._synced[inode] = self._content(descriptor)
            self._versions.pop(inode, None)
        if wrong is not None:
            _fail(wrong[0])

    def sync_folder(self, folder: Path) -> None:
        """All names in this folder are as they are now."""
        self._names[folder.relative_to(self.root)] = _names(folder)

    def _note_version(self, descriptor: int) -> None:
        if os.fstat(descriptor).st_size <= SMALL:
            inode = os.fstat(descriptor).st_ino
            self._versions.setdefault(inode, []).append(self._content(descriptor))

    def _content(self, descriptor: int) -> bytes:
        """What is in a file that may be open for writing only; nothing if it has no name."""
        inode = os.fstat(descriptor).st_ino
        path = self._paths.get(inode)
        if path is None or not path.exists() or path.stat().st_ino != inode:
            path = self._paths[inode] = self._path(inode)
        return b"" if path is None else path.read_bytes()

    def _path(self, inode: int) -> Path | None:
        for folder in self._names:
            with os.scandir(self.root / folder) as entries:
                for entry in entries:
                    if entry.inode() == inode:
                        return Path(entry.path)
        return None

    # -- what is left of it ----------------------------------------------------------------

    def copy(self, to: Path) -> None:
        """The folder as programs see it: a program was killed, or somebody copies it."""
        shutil.copytree(self.root, to)

    def after(self, to: Path, rng: Random) -> None:
        """The folder as the next program finds it when power was lost."""
        for folder in (self.root, *_folders(self.root)):
            place = folder.relative_to(self.root)
            (to / place).mkdir(parents=True, exist_ok=True)
            before, now = self._names.get(place, {}), _names(folder)
            for name in sorted({*before, *now}):
                inode = rng.choice((before.get(name), now.get(name)))
                if inode is not None:
                    (to / place / name).write_bytes(self._left(inode, folder, rng))

    def _left(self, inode: int, folder: Path, rng: Random) -> bytes:
        paths = {path.stat().st_ino: path for path in _files(folder)}
        synced = self._synced.get(inode, b"")
        now = paths[inode].read_bytes() if inode in paths else synced
        versions = [synced, *self._versions.get(inode, ())]
        if len(versions) > 1 and len(now) <= SMALL:
            return _mixed(versions, rng)
        if not now.startswith(synced):
            return rng.choice((synced, now))
        return synced + _part(now[len(synced) :], rng)


def _part(tail: bytes, rng: Random) -> bytes:
    """What is left of bytes that were appended; the length may be there before they are."""
    kept = rng.choice((0, len(tail), rng.randint(0, len(tail))))
    zeros = rng.choice((0, 0, 0, rng.randint(0, len(tail) - kept)))
    return tail[:kept] + bytes(zeros)


def _mixed(versions: list[bytes], rng: Random) -> bytes:
    """One of the versions of a small file, perhaps only with the first bytes of the next one."""
    at = rng.randrange(len(versions))
    before = versions[at]
    if at + 1 == len(versions) or rng.random() < 0.5:
        return before
    cut = rng.randint(0, len(versions[at + 1]))
    return versions[at + 1][:cut] + before[cut:]


def _fail(what: str) -> None:
    if what == "crash":
        raise CrashedError
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _folders(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_dir())


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file())


def _names(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in _files(folder)}


class Drives:
    """Which drive is written to just now; without one, the disk is as it is."""

    def __init__(self) -> None:
        self.current: Drive | None = None

    @contextmanager
    def used(self, drive: Drive) -> Iterator[None]:
        """What is written in this block goes to this drive."""
        before, self.current = self.current, drive
        try:
            yield
        finally:
            self.current = before

    @contextmanager
    def plugged_in(self) -> Iterator[None]:
        """The product writes to the current drive."""
        write_all, fsync = durable.write_all, os.fsync

        def write(descriptor: int, data: bytes) -> None:
            if self.current is None:
                write_all(descriptor, data)
            else:
                self.current.write(descriptor, data, write_all)

        def sync(descriptor: int) -> None:
            if self.current is None:
                fsync(descriptor)
            else:
                self.current.sync(descriptor)

        def sync_folder(folder: Path) -> None:
            if self.current is not None:
                self.current.sync_folder(folder)

        with (
            patch.object(durable, "write_all", write),
            patch.object(durable, "_DATA", sync),
            patch.object(durable, "sync_folder", sync_folder),
            patch.object(os, "fsync", sync),
        ):
            yield
