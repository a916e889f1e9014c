"""How this seat reaches each other seat, for people: directly, through another, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from engine.zone import Seat

if TYPE_CHECKING:
    from p2p.net.mesh import LinkState

NO_SEATS: Final = "links with seats that do not exist"


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
