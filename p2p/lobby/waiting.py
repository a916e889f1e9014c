"""For whom a lobby waits."""

from __future__ import annotations

from collections.abc import Sequence

from p2p.lobby.seats import Taken
from p2p.player.events import HeldUp
from p2p.player.waits import LOOKS_SECONDS, Awaited, Look, Standstill, Why
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer


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


def say_for_whom(desk: Desk, look: Look) -> Timer:
    """Tell our own person, once for each standstill, whom all wait for; until it is stopped."""
    standstill = Standstill(look, lambda waits: desk.tell(HeldUp(waits)), desk.now)
    timer = Timer(desk)
    timer.every(LOOKS_SECONDS, standstill.look_again)
    return timer
