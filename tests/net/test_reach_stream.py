"""Streams of iroh between two endpoints on this machine, without relays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

pytest.importorskip("iroh", reason="the optional package iroh is not installed")

import iroh

from p2p.identity.keys import Identity
from p2p.net import reach, reach_stream
from p2p.net.addresses import AddressError, ListenError
from p2p.net.link import Frames
from p2p.net.reach import ReachEndpoint, endpoint_secret, open_endpoint
from p2p.net.reach_address import ReachAddress
from p2p.net.reach_plan import ReachPlan
from p2p.net.reach_stream import ReachStream
from tests.patience import PATIENCE

HERE = ReachPlan(relays=False, bind="127.0.0.1")
ROOT = Path(__file__).parents[2]
STUCK_SECONDS = 1.0
"""Whoever can send nothing for so long is slowed down, by the reader or by the machine."""
MOST = 2 * 1024 * 1024


@asynccontextmanager
async def endpoints() -> AsyncIterator[tuple[ReachEndpoint, ReachEndpoint]]:
    with trio.fail_after(PATIENCE):
        async with (
            open_endpoint(bytes(32), HERE) as one,
            open_endpoint(bytes([1] * 32), HERE) as two,
        ):
            yield one, two


async def connected(one: ReachEndpoint, two: ReachEndpoint) -> tuple[ReachStream, ReachStream]:
    """`one` dials `two`; both ends."""
    ends: dict[str, ReachStream] = {}

    async def accept() -> None:
        ends["far"] = await two.listener.accept()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accept)
        ends["near"] = await one.dial(two.address)
    return ends["near"], ends["far"]


@pytest.mark.slow
async def test_the_contract_of_streams() -> None:
    """`check_half_closeable_stream` begins with `check_two_way_stream`."""
    async with endpoints() as (one, two):

        async def make() -> tuple[ReachStream, ReachStream]:
            return await connected(one, two)

        await trio.testing.check_half_closeable_stream(make, None)


async def test_all_that_was_sent_arrives_after_closing() -> None:
    async with endpoints() as (one, two):
        near, far = await connected(one, two)
        await near.send_all(bytes(200_000))
        await near.aclose()
        received = 0
        while data := await far.receive_some():
            received += len(data)
        assert received == 200_000


async def test_a_cancelled_receive_loses_nothing() -> None:
    """Cancelled at once, and at moments around the one at which the byte comes."""
    rounds = 200
    async with endpoints() as (one, two):
        near, far = await connected(one, two)
        heard = b""
        for number in range(rounds):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(near.send_all, bytes([number]))
                with trio.move_on_after(number % 20 / 10_000):
                    heard += await far.receive_some()
        while len(heard) < rounds:
            heard += await far.receive_some()
        assert heard == bytes(range(rounds))


@pytest.mark.slow
async def test_a_slow_reader_slows_the_writer() -> None:
    """No more than QUIC's window is under way, however long the writer would go on."""
    block, sent = bytes(32 * 1024), 0
    async with endpoints() as (one, two):
        near, far = await connected(one, two)
        while sent <= MOST:
            with trio.move_on_after(STUCK_SECONDS) as stuck:
                await near.send_all(block)
            if stuck.cancelled_caught:
                break
            sent += len(block)
        assert 256 * 1024 <= sent <= MOST
        received = 0
        while received < sent:
            received += len(await far.receive_some())


async def test_a_cancelled_dial_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "CLOSE_SECONDS", 0.05)
    async with endpoints() as (one, two):
        async with trio.open_nursery() as nursery:
            scope = trio.CancelScope()

            async def dial_nobody() -> None:
                nobody = ReachAddress(two.address.endpoint, one.address.at)
                with scope:
                    await one.dial(nobody)

            nursery.start_soon(dial_nobody)
            await trio.testing.wait_all_tasks_blocked()
            scope.cancel()
        assert scope.cancelled_caught
        near, far = await connected(one, two)  # the endpoint is none the worse for it
        await near.send_all(b"x")
        assert await far.receive_some() == b"x"


def test_addresses_lead_to_the_public_relays() -> None:
    """Letter for letter: iroh would take another spelling for another relay."""
    for url in iroh.RelayMode.default_mode().relay_map().urls():
        assert reach.at_relay(bytes(32), url).relay_url == url
    with pytest.raises(AddressError):
        reach.at_relay(bytes(32), "https://relay.example.net:8443/")


