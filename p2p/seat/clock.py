"""The clock of one seat, for races: monotonic, in microseconds (protocol section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import trio

from engine.zone import Seat
from p2p.net.mesh import Mesh
from p2p.protocol.races.timing import Clock, Timing

_SECOND_US: Final = 1_000_000


def run_clock() -> Clock:
    """The clock of this trio run, which other threads may read too."""
    clock = trio.lowlevel.current_clock()
    return lambda: round(clock.current_time() * _SECOND_US)


def seconds(moment: int) -> float:
    """A moment of `run_clock` as trio counts it."""
    return moment / _SECOND_US


def seat_timing(mesh: Mesh, clock: Clock, identities: Sequence[bytes]) -> Timing:
    """The timing of a seat whose round trips `mesh` measures."""

    def one_way(seat: Seat) -> int | None:
        round_trip = mesh.round_trip_us(identities[seat])
        return None if round_trip is None else round_trip // 2

    return Timing(clock, one_way)
