"""Dialling: whoever is not linked is dialled again and again, all its addresses raced.

The first address at which somebody proves the right key wins.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, final

import trio

from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.identity.keys import Identity
from p2p.logs import LOG
from p2p.logs import peer as called
from p2p.net.handshake import connect
from p2p.net.limits import Limits
from p2p.net.link import Channel
from p2p.net.places import Places
from p2p.net.reach_address import AnyAddress, ReachAddress, shown
from p2p.net.round_trips import RoundTrips
from p2p.net.statistics import MeshStatistics
from p2p.net.transport import Transport

NO_ANSWER: Final = "no answer"
REFUSED: Final = os.strerror(errno.ECONNREFUSED)
_JITTER_STEPS: Final = 256

Won = tuple[Channel, AnyAddress]


@dataclass(slots=True)
class Peer:
    """What is known about reaching one peer.

    Nobody dials it any more once it is `retired`: it has no place in the roster.
    """

    places: Places
    failures: int = 0
    last_error: str = ""
    dialling: bool = False
    retired: bool = False
    round_trips: RoundTrips = field(default_factory=RoundTrips)


Welcome = Callable[[Peer, Channel, AnyAddress], Awaitable[None]]
"""Carries a link that was dialled at this address, until it ends."""


class Board(Protocol):
    """What a dialler has to know of the links that are up."""

    def is_linked(self, peer: bytes) -> bool:
        """Whether any link to `peer` lives, heard or not."""

    async def wait_apart(self, peer: bytes) -> None:
        """Return once no link to `peer` lives."""

    def rests_until(self, peer: bytes) -> float:
        """When `peer` is no longer left alone."""


@final
class Dialler:
    """Dials the peers of one mesh whenever they are not linked, until they are given up."""

    def __init__(
        self,
        identity: Identity,
        transport: Transport,
        limits: Limits,
        statistics: MeshStatistics,
        entropy: Entropy,
        *,
        board: Board,
        welcome: Welcome,
    ) -> None:
        self._identity: Final = identity
        self._transport: Final = transport
        self._limits: Final = limits
        self._statistics: Final = statistics
        self._entropy: Final = entropy
        self._board: Final = board
        self._welcome: Final = welcome

    def start(self, nursery: trio.Nursery, key: bytes, peer: Peer) -> None:
        """Dial a peer in this nursery from now on, if that is worth anything and is not done."""
        if not peer.places.given_up and not peer.dialling:
            peer.dialling = True
            nursery.start_soon(self._dial_on, key, peer)

    async def _dial_on(self, key: bytes, peer: Peer) -> None:
        """Dial a peer whenever it is not linked, until all its addresses are given up."""
        pause = self._limits.first_pause_seconds
        while not peer.retired and not peer.places.given_up:
            waited_from = trio.current_time()
            await self._board.wait_apart(key)
            await self._wait_turn(key)
            if self._board.is_linked(key) or peer.retired:
                continue
            linked = trio.current_time() - waited_from > self._limits.steady_seconds
            dialled_at = trio.current_time()
            if await self._dial_once(key, peer):
                linked |= trio.current_time() - dialled_at > self._limits.steady_seconds
            if linked:
                # Only a link that held ends the caution: two copies of one identity would
                # otherwise throw each other out without a pause.
                pause = self._limits.first_pause_seconds
            if await peer.places.wait_for_news(pause * self._jitter()):
                pause = self._limits.first_pause_seconds
            else:
                pause = min(2 * pause, peer.places.longest_pause_seconds)
        peer.dialling = False

    async def _wait_turn(self, key: bytes) -> None:
        """Let a dropped peer rest, and let the lower key dial first."""
        await trio.sleep_until(max(self._board.rests_until(key), trio.current_time()))
        if key < self._identity.public:
            await trio.sleep(self._limits.head_start_seconds)

    async def _dial_once(self, key: bytes, peer: Peer) -> bool:
        """Dial, and carry the link to its end if that succeeds; whether it did."""
        worth = peer.places.worth()
        if not worth:  # it has used up its dials for now
            return False
        self._statistics.dials += 1
        dialled = await dial_any(self._transport, self._identity, key, worth, self._limits)
        peer.places.tried(dialled.tried)
        if dialled.won is None:
            self._statistics.dials_failed += 1
            peer.failures += 1
            peer.last_error = _by_reason(dialled.failures)
            reasons = "; ".join(failure.partition(": ")[2] for failure in dialled.failures)
            LOG.debug("dial failed: %s, time %d: %s", called(key), peer.failures, reasons)
            return False
        peer.failures = 0
        await self._welcome(peer, *dialled.won)
        return True

    def _jitter(self) -> float:
        """A factor between 0.75 and 1.25, so that two peers do not dial in step for ever."""
        return 0.75 + self._entropy(1)[0] / (2 * _JITTER_STEPS)


@dataclass(frozen=True, slots=True)
class Dialled:
    """The outcome of a race: the channel and its address if any, and the errors of the others.

    `tried` are the addresses that were dialled, before the race was won.
    """

    won: Won | None
    failures: tuple[str, ...]
    tried: tuple[AnyAddress, ...]


async def dial_any(
    transport: Transport,
    identity: Identity,
    expected: bytes,
    addresses: Sequence[AnyAddress],
    limits: Limits,
) -> Dialled:
    """Try `addresses`, each a little after the one before; the first authenticated one wins.

    It is not the first that connects: a wrong or silent host among the addresses stops nothing.
    Those of iroh come last, a little later still: a way without relays is better.
    """
    won: list[Won] = []
    failures: list[str] = []
    tried: list[AnyAddress] = []

    async def attempt(delay: float, address: AnyAddress) -> None:
        await trio.sleep(delay)
        tried.append(address)
        try:
            with trio.fail_after(limits.dial_seconds):
                stream = await transport.dial(address)
            channel = await connect(
                stream, identity, expected, handshake_seconds=limits.handshake_seconds
            )
        except (OSError, PeerError, trio.TooSlowError) as error:
            failures.append(f"{shown(address)}: {_sentence(error)}")
        else:
            won.append((channel, address))
            nursery.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            for delay, address in _turns(addresses, limits):
                nursery.start_soon(attempt, delay, address)
    except BaseException:
        await _abort(won)
        raise
    await _abort(won[1:])
    return Dialled(won[0] if won else None, tuple(failures), tuple(tried))


def _turns(addresses: Sequence[AnyAddress], limits: Limits) -> Iterator[tuple[float, AnyAddress]]:
    """When each address is tried, in seconds from the start."""
    in_order = sorted(addresses, key=lambda address: isinstance(address, ReachAddress))
    for place, address in enumerate(in_order):
        later = limits.reach_after_seconds if isinstance(address, ReachAddress) else 0.0
        yield place * limits.stagger_seconds + later, address


async def _abort(won: Sequence[Won]) -> None:
    for channel, _ in won:
        await channel.frames.abort()


def _by_reason(failures: Iterable[str]) -> str:
    """Each reason once, after the addresses that have failed for it."""
    places: dict[str, list[str]] = {}
    for failure in failures:
        address, _, reason = failure.partition(": ")
        places.setdefault(reason, []).append(address)
    return "; ".join(f"{', '.join(where)}: {reason}" for reason, where in places.items())


def _sentence(error: Exception) -> str:
    if isinstance(error, trio.TooSlowError):
        return NO_ANSWER
    if isinstance(error, PeerError):
        return error.reason
    cause = error.__cause__
    while isinstance(cause, BaseExceptionGroup):  # trio's, of all that a host name leads to
        cause = cause.exceptions[0]
    told = cause if isinstance(cause, OSError) else error
    if isinstance(told, OSError) and type(told.errno) is int and told.errno > 0:
        return os.strerror(told.errno)
    return str(told) or type(told).__name__
