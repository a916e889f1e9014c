"""What connections are counted under."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2p.net.addresses import Address, listening_port, open_listeners
from p2p.net.crowd import Queue, WaitingRoom
from p2p.net.door import far_end
from p2p.net.memory_network import MemoryNetwork, memory_streams
from p2p.net.reach_plan import ReachedStream
from p2p.net.sources import network_of, source_of


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("reach", "reach"),
        ("machine0", "machine0"),
    ],
)
def test_networks(host: str, network: str) -> None:
    assert network_of(host) == network


async def test_sources_of_streams() -> None:
    network, address = MemoryNetwork(), Address("192.0.2.1", 9)
    listener = network.listen(address)
    near = await network.transport("198.51.100.3").dial(address)
    assert source_of(await listener.accept()) == "198.51.100.0/24"
    assert source_of(near) == "192.0.2.0/24"
    assert source_of(memory_streams()[0]) == ""
    assert source_of(trio.StapledStream(near, near)) == ""
    assert ReachedStream.far_host == "reach"


async def test_the_source_of_a_socket() -> None:
    (listener,) = await open_listeners(0, "127.0.0.1")
    port = listening_port([listener])
    near = await trio.open_tcp_stream("127.0.0.1", port, local_address="127.0.9.4")
    far = await listener.accept()
    assert source_of(far) == "127.0.9.0/24"
    assert far_end(far).startswith("inbound from 127.0.9.4:")
    await far.aclose()
    assert source_of(far) == ""
    assert far_end(far) == "inbound"
    await near.aclose()
    await listener.aclose()


async def test_the_largest_source_gives_way_and_its_oldest_first() -> None:
    pushed_out: list[int] = []
    places = WaitingRoom(4, lambda: pushed_out.append(1))
    left: list[str] = []

    async def stay(name: str) -> None:
        with places.taken(name[0]):
            await trio.sleep_forever()
        left.append(name)

    async with trio.open_nursery() as nursery:
        for name in ("g1", "a1", "a2", "a3", "a4", "g2", "b1", "b2", "c1"):
            nursery.start_soon(stay, name)
            await wait_all_tasks_blocked()
        # the newcomer counts: c1 comes when b has most, and b2 when a and b have
        assert left == ["a1", "a2", "g1", "a3", "b1"]
        assert len(pushed_out) == 5
        nursery.cancel_scope.cancel()


async def test_turns_go_round_the_sources(autojump_clock: MockClock) -> None:
    turns, called = Queue(10.0), []

    async def wait(name: str) -> None:
        await turns.wait(name[0])
        called.append((name, round(trio.current_time() - began, 3)))

    async with trio.open_nursery() as nursery:
        for name in ("a1", "a2", "a3", "b1", "c1"):
            nursery.start_soon(wait, name)
            await wait_all_tasks_blocked()
        with trio.move_on_after(0.05):
            await turns.wait("c")  # gives up
        began = trio.current_time()
        nursery.start_soon(turns.run)
        await trio.sleep(5)
        assert called == [("a1", 0), ("b1", 0.1), ("c1", 0.2), ("a2", 0.3), ("a3", 0.4)]
        nursery.start_soon(wait, "d1")
        await trio.sleep(1)
        assert called[-1] == ("d1", 5)
        nursery.cancel_scope.cancel()
