"""Port mapping by PCP (RFC 6887) and its forerunner NAT-PMP (RFC 6886): requests and answers.

Both are single datagrams to port 5351 of the gateway.  No I/O here; PeerError `malformed` for an
answer that is none, RefusedError if the gateway says no.
"""

from __future__ import annotations

import ipaddress
import struct
from dataclasses import dataclass
from typing import Final

from p2p import checks

PORT: Final = 5351
NONCE_BYTES: Final = 12
ANSWER_MAX: Final = 1100
"""Octets of the longest PCP message (RFC 6887, 7)."""
_TCP: Final = 6
_ANSWER: Final = 0x80
_PCP_VERSION: Final = 2
_MAP: Final = 1
_MAP_TCP: Final = 2
_ANY_IPV4: Final = ipaddress.ip_address("::ffff:0.0.0.0").packed
_REASONS: Final = {
    1: "it speaks another version",
    2: "it does not allow that",
    3: "its own network is down",
    8: "it has no room for more",
    11: "that port is not to be had",
    12: "there is another gateway before it",
}

IP = ipaddress.IPv4Address | ipaddress.IPv6Address


class RefusedError(Exception):
    """The gateway understood and said no; half a sentence."""


@dataclass(frozen=True, slots=True)
class Granted:
    """A mapping that a gateway made: from outside `port` of `ip` leads here, for `seconds`."""

    ip: IP
    port: int
    seconds: int


# -- PCP ---------------------------------------------------------------------------------------


def pcp_request(
    own: IP, port: int, nonce: bytes, seconds: int, wanted: Granted | None = None
) -> bytes:
    """Ask for a TCP mapping to `port` of `own`; 0 seconds takes it back (RFC 6887, 11.1).

    `wanted` is what the gateway granted before, if it is asked to go on with that.
    """
    header = struct.pack("!BBHL", _PCP_VERSION, _MAP, 0, seconds) + _mapped(own)
    anywhere = _ANY_IPV4 if own.version == 4 else bytes(16)
    outside = anywhere if wanted is None else _mapped(wanted.ip)
    suggested = port if wanted is None else wanted.port
    return header + nonce + struct.pack("!B3xHH", _TCP, port, suggested) + outside


def pcp_answer(data: bytes, port: int, nonce: bytes) -> Granted:
    """The answer to that request."""
    shape = 24 <= len(data) <= ANSWER_MAX and data[0] == _PCP_VERSION
    checks.require("pcp.shape", shape, "malformed", "this is no answer of PCP")
    _, kind, _, result, seconds = struct.unpack_from("!BBBBL", data)
    checks.require("pcp.kind", kind == _ANSWER | _MAP, "malformed", "an answer to something else")
    if result:
        raise RefusedError(_reason(result))
    whole = len(data) >= 60
    checks.require("pcp.whole", whole, "malformed", "the answer of PCP is cut off")
    protocol, inside, outside = struct.unpack_from("!B3xHH", data, 36)
    ours = (data[24:36], protocol, inside) == (nonce, _TCP, port)
    checks.require("pcp.ours", ours, "malformed", "an answer to the request of another")
    return Granted(_unmapped(data[44:60]), _port(outside), seconds)


def _mapped(ip: IP) -> bytes:
    """An address in 16 octets; IPv4 as ::ffff:a.b.c.d (RFC 6887, 5)."""
    return ip.packed if ip.version == 6 else bytes(10) + b"\xff\xff" + ip.packed


def _unmapped(octets: bytes) -> IP:
    ip = ipaddress.IPv6Address(octets)
    return ip.ipv4_mapped or ip


# -- NAT-PMP -----------------------------------------------------------------------------------


def address_request() -> bytes:
    """Ask for the gateway's outside address (RFC 6886, 3.2)."""
    return bytes([0, 0])


def address_answer(data: bytes) -> IP:
    """The answer to that request."""
    _check_natpmp(data, 0, 12)
    return ipaddress.IPv4Address(data[8:12])


def map_request(port: int, seconds: int, wanted: int = 0) -> bytes:
    """Ask for a TCP mapping to `port` of this machine; 0 seconds takes it back (RFC 6886, 3.3)."""
    return struct.pack("!BBHHHL", 0, _MAP_TCP, 0, port, (wanted or port) if seconds else 0, seconds)


def map_answer(data: bytes, port: int) -> tuple[int, int]:
    """The outside port and the seconds in the answer to that request."""
    _check_natpmp(data, _MAP_TCP, 16)
    inside, outside, seconds = struct.unpack_from("!HHL", data, 8)
    checks.require("natpmp.ours", inside == port, "malformed", "an answer for another port")
    return _port(outside), seconds


def _check_natpmp(data: bytes, operation: int, length: int) -> None:
    shape = len(data) >= 4 and data[0] == 0 and data[1] == _ANSWER | operation
    checks.require("natpmp.shape", shape, "malformed", "this is no answer of NAT-PMP")
    (result,) = struct.unpack_from("!H", data, 2)
    if result:
        raise RefusedError(_reason(result))
    checks.require("natpmp.whole", len(data) >= length, "malformed", "the answer is cut off")


def _port(port: int) -> int:
    checks.require("gateway.port", port > 0, "malformed", "the gateway maps to port 0")
    return port


def _reason(result: int) -> str:
    return _REASONS.get(result, f"it refuses with code {result}")
