"""The entry of a journal for a seat that left the game for good, or was voted out."""

from __future__ import annotations

from typing import NamedTuple

from engine.zone import Seat


class Lost(NamedTuple):
    """Here `seat` left, and nobody answered the question that was pending.

    `gone`: the others voted it out.
    """

    seat: Seat
    gone: bool = False
