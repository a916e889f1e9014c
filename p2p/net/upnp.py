"""Port mapping by UPnP: texts of SSDP, of the gateway's description, and of SOAP.

UPnP Device Architecture 1.1 (discovery, description, control) and the services WANIPConnection,
WANPPPConnection and WANIPv6FirewallControl of InternetGatewayDevice 1 and 2.  No I/O here.  Anybody
on the network may answer, so everything is bounded: addresses may only lead to the machine that
answered, or to another one on its link, and XML may define nothing.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from p2p import checks
from p2p.errors import PeerError
from p2p.net.pcp import IP, RefusedError

SSDP: Final = ("239.255.255.250", 1900)
SSDP_V6: Final = ("ff02::c", 1900)
TEXT_MAX: Final = 64 * 1024
"""Octets of a description or an answer; real ones have less than 20,000."""
ELEMENTS_MAX: Final = 2000
MAPPINGS: Final = (
    "urn:schemas-upnp-org:service:WANIPConnection:2",
    "urn:schemas-upnp-org:service:WANIPConnection:1",
    "urn:schemas-upnp-org:service:WANPPPConnection:1",
)
FIREWALLS: Final = ("urn:schemas-upnp-org:service:WANIPv6FirewallControl:1",)
_DEVICES: Final = tuple(
    f"urn:schemas-upnp-org:device:InternetGatewayDevice:{version}" for version in (1, 2)
)
_URL_MAX: Final = 256
_TCP: Final = 6
CONFLICT: Final = "718"
"""The error of gateways that have given the port to another machine."""
ONLY_PERMANENT: Final = "725"
"""The error of gateways whose mappings never end by themselves."""
NO_SUCH_ENTRY: Final = "704"
"""The error of a firewall that does not know the pinhole, or no longer does."""


@dataclass(frozen=True, slots=True)
class Control:
    """Where to speak to a service of the gateway: its host, port, path and type."""

    host: str
    port: int
    path: str
    service: str


class SoapError(RefusedError):
    """The gateway refuses an action; `code` is UPnP's."""

    def __init__(self, code: str) -> None:
        super().__init__(f"it refuses with code {code}")
        self.code: Final = code


def searches(ssdp: tuple[str, int] = SSDP) -> list[bytes]:
    """The datagrams that ask for gateways; they answer within a second (MX)."""
    host = _authority(*ssdp)
    head = f'M-SEARCH * HTTP/1.1\r\nHOST: {host}\r\nMAN: "ssdp:discover"\r\nMX: 1\r\n'
    return [f"{head}ST: {device}\r\n\r\n".encode() for device in _DEVICES]


def _authority(host: str, port: int) -> str:
    """Host and port as HTTP has them: a scope means nothing to anybody else."""
    bare = host.partition("%")[0]
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def location(datagram: bytes, host: str, own: str | None = None) -> str:
    """The address of the description that the answer of `host` names; PeerError `malformed`.

    It may lead to `host`, or into the network of `own`, the IPv6 address of this machine if it
    asked by IPv6: such a gateway answers from its link-local address and names another one.
    """
    named = re.search(rb"(?im)^location:[ \t]*(\S{1,256})[ \t]*\r?$", datagram[:2048])
    found = checks.present("upnp.answer", named, "malformed", "an answer without an address")
    url = found[1].decode("ascii", "replace")
    _split(url, host, own)
    return url


def _split(url: str, host: str, own: str | None) -> tuple[str, int, str]:
    """Host, port and path of an address that leads where `location` says."""
    try:
        parts = urlsplit(url)
        port = parts.port or 80
    except ValueError as error:
        raise _no_address() from error
    sound = parts.scheme == "http" and len(url) <= _URL_MAX and url.isascii() and url.isprintable()
    near = _near(parts.hostname or "", host, own) if sound and not re.search(r"\s", url) else None
    where = checks.present("upnp.location", near, "malformed", "a gateway leads to another machine")
    path = parts.path or "/"
    return where, port, f"{path}?{parts.query}" if parts.query else path


def _near(named: str, host: str, own: str | None) -> str | None:
    """The host to dial for this one, with the scope that only this machine knows."""
    if named == host.partition("%")[0]:
        return host
    try:
        ip = ipaddress.ip_address(named)
    except ValueError:
        return None
    on_link = own is not None and ip in ipaddress.ip_network(f"{own}/64", strict=False)
    return named if on_link else None


def _no_address() -> PeerError:
    return PeerError("malformed", "the address of a gateway is garbled")


def _joined(url: str, path: str) -> str:
    """The address that `path` means on the page at `url`."""
    try:
        return urljoin(url, path)
    except ValueError as error:
        raise _no_address() from error


def page(url: str, host: str, own: str | None = None) -> tuple[str, int, bytes]:
    """Host and port for a description, and the request for it."""
    at, port, path = _split(url, host, own)
    text = f"GET {path} HTTP/1.0\r\nHost: {_authority(at, port)}\r\nConnection: close\r\n\r\n"
    return at, port, text.encode("ascii")


