"""Gateways on loopback that speak PCP, NAT-PMP or UPnP, or garbage."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from typing import Any

import trio

from p2p.net.portmap import Router

LOOPBACK = "127.0.0.1"
LOOPBACK_V6 = "::1"
OUTSIDE = ip_address("1.2.3.4")
Answer = Callable[[bytes], bytes | None]


class Gateway:
    """Answers datagrams to `host` with `answer`; `asked` are those that came."""

    def __init__(self, answer: Answer, search: Answer | None = None, host: str = LOOPBACK) -> None:
        self._host = host
        self.asked: list[bytes] = []
        self.pages: list[bytes] = []
        self._answer = answer
        self._search = search
        self.page: Answer = lambda request: None
        self.router = Router(host)
        self.callers: list[str] = []
        """Where the requests by HTTP came from."""
        self.http_port = 0

    async def run(self, *, task_status: trio.TaskStatus[Router] = trio.TASK_STATUS_IGNORED) -> None:
        family = trio.socket.AF_INET6 if ":" in self._host else trio.socket.AF_INET
        with (
            trio.socket.socket(family, trio.socket.SOCK_DGRAM) as asks,
            trio.socket.socket(family, trio.socket.SOCK_DGRAM) as searches,
        ):
            await asks.bind((self._host, 0))
            await searches.bind((self._host, 0))
            listeners = await trio.open_tcp_listeners(0, host=self._host)
            self.http_port = listeners[0].socket.getsockname()[1]
            self.router = Router(self._host, asks.getsockname()[1], searches.getsockname()[:2])
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._serve, asks, self._answer)
                nursery.start_soon(self._serve, searches, self._search or (lambda data: None))
                nursery.start_soon(trio.serve_listeners, self._http, listeners)
                task_status.started(self.router)

    async def _serve(self, datagrams: Any, answer: Answer) -> None:
        while True:
            data, peer = await datagrams.recvfrom(2048)
            self.asked.append(data)
            said = answer(data)
            if said is not None:
                with suppress(OSError):
                    await datagrams.sendto(said, peer)

    async def _http(self, stream: trio.SocketStream) -> None:
        self.callers.append(stream.socket.getpeername()[0])
        request = b""
        while b"\r\n\r\n" not in request or not _is_whole(request):
            request += await stream.receive_some()
        self.pages.append(request)
        said = self.page(request)
        if said == RESET:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            await trio.aclose_forcefully(stream)
            return
        with suppress(trio.BrokenResourceError):
            if said is not None:
                await stream.send_all(said)
            await stream.aclose()


@asynccontextmanager
async def gateway(served: Gateway) -> AsyncIterator[Router]:
    async with trio.open_nursery() as nursery:
        yield await nursery.start(served.run)
        nursery.cancel_scope.cancel()


def _is_whole(request: bytes) -> bool:
    head, _, body = request.partition(b"\r\n\r\n")
    lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
    return not lengths or len(body) >= int(lengths[0].split(b":")[1])


RESET = b"reset"
"""An answer by which the connection is reset."""


def silent(data: bytes) -> None:
    """A gateway that never answers."""


def pcp_server(data: bytes) -> bytes | None:
    """A gateway that grants what PCP asks for."""
    if data[0] != 2:
        return None
    (seconds,) = struct.unpack_from("!L", data, 4)
    head = struct.pack("!BBBBLL12x", 2, 0x81, 0, 0, seconds, 1)
    by_v4 = data[8:20] == bytes(10) + b"\xff\xff"
    outside = bytes(10) + b"\xff\xff" + OUTSIDE.packed if by_v4 else data[8:24]
    return head + data[24:42] + data[42:44] + outside


def natpmp_server(data: bytes) -> bytes | None:
    """A gateway that knows only NAT-PMP, and says so (RFC 6886, 3.5)."""
    if data[0] != 0:
        return struct.pack("!BBHL", 0, 0x80 | data[1], 1, 1)
    if data[1] == 0:
        return struct.pack("!BBHL", 0, 0x80, 0, 1) + OUTSIDE.packed
    inside, wanted, seconds = struct.unpack_from("!HHL", data, 4)
    return struct.pack("!BBHLHHL", 0, 0x82, 0, 1, inside, wanted and 5000, seconds)


DESCRIPTION = """<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceList><device><serviceList><service>
<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType>
<controlURL>/control?x=1</controlURL></service></serviceList></device></deviceList></device></root>"""


def ok(body: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n{body}".encode()


def soap(body: str) -> bytes:
    envelope = "http://schemas.xmlsoap.org/soap/envelope/"
    return ok(f'<s:Envelope xmlns:s="{envelope}"><s:Body>{body}</s:Body></s:Envelope>')


def error(code: int) -> bytes:
    return soap(
        f"<s:Fault><detail><UPnPError><errorCode>{code}</errorCode></UPnPError></detail></s:Fault>"
    )


def upnp_gateway(*errors: int, description: bytes | None = None) -> Gateway:
    """A gateway with UPnP; its first answers to AddPortMapping are these errors."""
    waiting = list(errors)

    def search(data: bytes) -> bytes:
        return f"HTTP/1.1 200 OK\r\nST: x\r\nLocation: http://{LOOPBACK}:{gateway.http_port}/d\r\n\r\n".encode()

    def page(request: bytes) -> bytes:
        if request.startswith(b"GET /d "):
            return ok(DESCRIPTION) if description is None else description
        if b"#GetExternalIPAddress" in request:
            return soap(f"<r><NewExternalIPAddress>{OUTSIDE}</NewExternalIPAddress></r>")
        if b"#AddPortMapping" in request and waiting:
            return error(waiting.pop(0))
        return soap("<r/>")

    gateway = Gateway(silent, search)
    gateway.page = page
    return gateway


FIREWALL = DESCRIPTION.replace("WANIPConnection:1", "WANIPv6FirewallControl:1")


def firewall_gateway(*errors: int) -> Gateway:
    """A gateway with a firewall for IPv6, on ::1; its first answers to UpdatePinhole are errors."""
    waiting, opened = list(errors), [0]

    def search(data: bytes) -> bytes:
        return f"HTTP/1.1 200 OK\r\nLocation: http://[::1]:{gateway.http_port}/d\r\n\r\n".encode()

    def page(request: bytes) -> bytes:
        if request.startswith(b"GET /d "):
            return ok(FIREWALL)
        if b"#AddPinhole" in request:
            opened[0] += 1
            return soap(f"<r><UniqueID>{opened[0]}</UniqueID></r>")
        if b"#UpdatePinhole" in request and waiting:
            return error(waiting.pop(0))
        return soap("<r/>")

    gateway = Gateway(silent, search, LOOPBACK_V6)
    gateway.page = page
    return gateway
