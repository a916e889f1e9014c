"""Links as slow as those of the internet, on one machine: a proxy between real sockets.

Each dialled connection leads through a TCP proxy on loopback that holds every chunk back for the
delay of its link, with jitter and now and then a spike, as TCP does: a late chunk holds up those
after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

import trio

from p2p.net.addresses import Address, listening_port, open_listeners

LOOPBACK: Final = "127.0.0.1"
Delays = Iterator[float]
"""The delay of each chunk in turn, in seconds."""


@dataclass(frozen=True, slots=True)
class Weather:
    """What a link adds to its least delay, in seconds, drawn for each chunk.

    Jitter is exponential with the mean `jitter`; a share `spikes` of all chunks takes up to
    `spike` longer (evenly drawn).
    """

    jitter: float = 0.0
    spikes: float = 0.0
    spike: float = 0.0

    def draw(self, rng: Random) -> float:
        """The extra delay of one chunk."""
        extra = rng.expovariate(1 / self.jitter) if self.jitter else 0.0
        return extra + rng.random() * self.spike if rng.random() < self.spikes else extra


class Links:
    """The links between the seats of one table: their proxies run in `nursery`.

    `one_way(here, there)` is the least delay in seconds, the same in both directions.  The
    draws come from `seed`, each direction of a link with a sequence of its own.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        one_way: Callable[[int, int], float],
        weather: Weather,
        seed: object,
    ) -> None:
        self._nursery: Final = nursery
        self._one_way: Final = one_way
        self._weather: Final = weather
        self._seed: Final = seed
        self._seats: Final[dict[int, int]] = {}

    def listens(self, seat: int, port: int) -> None:
        """Note that `seat` is reached at this port."""
        self._seats[port] = seat

    async def dial(self, here: int, address: Address) -> trio.SocketStream:
        """A stream from `here` to whoever listens at `address`; OSError if nobody does."""
        there = self._seats.get(address.port)
        if there is None:
            raise ConnectionRefusedError(f"{address} is no seat of this table")
        delays = self.delays(here, there), self.delays(there, here)
        listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
        self._nursery.start_soon(_forward, listeners[0], address, *delays)
        return await trio.open_tcp_stream(LOOPBACK, listening_port(listeners))

    def delays(self, here: int, there: int) -> Delays:
        """How long each chunk from `here` to `there` takes, in order."""
        rng, least = Random(f"{self._seed}/{here}/{there}"), self._one_way(here, there)
        while True:
            yield least + self._weather.draw(rng)


async def _forward(
    listener: trio.SocketListener, address: Address, there: Delays, back: Delays
) -> None:
    """Accept one connection and carry it on, until both sides have ended or one broke."""
    async with listener:
        near = await listener.accept()
    async with near:
        try:
            async with await trio.open_tcp_stream(address.host, address.port) as far:
                await _carry(near, far, there, back)
        except OSError:
            return  # the listener has gone: the dialler sees its connection end


async def _carry(
    near: trio.SocketStream, far: trio.SocketStream, there: Delays, back: Delays
) -> None:
    async with trio.open_nursery() as nursery:

        async def carry(source: trio.SocketStream, sink: trio.SocketStream, delays: Delays) -> None:
            try:
                await _pump(source, sink, delays)
            except* (trio.BrokenResourceError, trio.ClosedResourceError):
                nursery.cancel_scope.cancel()

        nursery.start_soon(carry, near, far, there)
        nursery.start_soon(carry, far, near, back)


async def _pump(source: trio.SocketStream, sink: trio.SocketStream, delays: Delays) -> None:
    """Read at once, and write each chunk when it is due, in order."""
    send, receive = trio.open_memory_channel[tuple[float, bytes]](math.inf)

    async def write() -> None:
        async for due, chunk in receive:
            await trio.sleep_until(due)
            await sink.send_all(chunk)
        await sink.send_eof()

    async with trio.open_nursery() as nursery, send:
        nursery.start_soon(write)
        due = trio.current_time()
        async for chunk in source:
            due = max(due, trio.current_time() + next(delays))
            send.send_nowait((due, bytes(chunk)))


class SeatOf(NamedTuple):
    """Where a task sits: at which seat of which table."""

    links: Links
    seat: int


PLACE: Final[ContextVar[SeatOf]] = ContextVar("PLACE")
"""Set in the task of each seat; `DelayedTransport` and `listen` look up here who uses them."""


class DelayedTransport:
    """Stands in for `TcpTransport` in p2p.net.mesh: the seat of this task dials by proxies."""

    def __init__(self) -> None:
        self._place: Final = PLACE.get()

    async def dial(self, address: Address) -> trio.abc.Stream:
        """See `p2p.net.transport.Transport`."""
        return await self._place.links.dial(self._place.seat, address)


async def listen(port: int, host: str | None = None) -> Sequence[trio.SocketListener]:
    """Stand in for `open_listeners` in p2p.net.endpoint: the links learn who listens where."""
    listeners, place = await open_listeners(port, host), PLACE.get()
    place.links.listens(place.seat, listening_port(listeners))
    return listeners
