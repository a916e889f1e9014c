"""The files of a table on a player's disk (protocol section 3).

`NAME.ndlog` is the game itself, for anybody; `NAME.ndseat` holds this seat's secrets and what
it signed, written before it is sent (0600, erased when the table closes); `NAME.ndtime` says
when each step was complete here.  A fourth, `NAME.ndhand` (0600), is left when a table closes:
the cards that this seat saw, for its own replay.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from p2p import checks
from p2p.errors import PeerError
from p2p.locking import lock_file
from p2p.protocol import wire
from p2p.protocol.logfile import begin_log, encode_evidence, encode_genesis_evidence, frame
from p2p.protocol.proposal import Proposal

SEAT_MAGIC: Final = b"nodealer seat 1\n"
_LENGTH: Final = 4


class StorageError(Exception):
    """A file cannot be written or read: one sentence for the person."""


def table_name(game: str, table: bytes, now: datetime | None = None) -> str:
    """The name of a table's files, without ending: date, game, table id."""
    day = (now or datetime.now(UTC)).strftime("%Y-%m-%d")
    return f"{day}-{game}-{table.hex()[:12]}"


@dataclass
class SeatMemory:
    """What a seat file says: everything needed to sit down again."""

    seat: int
    secret: bytes = field(repr=False)
    header: bytes
    peers: dict[bytes, list[str]]
    own: list[bytes] = field(default_factory=list)
    kept: dict[int, bytes] = field(default_factory=dict, repr=False)


class TableFiles:
    """The open files of one table.  Methods block: where the disk is slow, those that sync
    belong into a thread.

    `sync_seconds` is how long the last sync of the seat file took.  StorageError where the
    disk refuses.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.log: Final = folder / f"{name}.ndlog"
        self.seat: Final = folder / f"{name}.ndseat"
        self.hand: Final = folder / f"{name}.ndhand"
        self._time_path: Final = folder / f"{name}.ndtime"
        self._log: IO[bytes] | None = None
        self._seat: IO[bytes] | None = None
        self._time: IO[str] | None = None
        self.sync_seconds = 0.0

    def begin(
        self, seat: int, secret: bytes, header: bytes, peers: Mapping[bytes, Sequence[str]]
    ) -> None:
        """Make the files of a new table; the table secret is on disk when this returns."""
        try:
            descriptor = os.open(self.seat, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            self._seat = os.fdopen(descriptor, "wb")
            lock_file(self._seat)
            self._seat.write(SEAT_MAGIC)
            self._log = self.log.open("xb")
            self._log.write(begin_log(header))
            self._log.flush()
            self._time = self._time_path.open("x", encoding="ascii")
        except OSError as error:
            self.close(erase_secrets=False)
            raise StorageError(f"{self.log.parent} cannot be written: {error.strerror}") from error
        known = [[key, list(addresses)] for key, addresses in peers.items()]
        self._append(["table", seat, secret, header, known])

    def resume(self) -> SeatMemory:
        """Open the files of an unfinished table and lock them against a second process."""
        try:
            self._seat = self.seat.open("r+b")
            lock_file(self._seat)
            memory = read_seat(self._seat.read())
            self._time = self._time_path.open("a", encoding="ascii")
        except OSError as error:
            self.close(erase_secrets=False)
            reason = error.strerror or "another process sits at this table"
            raise StorageError(f"{self.seat} cannot be opened: {reason}") from error
        return memory

    def rewrite_log(self, header: bytes, steps: Sequence[Sequence[bytes]]) -> None:
        """The log again, in whole steps: a crash may have cut its last one short."""
        draft = self.log.with_suffix(".draft")
        with draft.open("wb") as opened:
            opened.write(begin_log(header))
            for records in steps:
                opened.write(b"".join(frame(record) for record in records))
            opened.flush()
            os.fsync(opened.fileno())
        draft.replace(self.log)
        self._log = self.log.open("ab")

    def keep(self, step: int, secret: bytes) -> None:
        """A secret behind an own entry, synced before the entry leaves."""
        self._append(["kept", step, secret])

    def sent(self, record: bytes) -> None:
        """An own record, synced before it leaves."""
        self._append(["own", record])

    def complete(self, step: int, records: Sequence[bytes], milliseconds: int) -> None:
        """A whole step into the log, and when that was into the time file."""
        if self._log is None or self._time is None:
            raise StorageError("the log is not open")
        self._log.write(b"".join(frame(record) for record in records))
        self._log.flush()
        self._time.write(f"{step} {milliseconds}\n")

    def add_ballots(self, records: Sequence[bytes]) -> None:
        """Ballots that stand for missing signatures of the close step."""
        if self._log is None:
            raise StorageError("the log is not open")
        self._log.write(b"".join(frame(record) for record in records))
        self._log.flush()

    def write_evidence(self, records: Sequence[bytes]) -> Path:
        """A file that shows a fault to anybody: the log so far and what was signed beyond."""
        path = self.log.with_suffix(".evidence")
        path.write_bytes(encode_evidence(self.log.read_bytes(), records))
        return path

    def write_state(self, step: int, text: str) -> Path:
        """The public state as this peer sees it, where another signed a different one."""
        path = self.log.with_name(f"{self.log.stem}.state-{step}.txt")
        path.write_text(text, encoding="utf-8")
        return path

    def keep_hand(self, text: str) -> None:
        """What this seat saw, for nobody else (`p2p.hand_file`)."""
        with os.fdopen(os.open(self.hand, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as f:
            f.write(text)

    def close(self, *, erase_secrets: bool) -> None:
        """Sync and close; a closed table's secrets are overwritten and removed."""
        for opened in (self._log, self._time):
            if opened is not None:
                opened.flush()
                os.fsync(opened.fileno())
                opened.close()
        if self._seat is not None:
            if erase_secrets:
                self._seat.seek(0)
                self._seat.write(bytes(self.seat.stat().st_size))
                self._seat.flush()
                os.fsync(self._seat.fileno())
            self._seat.close()
            if erase_secrets:
                self.seat.unlink()
        self._log = self._time = self._seat = None

    def _append(self, item: list[object]) -> None:
        if self._seat is None:
            raise StorageError("the seat file is not open")
        try:
            began = time.monotonic()
            self._seat.write(frame(wire.pack(item)))
            self._seat.flush()
            os.fdatasync(self._seat.fileno())
            self.sync_seconds = time.monotonic() - began
        except OSError as error:
            raise StorageError(f"{self.seat} cannot be written: {error.strerror}") from error


