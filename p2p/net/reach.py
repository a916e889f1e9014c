"""Reach: peers behind gateways that let nobody in, through iroh (QUIC, hole punching, relays).

iroh is only the pipe.  The same channel runs over it as over TCP (`channel`): TLS 1.3 with the
identity keys, so neither a relay nor the thief of an endpoint's key reads or writes a byte of a
table.  What a relay sees: the endpoints' keys, their network addresses, how much passes and when.

No discovery service is asked: an address names a relay, or a UDP address, itself.  An
endpoint's key is derived from the identity and the table, so that it is the same after a
restart, and so that relays cannot tell that two tables have a player in common.

This module needs the optional package `iroh`.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final, final
from urllib.parse import urlsplit

import iroh
import trio

from p2p.identity.keys import Identity
from p2p.net.addresses import Address, AddressError, ListenError, local_addresses
from p2p.net.asyncio_thread import AsyncioThread, Job
from p2p.net.reach_address import RELAY_PORT, ReachAddress
from p2p.net.reach_plan import ReachPlan
from p2p.net.reach_stream import Pipe, ReachStream
from p2p.supervisor import Supervisor
from p2p.version import CHANNEL_VERSION

PROTOCOL: Final = b"nodealer/%d" % CHANNEL_VERSION
"""What connections are for, in QUIC's handshake (ALPN, RFC 7301)."""
RELAY_SECONDS: Final = 5.0
"""How long to wait for a relay before going without one."""
CLOSE_SECONDS: Final = 1.0
_REACH: Final = Supervisor("listening by reach")
UNPROVEN_MAX: Final = 16
"""Inbound connections that have not opened their stream; the oldest makes room, see `Door`."""
OPENING_SECONDS: Final = 10.0
_OPENING: Final = b"\x00"
"""The first byte of each stream: QUIC announces no stream before something is sent.

It says nothing; the handshake comes after it."""
_KEY_PURPOSE: Final = b"nodealer reach endpoint v1\0"


def endpoint_secret(identity: Identity, token: bytes) -> bytes:
    """The secret key (32 bytes) of an identity's endpoint at one table."""
    return hmac.digest(identity.expose_secret(), _KEY_PURPOSE + token, "sha256")


@asynccontextmanager
async def open_endpoint(secret: bytes, plan: ReachPlan) -> AsyncIterator[ReachEndpoint]:
    """Open an endpoint that dials and listens; ListenError, with a sentence, if this fails."""
    thread = AsyncioThread()
    thread.start()
    try:
        bound = await _bound(thread, secret, plan)
        endpoint = ReachEndpoint(thread, bound, await _address(thread, bound, plan))
        try:
            yield endpoint
        finally:
            with trio.CancelScope(shield=True):
                await endpoint.aclose()
    finally:
        await thread.stop()


async def _bound(thread: AsyncioThread, secret: bytes, plan: ReachPlan) -> iroh.Endpoint:
    try:
        return await thread.run(partial(_bind, secret, plan))
    except iroh.IrohError as error:
        raise ListenError(
            f"Reach cannot be opened: {error.message()}. Try it without --reach."
        ) from error


async def _bind(secret: bytes, plan: ReachPlan) -> iroh.Endpoint:
    relays = iroh.RelayMode.default_mode() if plan.relays else iroh.RelayMode.disabled()
    options = iroh.EndpointOptions(
        preset=iroh.preset_minimal(),
        secret_key=secret,
        alpns=[PROTOCOL],
        relay_mode=relays,
        bind_addr=f"[{plan.bind}]:0" if plan.bind and ":" in plan.bind else _bind_v4(plan),
    )
    return await iroh.Endpoint.bind(options)


def _bind_v4(plan: ReachPlan) -> str | None:
    return None if plan.bind is None else f"{plan.bind}:0"


async def _address(thread: AsyncioThread, bound: iroh.Endpoint, plan: ReachPlan) -> ReachAddress:
    """Where others find this endpoint: at its relay, or at its own address."""
    if plan.relays:
        with trio.move_on_after(RELAY_SECONDS):
            await thread.run(bound.online)
    key: bytes = bound.id().to_bytes()
    relay: str | None = bound.addr().relay_url()
    if relay is not None:
        with suppress(AddressError):
            return at_relay(key, relay)
    sockets = [Address.parse(text) for text in bound.bound_sockets()]
    here = next((socket for socket in sockets if socket.host == plan.bind), None)
    return ReachAddress(key, here or local_addresses(sockets[0].port)[0])


