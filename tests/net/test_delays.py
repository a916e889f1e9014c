"""The proxy that makes links on one machine as slow as those of the internet."""

from __future__ import annotations

from itertools import islice

import pytest
import trio

from cli.bench.delays import LOOPBACK, Links, Weather
from p2p.net.addresses import Address, listening_port

CALM = Weather()
STORMY = Weather(jitter=0.002, spikes=0.25, spike=0.08)


def one_way(here: int, there: int) -> float:
    return 0.01 * (here + there)


async def test_delays_follow_from_the_seed_and_the_direction(nursery: trio.Nursery) -> None:
    links = Links(nursery, one_way, STORMY, "a seed")
    again = Links(nursery, one_way, STORMY, "a seed")
    other = Links(nursery, one_way, STORMY, "another seed")
    drawn = list(islice(links.delays(1, 2), 400))
    assert drawn == list(islice(again.delays(1, 2), 400))
    assert drawn != list(islice(links.delays(2, 1), 400))
    assert drawn != list(islice(other.delays(1, 2), 400))
    assert min(drawn) >= 0.03
    spikes = sum(delay > 0.03 + 0.02 for delay in drawn) / len(drawn)
    assert spikes == pytest.approx(STORMY.spikes * 0.75, abs=0.08)


async def test_calm_links_take_their_least_delay(nursery: trio.Nursery) -> None:
    delays = Links(nursery, one_way, CALM, 0).delays(0, 2)
    assert list(islice(delays, 3)) == [0.02] * 3


async def test_bytes_arrive_in_order_and_late(nursery: trio.Nursery) -> None:
    """Whatever is drawn for each chunk; the end of one direction is carried on too."""
    links = Links(nursery, one_way, STORMY, 5)
    port = await _echo(nursery)
    links.listens(1, port)
    said = bytes(range(256)) * 40
    began = trio.current_time()
    async with await links.dial(0, Address(LOOPBACK, port)) as stream:
        for place in range(0, len(said), 512):
            await stream.send_all(said[place : place + 512])
        await stream.send_eof()
        heard = b"".join([bytes(chunk) async for chunk in stream])
    assert heard == said
    assert trio.current_time() - began >= 2 * one_way(0, 1)


async def test_a_broken_end_breaks_the_other(nursery: trio.Nursery) -> None:
    links = Links(nursery, one_way, CALM, 0)
    closed = trio.Event()

    async def hang_up(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.aclose()
        closed.set()

    listeners = await nursery.start(trio.serve_tcp, hang_up, 0)
    port = listening_port(listeners)
    links.listens(1, port)
    async with await links.dial(0, Address(LOOPBACK, port)) as stream:
        await stream.send_all(b"hello")
        await closed.wait()
        assert await stream.receive_some() == b""


async def test_nobody_is_dialled_who_does_not_listen(nursery: trio.Nursery) -> None:
    links = Links(nursery, one_way, CALM, 0)
    with pytest.raises(ConnectionRefusedError):
        await links.dial(0, Address(LOOPBACK, 9))


async def test_a_seat_that_has_gone_ends_the_connection(nursery: trio.Nursery) -> None:
    links = Links(nursery, one_way, CALM, 0)
    listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
    port = listening_port(listeners)
    links.listens(1, port)
    for listener in listeners:
        await listener.aclose()
    async with await links.dial(0, Address(LOOPBACK, port)) as stream:
        assert await stream.receive_some() == b""


async def _echo(nursery: trio.Nursery) -> int:
    async def echo(stream: trio.SocketStream) -> None:
        async with stream:
            async for chunk in stream:
                await stream.send_all(chunk)

    listeners = await nursery.start(trio.serve_tcp, echo, 0)
    return listening_port(listeners)
