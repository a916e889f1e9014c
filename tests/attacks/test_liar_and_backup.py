"""A backup is restored while the only honest witness is away; a liar says nothing is missing."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.identity.keys import Identity
from p2p.net.invite import Invite
from p2p.peer import Endpoint, TablePlan, host_table, join_table, resume_table
from p2p.player.events import WentBack
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.frame_kinds import HAVE, RECORD, TOLD
from p2p.protocol.terms import Terms
from p2p.seat import table_seat
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, identity, quick, sitter, store
from tests.peer.test_match import check_equal_logs

BACKUP_AT, KILLED_AT = 1, 4
WAITS_SECONDS = 5.0
"""Longer than a seat waits for silent peers; see `hasty`."""


def hasty() -> Patience:
    return replace(quick(), for_the_rest=1.0)


class _Evening:
    """Seat names: the host is honest, the guests are the liar and the victim."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.lies = False
        self.heard: dict[int, set[bytes]] = {}
        """What the liar has of the entries that the victim signed: bodies by step of the game."""
        self.runners: dict[str, Runner] = {}
        self.processes = {name: trio.CancelScope() for name in ("host", "victim")}
        self.gone = trio.Event()
        self.people = {name: identity(name) for name in ("host", "liar", "victim")}
        for name in self.people:
            (folder / name).mkdir()
        monkeypatch.setattr(table_seat, "Runner", self._runner)

    def _runner(self, desk: Any, proposal: Any, seat: int, *rest: Any) -> Runner:
        name = proposal.names[seat]
        kind = self._liar() if name == "liar" else Runner
        self.runners[name] = runner = kind(desk, proposal, seat, *rest)
        return runner

    def _liar(self) -> type[Runner]:
        evening = self

        class Liar(Runner):
            def receive(self, peer: bytes, frame: bytes) -> None:
                if frame[0] == RECORD.number:
                    evening.hear(decode_entry(frame[1:]), self)
                if frame[0] == HAVE.number and evening.lies:
                    # "I have nothing for you, and stand where you stand."
                    self.desk.post(peer, bytes([TOLD.number]) + frame[1:])
                else:
                    super().receive(peer, frame)

        return Liar

    def hear(self, entry: Entry, runner: Runner) -> None:
        victim = runner.proposal.names.index("victim")
        in_game = runner.table is not None and entry.table == runner.table.header.table
        if in_game and entry.seat == victim:
            self.heard.setdefault(entry.step, set()).add(entry.body)

    def twice(self) -> list[int]:
        return [step for step, bodies in self.heard.items() if len(bodies) > 1]

    # -- the evening -----------------------------------------------------------------------

    async def host(self, opened: Any) -> None:
        with self.processes["host"]:
            await host_table(
                sitter(self.people["host"], Watcher(0), patience=hasty()),
                TablePlan(Terms.of("flip-over", {"rounds": 1}), 3),
                store(self.folder / "host"),
                started=opened,
                endpoint=Endpoint(bind=LOOPBACK),
            )

    async def join(self, who: Identity, invite: Invite, player: Watcher) -> None:
        with self.processes.get(who.name, trio.CancelScope()):
            kept = store(self.folder / who.name)
            await join_table(sitter(who, player, patience=hasty()), invite, kept)

    def decide(self, decided: int) -> Awaitable[None] | None:
        """The victim's files are saved early; later it and the host are killed."""
        if decided == BACKUP_AT:
            for path in (self.folder / "victim").iterdir():
                shutil.copy(path, self.folder / f"{path.name}.backup")
        return self._kill() if decided == KILLED_AT else None

    async def _kill(self) -> None:
        """Wait until the host has the victim's last entry: it is the only honest witness."""
        while self.step("host") < self.step("victim"):
            await trio.sleep(0.01)
        self.lies = True
        for process in self.processes.values():
            process.cancel()
        self.gone.set()

    def step(self, name: str) -> int:
        machine = self.runners[name]._machine
        assert machine is not None
        return machine.chain.step

    def put_back(self) -> None:
        for path in (self.folder / "victim").iterdir():
            shutil.copy(self.folder / f"{path.name}.backup", path)

    async def back(self, name: str) -> None:
        (seat_file,) = (self.folder / name).glob("*.ndseat")
        player = Watcher(9)
        who = sitter(self.people[name], player, patience=hasty())
        await resume_table(who, seat_file, self.folder / f"ledger {name}")
        went_back = [event for event in player.events if isinstance(event, WentBack)]
        assert bool(went_back) is (name == "victim")


async def test_it_waits_for_every_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player restores an older folder while the only other honest seat is away, and a liar says
    that it has nothing newer, to have the player sign a step twice.

    Answer: a seat with older files signs nothing until every seat has answered; when the honest
    one is back, the game is played to its end. Remains: if the note beside the identity is lost
    too, the seat cannot know of an entry that only a liar has.
    """
    evening = _Evening(tmp_path, monkeypatch)
    people = evening.people
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:

            def opened(invite: Invite) -> None:
                victim = Watcher(2, evening.decide)
                nursery.start_soon(evening.join, people["liar"], invite, Watcher(1))
                nursery.start_soon(evening.join, people["victim"], invite, victim)

            nursery.start_soon(evening.host, opened)
            await evening.gone.wait()
            await trio.sleep(0.5)
            evening.put_back()
            nursery.start_soon(evening.back, "victim")
            await trio.sleep(WAITS_SECONDS)
            assert evening.twice() == []
            machine = evening.runners["victim"]._machine
            assert machine is not None
            assert not machine.may_sign
            evening.lies = False
            nursery.start_soon(evening.back, "host")
    assert evening.twice() == []
    check_equal_logs(tmp_path, 3)