def write_genesis_evidence(folder: Path, proposal: Proposal, records: Sequence[bytes]) -> Path:
    """A file that shows a fault in the genesis of a table, which has no other files.

    It is named by the id of the genesis.  StorageError where the disk refuses.
    """
    path = folder / f"{table_name(proposal.game.name, proposal.id)}.evidence"
    try:
        path.write_bytes(encode_genesis_evidence(proposal.data, records))
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}") from error
    return path


def read_seat(data: bytes) -> SeatMemory:
    """What a seat file says; a frame that a crash cut short at the end is left out.

    PeerError `malformed` for a file that is none of ours.
    """
    magic = data.startswith(SEAT_MAGIC)
    checks.require("seat.magic", magic, "malformed", "this is not a seat file")
    items = list(_items(data, len(SEAT_MAGIC)))
    first = bool(items) and items[0][0] == "table" and len(items[0]) == 5
    checks.require("seat.table", first, "malformed", "the seat file holds no table")
    seat, secret, header, peers = items[0][1:]
    memory = SeatMemory(
        wire.exactly(seat, int, "a seat"),
        wire.exactly(secret, bytes, "a secret"),
        wire.exactly(header, bytes, "a header"),
        {key: list(known) for key, known in wire.exactly(peers, list, "the peers")},
    )
    for item in items[1:]:
        match item:
            case ["own", bytes(record)]:
                memory.own.append(record)
            case ["kept", int(step), bytes(kept)]:
                memory.kept[step] = kept
            case _:
                raise PeerError("malformed", "the seat file holds an unknown item")
    return memory


def _items(data: bytes, start: int) -> Iterator[list[object]]:
    at = start
    while at + _LENGTH <= len(data):
        end = at + _LENGTH + int.from_bytes(data[at : at + _LENGTH], "big")
        if end > len(data):
            return
        yield wire.exactly(wire.unpack(data[at + _LENGTH : end]), list, "an item")
        at = end
