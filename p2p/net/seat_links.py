"""How this seat reaches each other seat, for people: directly, through another, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import trio

from engine.zone import Seat

if TYPE_CHECKING:
    from p2p.net.mesh import LinkState

NO_SEATS: Final = "links with seats that do not exist"
SETTLES_SECONDS: Final = 0.3
"""A link that ends is reported a little later: a peer that leaves loses its links one by one, and
for a moment each neighbour still says that it is linked with it."""
EVERY_SECONDS: Final = 2.0
"""How often round trips are reported: there is a new one with every heartbeat."""


class Way(Enum):
    """How a seat is reached."""

    DIRECT = "direct"
    VIA = "via"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class SeatLink:
    """How one other seat is reached.

    `via` is the name of the seat that carries its entries, for `Way.VIA` only; `rtt_ms` the last
    round trip of a direct link in whole milliseconds, None before the first; `by_reach`: a direct
    link that is one of iroh.
    """

    seat: Seat
    name: str
    way: Way
    via: str = ""
    rtt_ms: int | None = None
    by_reach: bool = False

    @property
    def words(self) -> str:
        """In a few words: `direct, 12 ms`, `direct (reach)`, `via Ana` or `lost, retrying`."""
        if self.way is Way.VIA:
            return f"via {self.via}"
        if self.way is Way.LOST:
            return "lost, retrying"
        direct = "direct (reach)" if self.by_reach else "direct"
        return direct if self.rtt_ms is None else f"{direct}, {self.rtt_ms} ms"


def seat_links(
    seats: Sequence[tuple[bytes, str]],
    me: Seat,
    links: Mapping[bytes, LinkState],
    said: Mapping[bytes, Set[Seat]],
) -> tuple[SeatLink, ...]:
    """How each other seat is reached, in seat order.

    `seats` are (identity key, name); `links` is what `Mesh.links` says, `said` with which seats
    each linked neighbour says that it is linked (frame 15).  Of several carriers the one with
    the shortest round trip is named.
    """
    near = [
        (state.rtt_ms or 0.0, seat)
        for seat, (key, _) in enumerate(seats)
        if seat != me and (state := links.get(key)) is not None and state.connected
    ]
    direct = {seat for _, seat in near}

    def reached(seat: Seat, key: bytes, name: str) -> SeatLink:
        if seat in direct:
            link = links[key]
            rtt_ms = None if link.rtt_ms is None else round(link.rtt_ms)
            return SeatLink(seat, name, Way.DIRECT, "", rtt_ms, link.by_reach)
        carriers = [one for _, one in sorted(near) if seat in said.get(seats[one][0], ())]
        if carriers:
            return SeatLink(seat, name, Way.VIA, seats[carriers[0]][1])
        return SeatLink(seat, name, Way.LOST)

    return tuple(reached(i, key, name) for i, (key, name) in enumerate(seats) if i != me)


class LinkWatch:
    """Checks how the seats are reached, and tells what changed.

    `look` gives the state; `tell` gets the state before (None at first) and now, each time
    the two differ.
    """

    def __init__(
        self,
        look: Callable[[], tuple[SeatLink, ...]],
        tell: Callable[[tuple[SeatLink, ...] | None, tuple[SeatLink, ...]], None],
    ) -> None:
        self._look: Final = look
        self._tell: Final = tell
        self._last: tuple[SeatLink, ...] | None = None
        self._changed = trio.Event()

    def changed(self) -> None:
        """Note that a link began or ended, here or at a neighbour."""
        self._changed.set()

    def look(self, *, anyway: bool = False) -> None:
        """Tell now what has changed, or the current state `anyway`."""
        before, now = self._last, self._look()
        if anyway or now != before:
            self._last = now
            self._tell(before, now)

    async def run(self) -> None:
        """Tell the current state, and then what changes, until cancelled."""
        self.look(anyway=True)
        while True:
            self._changed = trio.Event()
            with trio.move_on_after(EVERY_SECONDS):
                await self._changed.wait()
                await trio.sleep(SETTLES_SECONDS)
            self.look()
