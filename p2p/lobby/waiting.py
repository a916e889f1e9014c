"""For whom a lobby waits."""

from __future__ import annotations

from collections.abc import Sequence

from p2p.lobby.seats import Taken
from p2p.player.waits import Awaited, Why


def awaited(there: Sequence[Taken], seats: int, own: bytes) -> tuple[Awaited, ...]:
    """For whom a full lobby waits; our own person is not among them."""
    if len(there) < seats:
        return ()
    others = [one for one in there if not one.ready and one.identity != own]
    return tuple(
        Awaited(one.name, Why.AWAY if one.ready is None else Why.NOT_READY) for one in others
    )


def standing(there: Sequence[Taken]) -> object:
    """What changes while a lobby fills, apart from how people link."""
    return [(one.identity, one.name, one.ready) for one in there]
