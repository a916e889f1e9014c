"""Where a peer can be reached: host and port, parsed, formatted, and found on this machine.

An IPv6 link-local address has no scope here: the scope is a number of the machine that dials, not
of the one that is dialled, so the transport tries each interface (`p2p.net.transport`).
"""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import trio

from p2p.net.interfaces import FindOwn, IpAddress, in_order, system_addresses
from p2p.text.names import cut

# Documentation addresses (RFC 5737 and RFC 3849): asking for the route to them sends nothing.
_ROUTE_PROBES: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)
_SHOWN_MAX: Final = 80
"""Letters of a text that is no address, in the sentence that says so."""
_PORT_TRIES: Final = 10
"""How often to try: a port that is free for one address family may be taken for the other."""
_HOST_NAME: Final = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
    r"(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?",
    re.IGNORECASE | re.ASCII,
)


class AddressError(ValueError):
    """A text that cannot be an address; the message is one sentence for the user."""


class ListenError(Exception):
    """No listening socket could be opened; the message is one sentence for the user."""


class PortInUse(ListenError):  # noqa: N818  (the name the command line uses)
    """Somebody else holds the port."""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """A host (IPv4, IPv6 or a DNS name) and a TCP port.

    IP addresses are kept in their shortest form and without a scope, names in lower case, so that
    equal addresses compare equal.  AddressError for anything else.
    """

    host: str
    port: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "host", _normal_host(self.host))
        if not 1 <= self.port <= 65535:
            raise AddressError(f"A port lies between 1 and 65535, not {self.port}.")

    @classmethod
    def parse(cls, text: str) -> Address:
        """`host:port` or `[IPv6]:port`; the opposite of `str()`."""
        bracketed = re.fullmatch(r"\[([^\]]+)\]:(\d{1,5})", text.strip(), re.ASCII)
        plain = re.fullmatch(r"([^:\[\]]+):(\d{1,5})", text.strip(), re.ASCII)
        found = bracketed or plain
        if found is None:
            raise AddressError(f"{_named(text)} is not an address such as 192.168.1.5:7000.")
        return cls(found[1], int(found[2]))

    @property
    def ip(self) -> IpAddress | None:
        """The IP address, or None if the host is a name."""
        return _ip(self.host)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def local_addresses(port: int, find: FindOwn = system_addresses) -> list[Address]:
    """The addresses at which others reach this machine, best first; nothing is sent.

    Only loopback if there is no network.
    """
    sources = [host for family, probe in _ROUTE_PROBES if (host := _source(family, probe))]
    own = in_order(find(), sources)
    hosts = dict.fromkeys(str(one.ip) for one in own)
    return [Address(host, port) for host in hosts] or [Address("127.0.0.1", port)]


def listening_addresses(
    listeners: Sequence[trio.SocketListener], find: FindOwn = system_addresses
) -> list[Address]:
    """The addresses at which others reach `listeners`, best first.

    A listener for all interfaces has every address of its IP version, any other one its own.
    """
    port = listening_port(listeners)
    bound = [_bound_ip(listener) for listener in listeners]
    everywhere = {ip.version for ip in bound if ip.is_unspecified}
    single = [Address(str(ip), port) for ip in bound if not ip.is_unspecified]
    if not everywhere:
        return single
    known = local_addresses(port, lambda: [one for one in find() if one.ip.version in everywhere])
    return list(dict.fromkeys([*single, *known]))


def _bound_ip(listener: trio.SocketListener) -> IpAddress:
    host: str = listener.socket.getsockname()[0]
    return ipaddress.ip_address(host.partition("%")[0])


def is_loopback(addresses: Sequence[Address]) -> bool:
    """Whether these lead to programs on this machine and to nothing else."""
    return all(one.ip is not None and one.ip.is_loopback for one in addresses)


async def open_listeners(port: int, host: str | None = None) -> list[trio.SocketListener]:
    """Listening TCP sockets on `port` (0: any free one) of `host` (None: all interfaces).

    PortInUse or ListenError, with a sentence, if that fails.
    """
    shown = host or "this machine"
    try:
        for _ in range(_PORT_TRIES - 1 if port == 0 else 0):
            try:
                return await _listen(port, host)
            except OSError as error:
                if _errno(error) != errno.EADDRINUSE:
                    raise
        return await _listen(port, host)
    except UnicodeError as error:  # the resolver's word for a name with a label that is too long
        raise ListenError(f"{_named(shown)} is no address of this machine (--bind).") from error
    except OSError as error:
        # trio wraps the cause when it tried several address families
        if _errno(error) == errno.EADDRINUSE:
            raise PortInUse(
                f"Port {port} on {shown} is in use by another program: choose another one (--port)."
            ) from error
        if _errno(error) == errno.EACCES:
            raise ListenError(
                f"You may not open port {port} on {shown}: choose one above 1023 (--port)."
            ) from error
        raise ListenError(
            f"Port {port} on {shown} cannot be opened: {error.strerror or error}. "
            "Choose another one, or another address (--port, --bind)."
        ) from error


async def _listen(port: int, host: str | None) -> list[trio.SocketListener]:
    listeners = await trio.open_tcp_listeners(port, host=host)
    if len({listener.socket.getsockname()[1] for listener in listeners}) == 1:
        return listeners
    # Port 0 gave each address family a port of its own, but an invite names one port.
    chosen = listening_port(listeners)
    await close_listeners(listeners)
    return await trio.open_tcp_listeners(chosen, host=host)


def listening_port(listeners: Sequence[trio.SocketListener]) -> int:
    """The TCP port the first of `listeners` got."""
    port: int = listeners[0].socket.getsockname()[1]
    return port


async def close_listeners(listeners: Sequence[trio.SocketListener]) -> None:
    """Close them all."""
    for listener in listeners:
        await listener.aclose()


def _errno(error: OSError) -> int | None:
    if error.errno is None and isinstance(error.__cause__, OSError):
        return error.__cause__.errno
    return error.errno


def _normal_host(host: str) -> str:
    if address := _ip(host.partition("%")[0] if ":" in host else host):
        return str(address)
    only_numbers = re.fullmatch(r"[0-9.]+", host)
    if only_numbers or not _HOST_NAME.fullmatch(host):
        raise AddressError(
            f"{_named(host)} is neither an IP address nor a host name: such as 192.168.1.5."
        )
    return host.lower().rstrip(".")


def _named(text: str) -> str:
    """What somebody wrote, for a sentence."""
    return f"'{cut(text, _SHOWN_MAX)}'"


def _ip(host: str) -> IpAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _source(family: socket.AddressFamily, probe: str) -> str | None:
    """The address this machine would use towards `probe`; connecting UDP sends nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as prober:
            prober.connect((probe, 9))
            host: str = prober.getsockname()[0]
    except OSError:
        return None
    return host.partition("%")[0]
