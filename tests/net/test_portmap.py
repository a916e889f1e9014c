"""A port mapped by a gateway: each protocol, none, and garbage, over sockets on loopback."""

from __future__ import annotations

import re
import struct
from ipaddress import ip_address
from random import Random

import pytest
import trio
import trio.testing

from p2p.errors import PeerError
from p2p.net import pcp, upnp
from p2p.net.addresses import Address
from p2p.net.pcp import Granted, RefusedError
from p2p.net.portmap import (
    GIVES_UP_SECONDS,
    LEASE_SECONDS,
    Mapping,
    NoMappingError,
    Router,
    hold,
    map_port,
)

from .gateways import (
    DESCRIPTION,
    LOOPBACK,
    OUTSIDE,
    Gateway,
    error,
    gateway,
    natpmp_server,
    ok,
    pcp_server,
    silent,
    soap,
    upnp_gateway,
)
from .helpers import seeded

PORT = 4433
OWN = ip_address(LOOPBACK)
NONCE = bytes(range(12))


# -- each protocol ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("server", "protocol", "outside"),
    [(pcp_server, "PCP", PORT), (natpmp_server, "NAT-PMP", 5000)],
)
async def test_a_port_is_mapped_kept_and_given_back(
    server: object, protocol: str, outside: int, quiet_clock: object
) -> None:
    served = Gateway(server)  # type: ignore[arg-type]
    async with gateway(served) as router:
        mapping = await map_port(PORT, router, seeded(1))
        assert (mapping.protocol, mapping.address) == (protocol, Address("1.2.3.4", outside))
        assert mapping.words == f"mapped 1.2.3.4:{outside} by {protocol} for 1 h"
        assert mapping.is_outside
        news: list[str] = []
        quick = Mapping(protocol, Granted(mapping.granted.ip, outside, 1), mapping.renew)
        asked = len(served.asked)
        with trio.move_on_after(0.7):
            await hold(quick, news.append)
        again, goodbye = (data for data in served.asked[asked:] if len(data) > 2)
        at = 4 if protocol == "PCP" else 8
        assert struct.unpack_from("!L", again, at) == (LEASE_SECONDS,)
        assert struct.unpack_from("!L", goodbye, at) == (0,)
        assert news == []


async def test_upnp_maps_and_gives_back(quiet_clock: object) -> None:
    served = upnp_gateway()
    async with gateway(served) as router:
        mapping = await map_port(PORT, router, seeded(1))
        assert (mapping.protocol, mapping.address) == ("UPnP", Address("1.2.3.4", PORT))
        assert mapping.granted.seconds == LEASE_SECONDS
        added = served.pages[-1].decode()
        assert "<NewInternalClient>127.0.0.1</NewInternalClient>" in added
        assert added.startswith("POST /control?x=1 HTTP/1.0\r\n")
        with trio.move_on_after(0):
            await hold(mapping, lambda news: None)
        assert b"#DeletePortMapping" in served.pages[-1]


@pytest.mark.call("p2p.net.portmap:_by_upnp -> upnp.outcome")
async def test_upnp_takes_another_port_or_a_mapping_without_end(quiet_clock: object) -> None:
    async with gateway(upnp_gateway(718, 725)) as router:
        mapping = await map_port(PORT, router, seeded(1))
        assert mapping.address.port >= 49_152
        assert mapping.granted.seconds == 0
        assert mapping.words.endswith("by UPnP until it is taken back")


async def test_a_gateway_behind_another_one_is_told_of(quiet_clock: object) -> None:
    def nat_again(data: bytes) -> bytes | None:
        answer = pcp_server(data)
        return answer and answer[:-4] + bytes([100, 64, 0, 1])

    async with gateway(Gateway(nat_again)) as router:
        mapping = await map_port(PORT, router, seeded(1))
        assert not mapping.is_outside
        assert "another gateway stands before yours" in mapping.words


# -- nobody, and garbage -----------------------------------------------------------------------


async def test_a_dead_gateway_is_given_up_within_three_seconds(quiet_clock: object) -> None:
    began = trio.current_time()
    async with gateway(Gateway(silent)) as router:
        with pytest.raises(NoMappingError, match=r"no gateway at 127\.0\.0\.1 maps ports$"):
            await map_port(PORT, router, seeded(1))
    assert trio.current_time() - began < GIVES_UP_SECONDS + 0.5


async def test_a_closed_port_is_given_up_at_once(quiet_clock: object) -> None:
    router = Router(LOOPBACK, 9, (LOOPBACK, 9))
    began = trio.current_time()
    with pytest.raises(NoMappingError):
        await map_port(PORT, router, seeded(1))
    assert trio.current_time() - began < 2


