"""A seat's own file, item by item: each is on the disk before anybody sees what is in it.

An item is its length (u32, big-endian), its content, and a checksum of the content.  A crash can
leave the last item torn: it is cut off before anything is appended.  Damage before the last item
does not come from a crash, and the file is refused.
"""

from __future__ import annotations

import errno
import hashlib
import math
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from p2p import checks
from p2p.disk import durable as disk
from p2p.disk.lock import lock_file
from p2p.disk.outside import SEAT_MAX, open_outside, read_opened
from p2p.errors import StorageError
from p2p.protocol import wire

MAGIC: Final = b"nodealer seat 2\n"
_LENGTH: Final = 4
_CHECKSUM: Final = 8
DIGEST_BYTES: Final = 32
_ITEM_MAX: Final = _LENGTH + wire.RECORD_MAX + _CHECKSUM
"""One crash leaves no more than this."""
_NEXT: Final = re.compile(rb"(?s).{4}(?=[\x93\x94]\xa3own|\x93\xa6ballot|\x93\xa6header)")
"""How each item except the first begins: its length, an array of three or four, its kind."""


class Prefix(NamedTuple):
    """How long a seat file is, in whole items, and the hash of all of them."""

    size: int
    digest: bytes


class SeatFile:
    """An open seat file, locked against other processes.  Methods block.

    StorageError if the disk refuses; from then on nothing more is appended.
    """

    def __init__(self, path: Path, opened: Any, hasher: Any, size: int) -> None:
        self.path: Final = path
        self.sync_seconds = math.inf
        """How long the last sync took; without end before the first."""
        self._opened = opened
        self._hasher = hasher
        self._size = size
        self._sound = True

    @classmethod
    def create(cls, path: Path) -> SeatFile:
        """Make a new file with nothing in it yet.

        It takes the place of one that a crash cut short while it was made.
        """
        try:
            return cls(path, _emptied(path), hashlib.sha512(), 0)
        except OSError as error:
            raise _cannot("written", path, error) from error

    def begin(self, first: list[object]) -> None:
        """Write the first item, on the disk when this returns."""
        try:
            self._put(_beginning(first))
            disk.sync_folder(self.path.parent)
        except OSError as error:
            raise _cannot("written", self.path, error) from error

    @staticmethod
    def place_of(first: list[object]) -> Prefix:
        """Where a file ends that has a first item and no other."""
        data = _beginning(first)
        return Prefix(len(data), prefix_digest(data, len(data)))

    @classmethod
    def open(cls, path: Path) -> tuple[SeatFile, bytes]:
        """Open the file of a table that was left, cut after its last whole item; and its contents.

        StorageError if another process has it; PeerError `malformed` for a damaged file.
        """
        try:
            opened = open_outside(path, SEAT_MAX, write=True)
        except OSError as error:
            raise _cannot("opened", path, error) from error
        try:
            lock_file(opened)
            data = read_opened(opened)
            whole = data[: sound_size(data)]
            opened.truncate(len(whole))
            os.fsync(opened.fileno())
            opened.seek(0, os.SEEK_END)
        except BaseException as error:
            opened.close()
            if isinstance(error, OSError):
                raise _cannot("opened", path, error) from error
            raise
        return cls(path, opened, hashlib.sha512(whole), len(whole)), whole

    @property
    def place(self) -> Prefix:
        """Where the file ends."""
        return Prefix(self._size, self._hasher.copy().digest()[:DIGEST_BYTES])

    def append(self, item: list[object]) -> None:
        """Append an item, on the disk when this returns."""
        if not self._sound:
            raise StorageError(f"{self.path} cannot be written any more")
        try:
            self._put(encode_item(item))
        except OSError as error:
            raise _cannot("written", self.path, error) from error

    def _put(self, data: bytes) -> None:
        self._sound = False  # until it is known to be whole
        began = time.monotonic()
        disk.write_all(self._opened.fileno(), data)
        disk.sync(self._opened.fileno())
        self.sync_seconds = time.monotonic() - began
        self._hasher.update(data)
        self._size += len(data)
        self._sound = True

    def close(self) -> None:
        """Close the file as it is."""
        self._opened.close()

    def abandon(self) -> None:
        """Close and remove a file with which nothing was signed."""
        self._opened.close()
        self.path.unlink(missing_ok=True)

    def erase(self) -> None:
        """Overwrite and remove it: any secret in it is gone."""
        self._opened.close()
        try:
            disk.erase(self.path)
        except OSError as error:
            raise _cannot("erased", self.path, error) from error


