"""What all seats but one could read together, with their secrets and the whole log.

One seat's layer is missing then.  Every point that anybody has ever sent is tried in its place: if
a card comes out, its layer of that card was published, or was never there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from engine.table_state import JOINT
from engine.zone import Seat, Slot
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import IDENTITY, POINT_BYTES, Point, mul, sub
from p2p.protocol.effects import Done, Effect
from p2p.protocol.entry import decode_entry
from p2p.protocol.step_kinds import RACE
from tests.protocol.kit import Hub
from tests.protocol.kit import Seat as Sitting
from tests.protocol.leaks import EnoughError

Leak = tuple[Seat, Slot]
"""Whose layer was not there, and on which card."""
Layers = tuple[Cipher, tuple[Seat, ...]]


class Coalition:
    """All seats but `honest`, those that have left among them: they read what seat 0 receives."""

    def __init__(self, hub: Hub, honest: Seat) -> None:
        self._hub: Final = hub
        self._honest: Final = honest
        self._points: Final = {IDENTITY}
        self._wanted: Final[dict[Slot, tuple[Layers, frozenset[Point]]]] = {}
        self._claimed: Final[set[Slot]] = set()
        self.tried = 0
        """How many hidden cards were looked at."""

    def hear(self, record: bytes) -> None:
        """Remember every point of an entry, whatever it is for."""
        entry = decode_entry(record)
        if entry.kind == RACE and isinstance(entry.payload, dict):
            # All know the card now; it lies open once it is decided whose claim was first.
            self._claimed.add(entry.payload["slot"])
        for data in binaries(entry.payload):
            ends = range(POINT_BYTES, len(data) + 1, POINT_BYTES)
            self._points.update(data[end - POINT_BYTES : end] for end in ends)

    def reads(self) -> Iterator[Slot]:
        """The hidden cards that it can read and may not: those that the honest seat locks."""
        first = self._hub.seats[0].cards
        locks, staying = first.table.locks, first.keys.seats
        for slot, lock in enumerate(locks):
            seats = staying if lock == JOINT else (lock,)
            if self._honest not in seats:
                self._claimed.discard(slot)
            if self._honest not in seats or slot in self._claimed:
                continue
            layers = first.slots.ciphers[slot], tuple(seats)
            if slot not in self._wanted or self._wanted[slot][0] != layers:
                self._wanted[slot] = layers, self._missing(*layers)
                self.tried += 1
            if not self._points.isdisjoint(self._wanted[slot][1]):
                yield slot

    def _missing(self, cipher: Cipher, seats: tuple[Seat, ...]) -> frozenset[Point]:
        """The layer that would be missing, for each card that may lie there."""
        a, left = cipher
        for seat in seats:
            if seat != self._honest:
                left = sub(left, mul(a, self._hub.seats[seat].cards.keys.own.scalar))
        points = {*self._hub.seats[0].cards.slots.points}
        return frozenset(sub(left, point) for point in points)


def binaries(payload: Any) -> Iterator[bytes]:
    """All bytes in a payload."""
    match payload:
        case bytes():
            yield payload
        case dict():
            for value in payload.values():
                yield from binaries(value)
        case list():
            for value in payload:
                yield from binaries(value)


def leaks(hub: Hub, most: int = 10**6) -> tuple[list[Leak], int]:
    """Play; all that a coalition of all but one seat could read, and how many cards were tried.

    It stops after the step in which `most` leaks were found: what follows may make no sense.
    """
    found: list[Leak] = []
    coalitions = [Coalition(hub, seat) for seat in range(len(hub.seats))]
    act = hub._do

    def watch(seat: Sitting, effect: Effect) -> None:
        act(seat, effect)
        if seat.seat == 0 and isinstance(effect, Done):
            for honest, one in enumerate(coalitions):
                for record in effect.records:
                    one.hear(record)
                found.extend((honest, slot) for slot in one.reads())
            if len(found) >= most:
                raise EnoughError

    hub._do = watch  # type: ignore[method-assign]
    with suppress(EnoughError):
        hub.run(10**6)
    return found, sum(one.tried for one in coalitions)
