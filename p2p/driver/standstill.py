"""Tells people whom a lobby waits for."""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2p.player.waits import LOOKS_SECONDS, Awaited, Look, Standstill


async def say_for_whom(look: Look, tell: Callable[[tuple[Awaited, ...]], None]) -> None:
    """Tell, once for each standstill, whom all wait for; until cancelled."""
    standstill = Standstill(look, tell, trio.current_time)
    while True:
        await trio.sleep(LOOKS_SECONDS)
        standstill.look_again()
