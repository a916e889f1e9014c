"""How many dials a peer's claims about its addresses can cause: a few, and then hardly any."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import trio

from p2p.net.addresses import Address
from p2p.net.limits import Limits, TokenBucket
from p2p.net.memory_network import MemoryNetwork
from p2p.net.mesh import Mesh, Owner
from p2p.net.places import PROVEN_MAX, Places
from p2p.net.reach_address import AnyAddress

from .helpers import identities, seeded, until

LIMITS = Limits()
SAID = [Address(f"victim{n}", 7000) for n in range(6)]
HOUR = 3600.0


class Counting:
    """A transport over which nobody answers, and which counts dials."""

    def __init__(self, network: MemoryNetwork | None = None) -> None:
        self.dials: Counter[AnyAddress] = Counter()
        self._through = (network or MemoryNetwork()).transport("here")

    async def dial(self, address: AnyAddress) -> trio.abc.Stream:
        self.dials[address] += 1
        return await self._through.dial(address)


def mesh_of(transport: Counting) -> tuple[Mesh, bytes]:
    own, other = identities(2)
    mesh = Mesh(own, {other.public: []}, transport=transport, entropy=seeded(1))
    return mesh, other.public


async def test_a_false_list_draws_a_few_dials(autojump_clock: object) -> None:
    """A player signs the addresses of somebody else's machines, and is linked with nobody.

    Answer: each other seat dials each of them eight times within two minutes, with growing
    pauses, and never again.
    """
    transport = Counting()
    mesh, peer = mesh_of(transport)
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run)
        mesh.learn(peer, SAID)
        await trio.sleep(120)
        drawn = dict(transport.dials)
        assert drawn == dict.fromkeys(SAID, LIMITS.unproven_tries)
        mesh.learn(peer, SAID)
        await trio.sleep(24 * HOUR)
        assert transport.dials == drawn
        nursery.cancel_scope.cancel()


@pytest.mark.slow
@pytest.mark.parametrize("every", [1.0, 30.0])
async def test_ever_new_lists_draw_little_more(every: float, autojump_clock: object) -> None:
    """A player signs the addresses of other machines again and again.

    Answer: whatever it says, each other seat dials 48 times, and then once a minute.
    """
    transport = Counting()
    mesh, peer = mesh_of(transport)
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run)
        with trio.move_on_after(HOUR):
            number = 0
            while True:
                number += 6
                mesh.learn(peer, [Address(f"victim{number + n}", 7000) for n in range(6)])
                await trio.sleep(every)
        assert sum(transport.dials.values()) <= LIMITS.unproven_dials + HOUR / 60
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_an_address_that_was_proven_is_dialled_on(autojump_clock: object) -> None:
    """A machine that was switched off for a day is found again, where it has been before."""
    network = MemoryNetwork()
    here, there = identities(2)
    at = Address("there", 7000)
    proven: list[Any] = []
    mesh = Mesh(
        here,
        {there.public: []},
        transport=network.transport("here"),
        entropy=seeded(1),
        owner=Owner(on_proven=lambda key, address: proven.append((key, address))),
    )
    other = Mesh(there, {here.public: []}, transport=network.transport("there"))
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run)
        await nursery.start(other.run, [network.listen(at)])
        mesh.learn(there.public, [*SAID, at])
        await until(lambda: mesh.links()[there.public].connected)
        assert (proven, mesh.sure_of(there.public)) == ([(there.public, at)], (at,))
        network.cut("here", "there")
        mesh.learn(there.public, SAID)
        await trio.sleep(24 * HOUR)
        network.heal("here", "there")
        assert await until(lambda: mesh.links()[there.public].connected) < 10
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_a_new_list_is_dialled_at_once(autojump_clock: object) -> None:
    """A peer that has moved does not have to wait for the pause that false addresses earned."""
    network = MemoryNetwork()
    here, there = identities(2)
    at = Address("there", 7000)
    mesh = Mesh(here, {there.public: []}, transport=network.transport("here"), entropy=seeded(1))
    other = Mesh(there, {here.public: []}, transport=network.transport("there"))
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run)
        await nursery.start(other.run, [network.listen(at)])
        for seconds in (20, HOUR):
            mesh.learn(there.public, SAID[:2])
            await trio.sleep(seconds)
            mesh.learn(there.public, [at])
            assert await until(lambda: mesh.links()[there.public].connected) < 2
            network.disconnect("here", "there")
        nursery.cancel_scope.cancel()


async def test_places_forget_what_was_proven_long_ago(autojump_clock: object) -> None:
    places = Places(LIMITS)
    places.give(SAID[:1])
    many = [Address(f"proven{n}", 1) for n in range(20)]
    assert [places.prove(address) for address in [*many, many[-1], SAID[0]]] == [
        *[True] * 20,
        False,
        False,
    ]
    assert places.sure[0] == SAID[0]
    assert len(places.sure) == PROVEN_MAX
    assert many[-1] in places.sure


def test_an_allowance_fills_up_slowly() -> None:
    allowance = TokenBucket(1 / 10.0, 0.0, 2)
    assert [allowance.take_if_left(now) for now in (0, 1, 2, 9.9, 10, 25, 1000, 1000, 1000)] == [
        *(True, True, False, False, True, True, True, True, False)
    ]


async def test_what_is_overheard_is_a_claim_like_any_other(autojump_clock: object) -> None:
    """Somebody on the local network announces false addresses for a player.

    Answer: what the player says itself is dialled first, and all of it within the same bounds.
    """
    transport = Counting()
    mesh, peer = mesh_of(transport)
    heard = [Address(f"heard{n}", 7000) for n in range(3)]
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run)
        mesh.overhear(identities(3)[2].public, heard)  # nobody here
        mesh.learn(peer, SAID[:1])
        mesh.overhear(peer, heard)
        await trio.sleep(120)
        expected = dict.fromkeys([SAID[0], *heard], LIMITS.unproven_tries)
        assert dict(transport.dials) == expected
        assert next(iter(transport.dials)) == SAID[0]
        nursery.cancel_scope.cancel()