def test_the_endpoint_is_the_same_again_and_another_one_elsewhere() -> None:
    ana, bob = (Identity(bytes([number] * 32)) for number in (1, 2))
    keys = [
        endpoint_secret(who, token) for who in (ana, bob) for token in (bytes(16), bytes([1] * 16))
    ]
    assert len(set(keys)) == 4
    assert keys[0] == endpoint_secret(ana, bytes(16))
    assert ana.expose_secret() not in keys


async def test_a_key_that_is_none_is_an_address_that_does_not_answer() -> None:
    async with endpoints() as (one, two):
        not_on_the_curve = bytes([2]) + bytes(31)
        with pytest.raises(OSError, match="iroh"):
            await one.dial(ReachAddress(not_on_the_curve, two.address.at))


async def test_a_program_that_ends_breaks_the_stream() -> None:
    """Its endpoint says so if our stream does not hear of it in another way."""
    with trio.fail_after(PATIENCE):
        async with open_endpoint(bytes(32), HERE) as one:
            async with open_endpoint(bytes([1] * 32), HERE) as two:
                near, _far = await connected(one, two)
            with pytest.raises(trio.BrokenResourceError):
                await near.receive_some()
            with pytest.raises(trio.BrokenResourceError):
                await near.send_all(b"x")
            await near.aclose()


VANISHING = """
import sys, trio
from p2p.net.reach import open_endpoint
from p2p.net.reach_plan import ReachPlan

async def main():
    here = ReachPlan(relays=False, bind="127.0.0.1")
    async with open_endpoint(bytes([1] * 32), here) as endpoint:
        print(endpoint.address, flush=True)
        stream = await endpoint.listener.accept()
        await stream.send_all(b"here")
        await trio.sleep_forever()

trio.run(main)
"""


@pytest.mark.slow
async def test_a_peer_that_vanishes_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """No word comes any more: silence is found as over TCP, and closing gives up soon."""
    monkeypatch.setattr(reach_stream, "FAREWELL_SECONDS", 0.1)
    monkeypatch.setattr(reach, "CLOSE_SECONDS", 0.1)
    program = [sys.executable, "-c", VANISHING]
    with (
        subprocess.Popen(program, stdout=subprocess.PIPE, text=True, cwd=ROOT) as gone,
        trio.fail_after(PATIENCE),
    ):
        assert gone.stdout is not None
        address = ReachAddress.parse((await trio.to_thread.run_sync(gone.stdout.readline)).strip())
        async with open_endpoint(bytes(32), HERE) as one:
            near = await one.dial(address)
            assert await near.receive_some() == b"here"
            gone.kill()
            frames = Frames(near)
            await frames.send(b"is anybody there?")
            with pytest.raises(trio.TooSlowError), trio.fail_after(0.1):
                await frames.receive()
            await frames.aclose()
            with pytest.raises(trio.ClosedResourceError):
                await frames.receive()


async def test_streams_outlive_their_endpoint_without_harm() -> None:
    async with endpoints() as (one, two):
        near, far = await connected(one, two)
    for stream in (near, far):
        with pytest.raises(trio.ClosedResourceError):
            await stream.send_all(b"x")
        await stream.aclose()


async def test_who_opens_no_stream_makes_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "UNPROVEN_MAX", 2)
    async with endpoints() as (one, two):
        address = iroh.EndpointAddr(
            iroh.EndpointId.from_bytes(two.address.endpoint), None, [str(two.address.at)]
        )
        silent = []
        for _ in range(3):

            async def connect() -> iroh.Connection:
                return await one._bound.connect(address, reach.PROTOCOL)

            silent.append(await one._thread.run(connect))
        near, far = await connected(one, two)
        await near.send_all(b"x")
        assert await far.receive_some() == b"x"
        assert silent[0].close_reason() is not None


async def test_an_address_that_cannot_be_bound_is_a_sentence() -> None:
    with pytest.raises(ListenError, match="Reach cannot be opened"):
        async with open_endpoint(bytes(32), ReachPlan(relays=False, bind="192.0.2.1")):
            raise AssertionError("no such address is on this machine")
