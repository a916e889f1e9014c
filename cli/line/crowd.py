"""Who comes and goes: at most a few lines a second, however fast it happens; the rest is counted.

Anybody with an invite may come, watch, be ready and leave again, tens of thousands of times in
seconds, and every line would push what matters out of sight.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

import trio

AT_ONCE: Final = 24
"""How many lines may come together: a table of eight that fills at once, with all ready."""
A_SECOND: Final = 3.0
"""How many more may come in each second."""
LATE_SECONDS: Final = 2.0
"""If lines were left out, their number is said at most this long after the first of them."""


def unheard(lines: Sequence[str]) -> None:
    """Nobody reads what is said later."""


class Crowd:
    """Lets lines through, and counts those that are too many.

    `later` is given the lines that say how many were left out; without trio, that is said only
    with the next line.  `now` gives seconds.
    """

    def __init__(
        self,
        later: Callable[[Sequence[str]], None] = unheard,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.later = later
        self._now: Final = now
        self._allowed = float(AT_ONCE)
        self._at = now()
        self._left_out = 0
        self._latest = ""
        self._waits = False

    def take(self, lines: Sequence[str]) -> list[str]:
        """Those of the lines that may be shown now, with what was left out before them."""
        if not lines:
            return []
        now = self._now()
        self._allowed = min(float(AT_ONCE), self._allowed + A_SECOND * (now - self._at))
        self._at = now
        if self._waits or self._allowed < len(lines):
            self._left_out += len(lines)
            self._latest = lines[-1]
            self._promise()
            return []
        self._allowed -= len(lines)
        return [*self.rest(), *lines]

    def rest(self) -> list[str]:
        """How many lines were left out since this was last said, and the last of them."""
        count, self._left_out = self._left_out, 0
        if count < 2:
            return [self._latest] if count else []
        more = f"*** {count - 1:,} lines about who comes and goes were left out; the last one:"
        return [more, self._latest]

    def _promise(self) -> None:
        """Say the rest in a while."""
        if not self._waits and trio.lowlevel.in_trio_run():
            self._waits = True
            trio.lowlevel.spawn_system_task(self._say_rest)

    async def _say_rest(self) -> None:
        await trio.sleep(LATE_SECONDS)
        self._waits = False
        try:
            self.later(self.rest())
        except BrokenPipeError:
            return  # nobody reads any more; the next line finds that out where it is caught
