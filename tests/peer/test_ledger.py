"""What is noted beside an identity: what a seat signed, whatever becomes of its files."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import load
from p2p.crypto.keys import OPENING_BYTES
from p2p.errors import OutdatedError, StorageError
from p2p.files.ledger import BEGUN, Ledger, Note
from p2p.files.seat_items import Prefix
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import SeatFile, TableFiles
from p2p.protocol.effects import Write
from p2p.protocol.entry import Chain, sign_entry
from tests.peer.seat_files import begun, files_in, memory_of
from tests.protocol.kit import identities, make_header

HEADER = make_header(load("flip-over"), 3)
TABLE, GENESIS = HEADER.table, HEADER.proposal.id
ME = identities(3)[2]


def sign(folder: Path, *steps: int, table: bytes = TABLE) -> None:
    """Sit down again and sign these steps."""
    files = files_in(folder)
    files.resume()
    for step in steps:
        chain = Chain(table)
        chain.step = step
        record = sign_entry(ME, chain, 2, "test", b"", bytes(16)).record
        files.write(Write(0, "own", record))
    files.close(erase_secrets=False)


def again(folder: Path, *, sure: bool = False) -> SeatMemory:
    files = files_in(folder)
    memory = files.resume()
    if sure:
        files.sure()
    files.close(erase_secrets=False)
    return memory


@pytest.fixture
def seat(tmp_path: Path) -> Path:
    """A seat file with one own record."""
    files = begun(tmp_path, HEADER, 2)
    files.close(erase_secrets=False)
    sign(tmp_path, 0)
    return files.seat


def test_a_seat_file_that_grew_is_the_newest(seat: Path) -> None:
    """The note may lag after a power failure: it says less, and nothing else."""
    (note,) = seat.parent.glob("ledger*/*.ndnote")
    lagging = note.read_bytes()
    sign(seat.parent, 1, 2)
    note.write_bytes(lagging)
    memory = again(seat.parent)
    assert not memory.went_back
    assert memory.newest == (TABLE, 2)


def test_an_older_seat_file_went_back(seat: Path) -> None:
    old = seat.read_bytes()
    sign(seat.parent, 1, 2)
    seat.write_bytes(old)
    for _ in range(2):  # also after another restart
        memory = again(seat.parent)
        assert memory.went_back
        assert memory.newest == (TABLE, 2)
    past = memory.past_of_game(Chain(TABLE), GENESIS)
    assert (sorted(past.written), past.until) == ([0], 2)
    assert again(seat.parent, sure=True).went_back
    memory = again(seat.parent)
    assert not memory.went_back
    assert memory.newest == (TABLE, 2)


def test_a_seat_file_as_long_with_another_content_went_back(seat: Path) -> None:
    old = seat.read_bytes()
    sign(seat.parent, 1)
    seat.write_bytes(old)
    files = files_in(seat.parent)
    files.resume()
    files.close(erase_secrets=False)
    (note,) = seat.parent.glob("ledger*/*.ndnote")
    other = note.read_bytes()
    shutil.rmtree(note.parent)
    again(seat.parent, sure=True)
    sign(seat.parent, 5)
    note.write_bytes(other)
    assert again(seat.parent).went_back


def test_a_seat_file_from_elsewhere_went_back(seat: Path) -> None:
    shutil.rmtree(next(seat.parent.glob("ledger*")))
    assert again(seat.parent).went_back
    sign(seat.parent, 1)
    assert again(seat.parent, sure=True).went_back, "nobody has told yet"
    assert not again(seat.parent).went_back


def test_a_seat_file_of_the_genesis_is_older_than_its_game(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    files.begin(memory_of(HEADER, 2))
    files.close(erase_secrets=False)
    old = files.seat.read_bytes()
    sign(tmp_path, 0, 1, 2, table=GENESIS)
    sign(tmp_path, 0)
    files.seat.write_bytes(old)
    memory = again(tmp_path)
    assert memory.went_back
    assert memory.past_of_genesis(HEADER.proposal).until == 2
    assert memory.past_of_game(Chain(TABLE), GENESIS).until == 0
    with pytest.raises(OutdatedError, match="another table of the same proposal"):
        memory.past_of_game(Chain(bytes(32)), GENESIS)


def test_a_table_is_begun_once(seat: Path) -> None:
    """Whatever becomes of the seat file: the note of what was signed stays."""
    seat.unlink()
    with pytest.raises(StorageError, match="was signed before"):
        files_in(seat.parent).begin(memory_of(HEADER, 2))
    assert not seat.exists()


def announced(folder: Path) -> TableFiles:
    """Files that are to be made: a crash comes before anything may be signed."""
    files = files_in(folder)
    place = SeatFile.place_of(memory_of(HEADER, 2).first_item())
    files._ledger.announce(GENESIS, place).close()
    return files


def test_before_the_seat_file_is_whole_nothing_was_signed(tmp_path: Path) -> None:
    files = announced(tmp_path)
    assert files.signed_before(GENESIS) is None
    files.begin(memory_of(HEADER, 2))
    files.close(erase_secrets=False)
    assert files.signed_before(GENESIS) is not None


def test_a_seat_file_that_was_announced_did_not_go_back(tmp_path: Path) -> None:
    """Power is lost after the seat file is whole and before the note says so.

    The seat has signed nothing, and need not wait until everybody has told it that.
    """
    seat = SeatFile.create(announced(tmp_path).seat)
    seat.begin(memory_of(HEADER, 2).first_item())
    seat.close()
    memory = again(tmp_path)
    assert (memory.went_back, memory.newest) == (False, (GENESIS, BEGUN))


def test_a_seat_file_other_than_announced_went_back(tmp_path: Path) -> None:
    seat = SeatFile.create(announced(tmp_path).seat)
    seat.begin(replace(memory_of(HEADER, 2), opening=bytes(OPENING_BYTES)).first_item())
    seat.close()
    assert again(tmp_path).went_back


@pytest.mark.parametrize("half", [0, 1])
def test_once_signing_may_begin_no_half_says_less(half: int, seat: Path) -> None:
    """Whatever a crash spoils: the seat is never taken for one that has signed nothing."""
    (path,) = seat.parent.glob("ledger*/*.ndnote")
    data = bytearray(path.read_bytes())
    data[256 * half : 256 * (half + 1)] = bytes(256)
    path.write_bytes(data)
    assert files_in(seat.parent)._ledger.has_signed(GENESIS)


def test_a_note_that_was_torn_while_it_was_made_says_nothing(tmp_path: Path) -> None:
    files = announced(tmp_path)
    (path,) = tmp_path.glob("ledger*/*.ndnote")
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert not files._ledger.has_signed(GENESIS)
    path.write_bytes(bytes(256) + b"?" * 256)
    assert not files._ledger.has_signed(GENESIS)


@pytest.mark.parametrize("half", [0, 1])
def test_a_torn_half_leaves_the_other(half: int, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    opened = ledger.open(GENESIS, Note(Prefix(1, bytes(32)), TABLE, 0))
    opened.write(Note(Prefix(2, bytes(32)), TABLE, 1))
    opened.close()
    (path,) = tmp_path.iterdir()
    data = bytearray(path.read_bytes())
    data[256 * half + 40] ^= 1
    path.write_bytes(data)
    found = ledger.find(GENESIS)
    assert found is not None
    assert found.step == 1 - (1 + half) % 2 if found.sure else False
    data[256 * (1 - half) + 40] ^= 1
    path.write_bytes(data)
    found = ledger.find(GENESIS)
    assert found is not None
    assert not found.sure


def test_a_ledger_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match="cannot be written"):
        Ledger(tmp_path / "ledger").open(GENESIS, Note(Prefix(0, bytes(32)), GENESIS))
