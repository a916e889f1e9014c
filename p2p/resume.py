"""A table as it stood on disk: from a seat file and a log back to a machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from p2p.crypto.keys import TableSecret
from p2p.identity import Identity
from p2p.lobby import LobbyError
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import whole_records
from p2p.protocol.machine import run_inline
from p2p.protocol.parts import Parts
from p2p.protocol.table import GameTable, OwnSeat, open_table
from p2p.protocol.timing import Timing
from p2p.storage import SeatMemory, TableFiles


def reopen(
    identity: Identity,
    memory: SeatMemory,
    files: TableFiles,
    parts: Parts,
    timing: Callable[[Sequence[bytes]], Timing],
) -> GameTable:
    """The table of a seat file, played again as far as the log and our own records go.

    It may not sign yet.  `timing` makes the clock of a seat among these identities.  LobbyError
    if the seat is another identity's; PeerError if the log was tampered with.
    """
    header = decode_header(memory.header)
    if header.proposal.identities[memory.seat] != identity.public:
        raise LobbyError("this seat belongs to another identity")
    own = OwnSeat(memory.seat, identity, TableSecret.from_bytes(memory.secret))
    table = open_table(
        header,
        os.urandom,
        own,
        kept=memory.kept,
        may_sign=False,
        notes=True,
        parts=parts,
        timing=timing(header.proposal.identities),
    )
    machine = table.machine
    machine.start()
    for record in [*whole_records(files.log.read_bytes()), *memory.own]:
        run_inline(machine)
        machine.receive(record)
    run_inline(machine)
    if machine.fault is not None:
        raise machine.fault
    files.rewrite_log(memory.header, machine.records)
    return table
