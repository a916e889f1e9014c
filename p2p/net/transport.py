"""What carries bytes: TCP in play, iroh if it was asked for, memory in tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol, final

import trio

from p2p.installation import to_add
from p2p.net.addresses import ListenError
from p2p.net.interfaces import FindOwn, scopes, system_addresses
from p2p.net.reach_address import AnyAddress, ReachAddress
from p2p.net.reach_plan import ReachPlan

if TYPE_CHECKING:
    from p2p.identity.keys import Identity
    from p2p.net.reach import ReachEndpoint


SCOPES_MAX: Final = 16
"""Interfaces on which a link-local address is dialled at once."""


class Transport(Protocol):
    """How to reach an address.  Listening is trio's own `Listener` interface."""

    async def dial(self, address: AnyAddress) -> trio.abc.Stream:
        """An open byte stream to `address`; OSError if nobody answers."""


@final
class TcpTransport:
    """Plain TCP, with trio's happy eyeballs (RFC 8305) for host names.

    An IPv6 link-local address is dialled on every interface that has such addresses: nobody but
    the machine that dials can know which of them leads there (RFC 4007, section 6).
    """

    def __init__(self, find: FindOwn = system_addresses) -> None:
        self._find: Final = find

    async def dial(self, address: AnyAddress) -> trio.abc.Stream:
        """See `Transport`."""
        if isinstance(address, ReachAddress):
            raise OSError(without_reach())
        ip = address.ip
        if ip is not None and ip.version == 6 and ip.is_link_local:
            hosts = [f"{ip}%{scope}" for scope in scopes(self._find())[:SCOPES_MAX]]
            return await _first_open(hosts, address.port)
        return await trio.open_tcp_stream(address.host, address.port)


async def _first_open(hosts: Sequence[str], port: int) -> trio.abc.Stream:
    """Dial all of these at once; the first stream that opens.  OSError if none does."""
    streams: list[trio.SocketStream] = []
    failures: list[OSError] = []

    async def attempt(host: str) -> None:
        try:
            streams.append(await trio.open_tcp_stream(host, port))
        except OSError as error:
            failures.append(error)
        else:
            nursery.cancel_scope.cancel()

    won = 0
    try:
        async with trio.open_nursery() as nursery:
            for host in hosts:
                nursery.start_soon(attempt, host)
        if not streams:
            raise failures[0] if failures else OSError("this machine is on no IPv6 network")
        won = 1
        return streams[0]
    finally:
        for stream in streams[won:]:
            await trio.aclose_forcefully(stream)


@final
class Ways:
    """TCP and, while it is open, iroh: the transport of one seat at the table of `token`."""

    def __init__(self, plan: ReachPlan, identity: Identity, token: bytes) -> None:
        self._plan: Final = plan
        self._identity: Final = identity
        self._token: Final = token
        self._tcp: Final = TcpTransport()
        self._endpoint: ReachEndpoint | None = None

    async def dial(self, address: AnyAddress) -> trio.abc.Stream:
        """See `Transport`."""
        if isinstance(address, ReachAddress) and self._endpoint is not None:
            return await self._endpoint.dial(address)
        return await self._tcp.dial(address)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[ReachEndpoint]:
        """Hold an endpoint of iroh open; ListenError, with a sentence, if that fails."""
        try:
            from p2p.net.reach import endpoint_secret, open_endpoint  # noqa: PLC0415 (an extra)
        except (ImportError, OSError) as error:  # not installed, or not made for this machine
            raise ListenError(f"Reach cannot be used here: {error}. Leave out --reach.") from error
        secret = endpoint_secret(self._identity, self._token)
        async with open_endpoint(secret, self._plan) as endpoint:
            self._endpoint = endpoint
            try:
                yield endpoint
            finally:
                self._endpoint = None


def reach_is_installed() -> bool:
    """Whether the optional package is installed."""
    return find_spec("iroh") is not None


def without_reach() -> str:
    """Why an address of iroh cannot be dialled, and what to do, in a sentence."""
    if reach_is_installed():
        return "this way is off; --reach turns it on"
    return f"this way needs iroh ({to_add('reach')} adds it) and --reach"
