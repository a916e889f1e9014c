"""What has happened at the table, as it is told, and how much of it is new to whoever looks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

KEPT: Final = 400
"""How many events can be looked back at."""
SINCE: Final = "Since your last decision:"
FLASH_SECONDS: Final = 0.3
"""How long a new event stands out, unless a key is pressed earlier."""


class Happened:
    """The newest events come last; `now` gives seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now: Final = now
        self._events: Final = deque[str](maxlen=KEPT)
        self._fresh_until: Final = deque[float](maxlen=KEPT)
        self._since = 0

    def add(self, lines: Sequence[str]) -> int:
        """Add events; how many."""
        said = [line for line in lines if line]
        self._events.extend(said)
        self._fresh_until.extend([self._now() + FLASH_SECONDS] * len(said))
        self._since += len(said)
        return len(said)

    def told(self) -> tuple[str, ...]:
        """All that is kept."""
        return tuple(self._events)

    def fresh(self) -> int:
        """How many events have just come."""
        now = self._now()
        while self._fresh_until and self._fresh_until[0] <= now:
            self._fresh_until.popleft()
        return len(self._fresh_until)

    def calm(self) -> None:
        """A key was pressed: nothing stands out any more."""
        self._fresh_until.clear()

    def decided(self) -> None:
        """Whoever looks has decided something, and has seen what led there."""
        self._since = 0

    def looked_back(self) -> list[str]:
        """All that is kept, and where the last decision was; at least one event is newer."""
        told, since = [*self._events], max(self._since, 1)
        earlier, newer = told[:-since], told[-since:]
        return [*earlier, "", SINCE, *newer] if earlier else newer

    def clear(self) -> None:
        """Another game begins."""
        self._events.clear()
        self.calm()
        self.decided()