def at_relay(endpoint: bytes, url: str) -> ReachAddress:
    """The address of an endpoint that waits at a relay; AddressError for an unusual relay."""
    address = ReachAddress(endpoint, Address(urlsplit(url).hostname or "", RELAY_PORT))
    if address.relay_url != url:
        raise AddressError("This relay is not one at the port of HTTPS.")
    return address


@final
class ReachEndpoint:
    """An open endpoint: `address` for others, `listener` for what they dial."""

    def __init__(self, thread: AsyncioThread, bound: iroh.Endpoint, address: ReachAddress) -> None:
        self.address: Final = address
        self._thread = thread
        self._bound = bound
        self._farewells: set[Job[None]] = set()
        self.listener: Final = ReachListener(partial(ReachStream, thread, part=self._part))
        self._trio = trio.lowlevel.current_trio_token()
        self._unproven: dict[asyncio.Task[None], None] = {}
        self._accepting = thread.begin(partial(_REACH.keep, self._accept, asyncio.sleep))

    async def dial(self, address: ReachAddress) -> ReachStream:
        """A stream to an endpoint; OSError if it is not reached, however long that takes."""
        try:
            pipe = await self._thread.run(partial(self._connect, address))
        except iroh.IrohError as error:
            raise OSError(f"iroh: {error.message()}") from error
        return ReachStream(self._thread, pipe, self._part)

    async def aclose(self) -> None:
        """Let what was sent arrive, for a while, and close."""
        await self.listener.aclose()
        self._accepting.cancel()
        for farewell in [*self._farewells]:
            await farewell.ended.wait()
        with trio.move_on_after(CLOSE_SECONDS):
            await self._thread.run(self._bound.close)

    async def _connect(self, address: ReachAddress) -> Pipe:
        direct = [] if address.at.ip is None else [str(address.at)]
        key = iroh.EndpointId.from_bytes(address.endpoint)
        found = iroh.EndpointAddr(key, address.relay_url, direct)
        connection = await self._bound.connect(found, PROTOCOL)
        try:
            pipe = Pipe(connection, await connection.open_bi())
            await pipe.write(_OPENING)
        except BaseException:
            connection.close(1, b"")
            raise
        return pipe

    async def _accept(self) -> None:
        """Take in what others dial, until cancelled."""
        while (incoming := await self._bound.accept_next()) is not None:
            if len(self._unproven) >= UNPROVEN_MAX:
                oldest = next(iter(self._unproven))
                del self._unproven[oldest]
                oldest.cancel()
            task = asyncio.create_task(self._open(incoming))
            self._unproven[task] = None
            task.add_done_callback(lambda done: self._unproven.pop(done, None))

    async def _open(self, incoming: iroh.Incoming) -> None:
        with _REACH.contained():
            await self._take_in(incoming)

    async def _take_in(self, incoming: iroh.Incoming) -> None:
        connection: iroh.Connection | None = None
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                connection = await (await incoming.accept()).connect()
                connection.set_max_concurrent_uni_streams(0)
                connection.set_max_concurrent_bi_streams(1)
                pipe = Pipe(connection, await connection.accept_bi())
                await pipe.read_exactly(len(_OPENING))
        except BaseException as error:
            if connection is not None:
                connection.close(1, b"")
            if isinstance(error, (iroh.IrohError, TimeoutError)):
                return  # whoever it was did not get far enough to be worth a word
            raise
        self._trio.run_sync_soon(self.listener.hand_over, pipe)

    def _part(self, pipe: Pipe) -> None:
        """Close a pipe in good order, in the background."""
        self._farewells = {job for job in self._farewells if not job.ended.is_set()}
        try:
            self._farewells.add(self._thread.begin(pipe.farewell))
        except trio.ClosedResourceError:
            pipe.end()  # the endpoint is closed, and with it all that it carried


@final
class ReachListener(trio.abc.Listener[ReachStream]):
    """Accepts what others dial, once they have opened their stream."""

    def __init__(self, stream: partial[ReachStream]) -> None:
        self._stream = stream
        self._dialled, self._accepted = trio.open_memory_channel[Pipe](UNPROVEN_MAX)

    async def accept(self) -> ReachStream:
        """The next stream."""
        try:
            return self._stream(await self._accepted.receive())
        except trio.EndOfChannel:
            raise trio.ClosedResourceError from None

    async def aclose(self) -> None:
        """Accept nothing any more."""
        self._dialled.close()
        with suppress(trio.WouldBlock, trio.EndOfChannel, trio.ClosedResourceError):
            while True:
                self._accepted.receive_nowait().end()
        self._accepted.close()
        await trio.lowlevel.checkpoint()

    def hand_over(self, pipe: Pipe) -> None:
        """Give a connection to whoever accepts, or end it if nobody does."""
        try:
            self._dialled.send_nowait(pipe)
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            pipe.end()
