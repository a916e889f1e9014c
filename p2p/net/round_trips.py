"""How far away a peer is: the least of all round trips to it, over all its links.

The least one is what the network itself takes; anything more was spent in queues and programs.
"""

from __future__ import annotations

from typing import Final, final

import trio

SETTLED_AFTER: Final = 3
"""How many measurements settle it, so that one spoiled by a busy program is not the only one."""


@final
class RoundTrips:
    """The round trips to one peer; `settled` once a few were measured."""

    def __init__(self) -> None:
        self.least_us: int | None = None
        self.settled: Final = trio.Event()
        self._count = 0

    def note(self, seconds: float) -> None:
        """Note a round trip."""
        measured = max(1, round(1_000_000 * seconds))
        self.least_us = measured if self.least_us is None else min(measured, self.least_us)
        self._count += 1
        if self._count >= SETTLED_AFTER:
            self.settled.set()
