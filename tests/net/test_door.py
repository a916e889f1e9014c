"""Connections that have not proven who they are: bounded in number and in time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from trio.testing import MockClock

from p2p.net.addresses import Address
from p2p.net.testing import MemoryNetwork

from .helpers import Node, nodes, until

HANDSHAKES = 16


@asynccontextmanager
async def host_and_guest(network: MemoryNetwork) -> AsyncIterator[tuple[Node, Node]]:
    async with nodes(network, 2, dials=lambda _who, whom: whom == 0) as (host, guest):
        yield host, guest


async def knock(network: MemoryNetwork, host: Address, count: int) -> list[trio.abc.Stream]:
    """`count` connections that say nothing."""
    return [await network.transport("crowd").dial(host) for _ in range(count)]


async def test_silent_connections_shut_nobody_out(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.01)
    network.cut("machine0", "machine1")
    async with host_and_guest(network) as (host, guest):
        crowd = await knock(network, host.address, 50)
        await trio.sleep(0.1)
        assert host.mesh.statistics.handshakes_crowded_out == 50 - HANDSHAKES
        network.heal("machine0", "machine1")
        assert await until(lambda: host.is_up(guest) and guest.is_up(host)) < 2
        await trio.sleep(10)
        assert host.mesh.statistics.handshakes_refused == HANDSHAKES - 1
        for stream in crowd:
            assert await is_ended(stream)


async def is_ended(stream: trio.abc.Stream) -> bool:
    try:
        while await stream.receive_some():
            pass
    except trio.BrokenResourceError:
        return True
    return True


async def test_garbage_at_the_door_is_noted_and_harms_nobody(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.01)
    async with host_and_guest(network) as (host, guest):
        await until(lambda: host.is_up(guest))
        for stream in await knock(network, host.address, 5):
            await stream.send_all(b"GET / HTTP/1.1\r\n\r\n")
        await trio.sleep(1)
        assert host.mesh.statistics.handshakes_refused == 5
        assert any("broke off" in note for note in host.mesh.statistics.notes)
        assert host.is_up(guest)
