"""The files of a table: what is on disk, and what a crash leaves."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.logfile import begin_log, frame, split_evidence, split_log, whole_records
from p2p.storage import SEAT_MAGIC, StorageError, TableFiles, read_seat

SECRET = b"\x07" * 32
HEADER = b"a header"
PEERS = {b"k" * 32: ["127.0.0.1:1"]}


@pytest.fixture
def files(tmp_path: Path) -> Iterator[TableFiles]:
    made = TableFiles(tmp_path, "table")
    made.begin(2, SECRET, HEADER, PEERS)
    yield made
    made.close(erase_secrets=False)


def test_everything_that_was_kept_is_read_again(files: TableFiles) -> None:
    files.keep(4, b"nonce")
    files.sent(b"record")
    files.close(erase_secrets=False)
    again = TableFiles(files.log.parent, "table")
    memory = again.resume()
    again.close(erase_secrets=False)
    assert (memory.seat, memory.secret, memory.header) == (2, SECRET, HEADER)
    assert memory.peers == PEERS
    assert memory.kept == {4: b"nonce"}
    assert memory.own == [b"record"]
    assert SECRET.hex() not in repr(memory)


def test_the_seat_file_is_for_nobody_else(files: TableFiles) -> None:
    assert stat.S_IMODE(files.seat.stat().st_mode) == 0o600


def test_a_closed_table_leaves_no_secret(files: TableFiles) -> None:
    path = files.seat
    twin = path.with_suffix(".twin")
    os.link(path, twin)
    files.close(erase_secrets=True)
    assert not path.exists()
    assert SECRET not in twin.read_bytes()


def test_a_second_process_cannot_sit_at_the_table(files: TableFiles) -> None:
    with pytest.raises(StorageError, match="cannot be opened"):
        TableFiles(files.log.parent, "table").resume()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    missing = TableFiles(tmp_path / "missing", "table")
    with pytest.raises(StorageError, match="cannot be written"):
        missing.begin(0, SECRET, HEADER, {})


def test_the_log_holds_whole_steps(files: TableFiles) -> None:
    files.complete(0, [b"one", b"two"], 12)
    files.close(erase_secrets=False)
    log = split_log(files.log.read_bytes())
    assert log.header == HEADER
    assert log.records == [b"one", b"two"]
    assert files.log.with_suffix(".ndtime").read_text() == "0 12\n"


def test_evidence_is_the_log_and_what_is_beyond(files: TableFiles) -> None:
    files.complete(0, [b"one"], 1)
    log, records = split_evidence(files.write_evidence([b"bad"]).read_bytes())
    assert (log.records, records) == ([b"one"], [b"bad"])
    files.close(erase_secrets=False)


def test_an_item_that_a_crash_cut_short_is_left_out(files: TableFiles) -> None:
    files.sent(b"first")
    files.sent(b"second")
    files.close(erase_secrets=False)
    data = files.seat.read_bytes()
    assert read_seat(data[:-3]).own == [b"first"]
    assert read_seat(data + b"\x00\x00").own == [b"first", b"second"]


def test_a_log_that_a_crash_cut_short_keeps_its_whole_records() -> None:
    data = begin_log(HEADER) + frame(b"one") + frame(b"two")
    assert whole_records(data) == [b"one", b"two"]
    assert whole_records(data[:-1]) == [b"one"]


@pytest.mark.check("seat.magic")
def test_another_file_is_no_seat_file(files: TableFiles) -> None:
    data = files.seat.read_bytes()
    with pytest.raises(PeerError, match="not a seat file"):
        read_seat(b"X" + data[1:])


@pytest.mark.check("seat.table")
def test_a_seat_file_begins_with_its_table() -> None:
    own = frame(wire.pack(["own", b"record"]))
    cut = frame(wire.pack(["table", 0, SECRET]))
    for content in (b"", own, cut):
        with pytest.raises(PeerError, match="holds no table"):
            read_seat(SEAT_MAGIC + content)


def test_an_unknown_item_is_refused(files: TableFiles) -> None:
    data = files.seat.read_bytes()
    with pytest.raises(PeerError, match="unknown item"):
        read_seat(data + frame(wire.pack(["other", 1])))
