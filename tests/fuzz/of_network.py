"""Readers of what comes from a network before there is a channel, or around it."""

from __future__ import annotations

import ipaddress
from base64 import b32decode, b32encode
from collections.abc import Iterator
from typing import Final

from cryptography.hazmat.primitives.serialization import Encoding

from p2p.errors import PeerError
from p2p.net import certificate, pcp, upnp
from p2p.net.addresses import Address, AddressError
from p2p.net.frames import FrameDecoder, encode_frame
from p2p.net.handshake import PURPOSE, _check_proof, _statement
from p2p.net.invite import PREFIX, Invite, InviteError, _checksum
from p2p.net.lan import LanTable, decode_text, encode_text
from p2p.net.pcp import RefusedError
from p2p.net.reach_address import parse_any
from p2p.protocol import wire
from tests.fuzz.mutation import bend_bytes, bend_frames, bend_text
from tests.fuzz.reader import Reader
from tests.fuzz.tables import HERE, PEOPLE, RELAY, header
from tests.net.gateways import DESCRIPTION, error, natpmp_server, ok, pcp_server, soap
from tests.protocol.kit import TOKEN

OWN: Final = ipaddress.ip_address("192.168.1.5")
NONCE: Final = bytes(range(12))
PORT: Final = 7000
URL: Final = "http://192.168.1.1:80/desc.xml"
HOST: Final = "192.168.1.1"
GATEWAY: Final = (PeerError, RefusedError)
"""A gateway that refuses did understand."""


# -- invites and addresses ---------------------------------------------------------------------


def _invites() -> list[bytes]:
    key = PEOPLE[0].public
    hosts = [HERE, Address("2001:db8::7", 1), Address("a.example", 65535)]
    made = [Invite((one,), key, TOKEN, RELAY) for one in hosts]
    return [one.encode().encode() for one in (*made, Invite(tuple(hosts[:2]), key, TOKEN))]


def _invite(data: bytes) -> object:
    return Invite.decode(data.decode("utf-8", "replace"))


def _bodies() -> list[bytes]:
    lines = [one.decode().removeprefix(PREFIX) for one in _invites()]
    return [b32decode(one + "=" * (-len(one) % 8))[: -len(_checksum(b""))] for one in lines]


def _invite_of(body: bytes) -> object:
    body = body[:4096]  # turning a megabyte into letters would take longer than reading them
    data = body + _checksum(body)
    return Invite.decode(PREFIX + b32encode(data).decode().rstrip("="))


def _address(data: bytes) -> object:
    return parse_any(data.decode("utf-8", "replace"))


def _addresses() -> list[bytes]:
    return [str(one).encode() for one in (HERE, RELAY, Address("::1", 1), Address("a.example", 9))]


def _texts() -> list[bytes]:
    tables = [
        LanTable("flip-over", 4, "Ana", Invite((HERE,), PEOPLE[0].public, TOKEN), running=running)
        for running in (False, True)
    ]
    return [wire.pack([[key, value] for key, value in encode_text(one).items()]) for one in tables]


def _text(data: bytes) -> object:
    """A TXT record: its strings are key and value."""
    said = wire.exactly(wire.unpack(data), list, "a record")
    pairs = [one for one in said if isinstance(one, list) and len(one) == 2]
    text = {_octets(key): None if value is None else _octets(value) for key, value in pairs}
    return decode_text(text, [str(value) for _, value in pairs], len(data))


def _octets(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def _address_rows() -> Iterator[Reader]:
    yield Reader("invite", _invite, _invites, (InviteError,), bend_text)
    yield Reader("invite with its checksum", _invite_of, _bodies, (InviteError,), bend_bytes)
    yield Reader("address", _address, _addresses, (AddressError,), bend_text)
    yield Reader("announcement", _text, _texts)


# -- frames and channels -----------------------------------------------------------------------


def _decode_frames(data: bytes) -> None:
    decoder = FrameDecoder()
    for at in range(0, len(data), 65_536):
        decoder.receive_data(data[at : at + 65_536])
        while decoder.next_frame() is not None:
            pass
    decoder.check_end()


def _frames() -> list[bytes]:
    return [encode_frame(b"x"), encode_frame(b"\0" * 9) + encode_frame(header().encode())]


def _proof(data: bytes) -> object:
    return _check_proof(data, PEOPLE[1].public, bytes(32), b"session")


def _proofs() -> list[bytes]:
    key = PEOPLE[0].public
    signed = PEOPLE[0].sign(PURPOSE, _statement(PEOPLE[1].public, bytes(32), b"session", key))
    return [key + signed]


def _certificates() -> list[bytes]:
    from cryptography.x509 import load_pem_x509_certificate  # noqa: PLC0415 (here only)

    pem = certificate._certificate(PEOPLE[0], b"password")
    return [load_pem_x509_certificate(pem).public_bytes(Encoding.DER)]


def _channel_rows() -> Iterator[Reader]:
    yield Reader("frames", _decode_frames, _frames, bend=bend_frames(0, 0))
    yield Reader("handshake", _proof, _proofs, bend=bend_bytes)
    yield Reader("certificate", certificate.certificate_key, _certificates, (), bend_bytes)


# -- gateways ----------------------------------------------------------------------------------


def _pcp() -> list[bytes]:
    answer = pcp_server(pcp.pcp_request(OWN, PORT, NONCE, 600))
    assert answer is not None
    return [answer]


def _natpmp(request: bytes) -> list[bytes]:
    answer = natpmp_server(request)
    assert answer is not None
    return [answer]


def _found() -> list[bytes]:
    return [f"HTTP/1.1 200 OK\r\nLOCATION: {URL}\r\nST: x\r\n\r\n".encode()]


def _outcomes() -> list[bytes]:
    address = "<NewExternalIPAddress>1.2.3.4</NewExternalIPAddress>"
    return [soap(address), error(718), error(725)]


def _gateway_rows() -> Iterator[Reader]:
    yield Reader(
        "gateway: PCP", lambda data: pcp.pcp_answer(data, PORT, NONCE), _pcp, GATEWAY, bend_bytes
    )
    yield Reader(
        "gateway: NAT-PMP address",
        pcp.address_answer,
        lambda: _natpmp(pcp.address_request()),
        GATEWAY,
        bend_bytes,
    )
    yield Reader(
        "gateway: NAT-PMP mapping",
        lambda data: pcp.map_answer(data, PORT),
        lambda: _natpmp(pcp.map_request(PORT, 600)),
        GATEWAY,
        bend_bytes,
    )
    yield Reader(
        "gateway: SSDP", lambda data: upnp.page(upnp.location(data, HOST), HOST), _found,
        bend=bend_text,
    )  # fmt: skip
    yield Reader(
        "gateway: description",
        lambda data: upnp.control_of(data, URL, HOST),
        lambda: [ok(DESCRIPTION)],
        bend=bend_text,
    )
    yield Reader("gateway: answer", upnp.external_ip, _outcomes, GATEWAY, bend_text)


def rows() -> Iterator[Reader]:
    """All of these."""
    yield from _address_rows()
    yield from _channel_rows()
    yield from _gateway_rows()
