"""A host that talks and talks, and never says what is to be played."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
import trio.testing

from engine.games import load
from p2p.gathering import GuestLobby, be_seated
from p2p.lobby import HOST_FRAMES_MAX, PLAN, LobbyError, TablePlan, encode_plan
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.mesh import Mesh
from p2p.net.testing import MemoryNetwork
from p2p.runner import RECORD
from p2p.sitting import Connected
from tests.net.helpers import identities, seeded

HOST = Address("host", 7000)
TOKEN = bytes(16)
PLANS = encode_plan(TablePlan("flip-over", 3), load("flip-over").rules_version)
assert PLANS[0] == PLAN


@asynccontextmanager
async def guest_of(talk: Callable[[Mesh, bytes], None]) -> AsyncIterator[tuple[Connected, Invite]]:
    """A guest of a host who answers the greeting with `talk`, over a network in memory."""
    network = MemoryNetwork()
    host, guest = identities(2)
    mesh = Mesh(
        host,
        transport=network.transport("host"),
        open_to_strangers=lambda key: True,
        knows=lambda key: True,
        entropy=seeded(0),
    )
    peer = Connected(guest, None, transport=network.transport("guest"), entropy=seeded(1))
    peer.mesh.add(host.public, [HOST])

    async def answer() -> None:
        async for key, _ in mesh.incoming:
            talk(mesh, key)

    async with trio.open_nursery() as nursery:
        await nursery.start(partial(mesh.run, [network.listen(HOST)]))
        await nursery.start(partial(peer.mesh.run, []))
        nursery.start_soon(answer)
        nursery.start_soon(peer.pump)
        yield peer, Invite((HOST,), host.public, TOKEN)
        nursery.cancel_scope.cancel()


def lobby_of(peer: Connected, invite: Invite) -> GuestLobby:
    return GuestLobby(peer, invite, "Bo", lambda event: None, race_cap_us=80_000)


@pytest.mark.check("lobby.flood")
@pytest.mark.parametrize("frame", [PLANS, bytes([RECORD]) + b"?"], ids=["plans", "anything"])
async def test_a_flooding_host_loses_its_guest(frame: bytes, autojump_clock: object) -> None:
    """A host talks and talks and never says what is to be played.

    Answer: its guest leaves with one sentence, and keeps nothing without end.
    """

    def flood(mesh: Mesh, key: bytes) -> None:
        for _ in range(HOST_FRAMES_MAX + 50):
            mesh.send(key, frame)

    async with guest_of(flood) as (peer, invite):
        with trio.fail_after(30), pytest.raises(LobbyError, match="did not say what is to be"):
            await be_seated(peer, invite, lobby_of(peer, invite))
        await trio.testing.wait_all_tasks_blocked()
        assert not peer.mesh.links()[invite.identity].connected


async def test_two_programs_with_one_identity_are_told_so(autojump_clock: object) -> None:
    """The host keeps the newest link of an identity, so the two throw each other out."""
    async with guest_of(lambda mesh, key: None) as (peer, invite), trio.open_nursery() as nursery:

        async def replace() -> None:
            while True:
                await trio.sleep(0.5)
                peer.mesh._board.stop(invite.identity, "replaced by a newer link")

        nursery.start_soon(replace)
        with trio.fail_after(30), pytest.raises(LobbyError, match="with your identity"):
            await be_seated(peer, invite, lobby_of(peer, invite))
        nursery.cancel_scope.cancel()


async def test_a_talkative_host_is_borne_with(autojump_clock: object) -> None:
    """Up to the limit, frames that are none of the lobby's are left alone."""

    def talk(mesh: Mesh, key: bytes) -> None:
        for _ in range(HOST_FRAMES_MAX // 4):
            mesh.send(key, PLANS)

    async with guest_of(talk) as (peer, invite):
        with trio.move_on_after(5) as waiting:
            await be_seated(peer, invite, lobby_of(peer, invite))
        assert waiting.cancelled_caught
        assert peer.mesh.links()[invite.identity].connected
