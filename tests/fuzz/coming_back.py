"""A seat that comes back to its files, as `p2p.seat.table_seat` does it, without a network."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from p2p.files.saved import left_by_another, saved_seat
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import Store, TableFiles
from p2p.identity.keys import Identity
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import decode_header, shares_of, watch_genesis
from p2p.protocol.machine import Machine
from p2p.protocol.parts import Parts
from p2p.protocol.proposal import decode_proposal
from p2p.protocol.races.timing import Timing
from p2p.protocol.table import GameTable, open_table
from p2p.seat.genesis import signed_genesis
from p2p.seat.recovery import own_seat, reopen
from tests.protocol.kit import seeded


@dataclass
class Back:
    """What a seat knows again: its files, open, and its game, if its header is signed."""

    files: TableFiles
    memory: SeatMemory
    genesis: Machine | None = None
    table: GameTable | None = None


def come_back(who: Identity, seat_file: Path, ledger: Path) -> Back:
    """Sit down again.  StorageError, PeerError or OutdatedError for files that do not allow it."""
    left_by_another(seat_file)
    saved_seat(seat_file)
    files = Store(seat_file.parent, ledger).files(seat_file.stem)
    back = Back(files, files.resume())
    try:
        _read(who, back)
    except BaseException:
        files.close(erase_secrets=False)
        raise
    return back


def _read(who: Identity, back: Back) -> None:
    memory = back.memory
    proposal = decode_proposal(memory.proposal)
    memory.lists(proposal.token)
    if memory.header is None:
        chain = Chain(proposal.id)
        own_seat(who, memory, memory.past_of_genesis(proposal), proposal.terms.least)
        back.genesis = Machine(chain, watch_genesis(proposal), proposal.identities)
        reopen(back.genesis, [memory.upon_of(chain)])
        return
    back.genesis = signed_genesis(proposal, memory)
    header = decode_header(memory.header)
    parts = Parts(seeded("coming back"))
    past = memory.past_of_game(Chain(header.table), proposal.id)
    own = own_seat(who, memory, past, proposal.terms.least)
    own = replace(own, shares=shares_of(header, own, memory.genesis))
    entropy, timing = seeded("coming back"), Timing()
    back.table = open_table(header, entropy, own, notes=True, parts=parts, timing=timing)
    machine = back.table.machine
    saved = back.files.saved_records(), memory.upon_of(machine.chain)
    reopen(machine, saved, memory.ballots)
    back.files.rewrite_log(header.encode(), machine.records)
