"""Connections that have not proven who they are: bounded in number, time and computing.

`crowd` opens 200 connections a second to a host, and after a second of that a guest dials that
is 60 ms away.  Time is trio's mock clock: what is measured is waiting, not computing.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count

import pytest
import trio
from trio.testing import MockClock, check_one_way_stream

from p2p.net.addresses import Address
from p2p.net.certificate import dialler_context
from p2p.net.door import Begun
from p2p.net.limits import Limits
from p2p.net.memory_network import MemoryNetwork, memory_streams

from .helpers import Node, nodes, until

LIMITS = Limits()
UNPROVEN = LIMITS.silent + LIMITS.in_line + LIMITS.shaking_hands
AWAY = 0.06
RATE = 200
GUEST = "machine1"
Assault = Callable[[trio.abc.Stream], Awaitable[None]]


@asynccontextmanager
async def host_and_guest(
    network: MemoryNetwork, *, dials: bool = True
) -> AsyncIterator[tuple[Node, Node]]:
    async with nodes(network, 2, dials=lambda _who, whom: dials and whom == 0) as (host, guest):
        yield host, guest


async def say_nothing(_stream: trio.abc.Stream) -> None:
    pass


async def say_half(stream: trio.abc.Stream) -> None:
    """The header of a TLS record, and nothing of it."""
    await stream.send_all(b"\x16\x03\x01\x02\x00")


async def talk_tls(stream: trio.abc.Stream) -> None:
    """A whole TLS handshake, and then no proof."""
    await trio.SSLStream(stream, dialler_context()).do_handshake()


def one_machine() -> Callable[[], str]:
    return lambda: "198.51.100.7"


def one_network() -> Callable[[], str]:
    hosts = count()
    return lambda: f"198.51.100.{next(hosts) % 256}"


def the_guest_s_own() -> Callable[[], str]:
    return lambda: GUEST


def everywhere() -> Callable[[], str]:
    hosts = count()
    return lambda: f"10.{(n := next(hosts)) // 256 % 256}.{n % 256}.1"


async def crowd(network: MemoryNetwork, host: Address, machine: str, assault: Assault) -> None:
    stream = await network.transport(machine).dial(host)
    try:
        await assault(stream)
        while await stream.receive_some():
            pass
    except (trio.BrokenResourceError, ssl.SSLError):
        pass
    finally:
        await trio.aclose_forcefully(stream)


async def seconds_until_seated(
    machines: Callable[[], str], assault: Assault, *, patience: float = 60.0
) -> tuple[float, Node]:
    """How long a guest 60 ms away needs against a crowd, and the host."""
    network = MemoryNetwork()
    network.set_delay("machine0", GUEST, AWAY)
    async with (
        host_and_guest(network, dials=False) as (host, guest),
        trio.open_nursery() as nursery,
    ):

        async def flood() -> None:
            while True:
                nursery.start_soon(crowd, network, host.address, machines(), assault)
                await trio.sleep(1 / RATE)

        nursery.start_soon(flood)
        await trio.sleep(1)
        guest.mesh.add(host.key, [host.address])
        took = await until(lambda: host.is_up(guest) and guest.is_up(host), patience)
        nursery.cancel_scope.cancel()
    return took, host


@pytest.mark.slow
@pytest.mark.parametrize("machines", [one_machine, one_network, the_guest_s_own, everywhere])
async def test_silent_connections_shut_nobody_out(
    machines: Callable[[], Callable[[], str]], autojump_clock: MockClock
) -> None:
    """A stranger opens 200 connections a second and says nothing, while a guest 60 ms away dials.

    Answer: a guest who speaks does not wait among the silent ones, and is in within a second (0.5 s
    without them), even if each of them comes from another network.
    """
    took, host = await seconds_until_seated(machines(), say_nothing)
    assert took < 1.0
    assert host.mesh.statistics.handshakes_crowded_out > RATE / 2


@pytest.mark.slow
@pytest.mark.parametrize("assault", [say_half, talk_tls])
@pytest.mark.parametrize("machines", [one_machine, one_network])
async def test_half_handshakes_shut_nobody_out(
    machines: Callable[[], Callable[[], str]], assault: Assault, autojump_clock: MockClock
) -> None:
    """A stranger begins 200 handshakes a second, or ends the TLS ones, and proves nothing.

    Answer: forty a second are begun, of each network in turn, and if all places are taken, the
    network with the most gives one up; a guest 60 ms away is in within a second.
    """
    took, host = await seconds_until_seated(machines(), assault)
    assert took < 1.0
    assert host.mesh.statistics.handshakes_crowded_out > RATE / 2


@pytest.mark.slow
async def test_handshakes_from_everywhere_only_delay(autojump_clock: MockClock) -> None:
    """A stranger begins 200 handshakes a second, each from another network.

    Answer: the guest only waits for a turn, here 13 s; each turn lasts for a second.
    Remains: if n networks begin a handshake each second, one try in n / 40 gets its turn.
    """
    took, _ = await seconds_until_seated(everywhere(), say_half)
    assert took < 20


async def test_eight_guests_of_one_house_pass(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody attacks: all who share an address come in, and nobody is pushed out."""
    monkeypatch.setattr("p2p.net.door.source_of", lambda stream: "one house")
    network = MemoryNetwork(delay=AWAY)
    async with nodes(network, 9, dials=lambda who, whom: whom == 0 < who) as (host, *guests):
        took = await until(lambda: all(host.is_up(guest) for guest in guests))
        assert took < 1.5
        assert host.mesh.statistics.handshakes_crowded_out == 0
        assert host.mesh.statistics.handshakes_refused == 0


