"""The door: inbound connections until they have proven who they are, in bounded number.

A newcomer says something within a second, waits for its turn to shake hands, and then has some
seconds to prove its key.  Each of the three has places of its own (`WaitingRoom`), so that silent
connections take none from those that speak, and these none from those that shake hands.  Queue
bound what strangers cost: a TLS handshake takes two milliseconds of computing.  Each handshake has
at least `shaking_hands / turns` seconds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, final

import trio

from p2p import checks
from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.identity.keys import Identity
from p2p.logs import LOG
from p2p.net.crowd import Queue, WaitingRoom
from p2p.net.handshake import accept
from p2p.net.limits import Limits
from p2p.net.link import Channel
from p2p.net.reach_plan import ReachedStream
from p2p.net.sources import far_address, source_of
from p2p.net.statistics import MeshStatistics
from p2p.supervisor import Supervisor

HANDSHAKE_RECORD: Final = b"\x16"
"""How TLS begins (RFC 8446, section 5.1)."""
_FIRST_BYTES: Final = 4096
_NEWCOMER: Final = Supervisor("handshake of a newcomer", passes=(PeerError,))


@final
class Door:
    """Lets newcomers in, one source after another; see above.  `run` has to be running."""

    def __init__(
        self,
        identity: Identity,
        allowed: Callable[[bytes], bool],
        limits: Limits,
        statistics: MeshStatistics,
        entropy: Entropy,
    ) -> None:
        self._identity: Final = identity
        self._allowed: Final = allowed
        self._limits: Final = limits
        self._statistics: Final = statistics
        self._entropy: Final = entropy
        self._turns: Final = Queue(limits.turns)
        self._silent: Final = WaitingRoom(limits.silent, self._pushed_out)
        self._in_line: Final = WaitingRoom(limits.in_line, self._pushed_out)
        self._shaking_hands: Final = WaitingRoom(limits.shaking_hands, self._pushed_out)

    async def run(self) -> None:
        """Give turns until cancelled."""
        await self._turns.run()

    async def admit(
        self, stream: trio.abc.Stream, welcome: Callable[[Channel, str], Awaitable[None]]
    ) -> None:
        """Shake hands with a newcomer and `welcome` it; note and close a connection that fails."""
        channel = None
        try:
            with _NEWCOMER.contained():
                channel = await self._proven(stream, source_of(stream))
        except PeerError as error:
            self._statistics.handshakes_refused += 1
            self._statistics.note(f"{far_end(stream)}: {error.reason}")
            LOG.info("newcomer refused: %s", error)
        finally:
            if channel is None:
                await trio.aclose_forcefully(stream)
        if channel is not None:
            self._statistics.handshakes_accepted += 1
            await welcome(channel, far_end(stream))

    async def _proven(self, stream: trio.abc.Stream, source: str) -> Channel | None:
        """The channel of a newcomer, None if it was pushed out."""
        begun, called = None, False
        with self._silent.taken(source):
            begun = await _listen(stream, self._limits.first_bytes_seconds)
        if begun is not None:
            with self._in_line.taken(source):
                await self._turns.wait(source)
                called = True
        if begun is not None and called:
            with self._shaking_hands.taken(source):
                return await accept(
                    begun,
                    self._identity,
                    self._allowed,
                    handshake_seconds=self._limits.proof_seconds,
                    entropy=self._entropy,
                )
        return None

    def _pushed_out(self) -> None:
        self._statistics.handshakes_crowded_out += 1


async def _listen(stream: trio.abc.Stream, seconds: float) -> Begun:
    """Wait for a handshake to begin within this many seconds.  PeerError `bad-handshake`."""
    try:
        with trio.fail_after(seconds):
            first = await stream.receive_some(_FIRST_BYTES)
    except trio.TooSlowError as error:
        raise PeerError("bad-handshake", f"nothing was said for {seconds:g} s") from error
    except trio.BrokenResourceError as error:
        raise PeerError("bad-handshake", "the connection broke before a word") from error
    begins = first.startswith(HANDSHAKE_RECORD)
    checks.require("door.first-bytes", begins, "bad-handshake", "what is said is no handshake")
    return Begun(stream, bytes(first))


@final
class Begun(trio.abc.Stream):
    """A stream whose first bytes have been read already; it gives them again."""

    def __init__(self, stream: trio.abc.Stream, first: bytes) -> None:
        self._stream: Final = stream
        self._first = first

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if not self._first:
            return await self._stream.receive_some(max_bytes)
        await trio.lowlevel.checkpoint()
        given = self._first[:max_bytes]
        self._first = self._first[len(given) :]
        return given

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


def far_end(stream: trio.abc.Stream) -> str:
    """Where an inbound stream comes from, for people."""
    if isinstance(stream, ReachedStream):
        return "inbound by reach"
    address = far_address(stream)
    if address is None:
        return "inbound"
    host, port = address
    return f"inbound from [{host}]:{port}" if ":" in host else f"inbound from {host}:{port}"
