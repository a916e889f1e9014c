"""Tells our own person for whom a lobby or a table that begins waits."""

from __future__ import annotations

from p2p.player.events import HeldUp
from p2p.player.waits import LOOKS_SECONDS, Look, Standstill
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer


def say_for_whom(desk: Desk, look: Look) -> Timer:
    """Tell our own person, once for each standstill, whom all wait for; until it is stopped."""
    standstill = Standstill(look, lambda waits: desk.tell(HeldUp(waits)), desk.now)
    timer = Timer(desk)
    timer.every(LOOKS_SECONDS, standstill.look_again)
    return timer
