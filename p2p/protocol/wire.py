"""Strict MessagePack: one value has one encoding, and limits hold before memory is used.

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
ITEMS_MAX: Final = 4096


def pack(value: object) -> bytes:
    """The one encoding of `value`."""
    packed: bytes = msgpack.packb(value, use_bin_type=True, strict_types=True)
    return packed


def unpack(data: bytes) -> Any:
    """The value of a strict encoding; PeerError `malformed` for anything else."""
    checks.require("wire.size", len(data) <= RECORD_MAX, "malformed", "a message is too large")
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_ext_len=0,
            max_array_len=ITEMS_MAX,
            max_map_len=ITEMS_MAX,
            object_pairs_hook=_map,
        )
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


def take(value: object, shape: Mapping[str, type | tuple[type, ...]]) -> dict[str, Any]:
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


def _map(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("duplicate key")
    return made


def _plain(value: object, depth: int = DEPTH_MAX) -> bool:
    """Whether `value` holds allowed types only, nested at most `depth` deep."""
    if isinstance(value, list):
        return depth > 0 and all(_plain(item, depth - 1) for item in value)
    if isinstance(value, dict):
        return depth > 0 and all(
            type(key) is str and _plain(item, depth - 1) for key, item in value.items()
        )
    return value is None or type(value) in (int, str, bytes, bool)
