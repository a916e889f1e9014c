"""Where inbound connections come from, as far as the door can tell people apart."""

from __future__ import annotations

import ipaddress
from typing import Final, Protocol, runtime_checkable

import trio

IPV4_PREFIX: Final = 24
IPV6_PREFIX: Final = 64
"""A provider gives a customer one IPv4 address or a few, and at least a /64 of IPv6 (RFC 6177)."""


@runtime_checkable
class FromSomewhere(Protocol):
    """A stream that is no socket and itself says which host is at its far end."""

    far_host: str


def far_address(stream: trio.abc.Stream) -> tuple[str, int] | None:
    """Host and port at the far end of a socket; None for another stream, or one that broke."""
    if not isinstance(stream, trio.SocketStream):
        return None
    try:
        host, port = stream.socket.getpeername()[:2]
    except OSError:
        return None
    return host, port


def source_of(stream: trio.abc.Stream) -> str:
    """What a connection is counted under: the network of its far end, /24 or /64.

    The host itself if that is no IP address, "" if nobody knows it any more.
    """
    address = far_address(stream)
    if address is not None:
        return network_of(address[0])
    return network_of(stream.far_host) if isinstance(stream, FromSomewhere) else ""


def network_of(host: str) -> str:
    """The network of an IP address, in which one person may have every address."""
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    prefix = IPV4_PREFIX if ip.version == 4 else IPV6_PREFIX
    return str(ipaddress.ip_network((ip, prefix), strict=False))
