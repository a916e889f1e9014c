"""Strict MessagePack: one value has one encoding, and limits apply before memory is used.

Protocol section 3: minimal integers, no floats, no extension types, no duplicate keys, and
pack(unpack(data)) == data, so that a signature over bytes is a signature over a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgpack

from p2p import checks

RECORD_MAX: Final = 128 * 1024
"""The largest record, in bytes, on the wire and in a log."""
DEPTH_MAX: Final = 6
Shape = Mapping[str, type | tuple[type, ...]]
"""The fields of a map, each with the type or types that it may have."""
_SMALL_MAP: Final = 0x80
ITEMS_MAX: Final = 4096
"""The most items inside the arrays and maps of a message, counting keys and values.  They are
counted before anything is built: 128 KiB can say "an empty map" 131,072 times."""


def pack(value: object) -> bytes:
    """The one encoding of `value`."""
    packed: bytes = msgpack.packb(value, use_bin_type=True, strict_types=True)
    return packed


def unpack(data: bytes) -> Any:
    """The value of a strict encoding; PeerError `malformed` for anything else."""
    checks.require("wire.size", len(data) <= RECORD_MAX, "malformed", "a message is too large")
    _after(data, 0, ITEMS_MAX)
    try:
        value = _decode(data)
        canonical = pack(value) == data
    except (ValueError, TypeError, OverflowError) as error:
        canonical, value, reason = False, None, type(error).__name__
    else:
        reason = "not the minimal encoding"
    checks.require("wire.canonical", canonical, "malformed", f"a message cannot be read: {reason}")
    checks.require(
        "wire.types",
        _plain(value),
        "malformed",
        "a message holds a forbidden type or is nested too deeply",
    )
    return value


def peek(data: bytes, shape: Shape) -> dict[str, Any]:
    """Only these fields of the map in `data`; the rest is not decoded.  PeerError `malformed`.

    It reads no further than it has to.  It gives what `unpack` gives, if that accepts `data`
    at all.
    """
    fields = data[0] & 0x0F if data and data[0] & 0xF0 == _SMALL_MAP else 0
    found: dict[str, bytes] = {}
    at, room = 1, ITEMS_MAX
    for _ in range(fields):
        value_at, room = _after(data, at, room)
        end, room = _after(data, value_at, room)
        key = data[at + 1 : value_at].decode("ascii", "replace")
        if key in shape:
            found[key] = data[at:end]
        if len(found) == len(shape):
            break
        at = end
    return take(unpack(bytes([_SMALL_MAP | len(found)]) + b"".join(found.values())), shape)


def take(value: object, shape: Shape) -> dict[str, Any]:
    """`value` as a map with exactly the keys and types of `shape`, else `malformed`."""
    checks.require(
        "wire.keys",
        isinstance(value, dict) and value.keys() == shape.keys(),
        "malformed",
        "a message has not the fields it should have",
    )
    assert isinstance(value, dict)
    for key, kinds in shape.items():
        allowed = kinds if isinstance(kinds, tuple) else (kinds,)
        checks.require(
            "wire.field",
            type(value[key]) in allowed,
            "malformed",
            f"the field {key} has the wrong type",
        )
    return value


def exactly(value: object, kind: type, what: str) -> Any:
    """`value` if its type is exactly `kind` (a bool is no int), else `malformed`."""
    checks.require("wire.kind", type(value) is kind, "malformed", f"{what} has the wrong type")
    return value


def octets(value: object, size: int, what: str) -> bytes:
    """`value` if it is exactly `size` bytes, else `malformed`."""
    fits = isinstance(value, bytes) and len(value) == size
    checks.require("wire.octets", fits, "malformed", f"{what} has the wrong length")
    assert isinstance(value, bytes)
    return value


def _after(data: bytes, at: int, room: int) -> tuple[int, int]:
    """Where the value that begins at `at` ends, and how many more items others may hold.

    Only tags and lengths are read.  If the data end too early, the code after this finds out.
    """
    left = 1
    while left and at < len(data):
        head, size, inside = _TAGS[data[at]]
        if head > 1:
            count = int.from_bytes(data[at + 1 : at + head], "big")
            size, inside = size * count, inside * count
        at += head + size
        left += inside - 1
        room -= inside
        if room < 0:
            break
    checks.require("wire.items", room >= 0, "malformed", "a message holds too many items")
    return at, room


def _decode(data: bytes) -> Any:
    return msgpack.unpackb(data, max_ext_len=0, object_pairs_hook=_map)


def _map(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("duplicate key")
    return made


def _plain(value: object, depth: int = DEPTH_MAX) -> bool:
    """Whether `value` holds only allowed types, nested at most `depth` deep."""
    if isinstance(value, list):
        return depth > 0 and all(_plain(item, depth - 1) for item in value)
    if isinstance(value, dict):
        return depth > 0 and all(
            type(key) is str and _plain(item, depth - 1) for key, item in value.items()
        )
    return value is None or type(value) in (int, str, bytes, bool)


def _tag(tag: int) -> tuple[int, int, int]:
    """What follows in a value that begins with `tag`: bytes of tag and length, then bytes, items.

    If the value has a length of its own, the latter two are for one unit of it.
    """
    if tag in _LONG:
        return _LONG[tag]
    if tag >> 4 == 0x8:
        return 1, 0, 2 * (tag & 0x0F)
    if tag >> 4 == 0x9:
        return 1, 0, tag & 0x0F
    if tag >> 5 == 0x5:
        return 1, tag & 0x1F, 0
    return 1, _NUMBERS.get(tag, 0), 0


_LONG: Final = {
    **{0xC4 + i: (1 + (1 << i), 1, 0) for i in range(3)},  # binaries
    **{0xD9 + i: (1 + (1 << i), 1, 0) for i in range(3)},  # strings
    **{0xDC + i: (3 + 2 * i, 0, 1) for i in range(2)},  # arrays
    **{0xDE + i: (3 + 2 * i, 0, 2) for i in range(2)},  # maps
}
_NUMBERS: Final = {first + i: 1 << i for first in (0xCC, 0xD0) for i in range(4)}
_TAGS: Final = tuple(map(_tag, range(256)))
"""It says too little about floats and extensions: those are refused wherever they stand."""