def control_of(
    description: bytes,
    url: str,
    host: str,
    own: str | None = None,
    services: Sequence[str] = MAPPINGS,
) -> Control:
    """Where to ask for one of these services; PeerError `malformed` if none is described."""
    root = _parse(_body(description))
    for wanted in services:
        for service in root.iter():
            if _local(service) == "service" and _text(service, "serviceType") == wanted:
                at = _joined(url, _text(service, "controlURL"))
                return Control(*_split(at, host, own), wanted)
    raise PeerError("malformed", "the gateway describes no service for mappings")


def action(control: Control, name: str, **arguments: object) -> bytes:
    """The request for an action of the service."""
    values = "".join(f"<{k}>{escape(str(v))}</{k}>" for k, v in arguments.items())
    body = (
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:{name} xmlns:u="{control.service}">{values}</u:{name}></s:Body></s:Envelope>'
    )
    head = (
        f"POST {control.path} HTTP/1.0\r\nHost: {_authority(control.host, control.port)}\r\n"
        f'SOAPAction: "{control.service}#{name}"\r\nContent-Type: text/xml; charset="utf-8"\r\n'
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return (head + body).encode()


def add_mapping(control: Control, inside: str, port: int, outside: int, seconds: int) -> bytes:
    """Ask for a TCP mapping to `port` of `inside`; 0 seconds means without an end."""
    return action(
        control,
        "AddPortMapping",
        NewRemoteHost="",
        NewExternalPort=outside,
        NewProtocol="TCP",
        NewInternalPort=port,
        NewInternalClient=inside,
        NewEnabled=1,
        NewPortMappingDescription="nodealer",
        NewLeaseDuration=seconds,
    )


def delete_mapping(control: Control, outside: int) -> bytes:
    """Take a mapping back."""
    return action(
        control, "DeletePortMapping", NewRemoteHost="", NewExternalPort=outside, NewProtocol="TCP"
    )


def add_pinhole(control: Control, inside: str, port: int, seconds: int) -> bytes:
    """Ask that connections from anywhere to TCP `port` of `inside` are let in."""
    return action(
        control,
        "AddPinhole",
        RemoteHost="",
        RemotePort=0,
        InternalClient=inside,
        InternalPort=port,
        Protocol=_TCP,
        LeaseTime=seconds,
    )


def change_pinhole(control: Control, pinhole: str, seconds: int) -> bytes:
    """Keep a pinhole for this much longer; 0 closes it."""
    if seconds:
        return action(control, "UpdatePinhole", UniqueID=pinhole, NewLeaseTime=seconds)
    return action(control, "DeletePinhole", UniqueID=pinhole)


def pinhole_of(answer: bytes) -> str:
    """The number of the pinhole that was opened; PeerError `malformed`."""
    number = outcome(answer).get("UniqueID", "")
    sound = re.fullmatch(r"\d{1,5}", number, re.ASCII) is not None
    checks.require("upnp.pinhole", sound, "malformed", "the gateway names no pinhole")
    return number


def outcome(answer: bytes) -> dict[str, str]:
    """The values of the answer to an action; SoapError, or PeerError `malformed`."""
    root = _parse(_body(answer))
    values = {_local(element): (element.text or "").strip() for element in root.iter()}
    if "errorCode" in values:
        code = values["errorCode"]
        raise SoapError(code if re.fullmatch(r"\d{1,4}", code, re.ASCII) else "unknown")
    return values


def external_ip(answer: bytes) -> IP:
    """The outside address; PeerError `malformed` if the gateway names none."""
    said = outcome(answer).get("NewExternalIPAddress", "")
    try:
        return ipaddress.ip_address(said)
    except ValueError as error:
        raise PeerError("malformed", "the gateway does not know its own address") from error


def _body(answer: bytes) -> bytes:
    checks.require("upnp.size", len(answer) <= TEXT_MAX, "malformed", "a gateway says too much")
    head, blank, body = answer.partition(b"\r\n\r\n")
    spoken = bool(blank) and head.startswith(b"HTTP/1.")
    checks.require("upnp.http", spoken, "malformed", "a gateway does not speak HTTP")
    return body


def _garbled() -> PeerError:
    return PeerError("malformed", "a gateway's XML is garbled")


def _parse(body: bytes) -> ElementTree.Element:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _garbled() from error
    # Entities could blow up or read files, and a description needs neither.  As text, it has
    # no encoding of its own to hide them in.
    plain = "<!" not in _without_comments(text)
    checks.require("upnp.entities", plain, "malformed", "a gateway's XML defines things")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise _garbled() from error
    few = sum(1 for _ in root.iter()) <= ELEMENTS_MAX
    checks.require("upnp.elements", few, "malformed", "a gateway describes too much")
    return root


def _without_comments(text: str) -> str:
    """A regular expression would look for the end of each comment that has none."""
    kept, at = [], 0
    while (begin := text.find("<!--", at)) >= 0 and (end := text.find("-->", begin + 4)) >= 0:
        kept.append(text[at:begin])
        at = end + 3
    return "".join([*kept, text[at:]])


def _local(element: ElementTree.Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _text(parent: ElementTree.Element, name: str) -> str:
    found = next((child for child in parent if _local(child) == name), None)
    return (found.text or "").strip() if found is not None else ""
