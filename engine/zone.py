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


def twins(zones: Iterable[Zone]) -> list[Zone]:
    """Independent zones with the same slots (without `__init__`, which costs half a fork).

    It is never compiled, like all this module: calls of a list that is no plain list take longer
    in compiled code.  Most zones are empty, and are left so.
    """
    new, found = Zone.__new__, []
    for zone in zones:
        made = new(Zone)
        if zone:
            made += zone
        made.id = zone.id
        made.name = zone.name
        made.owner = zone.owner
        found.append(made)
    return found


def nowhere() -> Zone:
    """What a zone field of a table holds before the table is made."""
    return Zone((), -1, "nowhere", None)
