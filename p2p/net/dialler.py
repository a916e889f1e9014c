"""Dialling: all addresses of a peer raced, the first that proves the right key wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import trio

from p2p.errors import PeerError
from p2p.identity import Identity
from p2p.net.addresses import Address
from p2p.net.channel import Channel, connect
from p2p.net.limits import Limits
from p2p.net.transport import Transport

Won = tuple[Channel, Address]


@dataclass(frozen=True, slots=True)
class Dialled:
    """What a race came to: the channel and its address if any, and what the others said."""

    won: Won | None
    failures: tuple[str, ...]


async def dial_any(
    transport: Transport,
    identity: Identity,
    expected: bytes,
    addresses: Sequence[Address],
    limits: Limits,
) -> Dialled:
    """Try `addresses`, each a little after the one before; the first authenticated one wins.

    Not the first that connects: a wrong or silent host among the addresses stops nothing.
    """
    won: list[Won] = []
    failures: list[str] = []

    async def attempt(delay: float, address: Address) -> None:
        await trio.sleep(delay)
        try:
            with trio.fail_after(limits.dial_seconds):
                stream = await transport.dial(address)
            channel = await connect(
                stream, identity, expected, handshake_seconds=limits.handshake_seconds
            )
        except (OSError, PeerError, trio.TooSlowError) as error:
            failures.append(f"{address}: {_sentence(error)}")
        else:
            won.append((channel, address))
            nursery.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            for place, address in enumerate(addresses):
                nursery.start_soon(attempt, place * limits.stagger_seconds, address)
    except BaseException:
        await _abort(won)
        raise
    await _abort(won[1:])
    return Dialled(won[0] if won else None, tuple(failures))


async def _abort(won: Sequence[Won]) -> None:
    for channel, _ in won:
        await channel.frames.abort()


def _sentence(error: Exception) -> str:
    if isinstance(error, trio.TooSlowError):
        return "no answer"
    if isinstance(error, PeerError):
        return error.reason
    return str(error) or type(error).__name__
