"""The mesh on a network in memory, in virtual time."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from p2p.errors import LocalError
from p2p.net.addresses import Address
from p2p.net.limits import Limits
from p2p.net.memory_network import MemoryNetwork

from .helpers import identities, nodes, until


async def test_three_peers_link_up_and_flood(autojump_clock: MockClock) -> None:
    async with nodes(MemoryNetwork(delay=0.02), 3) as (alice, bob, carol):
        everybody = (alice, bob, carol)
        await until(lambda: all(a.is_up(b) for a in everybody for b in everybody if a is not b))
        assert alice.mesh.flood(b"\x10hello") == 2
        assert await bob.incoming.receive() == (alice.key, b"\x10hello")
        assert await carol.incoming.receive() == (alice.key, b"\x10hello")
        assert bob.mesh.flood(b"\x10on", skip=alice.key) == 1
        assert await carol.incoming.receive() == (bob.key, b"\x10on")
        assert carol.mesh.send(alice.key, b"\x11just you")
        assert await alice.incoming.receive() == (carol.key, b"\x11just you")


async def test_one_reachable_peer_serves_a_line(autojump_clock: MockClock) -> None:
    network = MemoryNetwork()
    network.cut("machine0", "machine2")
    async with nodes(network, 3, dials=lambda _who, whom: whom == 1) as (alice, bob, carol):
        await until(lambda: alice.is_up(bob) and carol.is_up(bob))
        alice.mesh.flood(b"\x10over the middle")
        sender, frame = await bob.incoming.receive()
        assert bob.mesh.flood(frame, skip=sender) == 1
        assert await carol.incoming.receive() == (bob.key, frame)
        assert not alice.is_up(carol)
        assert alice.mesh.links()[carol.key].last_error == ""
        assert not alice.mesh.send(carol.key, b"\x10no way")


async def test_round_trips_are_measured(autojump_clock: MockClock) -> None:
    async with nodes(MemoryNetwork(delay=0.03), 2) as (alice, bob):
        await until(lambda: alice.is_up(bob))
        await trio.sleep(5)
        state = alice.mesh.links()[bob.key]
        assert state.rtt_min_ms == pytest.approx(60, abs=1)
        assert state.rtt_ms == pytest.approx(60, abs=1)
        assert state.via == "dialled machine1:7000"


async def test_a_broken_link_comes_back_by_itself(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.02)
    async with nodes(network, 2) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        await trio.sleep(20)
        network.disconnect("machine0", "machine1")
        await until(lambda: not alice.is_up(bob))
        assert await until(lambda: alice.is_up(bob) and bob.is_up(alice)) < 1.0
        assert [up for _, up in alice.changes] == [True, False, True]


async def test_silence_is_noticed_and_the_link_comes_back(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.02)
    async with nodes(network, 2) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        await trio.sleep(20)
        network.cut("machine0", "machine1", silently=True)
        assert 4 < await until(lambda: not alice.is_up(bob) and not bob.is_up(alice)) < 7
        await trio.sleep(30)
        assert "does not answer" in alice.mesh.links()[bob.key].last_error
        network.heal("machine0", "machine1")
        assert await until(lambda: alice.is_up(bob) and bob.is_up(alice)) < 7


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.3, 0.6])
async def test_two_dials_at_once_leave_one_link(autojump_clock: MockClock, delay: float) -> None:
    limits = Limits(head_start_seconds=0.0)
    async with nodes(MemoryNetwork(delay=delay), 2, limits=limits) as (alice, bob):
        await trio.sleep(10)
        for node in (alice, bob):
            statistics = node.mesh.statistics
            assert statistics.links_opened - statistics.links_closed == 1
            assert node.changes[-1][1]
        assert alice.mesh.send(bob.key, b"\x10one")
        assert bob.mesh.send(alice.key, b"\x10two")
        assert await bob.incoming.receive() == (alice.key, b"\x10one")
        assert await alice.incoming.receive() == (bob.key, b"\x10two")


async def test_a_new_link_replaces_one_that_died_unnoticed(
    autojump_clock: MockClock,
) -> None:
    network = MemoryNetwork(delay=0.02)
    slow_to_notice = Limits(silence_seconds=3600.0)
    async with nodes(network, 2, limits=slow_to_notice) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        network.disconnect("machine0", "machine1", silently=True)
        await trio.sleep(5)
        assert alice.is_up(bob)
        bob.mesh.drop(alice.key, "for the test: bob noticed")
        await until(lambda: not bob.is_up(alice))
        await until(lambda: bob.is_up(alice))
        assert bob.mesh.send(alice.key, b"\x10back")
        assert await alice.incoming.receive() == (bob.key, b"\x10back")


async def test_a_full_queue_drops_the_link_which_reconnects(autojump_clock: MockClock) -> None:
    limits = Limits(queue_frames=50)
    async with nodes(MemoryNetwork(), 2, limits=limits) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        taken = [alice.mesh.send(bob.key, b"\x10" + bytes(8)) for _ in range(60)]
        assert sum(taken) == 50
        assert not taken[-1]
        await until(lambda: not alice.is_up(bob))
        assert "queue is full" in alice.mesh.links()[bob.key].last_error
        await until(lambda: alice.is_up(bob))


async def test_draining_waits_until_all_is_written(autojump_clock: MockClock) -> None:
    async with nodes(MemoryNetwork(delay=0.02), 2) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        for number in range(200):
            alice.mesh.send(bob.key, bytes([0x10, number]))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(alice.mesh.drain)
            received = [(await bob.incoming.receive())[1][1] for _ in range(200)]
        assert received == list(range(200))


async def test_a_dropped_peer_rests(autojump_clock: MockClock) -> None:
    async with nodes(MemoryNetwork(), 2) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        alice.mesh.drop(bob.key, "unsigned garbage")
        await until(lambda: not bob.is_up(alice))
        assert alice.mesh.links()[bob.key].last_error == "unsigned garbage"
        assert 8 < await until(lambda: alice.is_up(bob) and bob.is_up(alice)) < 16


async def test_strangers_only_where_the_lobby_is_open(autojump_clock: MockClock) -> None:
    welcome: set[bytes] = set()
    async with nodes(
        MemoryNetwork(), 2, knows=lambda who, _whom: who == 1, strangers=welcome.__contains__
    ) as (host, guest):
        await trio.sleep(10)
        assert not guest.is_up(host)
        assert host.mesh.links() == {}
        welcome.add(guest.key)
        await until(lambda: guest.is_up(host) and host.is_up(guest))
        welcome.clear()
        host.mesh.drop(guest.key, "sent away")
        await until(lambda: not guest.is_up(host))
        await trio.sleep(30)
        assert host.mesh.links() == {}


async def test_a_peer_may_be_added_while_running(autojump_clock: MockClock) -> None:
    async with nodes(MemoryNetwork(), 2, knows=lambda _who, _whom: False) as (alice, bob):
        alice.mesh.add(bob.key, [])
        bob.mesh.add(alice.key, [alice.address])
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))


async def test_a_wrong_and_a_silent_address_stop_nothing(autojump_clock: MockClock) -> None:
    network = MemoryNetwork()
    async with nodes(network, 3, knows=lambda _who, _whom: False) as (alice, bob, carol):
        silent = Address("silent", 7000)
        network.listen(silent)
        nobody = Address("nobody", 7000)
        alice.mesh.add(bob.key, [nobody, silent, carol.address, bob.address])
        bob.mesh.add(alice.key)
        assert await until(lambda: alice.is_up(bob)) < 2
        assert alice.mesh.links()[bob.key].via == "dialled machine1:7000"


async def test_frames_of_the_mesh_s_own_kinds_are_our_bug(autojump_clock: MockClock) -> None:
    async with nodes(MemoryNetwork(), 2) as (alice, bob):
        for frame in (b"", b"\x00ping", b"\x01pong", bytes(200_000)):
            with pytest.raises(LocalError):
                alice.mesh.flood(frame)
            with pytest.raises(LocalError):
                alice.mesh.send(bob.key, frame)


async def test_own_key_in_the_roster_is_left_out(autojump_clock: MockClock) -> None:
    async with nodes(MemoryNetwork(), 1) as (alice,):
        alice.mesh.add(alice.key, [alice.address])
        await trio.sleep(5)
        assert alice.mesh.links() == {}
        assert identities(1)[0].public == alice.key
