"""Files that prove a fault to anybody, or show what a seat sees.

StorageError if the disk refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from p2p.disk import durable as disk
from p2p.disk.outside import LOG_MAX, read_outside
from p2p.errors import StorageError
from p2p.files.saved import table_name
from p2p.logs import LOG
from p2p.protocol.logfile import encode_evidence, encode_genesis_evidence
from p2p.protocol.proposal import Proposal


def write_evidence(log: Path, records: Sequence[bytes]) -> Path:
    """Write a file that proves a fault to anybody: the log and what was signed beyond it."""
    path = log.with_suffix(".evidence")
    _write(path, lambda: encode_evidence(read_outside(log, LOG_MAX), records))
    LOG.info("evidence: written, with %d records beyond the log", len(records))
    return path


def write_genesis_evidence(folder: Path, proposal: Proposal, records: Sequence[bytes]) -> Path:
    """Write a file that proves a fault in the genesis of a table, which has no other files.

    It is named by the id of the genesis.
    """
    path = folder / f"{table_name(proposal.game.name, proposal.id)}.evidence"
    _write(path, lambda: encode_genesis_evidence(proposal.data, records))
    LOG.info("evidence: of a genesis written, %d records", len(records))
    return path


def write_state(log: Path, step: int, text: str) -> Path:
    """Write the public state as this peer sees it, if another signed a different one."""
    path = log.with_name(f"{log.stem}.state-{step}.txt")
    _write(path, lambda: text.encode("utf-8"))
    LOG.info("state: of step %d written, %d letters", step, len(text))
    return path


def _write(path: Path, content: Callable[[], bytes]) -> None:
    try:
        disk.write_file(path, content())
    except OSError as error:
        raise StorageError.of(path, error) from error
