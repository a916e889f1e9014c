"""A port that friends outside this network can dial: requested, kept, given back.

PCP first, then NAT-PMP, then UPnP; the first to answer is kept.  All of it takes 3 s at most, and
the table opens in any case: a sentence says what was found, or why nothing was.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import trio

from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.net import pcp, upnp
from p2p.net.addresses import Address
from p2p.net.gateway import default_gateway, own_address_towards
from p2p.net.pcp import IP, Granted, RefusedError

GIVES_UP_SECONDS: Final = 3.0
LEASE_SECONDS: Final = 3600
"""How long a mapping is asked for; it is asked for again at half of that."""
_DATAGRAM_SECONDS: Final = (0.25, 0.5)
"""Seconds between two datagrams: gateways are near (RFC 6886, 3.1 begins with 0.25 s)."""
_SSDP_SECONDS: Final = 1.2
_SHORTEST_LEASE: Final = 60
_GOODBYE_SECONDS: Final = 1.0
_HTTP_SECONDS: Final = 1.0
_UPNP_TRIES: Final = 4
_PRIVATE_PORTS: Final = 49_152
"""The first port that belongs to nobody (RFC 6335, 6)."""

Said = TypeVar("Said")

Renew = Callable[[int], Awaitable[Granted]]
"""Asks the same gateway again, for this many seconds; 0 takes the mapping back."""


@dataclass(frozen=True, slots=True)
class Router:
    """Where a gateway is spoken to; other ports and hosts are for tests only."""

    host: str
    port: int = pcp.PORT
    ssdp: tuple[str, int] = upnp.SSDP


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping that a gateway made, and by which protocol."""

    protocol: str
    granted: Granted
    renew: Renew

    @property
    def address(self) -> Address:
        return Address(str(self.granted.ip), self.granted.port)

    @property
    def words(self) -> str:
        """`mapped 203.0.113.7:4433 by PCP for 1 h`, and whether that leads anywhere."""
        seconds = self.granted.seconds
        span = f"{seconds / 3600:.2g} h" if seconds >= 3600 else f"{max(1, seconds // 60)} min"
        lasts = f"for {span}" if seconds else "until it is taken back"
        said = f"mapped {self.address} by {self.protocol} {lasts}"
        if self.is_outside:
            return said
        return f"{said}; but that is no public address: another gateway stands before yours"

    @property
    def is_outside(self) -> bool:
        """Whether the address can be dialled from the internet."""
        return self.granted.ip.is_global


class NoMappingError(Exception):
    """No gateway maps the port; one sentence for the user."""


async def map_port(
    port: int, router: Router | None = None, entropy: Entropy = os.urandom
) -> Mapping:
    """Get a mapping to TCP `port` of this machine.  NoMappingError after 3 s at the latest."""
    if router is None:
        gateway = default_gateway()
        if gateway is None:
            raise NoMappingError("this machine is in no network")
        router = Router(gateway)
    failures: list[str] = []
    with trio.move_on_after(GIVES_UP_SECONDS):
        for name, ask in (("PCP", _by_pcp), ("NAT-PMP", _by_natpmp), ("UPnP", _by_upnp)):
            try:
                return await ask(router, port, entropy)
            except (RefusedError, PeerError) as error:
                failures.append(
                    f"{name}: {error.reason if isinstance(error, PeerError) else error}"
                )
            except (OSError, trio.TooSlowError, trio.BrokenResourceError):
                continue  # nobody there: the next protocol
    told = f" ({'; '.join(failures)})" if failures else ""
    raise NoMappingError(f"no gateway at {router.host} maps ports{told}")


async def hold(mapping: Mapping, on_news: Callable[[str], None]) -> None:
    """Ask again at half of each lease until cancelled, then take the mapping back."""
    try:
        while mapping.granted.seconds:
            await trio.sleep(mapping.granted.seconds / 2)
            try:
                granted = await mapping.renew(LEASE_SECONDS)
            except (OSError, PeerError, RefusedError, trio.TooSlowError) as error:
                on_news(f"the gateway does not keep the port open any more: {error}")
                return
            if (granted.ip, granted.port) != (mapping.granted.ip, mapping.granted.port):
                on_news(f"the gateway moved the port: {granted.ip} {granted.port}")
            mapping = Mapping(mapping.protocol, granted, mapping.renew)
        await trio.sleep_forever()
    finally:
        with trio.move_on_after(_GOODBYE_SECONDS, shield=True):
            await _give_back(mapping)


