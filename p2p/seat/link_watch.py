"""Tells people how the other seats are reached, whenever that has changed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from p2p.net.seat_links import SeatLink
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer

SETTLES_SECONDS: Final = 0.3
"""A link that ends is reported a little later: a peer that leaves loses its links one by one, and
for a moment each neighbour still says that it is linked with it."""
EVERY_SECONDS: Final = 2.0
"""How often round trips are reported: there is a new one with every heartbeat."""
Links = tuple[SeatLink, ...]


class LinkWatch:
    """Checks how the seats are reached, and tells what changed.

    `state` gives how they are reached; `tell` gets what it gave before (None at first) and now,
    each time the two differ.
    """

    def __init__(
        self, desk: Desk, state: Callable[[], Links], tell: Callable[[Links | None, Links], None]
    ) -> None:
        self._state: Final = state
        self._tell: Final = tell
        self._last: Links | None = None
        self._timer: Final = Timer(desk)
        self._settles = False

    def start(self) -> None:
        """Tell the current state, and then what changes, until stopped."""
        self._settles = False
        self._timer.after(EVERY_SECONDS, self._again)
        self.look(anyway=True)

    def stop(self) -> None:
        """Tell nothing any more."""
        self._timer.stop()

    def changed(self) -> None:
        """Note that a link began or ended, here or at a neighbour."""
        if self._timer.due < math.inf and not self._settles:
            self._timer.after(SETTLES_SECONDS, self._again)
            self._settles = True

    def look(self, *, anyway: bool = False) -> None:
        """Tell now what has changed, or the current state `anyway`."""
        before, now = self._last, self._state()
        if anyway or now != before:
            self._last = now
            self._tell(before, now)

    def _again(self) -> None:
        self._settles = False
        self._timer.after(EVERY_SECONDS, self._again)
        self.look()
