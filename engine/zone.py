"""Zones: where slots lie."""

from __future__ import annotations

from collections.abc import Iterable

Seat = int
"""A player's place at the table, clockwise from 0."""
Slot = int
"""One physical card as all see it: its number, whether its face is known or not."""


class Zone(list[Slot]):
    """An ordered list of slots: a stock, a discard, a hand.  The last slot is the top."""

    __slots__ = ("id", "name", "owner")

    def __init__(self, slots: Iterable[Slot], number: int, name: str, owner: Seat | None) -> None:
        super().__init__(slots)
        self.id = number
        self.name = name
        self.owner = owner

    def __repr__(self) -> str:
        return f"{self.name}{list(self)}"


def nowhere() -> Zone:
    """What a zone field of a table holds before the table is made."""
    return Zone((), -1, "nowhere", None)