@pytest.mark.slow
@pytest.mark.parametrize("assault", [say_nothing, say_half, talk_tls])
async def test_what_is_unproven_is_bounded_in_number_and_time(
    assault: Assault, autojump_clock: MockClock
) -> None:
    network = MemoryNetwork(delay=0.01)
    ended = []

    async def knock(host: Address, machine: str) -> None:
        await crowd(network, host, machine, assault)
        ended.append(machine)

    async with host_and_guest(network) as (host, _), trio.open_nursery() as nursery:
        machines = everywhere()
        for number in range(2 * UNPROVEN):
            nursery.start_soon(knock, host.address, machines())
            await trio.sleep(0.001)
            assert number - len(ended) <= UNPROVEN
        await trio.sleep(LIMITS.first_bytes_seconds + LIMITS.proof_seconds + 1)
        assert len(ended) == 2 * UNPROVEN


@pytest.mark.check("door.first-bytes")
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "what is said is no handshake"),
        (None, "what is said is no handshake"),
        (b"", "nothing was said for 1 s"),
        (b"\x16\x03\x01\x02\x00", "the peer took too long to shake hands"),
        (b"\x16" + bytes(400), "the peer broke off the handshake"),
    ],
)
async def test_garbage_at_the_door_is_noted_and_harms_nobody(
    said: bytes | None, reason: str, autojump_clock: MockClock
) -> None:
    network = MemoryNetwork(delay=0.01)
    async with host_and_guest(network) as (host, guest):
        await until(lambda: host.is_up(guest))
        for machine in range(5):
            stream = await network.transport(f"198.51.{machine}.1").dial(host.address)
            if said is None:
                await trio.aclose_forcefully(stream)
            elif said:
                await stream.send_all(said)
        await trio.sleep(6)
        assert host.mesh.statistics.handshakes_refused == 5
        assert sum(reason in note for note in host.mesh.statistics.notes) == 5
        assert host.is_up(guest)


async def test_a_connection_that_breaks_before_a_word(autojump_clock: MockClock) -> None:
    network = MemoryNetwork(delay=0.01)
    async with host_and_guest(network) as (host, guest):
        await until(lambda: host.is_up(guest))
        await network.transport("crowd").dial(host.address)
        network.cut("crowd", "machine0")
        await trio.sleep(1)
        assert any("broke before a word" in note for note in host.mesh.statistics.notes)


async def test_first_bytes_that_were_read_are_given_again(autojump_clock: MockClock) -> None:
    async def make() -> tuple[trio.abc.SendStream, trio.abc.ReceiveStream]:
        near, far = memory_streams()
        return near, Begun(far, b"")

    await check_one_way_stream(make, None)
    near, far = memory_streams()
    await near.send_all(b"later")
    begun = Begun(far, b"first")
    assert [await begun.receive_some(3), await begun.receive_some(9)] == [b"fir", b"st"]
    assert await begun.receive_some(9) == b"later"
    await begun.wait_send_all_might_not_block()
