"""Tells people how the other seats are reached, whenever that has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2p.net.seat_links import SeatLink
from p2p.seat.desk import Alarm, Desk

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
        self._desk: Final = desk
        self._state: Final = state
        self._tell: Final = tell
        self._last: Links | None = None
        self._next: Alarm | None = None
        self._settles = False

    def start(self) -> None:
        """Tell the current state, and then what changes, until stopped."""
        self.stop()
        self.look(anyway=True)
        self._look_again_in(EVERY_SECONDS)

    def stop(self) -> None:
        """Tell nothing any more."""
        if self._next is not None:
            self._next.cancel()
        self._next, self._settles = None, False

    def changed(self) -> None:
        """Note that a link began or ended, here or at a neighbour."""
        if self._next is not None and not self._settles:
            self._next.cancel()
            self._look_again_in(SETTLES_SECONDS)
            self._settles = True

    def look(self, *, anyway: bool = False) -> None:
        """Tell now what has changed, or the current state `anyway`."""
        before, now = self._last, self._state()
        if anyway or now != before:
            self._last = now
            self._tell(before, now)

    def _look_again_in(self, seconds: float) -> None:
        self._next = self._desk.at(self._desk.now() + seconds, self._again)

    def _again(self) -> None:
        self._settles = False
        self._look_again_in(EVERY_SECONDS)
        self.look()
