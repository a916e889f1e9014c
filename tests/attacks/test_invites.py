"""A host that keeps its invite, to have a guest sign the same table twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

import p2p.peer as peer_module
from p2p.errors import LobbyError
from p2p.identity.keys import Identity
from p2p.net.invite import Invite
from p2p.peer import Endpoint, Store, TablePlan, host_table, join_table
from p2p.protocol.entry import decode_entry
from p2p.protocol.frame_kinds import RECORD
from p2p.protocol.logfile import encode_genesis_evidence
from p2p.protocol.proposal import TOKEN_BYTES, Proposal
from p2p.protocol.terms import Terms
from p2p.seat import genesis as beginning
from p2p.seat import table_seat
from p2p.seat.runner import Runner
from replay.audit import audit
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store

TOKEN = bytes(range(TOKEN_BYTES))
GONE, RETURNS, DELETED = "gave up", "was killed", "deleted its files"
GUEST = 1
GAME = "sneak"


class _Framer:
    """Hosts the same table again and again, and leaves once it has heard the guest's commitment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.identity = identity("host")
        self.commitments: set[bytes] = set()
        self.proposals: set[bytes] = set()
        self.proposal: Proposal | None = None
        self._scope = trio.CancelScope()
        self.on_commitment: Callable[[], None] = lambda: None
        chosen = SimpleNamespace(urandom=lambda n: TOKEN if n == TOKEN_BYTES else os.urandom(n))
        monkeypatch.setattr(peer_module, "os", chosen)
        monkeypatch.setattr(table_seat, "Runner", self._runner)

    def _runner(self, desk: Any, proposal: Proposal, seat: int, *rest: Any) -> Runner:
        framer = self

        class Listening(Runner):
            def receive(self, peer: bytes, frame: bytes) -> None:
                super().receive(peer, frame)
                if frame[0] == RECORD.number and decode_entry(frame[1:]).seat == GUEST:
                    framer.commitments.add(frame[1:])
                    framer._scope.cancel()
                    framer.on_commitment()

        if seat == GUEST:
            return Runner(desk, proposal, seat, *rest)
        self.proposals.add(proposal.data)
        self.proposal = proposal
        return Listening(desk, proposal, seat, *rest)

    async def host(self, folder: Path, sit: Callable[[Invite], Any]) -> None:
        """Host one table; the guest (`sit`) may outlive it."""
        folder.mkdir()
        async with trio.open_nursery() as nursery:
            self._scope = trio.CancelScope()
            with self._scope:
                await host_table(
                    sitter(self.identity, Watcher(0)),
                    TablePlan(Terms.of(GAME), 2),
                    store(folder),
                    started=lambda invite: nursery.start_soon(sit, invite),
                    endpoint=Endpoint(bind=LOOPBACK),
                )


class _Guest:
    """Joins by an invite, and then by the same invite again."""

    def __init__(self, folder: Path) -> None:
        self.who: Identity = identity("guest")
        self.folder, self.ledger = folder, folder.with_name("ledger of the guest")
        self.said: list[str] = []
        self.process = trio.CancelScope()
        folder.mkdir()

    async def join(self, invite: Invite) -> None:
        with self.process:
            try:
                await join_table(
                    sitter(self.who, Watcher(1)), invite, Store(self.folder, self.ledger)
                )
            except LobbyError as error:
                self.said.append(str(error))


@pytest.mark.parametrize("left", [GONE, RETURNS, DELETED])
async def test_the_same_table_is_not_signed_twice(
    left: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host hears a guest seal its key, leaves, and lets the guest try the same invite again.

    Answer: a table that was signed once is not signed again with another key, so there are never
    two seals that would convict the guest, who is told that it has signed this table already.
    """
    monkeypatch.setattr(beginning, "AWAY_SECONDS", 0.3)
    monkeypatch.setattr(beginning, "LOOKS_SECONDS", 0.1)
    framer, guest = _Framer(monkeypatch), _Guest(tmp_path / "guest")
    if left != GONE:
        framer.on_commitment = guest.process.cancel
    with trio.fail_after(PATIENCE):
        await framer.host(tmp_path / "first", guest.join)
        if left == DELETED:
            for path in guest.folder.iterdir():
                path.unlink()
        guest.process = trio.CancelScope()
        framer.on_commitment = lambda: None
        async with trio.open_nursery() as nursery:

            async def again(invite: Invite) -> None:
                await guest.join(invite)
                nursery.cancel_scope.cancel()

            await framer.host(tmp_path / "second", again)
    assert len(framer.proposals) == 1, "byte for byte the same"
    assert len(framer.commitments) == 1
    where = "nodealer resume goes back to it" if left == RETURNS else "a new one has to be hosted"
    said = "your seat has signed this table already, and does not sign it with another key: "
    assert guest.said[-1] == said + where
    evidence = tmp_path / "made-up.evidence"
    assert framer.proposal is not None
    data = encode_genesis_evidence(framer.proposal.data, sorted(framer.commitments))
    evidence.write_bytes(data)
    assert audit(evidence).seat is None
