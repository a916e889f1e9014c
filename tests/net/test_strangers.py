"""What keys outside the roster may do at a mesh, on a network in memory, in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from p2p.net.addresses import Address
from p2p.net.handshake import connect
from p2p.net.link import Channel
from p2p.net.memory_network import MemoryNetwork
from p2p.net.mesh import Mesh, Owner
from p2p.net.strangers import (
    CALL_SECONDS,
    CALLERS_MAX,
    FAREWELL_SECONDS,
    FRAME_BYTES,
    FRAMES,
    QUEUE_BYTES,
    Rate,
    Rates,
    Shares,
)
from p2p.protocol.frame_kinds import PING

from .helpers import identities, seeded

HOST = Address("host", 7000)
WHO, BO, *OTHERS = identities(100)


class Open:
    """A mesh that is open to strangers, and those who call it."""

    def __init__(self) -> None:
        self.network = MemoryNetwork(delay=0.01)
        self.known: set[bytes] = set()
        self.read: list[tuple[bytes, bytes]] = []
        self.mesh = Mesh(
            WHO,
            transport=self.network.transport("host"),
            owner=Owner(
                deliver=self._deliver,
                open_to_strangers=lambda key: True,
                knows=self.known.__contains__,
            ),
            entropy=seeded(1),
        )

    async def _deliver(self, peer: bytes, frame: bytes) -> None:
        self.read.append((peer, frame))

    async def call(self, number: int, machine: str) -> Channel:
        """A link of a key of its own, over which it has said something."""
        stream = self.network.connect(machine, HOST)
        channel = await connect(stream, OTHERS[number], WHO.public)
        await channel.frames.send(PING.make(bytes(8)))
        return channel

    def is_linked(self, number: int) -> bool:
        state = self.mesh.links().get(OTHERS[number].public)
        return state is not None and state.connected


@asynccontextmanager
async def opened() -> AsyncIterator[Open]:
    host = Open()
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(host.mesh.run, [host.network.listen(HOST)]))
        yield host
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_a_crowd_pushes_out_its_own(autojump_clock: MockClock) -> None:
    """A crowd from one network calls a host and shows no invite.

    Answer: its links push each other out; a caller from elsewhere keeps its time.
    """
    async with opened() as host:
        await host.call(0, "friend")
        for number in range(1, CALLERS_MAX + 20):
            await host.call(number, "crowd")
        await trio.sleep(0.1)
        assert host.is_linked(0)
        linked = [number for number in range(len(OTHERS)) if host.is_linked(number)]
        assert len(linked) == CALLERS_MAX
        assert linked[-1] == CALLERS_MAX + 19


async def test_who_has_a_place_stays_and_who_gave_it_back_goes(autojump_clock: MockClock) -> None:
    async with opened() as host:
        channels = [await host.call(number, "one") for number in range(2)]
        host.known.add(OTHERS[0].public)
        for _ in range(4):
            await trio.sleep(2)
            for channel in channels[: 2 if host.is_linked(1) else 1]:
                await channel.frames.send(PING.make(bytes(8)))
        assert (host.is_linked(0), host.is_linked(1)) == (True, False)
        host.known.clear()
        await trio.sleep(CALL_SECONDS + 0.1)
        assert not host.is_linked(0)


async def test_a_key_that_comes_into_the_roster_has_its_limits(autojump_clock: MockClock) -> None:
    large = b"\x10" + bytes(FRAME_BYTES)
    async with opened() as host:
        channels = [await host.call(number, "one") for number in range(2)]
        await trio.sleep(0.1)
        host.mesh.add(OTHERS[0].public)
        for channel in channels:
            await channel.frames.send(large)
        await trio.sleep(CALL_SECONDS + 1)
        assert host.read == [(OTHERS[0].public, large)]
        assert (host.is_linked(0), host.is_linked(1)) == (True, False)
        assert "4096" in " ".join(host.mesh.statistics.notes)


async def test_a_stranger_is_read_as_fast_as_it_may_write(autojump_clock: MockClock) -> None:
    """A stranger sends hundreds of frames a second.

    Answer: ten a second are read for each key, the rest waits unread, and the link ends after 20 s.
    """
    async with opened() as host:
        host.known.add(OTHERS[0].public)
        channel = await host.call(0, "one")
        with pytest.raises(trio.BrokenResourceError), trio.fail_after(60):  # noqa: PT012
            while True:
                await channel.frames.send(b"\x20" + bytes(500))
                await trio.sleep(0.002)
        expected = FRAMES.key.at_once + 20 * FRAMES.key.a_second
        assert 0.8 * expected < len(host.read) < 1.2 * expected
        assert "10 frames a second" in " ".join(host.mesh.statistics.notes)


async def test_nobody_waits_for_a_stranger_who_does_not_read(autojump_clock: MockClock) -> None:
    """A stranger reads nothing while a program wants to close.

    Answer: its queue is bounded, and the program waits for it a second.
    """
    async with opened() as host:
        host.known.add(OTHERS[0].public)
        await host.call(0, "one")
        await trio.sleep(0.1)
        while host.mesh.send(OTHERS[0].public, b"\x10" + bytes(10_000)):
            queued = host.mesh._board.current(OTHERS[0].public)
            assert queued is not None
            if queued.outbox._bytes > QUEUE_BYTES - 20_000:
                break
        began = trio.current_time()
        await host.mesh.drain()
        assert trio.current_time() - began == pytest.approx(FAREWELL_SECONDS)


def test_each_source_has_its_share() -> None:
    shares = Shares(Rates(Rate(1, 1), Rate(10, 20), Rate(100, 200)))
    waits = [shares.take("crowd", 5.0) for _ in range(40)]
    assert waits[:20] == [0.0] * 20
    assert waits[-1] == pytest.approx(2.0)
    assert shares.take("friend", 5.0) == 0.0
    for number in range(400):
        shares.take(f"source {number}", 5.0)
    assert shares.take("friend", 5.0) > 2.0
    for number in range(400):
        shares.take(f"other {number % 100}", 65.0)
    assert len(shares._sources) <= 400
