"""A table as it stood on disk: from a seat file and a log back to a machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from p2p.crypto.keys import TableSecret
from p2p.errors import PeerError
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import TableFiles
from p2p.identity.keys import Identity
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import Header
from p2p.protocol.interpreter import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnPast, OwnSeat
from p2p.protocol.parts import Parts
from p2p.protocol.races.timing import Timing
from p2p.protocol.table import GameTable, open_table


def own_seat(identity: Identity, memory: SeatMemory, past: OwnPast) -> OwnSeat:
    """The seat of a seat file, for the identity that it belongs to."""
    return OwnSeat(memory.seat, identity, TableSecret.from_bytes(memory.secret), past)


def reopen(
    identity: Identity,
    memory: SeatMemory,
    header: Header,
    files: TableFiles,
    parts: Parts,
    timing: Callable[[Sequence[bytes]], Timing],
) -> GameTable:
    """The table of a seat file, played again as far as its log goes.

    It may not sign yet; once it may, it resends what it signed beyond the log.  `timing` makes
    the clock of a seat among these identities.  PeerError for a seat that is caught by this log.
    """
    proposal = header.proposal
    past = memory.past_of_game(Chain(header.table), proposal.id)
    table = open_table(
        header,
        os.urandom,
        own_seat(identity, memory, past),
        notes=True,
        parts=parts,
        timing=timing(proposal.identities),
    )
    machine = table.machine
    machine.start()
    _replay(machine, files.saved_records())
    for ballot in memory.ballots:
        machine.ballots.receive(ballot)
    if machine.fault is not None:
        raise machine.fault
    files.rewrite_log(header.encode(), machine.records)
    return table


def _replay(machine: Machine, records: Sequence[bytes]) -> None:
    """Take records up to the first that a crash has garbled: the others have what follows."""
    run_inline(machine)
    for record in records:
        try:
            machine.receive(record)
        except PeerError:
            break
        run_inline(machine)
