"""The door: inbound connections until they have proven who they are, in bounded number."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, final

import trio

from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.identity import Identity
from p2p.net.channel import Channel, accept
from p2p.net.limits import Limits
from p2p.net.reach_plan import ReachedStream
from p2p.net.statistics import MeshStatistics


@final
class Door:
    """Accepts at most `limits.handshakes` unproven connections at a time.

    A further one pushes out the oldest: refusing newcomers would let sixteen silent
    connections shut everybody out for the length of a handshake's patience, while an
    honest handshake is over in a fraction of a second.
    """

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
        self._unproven: dict[trio.CancelScope, None] = {}

    async def admit(
        self, stream: trio.abc.Stream, welcome: Callable[[Channel, str], Awaitable[None]]
    ) -> None:
        """Shake hands with a newcomer and `welcome` it; what fails is noted and closed."""
        channel = await self._shake_hands(stream)
        if channel is not None:
            self._statistics.handshakes_accepted += 1
            await welcome(channel, far_end(stream))

    async def _shake_hands(self, stream: trio.abc.Stream) -> Channel | None:
        self._make_room()
        scope = trio.CancelScope()
        self._unproven[scope] = None
        try:
            with scope:
                return await accept(
                    stream,
                    self._identity,
                    self._allowed,
                    handshake_seconds=self._limits.handshake_seconds,
                    entropy=self._entropy,
                )
        except PeerError as error:
            self._statistics.handshakes_refused += 1
            self._statistics.note(f"{far_end(stream)}: {error.reason}")
        finally:
            self._unproven.pop(scope, None)
        return None

    def _make_room(self) -> None:
        while len(self._unproven) >= self._limits.handshakes:
            oldest = next(iter(self._unproven))
            del self._unproven[oldest]
            oldest.cancel()
            self._statistics.handshakes_crowded_out += 1


def far_end(stream: trio.abc.Stream) -> str:
    """Where an inbound stream comes from, for people."""
    if isinstance(stream, ReachedStream):
        return "inbound by reach"
    if not isinstance(stream, trio.SocketStream):
        return "inbound"
    try:
        host, port = stream.socket.getpeername()[:2]
    except OSError:
        return "inbound"
    return f"inbound from [{host}]:{port}" if ":" in host else f"inbound from {host}:{port}"
