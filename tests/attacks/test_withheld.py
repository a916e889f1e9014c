"""Entries that a seat sends to some only: their receivers pass them on, late or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p.protocol import wire
from p2p.protocol.entry import Entry
from p2p.protocol.frame_kinds import LINKED
from p2p.protocol.table import GameTable
from p2p.seat.forwarding import Forwarding
from p2p.seat.runner import Runner
from tests.attacks.crook import CROOK, Crook, acquit, sit_down


def _host_hears(monkeypatch: pytest.MonkeyPatch) -> trio.Event:
    """Set when the host has heard from the guest that it is linked with the crook."""
    heard, real = trio.Event(), Forwarding.hear_links

    def hear_links(self: Forwarding, peer: bytes, payload: bytes) -> None:
        real(self, peer, payload)
        if self._seat == 0 and self._others.get(peer) == 2 and self._is_linked(peer, CROOK):
            heard.set()

    monkeypatch.setattr(Forwarding, "hear_links", hear_links)
    return heard


def _only_to_the_host(crook: Crook, record: bytes, heard: trio.Event) -> None:
    async def tell() -> None:
        await heard.wait()
        await crook.send_directly(0, record)

    assert crook.nursery is not None
    crook.nursery.start_soon(tell)


async def test_an_entry_withheld_from_one_neighbour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player is linked with both others and sends its entries to one of them only.

    Answer: that one passes them on, and the game goes on.
    """
    crook, withheld, heard = Crook(), [], _host_hears(monkeypatch)

    def withhold(entry: Entry) -> list[bytes]:
        withheld.append(entry.record)
        _only_to_the_host(crook, entry.record, heard)
        return []

    for kind in ("shuffle", "deal", "choose"):
        crook.sends[kind] = withhold
    _never_asked(monkeypatch)
    acquit(await sit_down(tmp_path, monkeypatch, crook, "chosen"))
    assert withheld


async def test_a_seat_that_claims_links_it_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player lies about whom it is linked with.

    Answer: only that player gets records late, and nobody else notices anything.
    """
    crook = Crook()

    def begin(table: GameTable) -> None:
        assert crook.runner is not None
        proposal = crook.runner.proposal.id
        for seats in ([0, 2], [], [0, 2]):
            said = wire.pack({"proposal": proposal, "seats": seats})
            crook.mesh.flood(bytes([LINKED.number]) + said)

    crook.begins = begin
    _never_asked(monkeypatch)
    acquit(await sit_down(tmp_path, monkeypatch, crook, "dealt"))


def _never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody catches up on what passing on should have brought."""
    real = Runner.run

    async def run(self: Runner, machine: object) -> object:
        monkeypatch.setattr(self, "patience", replace(self.patience, asks_again=1000.0))
        return await real(self, machine)  # type: ignore[arg-type]

    monkeypatch.setattr(Runner, "run", run)
