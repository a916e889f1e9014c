"""A port that friends outside this network can dial: requested, kept, given back.

By IPv4 a gateway maps a port of its own: PCP first, then NAT-PMP, then UPnP.  By IPv6 it only lets
connections in, through a pinhole in its firewall: PCP, then UPnP.  The first to answer is kept.
Each takes 3 s at most, and the table opens in any case.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import trio

from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.logs import LOG
from p2p.net import pcp, upnp
from p2p.net.addresses import Address
from p2p.net.gateway import default_gateway, default_gateway_v6, own_address_towards
from p2p.net.gateway_io import UNANSWERED, Place, discover, exchange, http, told_of
from p2p.net.pcp import IP, Granted, RefusedError

GIVES_UP_SECONDS: Final = 3.0
LEASE_SECONDS: Final = 3600
"""How long a mapping is asked for, and the longest time before it is asked for again."""
_RENEWALS_APART: Final = 4.0
"""The fewest seconds between two attempts to renew a mapping (RFC 6887, 11.2.1)."""
_SHORTEST_LEASE: Final = 60
_GOODBYE_SECONDS: Final = 1.0
_UPNP_TRIES: Final = 4
_NOWHERE: Final = ipaddress.IPv4Address(0)
_PRIVATE_PORTS: Final = 49_152
"""The first port that belongs to nobody (RFC 6335, 6)."""

Renew = Callable[[int], Awaitable[Granted]]
"""Asks the same gateway again, for this many seconds; 0 takes the mapping back."""


@dataclass(frozen=True, slots=True)
class Router:
    """Where a gateway is spoken to; other ports and hosts are for tests only."""

    host: str
    port: int = pcp.PORT
    ssdp: Place = upnp.SSDP

    @property
    def place(self) -> Place:
        """Where PCP is spoken."""
        return self.host, self.port


Way = Callable[[Router, int, Entropy], Awaitable["Mapping"]]
"""Asks a gateway for a mapping to a port, by one protocol."""


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
        """`mapped 203.0.113.7:4433 by PCP for 1 h`, and whether that leads anywhere.

        By IPv6, nothing is mapped: `opened [2001:db8::7]:4433 by PCP for 1 h`.
        """
        seconds = self.granted.seconds
        span = f"{seconds / 3600:.2g} h" if seconds >= 3600 else f"{max(1, seconds // 60)} min"
        lasts = f"for {span}" if seconds else "until it is taken back"
        done = "mapped" if self.granted.ip.version == 4 else "opened"
        said = f"{done} {self.address} by {self.protocol} {lasts}"
        if self.is_outside:
            return said
        return f"{said}; but that is no public address: another gateway stands before yours"

    @property
    def is_outside(self) -> bool:
        """Whether the address can be dialled from the internet."""
        return self.granted.ip.is_global


class NoMappingError(Exception):
    """No gateway maps the port, or it no longer does; one sentence for the user."""


async def map_port(
    port: int, router: Router | None = None, entropy: Entropy = os.urandom
) -> Mapping:
    """Get a mapping to TCP `port` of this machine.  NoMappingError after 3 s at the latest."""
    ways = (("PCP", _by_pcp), ("NAT-PMP", _by_natpmp), ("UPnP", _by_upnp))
    return await _by_any(ways, router, default_gateway, port, entropy)


async def open_pinhole(
    port: int, own: str, router: Router | None = None, entropy: Entropy = os.urandom
) -> Mapping:
    """Have the IPv6 gateway let TCP connections to `port` of the global address `own` in.

    NoMappingError after 3 s at the latest.
    """

    async def by_pcp(router: Router, port: int, entropy: Entropy) -> Mapping:
        return await _by_pcp(router, port, entropy, own)

    async def by_upnp(router: Router, port: int, entropy: Entropy) -> Mapping:
        return await _by_firewall(router, port, own)

    ways = (("PCP", by_pcp), ("UPnP", by_upnp))
    return await _by_any(ways, router, default_gateway_v6, port, entropy)


async def _by_any(
    ways: Sequence[tuple[str, Way]],
    router: Router | None,
    find: Callable[[], str | None],
    port: int,
    entropy: Entropy,
) -> Mapping:
    """What the first of these ways gives that the gateway, if need be found by `find`, knows."""
    failures: list[str] = []
    with trio.move_on_after(GIVES_UP_SECONDS):
        router = router or await _found(find)
        for name, ask in ways:
            try:
                return await ask(router, port, entropy)
            except UNANSWERED as error:
                LOG.debug("port mapping: no %s: %s", name, told_of(error))
                if isinstance(error, RefusedError | PeerError):  # else nobody is there
                    failures.append(f"{name}: {told_of(error)}")
    where = "this machine" if router is None else router.host
    told = f" ({'; '.join(failures)})" if failures else ""
    raise NoMappingError(f"no gateway at {where} maps ports{told}")


async def _found(find: Callable[[], str | None]) -> Router:
    """The gateway in the routing table, which some systems ask another program for."""
    gateway = await trio.to_thread.run_sync(find, abandon_on_cancel=True)
    if gateway is None:
        raise NoMappingError("this machine knows no gateway")
    scope = gateway.partition("%")[1:]
    ssdp = upnp.SSDP if ":" not in gateway else (upnp.SSDP_V6[0] + "".join(scope), upnp.SSDP[1])
    return Router(gateway, ssdp=ssdp)


async def hold(
    mapping: Mapping,
    on_news: Callable[[str], None],
    on_moved: Callable[[Mapping], None] = lambda mapping: None,
    entropy: Entropy = os.urandom,
) -> None:
    """Renew a mapping until cancelled, then give it back; `on_moved` gets one that leads elsewhere.

    NoMappingError once it has ended because no attempt to renew it succeeded.
    """
    try:
        while True:
            renewed = await _renewed(mapping, entropy)
            if renewed.address != mapping.address:
                on_news(f"the outside address is now {renewed.address}")
                on_moved(renewed)
            mapping = renewed
    finally:
        with trio.move_on_after(_GOODBYE_SECONDS, shield=True):
            await _give_back(mapping)


async def _renewed(mapping: Mapping, entropy: Entropy) -> Mapping:
    lease = min(mapping.granted.seconds or LEASE_SECONDS, LEASE_SECONDS)
    began, reason = trio.current_time(), ""
    for seconds in renewals(lease, entropy):
        await trio.sleep_until(began + seconds)
        try:
            granted = await mapping.renew(LEASE_SECONDS)
            _check_lease(granted, mapping.granted.seconds)
        except UNANSWERED as error:
            reason = told_of(error)
            LOG.info("port mapping: not renewed after %d of %d s: %s", seconds, lease, reason)
        else:
            return Mapping(mapping.protocol, granted, mapping.renew)
    await trio.sleep_until(began + lease)
    raise NoMappingError(f"the gateway no longer keeps the port open ({reason})")


def renewals(lease: float, entropy: Entropy) -> Iterator[float]:
    """The seconds into a lease at which it is renewed, until an answer comes (RFC 6887, 11.2.1).

    They lie between 1/2 and 5/8 of it, 3/4 and 13/16, 7/8 and 29/32 and so on, at least 4 s apart.
    """
    before, part = -_RENEWALS_APART, 1 / 2
    while (left := part * lease) > 0:
        jitter = int.from_bytes(entropy(2), "big") / 2**16
        seconds = max(lease - left + left / 4 * jitter, before + _RENEWALS_APART)
        if seconds >= lease:
            return
        yield seconds
        before, part = seconds, part / 2


def _check_lease(granted: Granted, before: int) -> None:
    """RefusedError for a mapping that ends at once, if it is not one without an end."""
    if before and not granted.seconds:
        raise RefusedError("it ends the mapping")


async def _give_back(mapping: Mapping) -> bool:
    """Whether the gateway said that the mapping is gone; it ends by itself otherwise."""
    try:
        await mapping.renew(0)
    except UNANSWERED:
        return False
    return True


# -- PCP and NAT-PMP ---------------------------------------------------------------------------


async def _by_pcp(router: Router, port: int, entropy: Entropy, host: str | None = None) -> Mapping:
    own = ipaddress.ip_address(host or own_address_towards(router.host, router.port))
    nonce = entropy(pcp.NONCE_BYTES)
    last: Granted | None = None

    async def renew(seconds: int) -> Granted:
        nonlocal last
        request = pcp.pcp_request(own, port, nonce, seconds, last)
        granted = await exchange(
            *(router.place, host, request), lambda data: pcp.pcp_answer(data, port, nonce)
        )
        last = granted if seconds else None
        return granted

    return _checked("PCP", await renew(LEASE_SECONDS), renew)


async def _by_natpmp(router: Router, port: int, entropy: Entropy) -> Mapping:
    async def renew(seconds: int) -> Granted:
        request = pcp.map_request(port, seconds)
        if not seconds:  # a mapping that is taken back has port 0 outside
            await exchange(router.place, None, request, lambda data: data[:4] == b"\0\x82\0\0")
            return Granted(_NOWHERE, port, 0)
        ip: IP = await exchange(router.place, None, pcp.address_request(), pcp.address_answer)
        outside, granted = await exchange(
            *(router.place, None, request), lambda data: pcp.map_answer(data, port)
        )
        return Granted(ip, outside, granted)

    return _checked("NAT-PMP", await renew(LEASE_SECONDS), renew)


def _checked(protocol: str, granted: Granted, renew: Renew) -> Mapping:
    if granted.seconds < _SHORTEST_LEASE:
        raise RefusedError("it keeps no mapping for even a minute")
    return Mapping(protocol, granted, renew)


# -- UPnP --------------------------------------------------------------------------------------


async def _by_upnp(router: Router, port: int, entropy: Entropy) -> Mapping:
    control = await _service(router, None, upnp.MAPPINGS)
    own = own_address_towards(control.host, control.port)

    async def ask(request: bytes) -> bytes:
        return await http((control.host, control.port), None, request)

    async def outside_ip() -> IP:
        return upnp.external_ip(await ask(upnp.action(control, "GetExternalIPAddress")))

    ip = await outside_ip()
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
        lease = wanted if seconds else 0
        request = (
            upnp.add_mapping(control, own, port, outside, lease)
            if wanted
            else upnp.delete_mapping(control, outside)
        )
        upnp.outcome(await ask(request))
        return Granted(await outside_ip() if wanted else ip, outside, lease)

    return Mapping("UPnP", Granted(ip, outside, seconds), renew)


async def _by_firewall(router: Router, port: int, own: str) -> Mapping:
    """A pinhole is only for the address that asks for it (WANIPv6FirewallControl:1, 2.6.3)."""
    control = await _service(router, own, upnp.FIREWALLS)
    ip = ipaddress.ip_address(own)

    async def ask(request: bytes) -> bytes:
        return await http((control.host, control.port), own, request)

    async def add(seconds: int) -> str:
        return upnp.pinhole_of(await ask(upnp.add_pinhole(control, own, port, seconds)))

    pinhole = await add(LEASE_SECONDS)

    async def renew(seconds: int) -> Granted:
        nonlocal pinhole
        try:
            upnp.outcome(await ask(upnp.change_pinhole(control, pinhole, seconds)))
        except upnp.SoapError as error:
            if error.code != upnp.NO_SUCH_ENTRY or not seconds:
                raise
            pinhole = await add(seconds)  # the gateway was started anew
        return Granted(ip, port, seconds)

    return Mapping("UPnP", Granted(ip, port, LEASE_SECONDS), renew)


async def _service(router: Router, own: str | None, services: Sequence[str]) -> upnp.Control:
    """Where to ask for mappings or pinholes, as the gateway describes itself."""
    found = await discover(router.host, router.ssdp, upnp.searches(router.ssdp))
    url = upnp.location(found, router.host, own)
    host, port, request = upnp.page(url, router.host, own)
    description = await http((host, port), own, request)
    return upnp.control_of(description, url, router.host, own, services)
