"""How far away a peer is: the least round trip over all links of the session."""

from __future__ import annotations

import random

import pytest
import trio
from trio.testing import MockClock

from p2p.net.memory_network import MemoryNetwork
from p2p.net.round_trips import SETTLED_AFTER, RoundTrips

from .helpers import nodes, until

LEAST = 40_000
"""Both ways of 20 ms each, in microseconds."""


async def test_the_least_round_trip_sees_through_jitter(autojump_clock: MockClock) -> None:
    late = random.Random(3)
    network = MemoryNetwork(delay=0.02, jitter=lambda: late.expovariate(1 / 0.015))
    async with nodes(network, 2) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        seen = []
        for _ in range(200):
            await trio.sleep(1)
            seen.append(alice.mesh.links()[bob.key].rtt_ms or 0.0)
        assert max(seen) > 100
        for measured in (alice.mesh.round_trip_us(bob.key), bob.mesh.round_trip_us(alice.key)):
            assert measured is not None
            assert LEAST <= measured < LEAST + 6_000


async def test_the_least_round_trip_survives_a_reconnect(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.02)
    async with nodes(network, 2) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        await trio.sleep(5)
        assert alice.mesh.round_trip_us(bob.key) == pytest.approx(LEAST, abs=1)
        network.set_delay("machine0", "machine1", 0.1)
        network.disconnect("machine0", "machine1")
        await until(lambda: not alice.is_up(bob))
        assert alice.mesh.round_trip_us(bob.key) == pytest.approx(LEAST, abs=1)
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        await trio.sleep(5)
        assert alice.mesh.links()[bob.key].rtt_min_ms == pytest.approx(200, abs=1)
        assert alice.mesh.round_trip_us(bob.key) == pytest.approx(LEAST, abs=1)
        assert bob.mesh.round_trip_us(alice.key) == pytest.approx(LEAST, abs=1)


async def test_a_shorter_way_counts_at_once(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.1)
    async with nodes(network, 2) as (alice, bob):
        await until(lambda: alice.is_up(bob) and bob.is_up(alice))
        await trio.sleep(2)
        network.set_delay("machine0", "machine1", 0.02)
        network.disconnect("machine0", "machine1")
        await until(lambda: alice.mesh.round_trip_us(bob.key) != 200_000, seconds=20)
        assert alice.mesh.round_trip_us(bob.key) == pytest.approx(LEAST, abs=1)


async def test_a_caller_is_measured_before_it_is_in_the_roster(autojump_clock: MockClock) -> None:
    """Guests link to a host that learns only at the proposal who plays."""
    calls = {"knows": lambda who, _whom: who == 1, "strangers": lambda _key: True}
    async with nodes(MemoryNetwork(delay=0.02), 2, **calls) as (alice, bob):  # type: ignore[arg-type]
        await until(lambda: bob.is_up(alice))
        await trio.sleep(2)
        assert alice.mesh.round_trip_us(bob.key) is None
        alice.mesh.add(bob.key)
        assert alice.mesh.round_trip_us(bob.key) == pytest.approx(LEAST, abs=1)


async def test_waiting_until_all_are_measured(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.02)
    network.cut("machine0", "machine2")
    async with nodes(network, 3) as (alice, bob, carol):
        with trio.fail_after(5):
            await alice.mesh.measured([bob.key])
        with trio.move_on_after(30) as patience:
            await alice.mesh.measured([bob.key, carol.key])
        assert patience.cancelled_caught
        network.heal("machine0", "machine2")
        with trio.fail_after(30):
            await alice.mesh.measured([bob.key, carol.key])
        assert alice.mesh.round_trip_us(carol.key) == pytest.approx(LEAST, abs=1)


async def test_a_round_trip_is_settled_after_a_few() -> None:
    trips = RoundTrips()
    assert trips.least_us is None
    for seconds in [0.5] * (SETTLED_AFTER - 1):
        trips.note(seconds)
    assert not trips.settled.is_set()
    trips.note(0.0)
    assert trips.settled.is_set()
    assert trips.least_us == 1  # nothing takes no time
