"""A seat whose disk is slow, and a neighbour that asks it for everything all the time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.disk import durable as disk
from p2p.driver import driver
from p2p.files.storage import SeatFile
from p2p.net.mesh import Mesh
from p2p.protocol import wire
from p2p.protocol.entry import decode_entry
from p2p.protocol.frame_kinds import BALLOT, HAVE, RECORD, kind_of
from p2p.seat import catch_up
from p2p.seat.runner import Runner
from tests.attacks.crook import CROOK, Crook, acquit, mesh_of, sit_down

SYNC_SECONDS, ASKS_SECONDS = 0.02, 0.002


class _Asker(Crook):
    """Asks for all records of genesis and game, from the first on, hundreds of times a second."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def ask(self) -> None:
        while True:
            await trio.sleep(ASKS_SECONDS)
            for table in list(self.runner._catching_up.machines) if self.runner else []:
                assert self.runner is not None
                place = {"table": table, "step": 0}
                self.asked += self.mesh.flood(bytes([HAVE.number]) + wire.pack(place))


class _Watched:
    """Which of a seat's own records were on its disk, and which were sent before that."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on_disk: dict[bytes, bytes | None] = {}
        self.seen: set[bytes] = set()
        self.early: list[str] = []
        self.seats: dict[Any, Runner] = {}
        append, init = SeatFile.append, Runner.__init__

        def appended(file: SeatFile, item: list[Any]) -> None:
            append(file, item)
            if item[0] in ("own", "ballot"):
                self.on_disk[item[1]] = item[2]

        def begun(one: Runner, desk: Any, *rest: Any) -> None:
            init(one, desk, *rest)
            self.seats[mesh_of(one)] = one

        monkeypatch.setattr(SeatFile, "append", appended)
        monkeypatch.setattr(Runner, "__init__", begun)
        for name in ("send", "flood"):
            self._watch(monkeypatch, name)

    def _watch(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        real = getattr(Mesh, name)

        def leaves(mesh: Mesh, *what: Any, **how: Any) -> Any:
            frame = what[-1]
            if kind_of(frame) in (RECORD, BALLOT) and mesh in self.seats:
                self._look(self.seats[mesh].seat, frame[1:])
            return real(mesh, *what, **how)

        monkeypatch.setattr(Mesh, name, leaves)

    def _look(self, sender: int, record: bytes) -> None:
        entry = decode_entry(record)
        if entry.seat == sender != CROOK:
            self.seen.add(record)
            if record not in self.on_disk:
                self.early.append(f"{entry.kind} of step {entry.step}")


async def test_nothing_is_seen_before_it_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A neighbour keeps asking a seat with a slow disk for what it has signed.

    Answer: it is sent only what is on the disk, in genesis and in the game, and a seal only if its
    secret is there too: otherwise, after a crash, the seat would sign that step again, and be
    convicted.
    """
    sync = disk.sync

    def slow(descriptor: int) -> None:
        time.sleep(SYNC_SECONDS)
        sync(descriptor)

    monkeypatch.setattr(disk, "sync", slow)
    monkeypatch.setattr(driver, "QUICK_SYNC", SYNC_SECONDS / 2)
    monkeypatch.setattr(catch_up, "ANSWER_SECONDS", 0.0)
    crook, watched = _Asker(), _Watched(monkeypatch)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(crook.ask)
        evening = await sit_down(tmp_path, monkeypatch, crook, "chosen-together")
        nursery.cancel_scope.cancel()
    acquit(evening)
    assert watched.early == []
    kinds = {(decode_entry(record).table, decode_entry(record).kind) for record in watched.seen}
    genesis, game = crook.runner.proposal.id, crook.table.header.table
    assert {(genesis, kind) for kind in ("commit", "reveal", "sign")} < kinds
    assert {(game, kind) for kind in ("commit", "reveal", "close")} < kinds
    commitments = [
        record
        for record in watched.seen
        if (decode_entry(record).table, decode_entry(record).kind) == (game, "commit")
    ]
    assert len(commitments) == 1  # seat 0 chooses together with the crook
    assert all(watched.on_disk[record] is not None for record in commitments)
    assert crook.asked > 100