def _emptied(path: Path) -> IO[bytes]:
    """A new file, or one that was cut short while it was made: locked, and with nothing in it.

    OSError if there is any other, or somebody else makes one just now.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        opened: IO[bytes] = os.fdopen(descriptor, "r+b", buffering=0)
    except FileExistsError:
        opened = open_outside(path, SEAT_MAX, write=True)
    try:
        lock_file(opened)
        if not is_cut_short(read_opened(opened)):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        opened.truncate(0)
        opened.seek(0)
    except OSError:
        opened.close()
        raise
    return opened


def _beginning(first: list[object]) -> bytes:
    return MAGIC + encode_item(first)


def encode_item(item: list[object]) -> bytes:
    """The bytes of an item."""
    content = wire.pack(item)
    return len(content).to_bytes(_LENGTH, "big") + content + _checksum(content)


def decode_items(data: bytes) -> list[list[object]]:
    """The whole items of a seat file, in order; PeerError `malformed` for one that is damaged."""
    sound = data[: sound_size(data)]
    contents = (content for content, _ in _whole(sound))
    return [wire.exactly(wire.unpack(content), list, "an item") for content in contents]


def sound_size(data: bytes) -> int:
    """Where the last whole item ends; anything after it was torn by a crash.

    PeerError `malformed` if the file is none of ours, or whole items come after that.
    """
    magic = data.startswith(MAGIC)
    checks.require("seat.magic", magic, "malformed", "this is not a seat file of this version")
    at = max((end for _, end in _whole(data)), default=len(MAGIC))
    torn = len(data) - at <= _ITEM_MAX and not any(
        _content(data, found.start()) is not None for found in _NEXT.finditer(data, at + 1)
    )
    checks.require("seat.damaged", torn, "malformed", "the seat file is damaged in its middle")
    return at


def is_cut_short(data: bytes) -> bool:
    """Whether a crash came while this file was made: its first item is not all there.

    Nothing was signed then, unless the ledger knows better.
    """
    start = len(MAGIC) + _LENGTH
    if len(data) < start:
        return MAGIC.startswith(data[: len(MAGIC)])
    size = int.from_bytes(data[len(MAGIC) : start], "big")
    return data.startswith(MAGIC) and len(data) < start + size + _CHECKSUM


def _whole(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The contents of the items from the first on, each with where it ends."""
    at = len(MAGIC)
    while (content := _content(data, at)) is not None:
        at += _LENGTH + len(content) + _CHECKSUM
        yield content, at


def _content(data: bytes, at: int) -> bytes | None:
    """The content of the item that begins here, None if none does."""
    start = at + _LENGTH
    end = start + int.from_bytes(data[at:start], "big")
    if not start < end <= start + wire.RECORD_MAX or end + _CHECKSUM > len(data):
        return None
    content = data[start:end]
    return content if data[end : end + _CHECKSUM] == _checksum(content) else None


def _checksum(content: bytes) -> bytes:
    return hashlib.sha512(b"nodealer seat item v2\0" + content).digest()[:_CHECKSUM]


def prefix_digest(data: bytes, size: int) -> bytes:
    """The hash of the first `size` bytes of a seat file, as `SeatFile.place` has it."""
    return hashlib.sha512(data[:size]).digest()[:DIGEST_BYTES]


def _cannot(what: str, path: Path, error: OSError) -> StorageError:
    reason = error.strerror or "another process sits at this table"
    return StorageError(f"{path} cannot be {what}: {reason}")
