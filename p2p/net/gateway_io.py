"""Questions to a gateway and their answers: datagrams, a search on the network, HTTP.

Each has its time, and says by an error of `UNANSWERED` that there was no good answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import trio

from p2p.errors import PeerError
from p2p.net import pcp, upnp
from p2p.net.pcp import RefusedError

UNANSWERED: Final = (OSError, PeerError, RefusedError, trio.TooSlowError, trio.BrokenResourceError)
"""The ways in which a gateway can fail to do what it is asked."""
_DATAGRAM_SECONDS: Final = (0.25, 0.5)
"""Seconds between two datagrams: gateways are near (RFC 6886, 3.1 begins with 0.25 s)."""
_SSDP_SECONDS: Final = 1.2
_HTTP_SECONDS: Final = 1.0

Said = TypeVar("Said")
Place = tuple[str, int]
"""A host, perhaps a link-local one with its scope, and a port."""


def told_of(error: Exception) -> str:
    """The reason of an error of `UNANSWERED`, in half a sentence."""
    if isinstance(error, PeerError):
        return error.reason
    if isinstance(error, RefusedError):
        return str(error)
    return "it does not answer" if isinstance(error, trio.TooSlowError) else "the connection broke"


async def exchange(
    gateway: Place, own: str | None, request: bytes, read: Callable[[bytes], Said]
) -> Said:
    """Ask one question and return its answer; `own` is the address to ask from, if it matters.

    trio.TooSlowError, or OSError if nobody listens.
    """
    with await _datagrams(gateway, own) as datagrams:
        await datagrams.connect(await _resolved(gateway))
        for seconds in _DATAGRAM_SECONDS:
            await datagrams.send(request)
            with trio.move_on_after(seconds):
                return read(await datagrams.recv(pcp.ANSWER_MAX + 1))
    raise trio.TooSlowError


async def discover(gateway: str, ssdp: Place, searches: Sequence[bytes]) -> bytes:
    """The answer of a gateway to a search; answers of other machines are ignored."""
    with await _datagrams(ssdp, None) as datagrams:
        where = await _resolved(ssdp)
        for search in searches:
            await datagrams.sendto(search, where)
        with trio.fail_after(_SSDP_SECONDS):
            while True:
                datagram, (host, *_) = await datagrams.recvfrom(2048)
                if host == gateway:
                    return bytes(datagram)


async def http(place: Place, own: str | None, request: bytes) -> bytes:
    """The whole answer; more than `upnp.TEXT_MAX` of it is not read, and refused later."""
    answer = b""
    with trio.fail_after(_HTTP_SECONDS):
        async with await trio.open_tcp_stream(*place, local_address=own) as stream:
            await stream.send_all(request)
            async for chunk in stream:
                answer += chunk
                if len(answer) > upnp.TEXT_MAX:
                    break
    return answer


async def _datagrams(towards: Place, own: str | None) -> trio.socket.SocketType:
    family = trio.socket.AF_INET6 if ":" in towards[0] else trio.socket.AF_INET
    opened = trio.socket.socket(family, trio.socket.SOCK_DGRAM)
    try:
        await opened.bind((own or "", 0))
    except BaseException:
        opened.close()
        raise
    return opened


async def _resolved(place: Place) -> Any:
    """The address of a socket: for link-local ones, it has a number for the scope."""
    numeric = trio.socket.AI_NUMERICHOST
    found = await trio.socket.getaddrinfo(*place, type=trio.socket.SOCK_DGRAM, flags=numeric)
    return found[0][4]
