"""The cards that a seat saw at a closed table: text, for its own replay (decision 7).

A first line, the table id, the seat, then a line for each card: the step before which the seat
could read it, the slot, the physical card.  It holds no key and proves nothing to anybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p.protocol.slots import Seen

MAGIC: Final = "nodealer hand 1"


class HandFileError(ValueError):
    """The text is no hand file; one sentence."""


class OwnHand(NamedTuple):
    """What such a file says."""

    table: bytes
    seat: Seat
    seen: tuple[Seen, ...]


def hand_text(table: bytes, seat: Seat, seen: Iterable[Seen]) -> str:
    """The text of what `seat` saw at the table with this id."""
    rows = [f"{step} {slot} {number}" for step, slot, number in seen]
    return "\n".join([MAGIC, f"table {table.hex()}", f"seat {seat}", *rows, ""])


def read_hand(text: str) -> OwnHand:
    """What `hand_text` wrote; HandFileError for anything else."""
    try:
        magic, table, seat, *rows = text.splitlines()
        if magic != MAGIC or not (table.startswith("table ") and seat.startswith("seat ")):
            raise HandFileError("this is no file of a hand")
        seen = tuple(Seen(*map(int, row.split(" "))) for row in rows)
        return OwnHand(bytes.fromhex(table[6:]), int(seat[5:]), seen)
    except (ValueError, TypeError) as error:
        raise HandFileError("this is no file of a hand") from error
