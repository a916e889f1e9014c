"""A slow disk: whoever asks for what is being written is sent it when it is on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from engine.games import load
from p2p.crypto.keys import OPENING_BYTES
from p2p.disk import durable as disk
from p2p.files.storage import TableFiles
from p2p.protocol import wire
from p2p.protocol.entry import Chain, decode_entry
from p2p.protocol.frame_kinds import HAVE, RECORD, kind_of, payload_of
from p2p.protocol.genesis import begin_table
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.table import open_table
from p2p.seat import catch_up
from p2p.seat.runner import Runner
from tests.fuzz.doubles import Mesh
from tests.peer.seat_files import begun, files_in, memory_of, runner_on
from tests.protocol.kit import identities, make_header, pings_of, seeded, table_secrets

HEADER = make_header(load("flip-over"), 3)
PEERS = identities(3)


class Sent(Mesh):
    """Remembers which of our records left, to whomever."""

    def __init__(self) -> None:
        super().__init__()
        self.own: set[bytes] = set()

    def send(self, key: bytes, frame: bytes) -> bool:
        if kind_of(frame) is RECORD and decode_entry(payload_of(frame)).seat == 0:
            self.own.add(payload_of(frame))
        return True

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> int:
        self.send(b"", frame)
        return 2


class Slow:
    """A disk that syncs only when it is let."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.began, self.may = Event(), Event()
        self.holds = False
        patch.setattr(disk, "_DATA", self._sync)

    def _sync(self, descriptor: int) -> None:
        if self.holds:
            self.began.set()
            self.may.wait()


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


@contextmanager
def at(stage: Any, folder: Path, mesh: Sent) -> Iterator[tuple[Runner, TableFiles, Machine]]:
    files, machine, table = stage(folder)
    runner = runner_on(mesh, HEADER.proposal, 0, files)
    if table is not None:
        runner.open(table)
    yield runner, files, machine
    files.close(erase_secrets=False)


@pytest.mark.parametrize("stage", [in_genesis, in_game])
async def test_what_is_being_written_is_told_to_nobody(
    stage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A neighbour asks for everything, again and again, while a seat writes what it signed.

    It is sent that after the sync has returned, and nothing of it before; this seat's own file says
    by then what was sent.
    """
    monkeypatch.setattr(catch_up, "ANSWER_SECONDS", 0.0)
    slow, mesh = Slow(monkeypatch), Sent()
    with at(stage, tmp_path, mesh) as (runner, files, machine):
        asked = HAVE.make({"table": machine.chain.table, "step": 0})
        monkeypatch.setattr(TableFiles, "sync_seconds", 1.0)  # so that a thread waits for the disk
        slow.holds = True
        async with trio.open_nursery() as nursery:
            nursery.start_soon(runner.run, machine)
            await trio.to_thread.run_sync(slow.began.wait)
            try:
                for _ in range(3):
                    runner.receive(PEERS[1].public, asked)
                    await wait_all_tasks_blocked()
                early = set(mesh.own)
            finally:
                slow.may.set()
            assert early == set()
            while not mesh.own:
                await trio.lowlevel.checkpoint()
            runner.receive(PEERS[1].public, asked)
            nursery.cancel_scope.cancel()
        written = files.seat.read_bytes()
        assert all(wire.pack(record) in written for record in mesh.own)
