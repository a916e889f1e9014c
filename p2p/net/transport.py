"""What carries bytes: TCP in play, memory in tests and simulations."""

from __future__ import annotations

from typing import Protocol

import trio

from p2p.net.addresses import Address


class Transport(Protocol):
    """How to reach an address.  Listening is trio's own `Listener` interface."""

    async def dial(self, address: Address) -> trio.abc.Stream:
        """An open byte stream to `address`; OSError where nobody answers."""


class TcpTransport:
    """Plain TCP, with trio's happy eyeballs (RFC 8305) for host names."""

    async def dial(self, address: Address) -> trio.abc.Stream:
        return await trio.open_tcp_stream(address.host, address.port)
