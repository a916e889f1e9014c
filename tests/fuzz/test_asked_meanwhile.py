"""A slow disk: whoever asks for what is being written is sent it when it is on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.games import load
from p2p.crypto.keys import OPENING_BYTES
from p2p.files.storage import TableFiles
from p2p.protocol import wire
from p2p.protocol.entry import Chain, decode_entry
from p2p.protocol.frame_kinds import HAVE, RECORD, kind_of, payload_of
from p2p.protocol.genesis import begin_table
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.table import open_table
from p2p.seat import catch_up
from tests.peer.desk_kit import World, runner_at
from tests.peer.seat_files import begun, files_in, memory_of
from tests.protocol.kit import identities, make_header, pings_of, seeded, table_secrets

HEADER = make_header(load("flip-over"), 3)
PEERS = identities(3)


def own_seat() -> OwnSeat:
    return OwnSeat(0, PEERS[0], table_secrets(3, 1)[0])


def in_genesis(folder: Path) -> tuple[TableFiles, Machine, Any]:
    """A seat that is about to seal its key."""
    files = files_in(folder)
    files.begin(memory_of(HEADER, 0))
    program = begin_table(
        *(HEADER.proposal, seeded("genesis"), own_seat()),
        opening=bytes(OPENING_BYTES),
        pings=lambda: pings_of(0, 3),
    )
    chain = Chain(HEADER.proposal.id)
    return files, Machine(chain, program, HEADER.proposal.identities, own_seat()), None


def in_game(folder: Path) -> tuple[TableFiles, Machine, Any]:
    """A seat that is about to sign the first step of its game."""
    files = begun(folder, HEADER, 0)
    table = open_table(HEADER, seeded("game"), own_seat(), notes=True)
    return files, table.machine, table


@pytest.mark.parametrize("stage", [in_genesis, in_game])
def test_what_is_being_written_is_told_to_nobody(
    stage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A neighbour asks for everything, again and again, while a seat writes what it signed.

    It is sent that after the sync has returned, and nothing of it before; this seat's own file says
    by then what was sent.
    """
    monkeypatch.setattr(catch_up, "ANSWER_SECONDS", 0.0)
    files, machine, table = stage(tmp_path)
    world = World([one.public for one in PEERS[1:]], files)
    runner = runner_at(world, HEADER.proposal)
    if table is not None:
        runner.open(table)
    asked = HAVE.make({"table": machine.chain.table, "step": 0})
    world.disk_is_busy = True
    runner.run(machine)
    for _ in range(3):
        runner.receive(PEERS[1].public, asked)
    assert _own(world) == set()
    world.saved()
    runner.receive(PEERS[1].public, asked)
    written = files.seat.read_bytes()
    assert _own(world)
    assert all(wire.pack(record) in written for record in _own(world))
    files.close(erase_secrets=False)


def _own(world: World) -> set[bytes]:
    """Which of our records left, to whomever."""
    records = [payload_of(frame) for frame in world.frames if kind_of(frame) is RECORD]
    return {record for record in records if decode_entry(record).seat == 0}
