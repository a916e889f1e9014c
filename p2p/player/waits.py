"""Before the game: if nothing moves for a while, people are told whom they wait for, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

import trio

SAYS_SECONDS: Final = 10.0
"""How long nothing has to change before people are told."""
LOOKS_SECONDS: Final = 1.0
"""How often to look."""


class Why(Enum):
    """Why somebody is waited for."""

    AWAY = "cannot be reached"
    NOT_READY = "is not ready"
    PROPOSES = "is the host, and has not proposed the table although all are ready"
    SILENT = "is linked with you, but does not send what is due"
    THROUGH = "can be reached only through another player, and what is due does not arrive"
    ELSEWHERE = "is at another table than yours: perhaps the host told each of you something else"


@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody for whom a table waits."""

    name: str
    why: Why


Look = Callable[[], tuple[object, tuple[Awaited, ...]]]
"""The state (of any type: while it changes, things move), and whom all wait for."""


async def say_for_whom(look: Look, tell: Callable[[tuple[Awaited, ...]], None]) -> None:
    """Tell, once for each standstill, whom all wait for; until cancelled."""
    before, since, told = look(), trio.current_time(), False
    while True:
        await trio.sleep(LOOKS_SECONDS)
        now = look()
        if now != before:
            before, since, told = now, trio.current_time(), False
        elif now[1] and not told and trio.current_time() - since >= SAYS_SECONDS:
            told = True
            tell(now[1])
