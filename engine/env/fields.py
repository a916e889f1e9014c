"""What a game's own table says, in rows of a fixed width: scores, directions, what is owed.

The annotations say how a field is written, as for copies and digests (`engine.plain`).  A list is
its length and then its items, and zeros up to the length that lists may have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from enum import Enum
from types import NoneType
from typing import Any, Final, NamedTuple, get_args, get_origin
from zlib import crc32

from engine.cards import Card, Deck
from engine.compiling import hints
from engine.errors import EngineError
from engine.table_state import TableState
from engine.zone import Zone


class Column(NamedTuple):
    """How a value is written: in so many numbers, by this function."""

    width: int
    write: Callable[[Any], list[int]]


class Bounds(NamedTuple):
    """How long lists may be: those of the table, and those in them."""

    outer: int
    inner: int


def columns(table: TableState, deck: Deck) -> dict[str, Column]:
    """The columns of the fields that this table has besides those of every table.

    A list holds at most as many items as there are cards, a list in a list as there are seats.
    EngineError, when it is written, for one that holds more.
    """
    cls = type(table)
    known = {part.name for part in fields(TableState)}
    stated = hints(cls)
    own = {part.name: stated[part.name] for part in fields(table) if part.name not in known}
    bounds = Bounds(max(len(deck), table.seats), table.seats)
    return {name: _column(hint, bounds) for name, hint in own.items() if not _is_zones(hint)}


def _is_zones(hint: Any) -> bool:
    """Whether a field only names zones: what lies in them is seen card by card."""
    return hint is Zone or get_args(hint) == (Zone,)


def _column(hint: Any, bounds: Bounds) -> Column:
    args, kind = get_args(hint), get_origin(hint)
    if NoneType in args:
        (inner,) = [part for part in args if part is not NoneType]
        return _optional(_column(inner, bounds))
    if kind in (list, dict) or (kind is tuple and Ellipsis in args):
        return _listed(args, kind is dict, bounds)
    if kind is tuple:
        return _row([_column(part, bounds) for part in args])
    if isinstance(hint, type) and issubclass(hint, Enum):
        members = [*hint]
        return Column(1, lambda value: [members.index(value)])
    write = _SIMPLE.get(hint)
    if write is not None:
        return Column(1, write)
    return _dataclass(hint, bounds)


_SIMPLE: Final[dict[Any, Callable[[Any], list[int]]]] = {
    int: lambda value: [value],
    bool: lambda value: [int(value)],
    str: lambda value: [crc32(value.encode()) >> 1],
    Card: lambda value: [value.id],
    Deck: lambda value: [crc32(value.name.encode()) >> 1],
    Zone: lambda value: [value.id],
}
"""A text is known again by a checksum, which is below 2**31."""


def _optional(inner: Column) -> Column:
    nothing = [0] * (1 + inner.width)
    return Column(
        1 + inner.width, lambda value: nothing if value is None else [1, *inner.write(value)]
    )


def _listed(args: Sequence[Any], is_dict: bool, bounds: Bounds) -> Column:
    within = Bounds(bounds.inner, bounds.inner)
    parts = args if is_dict else args[:1]
    item = _row([_column(part, within) for part in parts])
    width = 1 + bounds.outer * item.width

    def write(value: Any) -> list[int]:
        if len(value) > bounds.outer:
            raise EngineError(f"a list of {len(value)} items: no more than {bounds.outer} are seen")
        rows = value.items() if is_dict else [(one,) for one in value]
        written = [len(value), *[number for row in rows for number in item.write(row)]]
        return written + [0] * (width - len(written))

    return Column(width, write)


def _row(parts: Sequence[Column]) -> Column:
    """Several values side by side."""
    return Column(
        sum(part.width for part in parts),
        lambda values: [
            number
            for part, value in zip(parts, values, strict=True)
            for number in part.write(value)
        ],
    )


def _dataclass(hint: Any, bounds: Bounds) -> Column:
    stated = hints(hint)
    names = [part.name for part in fields(hint)]
    row = _row([_column(stated[name], bounds) for name in names])
    return Column(row.width, lambda value: row.write([getattr(value, name) for name in names]))