@pytest.mark.parametrize("seed", range(5))
async def test_garbage_is_told_of_and_nothing_worse(seed: int, quiet_clock: object) -> None:
    rng = Random(seed)
    served = upnp_gateway(description=rng.randbytes(rng.choice((0, 5, 500, 70_000))))
    served._answer = lambda data: rng.randbytes(rng.choice((0, 1, 4, 24, 60, 1200)))
    async with gateway(served) as router:
        with pytest.raises(NoMappingError, match="PCP: "):
            await map_port(PORT, router, seeded(1))


async def test_a_refusal_is_told_in_words(quiet_clock: object) -> None:
    def refuses(data: bytes) -> bytes:
        return struct.pack("!BBBBL16x", 2, 0x81, 0, 2, 0) if data[0] == 2 else bytes(2)

    async with gateway(Gateway(refuses)) as router:
        with pytest.raises(NoMappingError, match="PCP: it does not allow that"):
            await map_port(PORT, router, seeded(1))


# -- PCP, octet by octet -----------------------------------------------------------------------


def answer_to(request: bytes) -> bytes:
    answer = pcp_server(request)
    assert answer is not None
    return answer


def test_the_request_is_laid_out_as_the_rfc_says() -> None:
    request = pcp.pcp_request(ip_address("192.0.2.5"), PORT, NONCE, 3600)
    assert request[:8] == bytes.fromhex("0201 0000 0000 0e10")
    assert request[8:24] == ip_address("::ffff:192.0.2.5").packed
    assert request[24:36] == NONCE
    assert request[36:44] == bytes.fromhex("0600 0000 1151 1151")
    assert request[44:] == ip_address("::ffff:0.0.0.0").packed
    assert pcp.map_request(PORT, 3600) == bytes.fromhex("0002 0000 1151 1151 0000 0e10")


GOOD = answer_to(pcp.pcp_request(OWN, PORT, NONCE, 3600))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param((0, 1), "no answer of PCP", marks=pytest.mark.check("pcp.shape")),
        pytest.param((1, 1), "something else", marks=pytest.mark.check("pcp.kind")),
        pytest.param((24, 9), "of another", marks=pytest.mark.check("pcp.ours")),
        pytest.param((36, 17), "of another", marks=pytest.mark.check("pcp.ours")),
        pytest.param((41, 0), "of another", marks=pytest.mark.check("pcp.ours")),
    ],
)
def test_an_answer_of_pcp_is_to_our_request(change: tuple[int, int], reason: str) -> None:
    bent = bytearray(GOOD)
    bent[change[0]] = change[1]
    assert pcp.pcp_answer(GOOD, PORT, NONCE).seconds == 3600
    with pytest.raises(PeerError, match=reason):
        pcp.pcp_answer(bytes(bent), PORT, NONCE)


@pytest.mark.check("pcp.whole")
def test_a_cut_answer_of_pcp() -> None:
    with pytest.raises(PeerError, match="cut off"):
        pcp.pcp_answer(GOOD[:59], PORT, NONCE)


@pytest.mark.check("gateway.port")
def test_port_zero_is_no_port() -> None:
    bent = GOOD[:42] + b"\0\0" + GOOD[44:]
    with pytest.raises(PeerError, match="port 0"):
        pcp.pcp_answer(bent, PORT, NONCE)


MAPPED = struct.pack("!BBHLHHL", 0, 0x82, 0, 1, PORT, 5000, 3600)


@pytest.mark.check("natpmp.shape")
@pytest.mark.parametrize("data", [b"\2" + MAPPED[1:], b"\0\x80" + MAPPED[2:], MAPPED[:3]])
def test_an_answer_of_natpmp_says_what_it_is(data: bytes) -> None:
    assert pcp.map_answer(MAPPED, PORT) == (5000, 3600)
    with pytest.raises(PeerError, match="no answer of NAT-PMP"):
        pcp.map_answer(data, PORT)


@pytest.mark.check("natpmp.whole")
@pytest.mark.parametrize("size", [4, 15])
@pytest.mark.call("p2p.net.pcp:map_answer -> _check_natpmp")
def test_a_cut_answer_of_natpmp(size: int) -> None:
    with pytest.raises(PeerError, match="cut off"):
        pcp.map_answer(MAPPED[:size], PORT)


@pytest.mark.check("natpmp.ours")
def test_an_answer_of_natpmp_is_for_our_port() -> None:
    with pytest.raises(PeerError, match="another port"):
        pcp.map_answer(MAPPED, PORT + 1)


# -- UPnP, text by text ------------------------------------------------------------------------

URL = f"http://{LOOPBACK}:80/d"


@pytest.mark.check("upnp.answer")
@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 200 OK\r\n\r\n", b"LOCATION: " + b"x" * 300])
def test_an_answer_names_an_address(data: bytes) -> None:
    with pytest.raises(PeerError, match="without an address"):
        upnp.location(data, LOOPBACK)


