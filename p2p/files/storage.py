"""The files of a table on a player's disk (docs/reference/log-format.md).

`NAME.ndseat` holds this seat's secrets and what it signed, written before anybody sees it
(0600, begun before the first signature, erased when the table is over); `NAME.ndlog` is the
game itself, for anybody; `NAME.ndtime` says when each step was complete here.  A fourth,
`NAME.ndhand` (0600), is left when a table is over: the cards that this seat saw, for its own
replay.
"""

from __future__ import annotations

import errno
import hashlib
import math
import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from p2p.disk import durable as disk
from p2p.disk.lock import lock_file
from p2p.disk.outside import (
    LOG_MAX,
    SEAT_MAX,
    TIMES_MAX,
    open_outside,
    read_opened,
    read_outside,
)
from p2p.errors import StorageError
from p2p.files.ledger import Ledger, Note, OpenNote
from p2p.files.saved import seat_files
from p2p.files.seat_items import (
    DIGEST_BYTES,
    Prefix,
    beginning,
    encode_item,
    is_cut_short,
    prefix_digest,
    sound_size,
)
from p2p.files.seat_memory import SeatMemory, header_item, read_seat, written_item
from p2p.logs import LOG
from p2p.protocol import wire
from p2p.protocol.effects import Write
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import (
    begin_log,
    frame,
    whole_records,
)
from p2p.protocol.proposal import decode_proposal

_AROUND: Final = 16
"""More bytes than MessagePack puts around a record in an item."""


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
            raise StorageError.of(path, error) from error

    def begin(self, first: list[object]) -> None:
        """Write the first item, on the disk when this returns."""
        try:
            self._put(beginning(first))
            disk.sync_folder(self.path.parent)
        except OSError as error:
            raise StorageError.of(self.path, error) from error

    @staticmethod
    def place_of(first: list[object]) -> Prefix:
        """Where a file ends that has a first item and no other."""
        data = beginning(first)
        return Prefix(len(data), prefix_digest(data, len(data)))

    @classmethod
    def open(cls, path: Path) -> tuple[SeatFile, bytes]:
        """Open the file of a table that was left, cut after its last whole item; and its contents.

        StorageError if another process has it; PeerError `malformed` for a damaged file.
        """
        try:
            opened = open_outside(path, SEAT_MAX, write=True)
        except OSError as error:
            raise StorageError.of(path, error, "opened") from error
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
                raise StorageError.of(path, error, "opened") from error
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
            raise StorageError.of(self.path, error) from error

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
            raise StorageError.of(self.path, error, "erased") from error


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


@dataclass(frozen=True, slots=True)
class Store:
    """Where a seat keeps its games: the `folder` of its logs and seat files, and beside its key
    the folder of the `ledger`, which notes what it has signed.
    """

    folder: Path
    ledger: Path

    def files(self, name: str) -> TableFiles:
        """The files of the table of this name, not yet opened."""
        return TableFiles(self.folder, name, Ledger(self.ledger))


