"""What the reader's own seat saw, from the files beside its log (decision 7).

While a table is unfinished, its seat file holds the table secret, which reads every card of the
seat; once it is closed the secret is gone, and the hand file says which cards the seat saw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from engine.zone import Seat, Slot
from p2p.crypto.elgamal import read
from p2p.crypto.keys import TableSecret
from p2p.disk.outside import HAND_MAX, SEAT_MAX, read_outside
from p2p.errors import PeerError
from p2p.files.hand_file import HandFileError, OwnHand, read_hand
from p2p.files.seat_memory import read_seat
from p2p.protocol.genesis import Header
from p2p.protocol.slots import Slots
from replay.faces import Sight

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OwnSight:
    """The reader's own seat and what it saw."""

    seat: Seat
    sight: Sight


def own_sight(log: Path, header: Header) -> OwnSight | None:
    """What the files beside `log` tell about the reader's own cards; None if none is of this table.

    A file that cannot be read tells nothing: the log is shown as anybody sees it.
    """
    seats = range(len(header.keys))
    hand = _read(log.with_suffix(".ndhand"), HAND_MAX, lambda data: read_hand(data.decode("ascii")))
    if hand is not None and hand.table == header.table and hand.seat in seats:
        return _from_hand(hand)
    return _read(log.with_suffix(".ndseat"), SEAT_MAX, lambda data: _from_seat(data, header))


def _read(path: Path, most: int, decode: Callable[[bytes], T]) -> T | None:
    try:
        return decode(read_outside(path, most))
    except (OSError, UnicodeDecodeError, HandFileError, PeerError):
        return None


def _from_seat(data: bytes, header: Header) -> OwnSight | None:
    memory = read_seat(data)
    if memory.header != header.encode() or memory.seat not in range(len(header.keys)):
        return None
    return OwnSight(memory.seat, _from_secret(memory.secret))


def _from_hand(hand: OwnHand) -> OwnSight:
    seen = {(step, slot): number for step, slot, number in hand.seen}

    def sight(slots: Slots, step: int, slot: Slot) -> int | None:
        number = seen.get((step, slot))
        return number if number is not None and number in range(len(slots.points)) else None

    return OwnSight(hand.seat, sight)


def _from_secret(data: bytes) -> Sight:
    secret = TableSecret.from_bytes(data)
    return lambda slots, step, slot: slots.identify(read(secret, slots.ciphers[slot]))
