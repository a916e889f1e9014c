"""The files of a table that is not played."""

from __future__ import annotations

from pathlib import Path

from p2p.files.ledger import Ledger
from p2p.files.seat_memory import Known, SeatMemory
from p2p.files.storage import TableFiles
from p2p.net.addresses import Address
from p2p.protocol.genesis import Header

SECRET = b"\x07" * 32
OPENING = b"\x08" * 32
PEERS = {b"k" * 32: Known(b"", (Address("127.0.0.1", 1),))}


def memory_of(header: Header, seat: int, secret: bytes = SECRET) -> SeatMemory:
    """A seat at the table of this header, before anything is signed."""
    return SeatMemory(seat, secret, OPENING, header.proposal.data, PEERS)


def files_in(folder: Path, name: str = "table") -> TableFiles:
    """The files of a table in `folder`, with a ledger beside them."""
    return TableFiles(folder, name, Ledger(folder / f"ledger of {name}"))


def begun(
    folder: Path, header: Header, seat: int, secret: bytes = SECRET, name: str = "table"
) -> TableFiles:
    """The same, once all have signed the header."""
    files = files_in(folder, name)
    files.begin(memory_of(header, seat, secret))
    files.begin_log(header.encode(), [])
    return files
