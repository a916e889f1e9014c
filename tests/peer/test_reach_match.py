"""Whole matches over iroh alone: no seat listens where its TCP addresses say."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

import p2p.peer as peer_module
from p2p.errors import LobbyError
from p2p.lobby import first_link as reaching
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.reach_address import ReachAddress
from p2p.net.reach_plan import ReachPlan
from p2p.net.seat_links import Way
from p2p.peer import Sitter, Store, join_table, resume_table
from p2p.player.events import Event, LinkNews
from p2p.spectators.client import WatchResult, watch_table
from tests.peer.kit import Watcher, identity, play_table, sitter
from tests.peer.test_match import check_equal_logs

pytest.importorskip("iroh", reason="the optional package iroh is not installed")

HERE = ReachPlan(relays=False, bind="127.0.0.1")


@pytest.fixture(autouse=True)
def deaf_port(monkeypatch: pytest.MonkeyPatch) -> Iterator[Address]:
    """What every seat says its TCP address is: a port that is taken, and where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = Address("127.0.0.1", taken.getsockname()[1])
        monkeypatch.setattr(peer_module, "listening_addresses", lambda *_: [address])
        yield address


@pytest.mark.slow
async def test_three_seats_play_a_match(tmp_path: Path) -> None:
    players = [Watcher(seed) for seed in range(3)]
    await play_table(tmp_path, players, reach_plan=HERE)
    check_equal_logs(tmp_path, 3)
    for player in players:
        told = [event for event in player.events if isinstance(event, LinkNews)]
        links = [link for event in told for link in event.links if link.way is Way.DIRECT]
        assert links
        assert all(link.words.startswith("direct (reach)") for link in links)


@pytest.mark.full
async def test_a_killed_seat_resumes(tmp_path: Path) -> None:
    """The seat file says how it was reached, and its endpoint has the same key again."""
    scope = trio.CancelScope()
    stopped = Watcher(1, lambda decided: scope.cancel() if decided == 5 else None)
    again = Watcher(7)

    async def fragile(who: Sitter, invite: Invite, kept: Store, **rest: Any) -> object:
        if who.player is not stopped:
            return await join_table(who, invite, kept, **rest)
        with scope:
            await join_table(who, invite, kept, **rest)
        (seat_file,) = kept.folder.glob("*.ndseat")
        return await resume_table(replace(who, player=again), seat_file, kept.ledger)

    players = [Watcher(0), stopped, Watcher(2)]
    await play_table(tmp_path, players, guest=fragile, reach_plan=HERE)
    check_equal_logs(tmp_path, 3)
    assert again.decided > 5


@pytest.mark.full
async def test_a_spectator_watches_by_it(tmp_path: Path) -> None:
    seen: list[WatchResult] = []

    async def watched(who: Sitter, invite: Invite, kept: Store, **rest: Any) -> object:
        async def watch() -> None:
            eve = identity("Eve")
            seen.append(await watch_table(eve, invite, told.append, reach_plan=HERE))

        told: list[Event] = []
        async with trio.open_nursery() as nursery:
            if who.player is players[1]:
                nursery.start_soon(watch)
            return await join_table(who, invite, kept, **rest)

    players = [Watcher(seed) for seed in range(3)]
    results = await play_table(tmp_path, players, guest=watched, reach_plan=HERE)
    assert [one.returns for one in seen] == [results[0].returns]


async def test_a_guest_without_it_learns_what_is_missing(
    tmp_path: Path, deaf_port: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reaching, "TRIES", 1)
    at = ReachAddress(bytes(32), Address("relay.example.net", 443))
    invite = Invite((deaf_port,), identity("host").public, bytes(16), at)
    with pytest.raises(LobbyError) as refused:
        await join_table(sitter("guest", Watcher(1)), invite, Store(tmp_path, tmp_path))
    said = str(refused.value)
    assert f"was not reached at {deaf_port}: " in said
    assert "reach through relay.example.net: this way is off; --reach turns it on. " in said
