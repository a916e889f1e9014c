"""Pinholes in the firewall of an IPv6 gateway: PCP, UPnP, and gateways with neither."""

from __future__ import annotations

import re
import struct
from ipaddress import ip_address

import pytest

from p2p.errors import PeerError
from p2p.net import upnp
from p2p.net.addresses import Address
from p2p.net.pcp import RefusedError
from p2p.net.portmap import (
    LEASE_SECONDS,
    NoMappingError,
    open_pinhole,
)

from .gateways import (
    LOOPBACK_V6,
    Gateway,
    error,
    firewall_gateway,
    gateway,
    pcp_server,
    silent,
    soap,
)
from .helpers import seeded

PORT = 4433


async def test_pcp_opens_a_pinhole_for_an_ipv6_address(quiet_clock: object) -> None:
    served = Gateway(pcp_server, host=LOOPBACK_V6)
    async with gateway(served) as router:
        mapping = await open_pinhole(PORT, LOOPBACK_V6, router, seeded(1))
        assert mapping.address == Address(LOOPBACK_V6, PORT)
        assert mapping.words.startswith(f"opened [::1]:{PORT} by PCP for 1 h")
        (asked,) = served.asked
        assert asked[8:24] == ip_address(LOOPBACK_V6).packed
        assert asked[44:60] == bytes(16)
        await mapping.renew(0)
        assert struct.unpack_from("!L", served.asked[-1], 4) == (0,)


async def test_upnp_opens_keeps_and_closes_a_pinhole(quiet_clock: object) -> None:
    served = firewall_gateway(704)
    async with gateway(served) as router:
        mapping = await open_pinhole(PORT, LOOPBACK_V6, router, seeded(1))
        assert (mapping.protocol, mapping.address) == ("UPnP", Address(LOOPBACK_V6, PORT))
        added = served.pages[-1].decode()
        assert f"Host: [::1]:{served.http_port}\r\n" in added
        values = re.findall(
            r"<(RemoteHost|RemotePort|Internal\w+|Protocol|LeaseTime)>(.*?)<", added
        )
        assert dict(values) == {
            "RemoteHost": "",
            "RemotePort": "0",
            "InternalClient": "::1",
            "InternalPort": str(PORT),
            "Protocol": "6",
            "LeaseTime": str(LEASE_SECONDS),
        }
        await mapping.renew(LEASE_SECONDS)  # the gateway has forgotten it, and opens another one
        await mapping.renew(LEASE_SECONDS)
        assert b"#UpdatePinhole" in served.pages[-1]
        assert b"<UniqueID>2</UniqueID><NewLeaseTime>3600</NewLeaseTime>" in served.pages[-1]
        await mapping.renew(0)
        assert b"#DeletePinhole" in served.pages[-1]
        assert set(served.callers) == {LOOPBACK_V6}


@pytest.mark.call("p2p.net.portmap:_by_firewall.renew -> upnp.outcome")
async def test_a_pinhole_that_is_not_renewed_is_a_refusal(quiet_clock: object) -> None:
    served = firewall_gateway(501)
    async with gateway(served) as router:
        mapping = await open_pinhole(PORT, LOOPBACK_V6, router, seeded(1))
        with pytest.raises(RefusedError, match="501"):
            await mapping.renew(LEASE_SECONDS)


async def test_a_network_without_pinholes_is_told_in_words(quiet_clock: object) -> None:
    async with gateway(Gateway(silent, host=LOOPBACK_V6)) as router:
        with pytest.raises(NoMappingError, match=r"no gateway at ::1 maps ports$"):
            await open_pinhole(PORT, LOOPBACK_V6, router, seeded(1))


@pytest.mark.check("upnp.pinhole")
@pytest.mark.parametrize("said", ["<r/>", "<UniqueID>x</UniqueID>", "<UniqueID>123456</UniqueID>"])
def test_a_pinhole_has_a_number(said: str) -> None:
    assert upnp.pinhole_of(soap("<UniqueID>12</UniqueID>")) == "12"
    with pytest.raises(PeerError, match="no pinhole"):
        upnp.pinhole_of(soap(said))
    with pytest.raises(RefusedError, match="606"):
        upnp.pinhole_of(error(606))


@pytest.mark.parametrize(
    ("named", "dialled"),
    [
        ("[fe80::1]:5000", "fe80::1%eth0"),
        ("[2001:db8::1]:5000", "2001:db8::1"),
        ("[2001:db8:1::1]:5000", None),
        ("192.0.2.1:5000", None),
        ("gateway.example:5000", None),
    ],
)
def test_an_ipv6_gateway_leads_into_the_own_network(named: str, dialled: str | None) -> None:
    """It answers from its link-local address, and names another one of the link."""
    url, own = f"http://{named}/d", "2001:db8::7"
    if dialled is None:
        with pytest.raises(PeerError, match="another machine"):
            upnp.page(url, "fe80::1%eth0", own)
        return
    host, port, request = upnp.page(url, "fe80::1%eth0", own)
    assert (host, port) == (dialled, 5000)
    assert f"Host: {named}\r\n".encode() in request