async def _give_back(mapping: Mapping) -> bool:
    """Whether the gateway said that the mapping is gone; it ends by itself otherwise."""
    try:
        await mapping.renew(0)
    except (OSError, PeerError, RefusedError, trio.TooSlowError, trio.BrokenResourceError):
        return False
    return True


# -- PCP and NAT-PMP ---------------------------------------------------------------------------


async def _by_pcp(router: Router, port: int, entropy: Entropy) -> Mapping:
    own = ipaddress.ip_address(own_address_towards(router.host, router.port))
    nonce = entropy(pcp.NONCE_BYTES)

    async def renew(seconds: int, wanted: int = 0) -> Granted:
        request = pcp.pcp_request(own, port, nonce, seconds, wanted)
        return await _exchange(router, request, lambda data: pcp.pcp_answer(data, port, nonce))

    return _checked("PCP", await renew(LEASE_SECONDS), renew)


async def _by_natpmp(router: Router, port: int, entropy: Entropy) -> Mapping:
    ip: IP = await _exchange(router, pcp.address_request(), pcp.address_answer)

    async def renew(seconds: int) -> Granted:
        request = pcp.map_request(port, seconds)
        if not seconds:  # a mapping that is taken back has port 0 outside
            await _exchange(router, request, lambda data: data[:4] == b"\0\x82\0\0")
            return Granted(ip, port, 0)
        outside, granted = await _exchange(router, request, lambda d: pcp.map_answer(d, port))
        return Granted(ip, outside, granted)

    return _checked("NAT-PMP", await renew(LEASE_SECONDS), renew)


def _checked(protocol: str, granted: Granted, renew: Renew) -> Mapping:
    if granted.seconds < _SHORTEST_LEASE:
        raise RefusedError("it keeps no mapping for even a minute")
    return Mapping(protocol, granted, renew)


async def _exchange(router: Router, request: bytes, read: Callable[[bytes], Said]) -> Said:
    """Ask one question and get its answer; trio.TooSlowError, or OSError if nobody listens."""
    with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as datagrams:
        await datagrams.connect((router.host, router.port))
        for seconds in _DATAGRAM_SECONDS:
            await datagrams.send(request)
            with trio.move_on_after(seconds):
                return read(await datagrams.recv(pcp.ANSWER_MAX + 1))
    raise trio.TooSlowError


# -- UPnP --------------------------------------------------------------------------------------


async def _by_upnp(router: Router, port: int, entropy: Entropy) -> Mapping:
    url = await _discover(router)
    host = router.host
    control = upnp.control_of(await _http(*upnp.page(url, host)), url, host)
    own = own_address_towards(host, control.port)

    async def ask(request: bytes) -> bytes:
        return await _http(control.host, control.port, request)

    ip = upnp.external_ip(await ask(upnp.action(control, "GetExternalIPAddress")))
    outside, seconds = port, LEASE_SECONDS
    for _ in range(_UPNP_TRIES):
        try:
            upnp.outcome(await ask(upnp.add_mapping(control, own, port, outside, seconds)))
            break
        except upnp.SoapError as error:
            if error.code == upnp.ONLY_PERMANENT and seconds:
                seconds = 0
            elif error.code == upnp.CONFLICT:
                outside = _PRIVATE_PORTS + int.from_bytes(entropy(2), "big") % 16_384
            else:
                raise
    else:
        raise RefusedError("it finds no free port")

    async def renew(wanted: int) -> Granted:
        request = (
            upnp.add_mapping(control, own, port, outside, wanted)
            if wanted
            else upnp.delete_mapping(control, outside)
        )
        upnp.outcome(await ask(request))
        return Granted(ip, outside, wanted)

    return Mapping("UPnP", Granted(ip, outside, seconds), renew)


async def _discover(router: Router) -> str:
    """Where the gateway describes itself.  Answers of other machines are ignored."""
    with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as datagrams:
        await datagrams.bind(("", 0))
        for search in upnp.searches():
            await datagrams.sendto(search, router.ssdp)
        with trio.fail_after(_SSDP_SECONDS):
            while True:
                datagram, (host, *_) = await datagrams.recvfrom(2048)
                if host == router.host:
                    return upnp.location(datagram, host)


async def _http(host: str, port: int, request: bytes) -> bytes:
    """The whole answer; PeerError if it is too long, before more of it is read."""
    answer = b""
    with trio.fail_after(_HTTP_SECONDS):
        async with await trio.open_tcp_stream(host, port) as stream:
            await stream.send_all(request)
            async for chunk in stream:
                answer += chunk
                if len(answer) > upnp.TEXT_MAX:
                    break  # refused where it is read
    return answer
