"""The files of a table: what is on disk, and what a crash leaves."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.games import load
from p2p.disk import durable as disk
from p2p.errors import PeerError, StorageError
from p2p.files.evidence import write_evidence
from p2p.files.seat_items import MAGIC, encode_item
from p2p.files.seat_memory import SURE_MAX, Known, SeatMemory, list_item, proven_item, read_seat
from p2p.files.storage import TableFiles
from p2p.identity.keys import Identity
from p2p.net.addresses import Address
from p2p.protocol.effects import Write
from p2p.protocol.entry import Chain, sign_entry
from p2p.protocol.logfile import begin_log, frame, split_evidence, split_log, whole_records
from p2p.protocol.proposal import decode_proposal
from tests.peer.seat_files import OPENING, PEERS, SECRET, begun, files_in, memory_of
from tests.protocol.kit import identities, make_header

HEADER = make_header(load("flip-over"), 3)
ME: Identity = identities(3)[2]
ERASE, LEAVE = True, False


def own(step: int, text: bytes = b"") -> bytes:
    """An entry of our seat for this step of the game."""
    chain = Chain(HEADER.table)
    chain.step = step
    return sign_entry(ME, chain, 2, "test", text, bytes(16)).record


def write(files: TableFiles, step: int, secret: bytes | None = None) -> bytes:
    record = own(step)
    files.write(Write(0, "own", record, secret))
    return record


@pytest.fixture
def files(tmp_path: Path) -> Iterator[TableFiles]:
    made = begun(tmp_path, HEADER, 2)
    yield made
    made.close(erase_secrets=LEAVE)


def again(files: TableFiles) -> SeatMemory:
    """What the files say to a restarted program."""
    files.close(erase_secrets=LEAVE)
    twin = files_in(files.log.parent)
    memory = twin.resume()
    twin.close(erase_secrets=LEAVE)
    return memory


def test_everything_that_was_kept_is_read_again(files: TableFiles) -> None:
    records = [write(files, 4, b"nonce"), write(files, 5)]
    files.write(Write(2, "ballot", b"a ballot"))
    memory = again(files)
    assert (memory.seat, memory.secret, memory.opening) == (2, SECRET, OPENING)
    assert (memory.proposal, memory.header) == (HEADER.proposal.data, HEADER.encode())
    assert memory.peers == PEERS
    assert memory.kept == {4: b"nonce"}
    assert memory.own == records
    assert memory.ballots == [b"a ballot"]
    assert memory.newest == (HEADER.table, 5)
    assert not memory.went_back
    assert SECRET.hex() not in repr(memory)
    assert "nonce" not in repr(memory) + repr(Write(0, "own", own(1), b"nonce"))


def test_what_an_entry_stands_on_is_on_the_disk_with_it(files: TableFiles) -> None:
    """Each record once, and not with a ballot."""
    first, second = own(0, b"a"), own(1, b"b")
    files.complete(0, [first], 1)
    write(files, 1)
    files.write(Write(1, "ballot", b"a ballot"))
    files.complete(1, [second], 2)
    files.write(Write(1, "ballot", b"a ballot"))
    write(files, 2)
    write(files, 3)
    memory = again(files)
    assert memory.upon == memory.upon_of(Chain(HEADER.table)) == [first, second]
    assert memory.upon_of(Chain(HEADER.proposal.id)) == []


def test_where_that_is_too_much_the_log_is_synced_instead(
    files: TableFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []
    sync = disk.sync

    def noted(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        sync(descriptor)

    monkeypatch.setattr(disk, "sync", noted)
    large = own(0, bytes(100_000))
    files.complete(0, [large], 1)
    write(files, 1)
    files.complete(1, [large, large], 2)
    write(files, 2)
    inodes = [path.stat().st_ino for path in (files.seat, files.log)]
    assert [inodes.index(number) for number in synced if number in inodes] == [0, 1, 0]
    assert again(files).upon == [large]


@pytest.mark.parametrize("item", [["own", b"", None, 1], ["own", b"", None, [1]]])
def test_what_it_stands_on_are_records(item: list[object]) -> None:
    item[1] = own(0)
    first = memory_of(HEADER, 2).first_item()
    with pytest.raises(PeerError, match="record"):
        read_seat(MAGIC + encode_item(first) + encode_item(item))


def test_what_is_learnt_of_where_the_seats_are_is_read_again(files: TableFiles) -> None:
    (key,) = PEERS
    at = [Address("10.0.0.1", number) for number in range(1, 2 * SURE_MAX)]
    files.keep(list_item(key, b"a list"))
    files.keep(list_item(key, b"a newer list"))
    for address in at:
        files.keep(proven_item(key, address))
    files.keep(proven_item(b"another key", at[0]))
    memory = again(files)
    assert memory.peers == {
        key: Known(b"a newer list", tuple(at[-SURE_MAX:])),
        b"another key": Known(b"", (at[0],)),
    }
    assert not memory.went_back


@pytest.mark.parametrize(
    "item",
    [["proven", b"key", "nowhere"], ["proven", b"key", 7], ["addresses", "key", b"list"]],
)
def test_where_the_seats_are_is_an_address_or_damage(files: TableFiles, item: list[object]) -> None:
    files.keep(item)
    with pytest.raises(PeerError):
        again(files)


def test_a_seat_file_begins_before_anything_is_signed(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    files.begin(memory_of(HEADER, 2))
    assert not files.log.exists()
    memory = again(files)
    assert (memory.header, memory.own) == (None, [])
    assert memory.newest == (HEADER.proposal.id, -1)


@pytest.mark.parametrize("cut", [0, 7, 17, 60, -1])
def test_a_seat_file_that_a_crash_cut_short_is_begun_anew(cut: int, tmp_path: Path) -> None:
    files = files_in(tmp_path)
    whole = files.seat
    files.begin(memory_of(HEADER, 2))
    files.close(erase_secrets=False)
    (note,) = (tmp_path / "ledger of table").iterdir()
    note.unlink()
    whole.write_bytes(whole.read_bytes()[:cut])
    files = files_in(tmp_path)
    files.begin(memory_of(HEADER, 2, SECRET[::-1]))
    assert again(files).secret == SECRET[::-1]


def test_a_whole_seat_file_is_never_begun_anew(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    files.begin(memory_of(HEADER, 2))
    files.close(erase_secrets=False)
    whole = files.seat.read_bytes()
    with pytest.raises(StorageError, match="cannot be written: File exists"):
        files_in(tmp_path).begin(memory_of(HEADER, 2, SECRET[::-1]))
    assert files.seat.read_bytes() == whole


def test_of_two_own_entries_for_a_step_the_last_one_counts(files: TableFiles) -> None:
    """The first one was never sent: a different one came back from the others."""
    write(files, 4, b"nonce")
    files.write(Write(1, "own", own(4, b"came back")))
    memory = again(files)
    past = memory.past_of_game(Chain(HEADER.table), HEADER.proposal.id)
    assert past.written[4].payload == b"came back"
    assert memory.kept == {}


def test_the_seat_file_is_for_nobody_else(files: TableFiles) -> None:
    assert stat.S_IMODE(files.seat.stat().st_mode) == 0o600


def test_a_closed_table_leaves_no_secret(files: TableFiles) -> None:
    path = files.seat
    twin = path.with_suffix(".twin")
    os.link(path, twin)
    files.close(erase_secrets=ERASE)
    assert not path.exists()
    assert SECRET not in twin.read_bytes()


def test_a_second_process_cannot_sit_at_the_table(files: TableFiles) -> None:
    with pytest.raises(StorageError, match="cannot be opened"):
        files_in(files.log.parent).resume()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        files_in(tmp_path / "missing").begin(memory_of(HEADER, 2))


def test_the_log_holds_whole_steps(files: TableFiles) -> None:
    files.complete(0, [b"one", b"two"], 12)
    files.close(erase_secrets=LEAVE)
    log = split_log(files.log.read_bytes())
    assert log.header == HEADER.encode()
    assert log.records == [b"one", b"two"]
    assert files.log.with_suffix(".ndtime").read_text() == "0 12\n"


def test_evidence_is_the_log_and_what_is_beyond(files: TableFiles) -> None:
    files.complete(0, [b"one"], 1)
    log, records = split_evidence(write_evidence(files.log, [b"bad"]).read_bytes())
    assert (log.records, records) == ([b"one"], [b"bad"])


def test_a_log_that_a_crash_cut_short_keeps_its_whole_records() -> None:
    data = begin_log(b"header") + frame(b"one") + frame(b"two")
    assert whole_records(data) == [b"one", b"two"]
    assert whole_records(data[:-1]) == [b"one"]


# -- what a crash leaves -----------------------------------------------------------------------


def cut(data: bytes, at: int) -> bytes:
    return data[:at]


def zeros(data: bytes, at: int) -> bytes:
    """The length of the file was on the disk before its content."""
    return data[:at] + bytes(len(data) - at)


def garbled(data: bytes, at: int) -> bytes:
    return data[:at] + bytes(byte ^ 0xFF for byte in data[at:])


@pytest.mark.slow
@pytest.mark.parametrize("left", [cut, zeros, garbled])
def test_a_torn_end_is_cut_off_at_every_byte(
    left: Callable[[bytes, int], bytes], files: TableFiles, tmp_path: Path
) -> None:
    """Of the last two items: what comes before is there, and what is appended is read again.

    A seat file that is shorter than what was noted has gone back, and the ledger says so.
    """
    first = write(files, 4, b"a nonce")
    middle = files.seat.stat().st_size
    second = write(files, 5, b"another")
    files.close(erase_secrets=LEAVE)
    data = files.seat.read_bytes()
    (note,) = tmp_path.glob("ledger*/*")
    noted = note.read_bytes()
    start = middle - (len(data) - middle)
    third = own(6)
    for at in range(start, len(data)):
        files.seat.write_bytes(left(data, at))
        twin = files_in(tmp_path)
        memory = twin.resume()
        whole = [(4, b"a nonce", first)] if at >= middle else []
        assert [memory.kept.get(step) for step, _, _ in whole] == [kept for _, kept, _ in whole]
        assert memory.own == [record for _, _, record in whole]
        assert memory.newest == (HEADER.table, 5), "noted beside the file"
        assert memory.went_back
        twin.write(Write(0, "own", third))
        twin.close(erase_secrets=LEAVE)
        assert read_seat(files.seat.read_bytes()).own == [*memory.own, third]
        note.write_bytes(noted)
    files.seat.write_bytes(data)
    assert again(files).own == [first, second]


@pytest.mark.parametrize("left", [cut, zeros, garbled])
def test_a_crash_while_an_item_is_appended_loses_nothing_that_was_synced(
    left: Callable[[bytes, int], bytes], files: TableFiles, tmp_path: Path
) -> None:
    """At every byte of the item: nobody had seen it, and the file is still the newest."""
    first = write(files, 4, b"a nonce")
    size = files.seat.stat().st_size
    (note,) = tmp_path.glob("ledger*/*")
    noted = note.read_bytes()
    write(files, 5, b"another")
    files.close(erase_secrets=LEAVE)
    data = files.seat.read_bytes()
    for at in range(size, len(data)):
        files.seat.write_bytes(left(data, at))
        note.write_bytes(noted)
        memory = again(files)
        assert (memory.own, memory.kept) == ([first], {4: b"a nonce"})
        assert memory.newest == (HEADER.table, 4)
        assert not memory.went_back
        assert files.seat.read_bytes() == data[:size]


@pytest.mark.check("seat.damaged")
def test_damage_in_the_middle_is_refused(files: TableFiles) -> None:
    """A crash spoils only the end; what comes after the damage may have been signed."""
    write(files, 4)
    middle = files.seat.stat().st_size
    write(files, 5)
    files.close(erase_secrets=LEAVE)
    data = bytearray(files.seat.read_bytes())
    for at in (middle - 1, middle - 20, len(MAGIC), len(MAGIC) + 1, len(MAGIC) + 30):
        damaged = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        files.seat.write_bytes(damaged)
        with pytest.raises(PeerError, match="damaged in its middle"):
            files_in(files.log.parent).resume()
        assert files.seat.read_bytes() == damaged


@pytest.mark.check("seat.magic")
def test_another_file_is_no_seat_file(files: TableFiles) -> None:
    data = files.seat.read_bytes()
    with pytest.raises(PeerError, match="not a seat file"):
        read_seat(b"X" + data[1:])
    with pytest.raises(PeerError, match=r"this seat file is of version 2, and .* use the nodealer"):
        read_seat(b"nodealer seat 2\n" + data[len(MAGIC) :])


@pytest.mark.check("seat.table")
def test_a_seat_file_begins_with_its_table() -> None:
    for content in (b"", encode_item(["own", own(0), None]), encode_item(["table", 0, SECRET])):
        with pytest.raises(PeerError, match="holds no table"):
            read_seat(MAGIC + content)


def test_an_unknown_item_is_refused(files: TableFiles) -> None:
    data = files.seat.read_bytes()
    with pytest.raises(PeerError, match="unknown item"):
        read_seat(data + encode_item(["other", 1]))


# -- a disk that fails -------------------------------------------------------------------------


def full(descriptor: int, data: bytes) -> None:
    """A disk that takes half of it, and then no more."""
    os.write(descriptor, bytes(data)[: len(data) // 2])
    raise OSError(28, "No space left on device")


def failing(descriptor: int) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize(("what", "fails"), [("write_all", full), ("sync", failing)])
def test_a_disk_that_fails_takes_nothing_more(
    what: str, fails: object, files: TableFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when it works again: anything after a torn item would be lost with it."""
    first = write(files, 4)
    with monkeypatch.context() as patched:
        patched.setattr(disk, what, fails)
        with pytest.raises(StorageError, match="cannot be written: "):
            write(files, 5, b"nonce")
    with pytest.raises(StorageError, match="cannot be written any more"):
        write(files, 5, b"another nonce")
    memory = again(files)
    assert memory.own[:1] == [first]
    assert len(memory.own) == (2 if what == "sync" else 1)
    assert not memory.went_back


@pytest.mark.parametrize(("what", "fails"), [("write_all", full), ("sync", failing)])
def test_a_seat_file_that_cannot_be_made_leaves_nothing(
    what: str, fails: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, what, fails)
    with pytest.raises(StorageError, match="cannot be written"):
        files_in(tmp_path).begin(memory_of(HEADER, 2))
    files = files_in(tmp_path)
    assert not files.seat.exists()
    assert files.signed_before(decode_proposal(memory_of(HEADER, 2).proposal).id) is None


def test_a_log_that_cannot_be_written_is_one_sentence(
    files: TableFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "write_all", full)
    with pytest.raises(StorageError, match=r"ndlog cannot be written: No space left on device"):
        files.complete(0, [b"one"], 1)
