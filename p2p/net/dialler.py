"""Dialling: all addresses of a peer raced, the first that proves the right key wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import trio

from p2p.errors import PeerError
from p2p.identity.keys import Identity
from p2p.net.channel import Channel, connect
from p2p.net.limits import Limits
from p2p.net.reach_address import AnyAddress, ReachAddress, shown
from p2p.net.transport import Transport

Won = tuple[Channel, AnyAddress]


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


def _sentence(error: Exception) -> str:
    if isinstance(error, trio.TooSlowError):
        return "no answer"
    if isinstance(error, PeerError):
        return error.reason
    return str(error) or type(error).__name__