@pytest.mark.check("upnp.location")
@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.1/d",
        "https://127.0.0.1/d",
        "file:///etc/passwd",
        "http://127.0.0.1@192.0.2.1/",
        "http://127.0.0.1/\u00e9",
    ],
)
@pytest.mark.call("p2p.net.upnp:location -> _split")
def test_nobody_is_sent_to_another_machine(url: str) -> None:
    with pytest.raises(PeerError, match="another machine"):
        upnp.location(f"LOCATION: {url}\r\n".encode(), LOOPBACK)
    elsewhere = DESCRIPTION.replace("/control?x=1", url)
    with pytest.raises(PeerError, match="another machine"):
        upnp.control_of(ok(elsewhere), URL, LOOPBACK)


def test_a_garbled_address_is_no_address() -> None:
    for url in ("http://127.0.0.1:99999/", "http://[::1/"):
        with pytest.raises(PeerError, match="garbled"):
            upnp.location(f"LOCATION: {url}\r\n".encode(), LOOPBACK)


@pytest.mark.check("upnp.size")
def test_a_description_is_short() -> None:
    with pytest.raises(PeerError, match="too much"):
        upnp.control_of(ok(DESCRIPTION + " " * upnp.TEXT_MAX), URL, LOOPBACK)


@pytest.mark.check("upnp.http")
@pytest.mark.parametrize("head", [b"", b"SSH-2.0\r\n\r\n"])
def test_a_gateway_speaks_http(head: bytes) -> None:
    with pytest.raises(PeerError, match="does not speak HTTP"):
        upnp.control_of(head + DESCRIPTION.encode(), URL, LOOPBACK)


@pytest.mark.check("upnp.entities")
def test_a_description_defines_nothing() -> None:
    """A billion laughs would take all memory; this one is small enough for the test."""
    bomb = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    body = DESCRIPTION.replace("<root", f"{bomb}<root").replace("/control?x=1", "/&b;")
    with pytest.raises(PeerError, match="defines things"):
        upnp.control_of(ok(body), URL, LOOPBACK)


@pytest.mark.check("upnp.elements")
def test_a_description_has_few_elements() -> None:
    many = DESCRIPTION.replace("<deviceList>", "<x/>" * (upnp.ELEMENTS_MAX + 1) + "<deviceList>")
    with pytest.raises(PeerError, match="describes too much"):
        upnp.control_of(ok(many), URL, LOOPBACK)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<root/>", "no service"),
        ("<root>", "garbled"),
        (DESCRIPTION.replace(":WANIP", ":LANIP"), "no service"),
    ],
)
def test_a_description_without_the_service(body: str, reason: str) -> None:
    with pytest.raises(PeerError, match=reason):
        upnp.control_of(ok(body), URL, LOOPBACK)
    with pytest.raises(PeerError, match="garbled"):
        upnp.control_of(ok(body) + b"\xff", URL, LOOPBACK)


def test_refusals_and_addresses_of_upnp() -> None:
    with pytest.raises(RefusedError, match="code 501"):
        upnp.outcome(error(501))
    with pytest.raises(RefusedError, match="code unknown"):
        upnp.outcome(soap("<errorCode>\u0007!</errorCode>".replace("\u0007", "?")))
    for said in ("", "x", "1.2.3"):
        with pytest.raises(PeerError, match="its own address"):
            upnp.external_ip(soap(f"<NewExternalIPAddress>{said}</NewExternalIPAddress>"))
    control = upnp.control_of(ok(DESCRIPTION), URL, LOOPBACK)
    asked = upnp.action(control, "Some", Value="<&>").decode()
    assert "<Value>&lt;&amp;&gt;</Value>" in asked
    length = re.search(r"Content-Length: (\d+)", asked)
    assert length is not None
    assert int(length[1]) == len(asked.partition("\r\n\r\n")[2])


# -- what is heard of a gateway -----------------------------------------------------------------


@pytest.mark.call("p2p.net.portmap:_by_upnp.renew -> upnp.outcome")
async def test_a_gateway_that_refuses_to_renew_is_heard(quiet_clock: object) -> None:
    served = upnp_gateway()
    async with gateway(served) as router:
        mapping = await map_port(PORT, router, seeded(1))
        page = served.page
        served.page = lambda request: error(501) if b"#Add" in request else page(request)
        with pytest.raises(RefusedError):
            await mapping.renew(LEASE_SECONDS)


@pytest.mark.call("p2p.net.pcp:address_answer -> _check_natpmp")
@pytest.mark.parametrize("start", ["0081", "0180", "0000"])
def test_the_address_outside_comes_in_an_answer_to_the_question(start: str) -> None:
    sound = bytes.fromhex("0080") + bytes(6) + OUTSIDE.packed
    assert pcp.address_answer(sound) == OUTSIDE
    with pytest.raises(PeerError):
        pcp.address_answer(bytes.fromhex(start) + sound[2:])
