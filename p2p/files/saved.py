"""Saved tables in a folder: how their files are called, and what is left of a table there."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from p2p.disk.outside import LOG_MAX, SEAT_MAX, open_outside, read_outside
from p2p.errors import PeerError, StorageError
from p2p.files.seat_memory import SeatMemory, read_seat
from p2p.protocol.proposal import decode_proposal, revision_in
from p2p.version import FIRST_LINE_MAX, why_other_revision, why_unread


def table_name(game: str, proposal: bytes, now: datetime | None = None) -> str:
    """The name of a table's files, without ending: date, game, id of the proposal."""
    day = (now or datetime.now(UTC)).strftime("%Y-%m-%d")
    return f"{day}-{game}-{proposal.hex()[:12]}"


def seat_files(folder: Path, proposal: bytes) -> list[Path]:
    """The seat files in `folder` that belong to the table with this proposal id."""
    return sorted(folder.glob(f"*-{proposal.hex()[:12]}.ndseat"))


def was_played(folder: Path, proposal: bytes) -> bool:
    """Whether a seat with files in `folder` was at this table until it was over.

    A crash may leave a seat file that was being erased.
    """
    return any(folder.glob(f"*-{proposal.hex()[:12]}.ndhand"))


def of_another_version(path: Path) -> str | None:
    """Why a file of a table is not read if another version wrote it; None for any other file."""
    try:
        with open_outside(path, LOG_MAX) as opened:
            return why_unread(opened.read(FIRST_LINE_MAX))
    except OSError:
        return None


def left_by_another(seat_file: Path) -> str | None:
    """Explain why only another version or revision can read a seat file; None for any other."""
    try:
        data = read_outside(seat_file, SEAT_MAX)
        return why_unread(data) or why_other_revision(revision_in(read_seat(data).proposal))
    except (OSError, PeerError):
        return None


def saved_seat(path: Path) -> SeatMemory:
    """What is in a seat file, read only.  StorageError for one that cannot be read."""
    try:
        memory = read_seat(read_outside(path, SEAT_MAX))
        other = why_other_revision(revision_in(memory.proposal))
        if other is not None:
            raise StorageError(f"{path} cannot be read: {other}")
        seats = range(len(decode_proposal(memory.proposal).seats))
    except OSError as error:
        raise StorageError.of(path, error, "read") from error
    except PeerError as error:
        raise StorageError(f"{path} cannot be read: {error.reason}") from error
    if memory.seat not in seats:
        raise StorageError(f"{path} cannot be read: its table has no such seat")
    return memory
