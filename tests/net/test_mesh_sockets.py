"""The mesh over real sockets on the loopback interface."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from p2p.net.addresses import Address, listening_port, open_listeners
from p2p.net.mesh import Mesh, Owner
from tests.patience import PATIENCE

from .helpers import Arrived, Node, identities, seeded


@asynccontextmanager
async def table(count: int) -> AsyncIterator[list[Node]]:
    """`count` meshes; of two that know each other only one dials, so no link replaces another."""
    people = identities(count)
    listening = [await open_listeners(0, "127.0.0.1") for _ in people]
    roster = {
        person.public: [Address("127.0.0.1", listening_port(listeners))]
        for person, listeners in zip(people, listening, strict=True)
    }
    async with trio.open_nursery() as nursery:
        running = []
        for place, (person, listeners) in enumerate(zip(people, listening, strict=True)):
            passive = {one.public for one in people[place:]}
            known = {key: [] if key in passive else found for key, found in roster.items()}
            incoming = Arrived()
            mesh = Mesh(person, known, Owner(deliver=incoming.deliver), entropy=seeded(1))
            await nursery.start(mesh.run, listeners)
            address = Address("127.0.0.1", listening_port(listeners))
            running.append(Node(person, mesh, address, [], incoming))
        yield running
        nursery.cancel_scope.cancel()


async def all_linked(running: list[Node]) -> None:
    with trio.fail_after(PATIENCE):
        while not all(state.connected for one in running for state in one.mesh.links().values()):
            await trio.sleep(0.005)


async def test_four_peers_link_up_and_flood() -> None:
    async with table(4) as running:
        await all_linked(running)
        assert running[0].mesh.flood(b"\x10" + bytes(100_000)) == 3
        for one in running[1:]:
            with trio.fail_after(PATIENCE):
                assert len((await one.incoming.receive())[1]) == 100_001
        states = [state for one in running for state in one.mesh.links().values()]
        assert all(state.via.startswith(("dialled 127", "inbound from 127")) for state in states)


async def test_frames_keep_their_order_both_ways_at_once() -> None:
    async with table(2) as running:
        await all_linked(running)
        one, other = running

        async def pour(sender: Node, receiver: Node) -> None:
            (key,) = sender.mesh.links()
            for number in range(1000):
                assert sender.mesh.send(key, b"\x10" + number.to_bytes(2, "big"))
            got = [(await receiver.incoming.receive())[1] for _ in range(1000)]
            assert got == [b"\x10" + number.to_bytes(2, "big") for number in range(1000)]

        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pour, one, other)
                nursery.start_soon(pour, other, one)