class TableFiles:
    """The open files of one table.  Methods block: if the disk is slow, sync in a thread.

    `ledger` is where this identity notes what it has signed.  StorageError if the disk refuses.
    """

    def __init__(self, folder: Path, name: str, ledger: Ledger) -> None:
        self.folder: Final = folder
        self.log: Final = folder / f"{name}.ndlog"
        self.seat: Final = folder / f"{name}.ndseat"
        self.hand: Final = folder / f"{name}.ndhand"
        self._time_path: Final = folder / f"{name}.ndtime"
        self._ledger: Final = ledger
        self._log: IO[bytes] | None = None
        self._seat: SeatFile | None = None
        self._note: OpenNote | None = None
        self._time: IO[str] | None = None
        self._genesis = b""
        self._upon: list[bytes] = []
        """The records of whole steps that may not be on the disk yet."""

    @property
    def sync_seconds(self) -> float:
        """How long the last sync of the seat file took; without end while nobody knows."""
        return math.inf if self._seat is None else self._seat.sync_seconds

    def signed_before(self, proposal: bytes) -> bool | None:
        """None unless the ledger says that this seat has signed the table with this proposal id;
        else whether a seat file of it is left.
        """
        if not self._ledger.has_signed(proposal):
            return None
        return bool(seat_files(self.folder, proposal))

    def begin(self, memory: SeatMemory) -> None:
        """Make the seat file of a proposal that was never signed, and note it in the ledger.

        The table secret is on disk when this returns.  However this is interrupted, the next
        program knows that nothing was signed.
        """
        try:
            disk.require_room(self.seat.parent)
        except OSError as error:
            raise StorageError.of(self.seat, error) from error
        seat = SeatFile.create(self.seat)
        self._genesis = decode_proposal(memory.proposal).id
        first = memory.first_item()
        try:
            self._note = self._ledger.announce(self._genesis, SeatFile.place_of(first))
            seat.begin(first)
            self._note.settle(Note(seat.place, self._genesis))
        except StorageError:
            seat.abandon()
            self.close(erase_secrets=False)
            raise
        self._seat = seat
        LOG.info("seat file: begun, %d bytes", self._seat.place.size)

    def resume(self) -> SeatMemory:
        """Open the seat file of an unfinished table and lock it against a second process."""
        seat, data = SeatFile.open(self.seat)
        self._seat = seat
        try:
            memory = read_seat(data)
            self._genesis = decode_proposal(memory.proposal).id
            self._compare(seat, memory, data)
        except BaseException:
            self.close(erase_secrets=False)
            raise
        LOG.info("seat file: opened, %d bytes", len(data))
        return memory

    def _compare(self, seat: SeatFile, memory: SeatMemory, data: bytes) -> None:
        """Compare the seat file with the ledger: it may be older, or from elsewhere."""
        known = self._ledger.find(self._genesis)
        memory.went_back = known is None or not known.sure or not known.fits(data)
        newest = memory.newest_own(self._genesis)
        if known is not None:
            newest = known.further(*newest, self._genesis)
        memory.newest = newest
        note = Note(seat.place, *newest, sure=not memory.went_back)
        self._note = self._ledger.open(self._genesis, note)

    def sure(self) -> None:
        """Note that all others said what they have: nothing that this seat signed is missing."""
        if self._note is not None:
            self._note.write(self._note.note._replace(sure=True))

    def write(self, asked: Write) -> None:
        """Write what a machine wants written before it is seen; it is on disk when this returns.

        So is all that it stands on: whoever shows us another history after a restart has signed
        two, and is caught by the one that we have.
        """
        seat, note = self._opened()
        mine = asked.kind == "own"
        seat.append(written_item(asked, self._stands_on(asked) if mine else ()))
        LOG.debug("seat file: %s, now %d bytes", asked.kind, seat.place.size)
        newest = note.note.chain, note.note.step
        if mine:
            self._upon.clear()
            entry = decode_entry(asked.record)
            newest = note.note.further(entry.table, entry.step, self._genesis)
        self._update(*newest)

    def _stands_on(self, asked: Write) -> list[bytes]:
        """What goes to the disk together with a record, at no cost; the log, if it is too much."""
        size = len(asked.record) + len(asked.secret or b"") + sum(map(len, self._upon))
        if self._log is None or size + _AROUND * (2 + len(self._upon)) <= wire.RECORD_MAX:
            return self._upon
        self.sync_log()
        return []

    def remember(self, records: Sequence[bytes]) -> None:
        """A step of the genesis is whole, with these records; what is signed next stands on it."""
        self._upon += records

    def keep(self, item: list[object]) -> None:
        """Keep something more about where the seats are (`p2p.files.seat_memory`)."""
        seat, note = self._opened()
        seat.append(item)
        self._update(note.note.chain, note.note.step)

    def begin_log(self, header: bytes, genesis: Sequence[bytes]) -> None:
        """Note the header, which all have signed, and begin the log."""
        seat, note = self._opened()
        seat.append(header_item(header, list(genesis)))
        self._update(note.note.chain, note.note.step)
        self.rewrite_log(header, [])

    def _opened(self) -> tuple[SeatFile, OpenNote]:
        if self._seat is None or self._note is None:
            raise StorageError("the seat file is not open")
        return self._seat, self._note

    def _update(self, chain: bytes, step: int) -> None:
        seat, note = self._opened()
        note.write(Note(seat.place, chain, step, note.note.sure))

    def rewrite_log(self, header: bytes, steps: Sequence[Sequence[bytes]]) -> None:
        """Write the log anew, in whole steps: a crash may have cut its last one short."""
        self._close_log()
        records = [frame(record) for step in steps for record in step]
        try:
            disk.write_file(self.log, begin_log(header) + b"".join(records))
            self._log = self.log.open("ab", buffering=0)
            _cut_torn_line(self._time_path)
            self._time = self._time_path.open("a", encoding="ascii")
            disk.sync_folder(self.log.parent)
        except OSError as error:
            raise StorageError.of(self.log, error) from error
        self._upon.clear()
        size = len(header) + sum(map(len, records))
        LOG.info("log: written with %d steps, %d bytes", len(steps), size)

    def saved_records(self) -> list[bytes]:
        """The records of the log, as far as they are whole; none if there is no log."""
        try:
            data = read_outside(self.log, LOG_MAX)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError.of(self.log, error, "read") from error
        LOG.info("log: read, %d bytes", len(data))
        return whole_records(data)

    def complete(self, step: int, records: Sequence[bytes], milliseconds: int) -> None:
        """Write a whole step into the log, and its time into the time file."""
        self._to_log(records)
        self._upon += records
        try:
            if self._time is not None:
                self._time.write(f"{step} {milliseconds}\n")
        except OSError as error:
            raise StorageError.of(self._time_path, error) from error

    def sync_log(self) -> None:
        """Return once every step so far is on the disk."""
        if self._log is not None:
            try:
                disk.sync(self._log.fileno())
            except OSError as error:
                raise StorageError.of(self.log, error) from error

    def add_ballots(self, records: Sequence[bytes]) -> None:
        """Write ballots that stand for missing signatures of the close step."""
        self._to_log(records)

    def _to_log(self, records: Sequence[bytes]) -> None:
        if self._log is None:
            raise StorageError("the log is not open")
        try:
            disk.write_all(self._log.fileno(), b"".join(frame(record) for record in records))
        except OSError as error:
            raise StorageError.of(self.log, error) from error
        LOG.debug("log: %d records more", len(records))

    def keep_hand(self, text: str) -> None:
        """Write what this seat saw, for nobody else (`p2p.files.hand_file`).

        It is on the disk when this returns: afterwards the secrets that tell the same are erased.
        """
        try:
            disk.write_file(self.hand, text.encode("ascii"), 0o600)
        except OSError as error:
            raise StorageError.of(self.hand, error) from error
        LOG.info("hand: written")  # not how long it is: cards have longer and shorter names

    def close(self, *, erase_secrets: bool) -> None:
        """Sync and close.  The secrets of a table that nobody goes back to are overwritten."""
        seat, note = self._seat, self._note
        self._seat = self._note = None
        with ExitStack() as closing:  # each of them, whatever fails
            if note is not None:
                closing.callback(note.close)
            if seat is not None:
                closing.callback(seat.erase if erase_secrets else seat.close)
            self._close_log()
        if seat is not None:
            LOG.info("files: closed, the secrets are %s", "erased" if erase_secrets else "kept")

    def _close_log(self) -> None:
        log, times = self._log, self._time
        self._log = self._time = None
        with ExitStack() as closing:
            for path, opened in ((self._time_path, times), (self.log, log)):
                if opened is not None:
                    closing.callback(_close, path, opened)


def _cut_torn_line(path: Path) -> None:
    """Cut off what a crash left of a last line: the next one would be written behind it."""
    try:
        with open_outside(path, TIMES_MAX, write=True) as opened:
            opened.truncate(read_opened(opened).rfind(b"\n") + 1)
    except FileNotFoundError:
        return


def _close(path: Path, opened: IO[Any]) -> None:
    try:
        with opened:
            opened.flush()
            os.fsync(opened.fileno())
    except OSError as error:
        raise StorageError.of(path, error) from error
