"""Before the game: if nothing moves for a while, people are told whom they wait for, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

SAYS_SECONDS: Final = 10.0
"""How long nothing has to change before people are told."""
AWAY_SECONDS: Final = 30.0
"""How long the seat of a guest without a link is kept."""
LOOKS_SECONDS: Final = 1.0
"""How often to look."""


class Why(Enum):
    """Why somebody is waited for."""

    AWAY = "cannot be reached"
    LEFT = "has left"
    NOT_READY = "is not ready"
    PROPOSES = "is the host, and has not proposed the table although all are ready"
    SILENT = "is linked with you, but does not send what is due"
    ADMITS = "has not let you in yet"
    THROUGH = "can be reached only through another player, and what is due does not arrive"
    ELSEWHERE = "is at another table than yours: perhaps the host told each of you something else"


@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody for whom a table waits."""

    name: str
    why: Why


Look = Callable[[], tuple[object, tuple[Awaited, ...]]]
"""The state (of any type: while it changes, things move), and whom all wait for."""


class Standstill:
    """Says, once for each standstill, whom all wait for; `look_again` every `LOOKS_SECONDS`."""

    def __init__(
        self, look: Look, tell: Callable[[tuple[Awaited, ...]], None], now: Callable[[], float]
    ) -> None:
        self._look: Final = look
        self._tell: Final = tell
        self._now: Final = now
        self._before, self._since, self._told = look(), now(), False

    def look_again(self) -> None:
        """Tell if nothing has moved for too long."""
        found = self._look()
        if found != self._before:
            self._before, self._since, self._told = found, self._now(), False
        elif found[1] and not self._told and self._now() - self._since >= SAYS_SECONDS:
            self._told = True
            self._tell(found[1])
