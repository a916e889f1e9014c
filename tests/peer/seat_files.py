"""The seat file of a table that is not played, and runners of such tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from p2p.driver.connection import Sitter
from p2p.files.ledger import Ledger
from p2p.files.seat_memory import Known, SeatMemory
from p2p.files.storage import TableFiles
from p2p.net.addresses import Address
from p2p.protocol.effects import Write
from p2p.protocol.genesis import Header
from p2p.protocol.proposal import Proposal
from p2p.seat.runner import Runner
from tests.peer.kit import Watcher, identity

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


class _NoDisk:
    """Files that nobody looks at."""

    sync_seconds = 0.0

    def write(self, asked: Write) -> None:
        """As if it were on a disk."""

    def complete(self, step: int, records: Sequence[bytes], milliseconds: int) -> None:
        """As if it were in a log."""

    def sure(self) -> None:
        """As if there were a ledger."""


class Nobody:
    """An audience without people."""

    def step(self, records: Sequence[bytes]) -> None:
        """Nobody looks."""

    def end(self, frames: Sequence[bytes]) -> None:
        """Nobody asks why."""


def runner_on(
    mesh: Any, proposal: Proposal, seat: int = 0, files: TableFiles | None = None
) -> Runner:
    """A seat's runner over this mesh, with a random bot, before its table is signed."""
    kept: Any = files or _NoDisk()
    who = Sitter(identity(f"runner {seat}"), Watcher(0))
    return Runner(mesh, proposal, seat, who, kept, Nobody())
