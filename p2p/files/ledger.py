"""What an identity has signed, noted beside its key: a second place exposes a restored folder.

For each table that a seat ever began to sign there is a note, under the id of the proposal: how far
the seat file went, and the newest step that was signed.  It is on the disk before the first
signature, and it stays after the table is over.  After that the seat file is always written first.
So a note may lag behind and say less; it never says more.

Before the seat file is made, a note says what it will begin with (`ANNOUNCED`).  While it says no
more than that, nothing was signed: the next version of the note has to be on the disk before.

A note has two halves, written in turn, so that a crash spoils only one of them.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final, NamedTuple

from p2p.disk import durable as disk
from p2p.disk.outside import NOTE_MAX, read_outside
from p2p.errors import PeerError, StorageError
from p2p.files.seat_items import Prefix, prefix_digest
from p2p.protocol import wire

_MAGIC: Final = b"nodealer note 1\n"
_HALF: Final = 256
_CHECKSUM: Final = 16
_LENGTH: Final = 2
ANNOUNCED: Final = -2
"""The step of a note whose seat file may not be whole yet."""
BEGUN: Final = -1
"""The step of a note whose seat file is whole: anything may be signed from now on."""


class Note(NamedTuple):
    """What is known about a table besides its seat file.

    `chain` and `step` say which own record is the newest, in the genesis or the game; `BEGUN` and
    `ANNOUNCED` are before any.  `sure` is whether the seat file is known to be the newest version:
    false after it went back, until all others have said what they have.
    """

    place: Prefix
    chain: bytes
    step: int = BEGUN
    sure: bool = True

    def fits(self, data: bytes) -> bool:
        """Whether a seat file with this content goes at least as far as was noted."""
        size, digest = self.place
        return size <= len(data) and prefix_digest(data, size) == digest

    def further(self, chain: bytes, step: int, genesis: bytes) -> tuple[bytes, int]:
        """The newer of the step in this note and another one; a game comes after its genesis."""
        if chain == self.chain:
            return chain, max(step, self.step)
        return (chain, step) if self.chain == genesis else (self.chain, self.step)


class Ledger:
    """The notes of one identity, in a folder beside its key.  StorageError if the disk fails."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder

    def find(self, proposal: bytes) -> Note | None:
        """The note about the table with this proposal id, None if there is none.

        One that was torn while it was made said nothing yet: its first version is in the second
        half.  Any other note that cannot be read counts as not sure: nobody knows what it said.
        """
        path = self._path(proposal)
        try:
            data = read_outside(path, NOTE_MAX)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError.of(path, error, "read") from error
        if not any(data[:_HALF]) and not _halves(data):
            return None
        return _newest(data) or Note(Prefix(0, prefix_digest(b"", 0)), proposal, sure=False)

    def has_signed(self, proposal: bytes) -> bool:
        """Whether this identity may have signed the table with this proposal id."""
        note = self.find(proposal)
        return note is not None and note.step != ANNOUNCED

    def announce(self, proposal: bytes, place: Prefix) -> OpenNote:
        """Note with what a seat file will begin, on the disk when this returns.

        StorageError if this identity may have signed the table before.
        """
        if self.has_signed(proposal):
            raise StorageError(f"{self._path(proposal)} says that this table was signed before")
        return self.open(proposal, Note(place, proposal, ANNOUNCED))

    def open(self, proposal: bytes, note: Note) -> OpenNote:
        """Write `note` about a table, on the disk when this returns, and keep it open."""
        path = self._path(proposal)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            made = OpenNote(path, descriptor, note)
            disk.sync(descriptor)
            disk.sync_folder(self._folder)
        except OSError as error:
            raise StorageError.of(path, error) from error
        return made

    def _path(self, proposal: bytes) -> Path:
        return self._folder / f"{proposal.hex()}.ndnote"


class OpenNote:
    """A note that is kept up to date while its table is played; `note` is its newest version."""

    def __init__(self, path: Path, descriptor: int, note: Note) -> None:
        self.note = note
        self._path = path
        self._descriptor = descriptor
        before = _halves(os.read(descriptor, 2 * _HALF))
        self._count = max((count for count, _ in before), default=0)
        self._put(note)

    def write(self, note: Note) -> None:
        """Write a newer version.  It need not be on the disk when this returns: it may lag."""
        try:
            self._put(note)
        except OSError as error:
            raise StorageError.of(self._path, error) from error

    def settle(self, note: Note) -> None:
        """Write a newer version into both halves, on the disk when this returns: whatever a crash
        spoils later, nothing older can be read again.
        """
        try:
            for _ in range(2):
                self._put(note)
                disk.sync(self._descriptor)
        except OSError as error:
            raise StorageError.of(self._path, error) from error

    def _put(self, note: Note) -> None:
        self._count += 1
        os.lseek(self._descriptor, _HALF * (self._count % 2), os.SEEK_SET)
        disk.write_all(self._descriptor, _encode(self._count, note))
        self.note = note

    def close(self) -> None:
        """Close the file, which stays."""
        os.close(self._descriptor)


def _encode(count: int, note: Note) -> bytes:
    fields = [count, *note.place, note.chain, note.step, note.sure]
    content = wire.pack(fields)
    framed = len(content).to_bytes(_LENGTH, "big") + content
    half = _MAGIC + framed.ljust(_HALF - len(_MAGIC) - _CHECKSUM, b"\0")
    return half + hashlib.sha512(half).digest()[:_CHECKSUM]


def _halves(data: bytes) -> list[tuple[int, Note]]:
    """The sound halves of a note, each with its count."""
    found = []
    for half in (data[:_HALF], data[_HALF:]):
        said, checksum = half[:-_CHECKSUM], half[-_CHECKSUM:]
        if len(half) == _HALF and hashlib.sha512(said).digest()[:_CHECKSUM] == checksum:
            start = len(_MAGIC) + _LENGTH
            size = int.from_bytes(said[len(_MAGIC) : start], "big")
            found += _read(said[start : start + size])
    return found


def _read(content: bytes) -> list[tuple[int, Note]]:
    """What a half says, with its count; nothing if it says nothing that a ledger writes."""
    try:
        said = wire.unpack(content)
    except PeerError:
        return []
    match said:
        case [int(count), int(length), bytes(digest), bytes(chain), int(step), bool(sure)]:
            return [(count, Note(Prefix(length, digest), chain, step, sure))]
        case _:
            return []


def _newest(data: bytes) -> Note | None:
    halves = _halves(data)
    return max(halves, key=lambda half: half[0])[1] if halves else None
