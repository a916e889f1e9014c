"""A seat that is killed anywhere in the genesis comes back, and goes on with what it signed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p import peer as peer_module
from p2p.files.seat_memory import SeatMemory, read_seat
from p2p.net.invite import Invite
from p2p.net.mesh import Mesh
from p2p.peer import Sitter, Store, join_table, resume_table
from p2p.protocol.effects import Send, Write
from p2p.protocol.entry import decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.table import GameTable
from p2p.seat import table_seat
from p2p.seat.reply import Reply
from p2p.seat.runner import Runner
from p2p.seat.table_seat import TableSeat
from tests.patience import PATIENCE
from tests.peer.kit import Watcher, play_table
from tests.peer.test_match import check_equal_logs
from tests.shares import every_second

BEFORE, WRITTEN, SENT, SIGNED = "before writing", "before sending", "after sending", "after all"
STEPS = ["commit", "reveal", "sign"]
VICTIM = "guest 1"


class _Killer:
    """Kills one seat once, at one moment of its genesis."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, when: str, kind: str) -> None:
        self.process = trio.CancelScope()
        self.found: SeatMemory | None = None
        self._when, self._kind = when, kind
        monkeypatch.setattr(table_seat, "Runner", self._runner)
        play = TableSeat._play

        async def killed_before(seat: TableSeat, table: GameTable) -> GameTable:
            if self.is_now(SIGNED, seat.runner):
                self.process.cancel()
                await Reply()  # never given
            return await play(seat, table)

        monkeypatch.setattr(TableSeat, "_play", killed_before)

    def is_now(self, moment: str, runner: Runner) -> bool:
        """Whether this is the moment."""
        seat = runner.proposal.names[runner.seat]
        return (seat, moment) == (VICTIM, self._when) and not self.process.cancel_called

    def _runner(self, *asked: Any) -> Runner:
        killer = self

        class Fragile(Runner):
            def _do(self, machine: Any, effect: object) -> None:
                own = isinstance(effect, Write | Send) and self.table is None
                mine = own and decode_entry(effect.record).kind == killer._kind
                before = BEFORE if isinstance(effect, Write) else WRITTEN
                if mine and killer.is_now(before, self):
                    self._machine = None  # nothing of it goes on
                    killer.process.cancel()
                    return
                super()._do(machine, effect)
                if mine and isinstance(effect, Send) and killer.is_now(SENT, self):
                    self._machine = None
                    trio.lowlevel.spawn_system_task(killer._when_it_has_left, self.desk.links)

        return Fragile(*asked)

    async def _when_it_has_left(self, mesh: Mesh) -> None:
        await mesh.drain()
        self.process.cancel()

    async def sit(self, who: Sitter, invite: Invite, kept: Store, **rest: Any) -> object:
        with self.process if who.identity.name == VICTIM else trio.CancelScope() as scope:
            return await join_table(who, invite, kept, **rest)
        assert scope.cancelled_caught
        (seat_file,) = kept.folder.glob("*.ndseat")
        self.found = read_seat(seat_file.read_bytes())
        return await resume_table(replace(who, player=Watcher(7)), seat_file, kept.ledger)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("when", "kind"),
    every_second(
        [(when, kind) for kind in STEPS for when in (BEFORE, WRITTEN, SENT)] + [(SIGNED, "")]
    ),
)
async def test_killed_in_genesis(
    when: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killer = _Killer(monkeypatch, when, kind)
    players = [Watcher(seed) for seed in range(3)]
    with trio.fail_after(PATIENCE):
        await play_table(tmp_path, players, guest=killer.sit, rounds=1)
    log = check_equal_logs(tmp_path, 3)
    header = decode_header(split_log(log.read_bytes()).header)
    seat = header.proposal.names.index(VICTIM)
    assert killer.found is not None
    signed = {decode_entry(record).kind: decode_entry(record) for record in killer.found.own}
    known = STEPS.index(kind) + (when != BEFORE) if kind else len(STEPS)
    assert list(signed) == STEPS[:known]
    assert (killer.found.header is not None) == (when == SIGNED)
    for step, entry in signed.items():
        if step == "commit":
            assert header.keys[seat].began == entry.payload
        elif step == "reveal":
            assert header.keys[seat].proof == entry.payload["proof"]
        else:
            assert header.signatures[seat] == entry.payload


@pytest.mark.slow
async def test_one_is_killed_in_genesis_and_another_in_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat with nothing but a seat file still has the records of the genesis for the others."""
    killer = _Killer(monkeypatch, SENT, "sign")
    back, began = trio.Event(), trio.Event()
    other, again = trio.CancelScope(), Watcher(8)
    resume = peer_module.resume_table

    async def late(*who: Any) -> Any:
        await back.wait()
        return await resume(*who)

    monkeypatch.setitem(_Killer.sit.__globals__, "resume_table", late)

    async def sit(who: Sitter, invite: Invite, kept: Store, **how: Any) -> object:
        if who.identity.name == VICTIM:
            return await killer.sit(who, invite, kept, **how)
        with other:
            return await join_table(who, invite, kept, **how)
        (seat_file,) = kept.folder.glob("*.ndseat")
        assert read_seat(seat_file.read_bytes()).header is not None
        began.set()
        return await resume(replace(who, player=again), seat_file, kept.ledger)

    class Other(Watcher):
        def tell(self, event: Any) -> None:
            super().tell(event)
            if type(event).__name__ == "Opened":
                other.cancel()

    async def bring_back() -> None:
        await began.wait()
        await trio.sleep(0.5)
        back.set()

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bring_back)
            await play_table(tmp_path, [Watcher(0), Watcher(1), Other(2)], guest=sit, rounds=1)
    check_equal_logs(tmp_path, 3)
    assert killer.found is not None
    assert killer.found.header is None
