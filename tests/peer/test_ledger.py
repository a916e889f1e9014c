"""What is noted beside an identity: what a seat signed, whatever becomes of its files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine.games import load
from p2p.errors import OutdatedError, StorageError
from p2p.files.ledger import Ledger, Note
from p2p.files.seat_file import Prefix
from p2p.files.seat_memory import SeatMemory
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
    assert memory.past_of_genesis(Chain(GENESIS)).until == 2
    assert memory.past_of_game(Chain(TABLE), GENESIS).until == 0
    with pytest.raises(OutdatedError, match="another table of the same proposal"):
        memory.past_of_game(Chain(bytes(32)), GENESIS)


def test_a_table_is_begun_once(seat: Path) -> None:
    """Whatever becomes of the seat file: the note of what was signed stays."""
    seat.unlink()
    with pytest.raises(StorageError, match="cannot be written"):
        files_in(seat.parent).begin(memory_of(HEADER, 2))
    assert not seat.exists()


@pytest.mark.parametrize("half", [0, 1])
def test_a_torn_half_leaves_the_other(half: int, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    opened = ledger.open(GENESIS, Note(Prefix(1, bytes(32)), TABLE, 0), new=True)
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
