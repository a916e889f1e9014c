"""The clock of a seat's races: that of its desk, in whole microseconds (protocol section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.zone import Seat
from p2p.protocol.races.timing import Timing
from p2p.seat.desk import Desk

_SECOND_US: Final = 1_000_000


def microseconds(moment: float) -> int:
    """A moment in seconds as races count it."""
    return round(moment * _SECOND_US)


def seconds(moment: int) -> float:
    """A moment of a race as a desk counts it."""
    return moment / _SECOND_US


def seat_timing(desk: Desk, identities: Sequence[bytes]) -> Timing:
    """The timing of a seat whose round trips are those of its links.

    Its clock may be read by computations that run beside the seat.
    """

    def one_way(seat: Seat) -> int | None:
        round_trip = desk.links.round_trip_us(identities[seat])
        return None if round_trip is None else round_trip // 2

    return Timing(lambda: microseconds(desk.now()), one_way)
