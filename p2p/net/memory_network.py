"""A network in memory: trio streams with delays and cuts, for tests and simulations.

Time is trio's clock, so that with an autojump clock nothing waits.  The streams keep trio's
stream contract (`trio.testing.check_half_closeable_stream`).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Final, final

import trio

from p2p.net.addresses import Address
from p2p.net.limits import at_most
from p2p.net.reach_address import AnyAddress

CAPACITY: Final = 64 * 1024
"""Bytes one direction of a stream holds before the sender waits, like a socket buffer."""


def _busy(what: str) -> trio.BusyResourceError:
    return trio.BusyResourceError(f"another task is {what}")


@final
class _Pipe:
    """One direction: bytes with the moment at which each chunk arrives."""

    def __init__(self, delay: float, jitter: Callable[[], float]) -> None:
        self.delay = delay
        self._jitter = jitter
        self.chunks: deque[tuple[float, bytes]] = deque()
        self.held = 0
        self.sender_closed = False
        self.sender_gone = False
        self.receiver_closed = False
        self.broken = False
        self._changed = trio.Event()

    def changed(self) -> None:
        """Wake the tasks that wait on either end."""
        self._changed.set()
        self._changed = trio.Event()

    async def wait_change(self, until: float = math.inf) -> None:
        with trio.move_on_at(until):
            await self._changed.wait()

    def check_sendable(self) -> None:
        if self.sender_closed or self.sender_gone:
            raise trio.ClosedResourceError
        if self.receiver_closed or self.broken:
            raise trio.BrokenResourceError

    def put(self, data: bytes) -> None:
        self.chunks.append((trio.current_time() + self.delay + self._jitter(), data))
        self.held += len(data)
        self.changed()

    def take(self, max_bytes: int) -> bytes | None:
        """Bytes that have arrived by now, b"" at the end, None if one has to wait."""
        if self.receiver_closed:
            raise trio.ClosedResourceError
        if self.broken:
            raise trio.BrokenResourceError
        if not self.chunks:
            return b"" if self.sender_closed else None
        arrival, chunk = self.chunks[0]
        if arrival > trio.current_time():
            return None
        self.chunks.popleft()
        if len(chunk) > max_bytes:
            self.chunks.appendleft((arrival, chunk[max_bytes:]))
            chunk = chunk[:max_bytes]
        self.held -= len(chunk)
        self.changed()
        return chunk

    @property
    def next_arrival(self) -> float:
        return self.chunks[0][0] if self.chunks else math.inf


@final
class MemoryStream(trio.abc.HalfCloseableStream):
    """One end of a connection in memory; `far_host` is the machine at the other end."""

    def __init__(self, outward: _Pipe, inward: _Pipe) -> None:
        self.far_host = ""
        self._outward = outward
        self._inward = inward
        self._sending = False
        self._receiving = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self._sending:
            raise _busy("sending")
        self._sending = True
        try:
            await trio.lowlevel.checkpoint()
            self._outward.check_sendable()
            rest = bytes(data)
            while rest:
                await self._wait_room()
                room = CAPACITY - self._outward.held
                self._outward.put(rest[:room])
                rest = rest[room:]
        finally:
            self._sending = False

    async def wait_send_all_might_not_block(self) -> None:
        if self._sending:
            raise _busy("sending")
        self._sending = True
        try:
            await trio.lowlevel.checkpoint()
            if self._outward.sender_closed or self._outward.sender_gone:
                raise trio.ClosedResourceError
            if not (self._outward.receiver_closed or self._outward.broken):
                await self._wait_room()
        finally:
            self._sending = False

    async def _wait_room(self) -> None:
        self._outward.check_sendable()
        while self._outward.held >= CAPACITY:
            await self._outward.wait_change()
            self._outward.check_sendable()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._receiving:
            raise _busy("receiving")
        limit = at_most(CAPACITY, max_bytes)
        self._receiving = True
        try:
            await trio.lowlevel.checkpoint()
            while (data := self._inward.take(limit)) is None:
                await self._inward.wait_change(self._inward.next_arrival)
            return data
        finally:
            self._receiving = False

    async def send_eof(self) -> None:
        if self._sending:
            raise _busy("sending")
        await trio.lowlevel.checkpoint()
        if self._outward.sender_gone:
            raise trio.ClosedResourceError
        self._outward.sender_closed = True
        self._outward.changed()

    async def aclose(self) -> None:
        self._outward.sender_closed = self._outward.sender_gone = True
        self._inward.receiver_closed = True
        self._outward.changed()
        self._inward.changed()
        await trio.lowlevel.checkpoint()

    def cut(self, *, silently: bool) -> None:
        """Break the connection: both ends notice, or (silently) nothing arrives any more."""
        for pipe in (self._outward, self._inward):
            if silently:
                pipe.delay = math.inf
                pipe.chunks = deque((math.inf, chunk) for _, chunk in pipe.chunks)
            else:
                pipe.broken = True
            pipe.changed()


def _steady() -> float:
    return 0.0


def memory_streams(
    delay: float = 0.0, jitter: Callable[[], float] = _steady
) -> tuple[MemoryStream, MemoryStream]:
    """Two connected ends; each byte takes `delay` seconds, plus what `jitter` adds each time."""
    there, back = _Pipe(delay, jitter), _Pipe(delay, jitter)
    return MemoryStream(there, back), MemoryStream(back, there)


@final
class MemoryListener(trio.abc.Listener[MemoryStream]):
    """Accepts what machines of the same `MemoryNetwork` dial."""

    def __init__(self) -> None:
        self._dialled, self._accepted = trio.open_memory_channel[MemoryStream](64)

    async def accept(self) -> MemoryStream:
        try:
            return await self._accepted.receive()
        except trio.EndOfChannel:
            raise trio.ClosedResourceError from None

    async def aclose(self) -> None:
        self._dialled.close()
        self._accepted.close()
        await trio.lowlevel.checkpoint()

    def hand_over(self, stream: MemoryStream) -> None:
        """Give a dialled connection to whoever accepts; OSError if nobody can."""
        try:
            self._dialled.send_nowait(stream)
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise ConnectionRefusedError("nobody listens") from error


@final
class MemoryNetwork:
    """Named machines (the hosts of addresses), joined pairwise unless cut."""

    def __init__(self, delay: float = 0.0, jitter: Callable[[], float] = _steady) -> None:
        self._delay = delay
        self._jitter = jitter
        self._delays: dict[frozenset[str], float] = {}
        self._listeners: dict[Address, MemoryListener] = {}
        self._severed: set[frozenset[str]] = set()
        self._streams: list[tuple[frozenset[str], MemoryStream]] = []

    def listen(self, address: Address) -> MemoryListener:
        """A listener at `address`; a machine may have several, on different ports."""
        listener = self._listeners[address] = MemoryListener()
        return listener

    def transport(self, machine: str) -> MemoryTransport:
        """How `machine` dials."""
        return MemoryTransport(self, machine)

    def set_delay(self, one: str, other: str, seconds: float) -> None:
        """One-way delay between two machines, for connections made from now on."""
        self._delays[frozenset((one, other))] = seconds

    def cut(self, one: str, other: str, *, silently: bool = False) -> None:
        """Break every connection between two machines and allow no new one."""
        self._severed.add(frozenset((one, other)))
        self.disconnect(one, other, silently=silently)

    def disconnect(self, one: str, other: str, *, silently: bool = False) -> None:
        """Break every connection between two machines; they may dial again."""
        pair = frozenset((one, other))
        for machines, stream in self._streams:
            if machines == pair:
                stream.cut(silently=silently)
        self._streams = [entry for entry in self._streams if entry[0] != pair]

    def heal(self, one: str, other: str) -> None:
        """Allow new connections again."""
        self._severed.discard(frozenset((one, other)))

    def connect(self, machine: str, address: Address) -> MemoryStream:
        """A new connection; OSError if the way is cut or nobody listens."""
        pair = frozenset((machine, address.host))
        listener = self._listeners.get(address)
        if pair in self._severed or listener is None:
            raise ConnectionRefusedError(f"{address} does not answer")
        near, far = memory_streams(self._delays.get(pair, self._delay), self._jitter)
        near.far_host, far.far_host = address.host, machine
        listener.hand_over(far)
        self._streams.append((pair, near))
        return near


@final
class MemoryTransport:
    """The `Transport` of one machine of a memory network."""

    def __init__(self, network: MemoryNetwork, machine: str) -> None:
        self._network = network
        self._machine = machine

    async def dial(self, address: AnyAddress) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        if not isinstance(address, Address):
            raise ConnectionRefusedError("a memory network has no relays")
        return self._network.connect(self._machine, address)
