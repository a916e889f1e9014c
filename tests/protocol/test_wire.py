"""One value has one encoding, and limits hold before memory is used."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.errors import PeerError
from p2p.protocol import wire

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=5,
)


def refuse(data: bytes) -> None:
    with pytest.raises(PeerError) as refusal:
        wire.unpack(data)
    assert refusal.value.verdict == "malformed"


def nested(depth: int) -> Any:
    value: Any = None
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.slow
@given(PLAIN)
def test_what_is_packed_is_unpacked(value: object) -> None:
    assert wire.unpack(wire.pack(value)) == value


@given(st.binary(max_size=64))
def test_garbage_is_one_value_or_malformed(data: bytes) -> None:
    try:
        value = wire.unpack(data)
    except PeerError as error:
        value = error.verdict
    assert value == "malformed" or wire.pack(value) == data


@pytest.mark.check("wire.size")
def test_a_message_above_the_limit_is_refused() -> None:
    assert wire.unpack(wire.pack(bytes(wire.RECORD_MAX - 5))) == bytes(wire.RECORD_MAX - 5)
    refuse(wire.pack(bytes(wire.RECORD_MAX)))


@pytest.mark.check("wire.canonical")
@pytest.mark.parametrize(
    "data",
    [
        b"\xcc\x05",  # five in two bytes
        b"\xd9\x01a",  # a short string with a long header
        b"\xdc\x00\x01\x01",  # an array of one with a long header
        b"\x82\xa1a\x01\xa1a\x01",  # the same key twice
        b"\x01\x01",  # a second value behind the first
        b"\x92\x01",  # an array cut short
        b"\xc1",  # never used in MessagePack
        b"\xa1\xff",  # no UTF-8
        b"",
        b"\xdd\xff\xff\xff\xff",  # an array of 4 billion items
        b"\xc6\xff\xff\xff\xff",  # 4 GB of bytes
        b"\x91" * 100_000,
    ],
)
def test_there_is_one_encoding(data: bytes) -> None:
    refuse(data)


@pytest.mark.check("wire.types")
@pytest.mark.parametrize(
    "data",
    [
        wire.pack(1.5),
        wire.pack([float("nan")]),
        msgpack.packb(msgpack.ExtType(5, b"")),
        wire.pack({b"bytes as key": 1}),
        wire.pack(nested(wire.DEPTH_MAX + 1)),
        wire.pack({"a": nested(wire.DEPTH_MAX)}),
    ],
)
def test_no_floats_extensions_or_deep_nests(data: bytes) -> None:
    refuse(data)


def test_the_deepest_nest_that_is_allowed() -> None:
    assert wire.unpack(wire.pack(nested(wire.DEPTH_MAX))) == nested(wire.DEPTH_MAX)


@pytest.mark.check("wire.keys")
@pytest.mark.parametrize("value", [[1], {"a": 1, "b": 2}, {}])
def test_a_map_has_exactly_its_fields(value: object) -> None:
    with pytest.raises(PeerError, match="fields"):
        wire.take(value, {"a": int})


@pytest.mark.check("wire.field")
@pytest.mark.parametrize("value", [True, "1", None])
def test_a_field_has_exactly_its_type(value: object) -> None:
    with pytest.raises(PeerError, match="the field a"):
        wire.take({"a": value}, {"a": int})
    assert wire.take({"a": None}, {"a": (int, type(None))}) == {"a": None}


@pytest.mark.check("wire.kind")
def test_a_bool_is_no_int() -> None:
    with pytest.raises(PeerError, match="a choice has the wrong type"):
        wire.exactly(True, int, "a choice")


@pytest.mark.check("wire.octets")
@pytest.mark.parametrize("value", [b"", bytes(31), bytes(33)])
def test_octets_have_exactly_their_length(value: object) -> None:
    with pytest.raises(PeerError, match="wrong length"):
        wire.octets(value, 32, "a hash")


NUMBERS = [
    sign * (1 << bits) - less
    for bits in (5, 7, 8, 15, 16, 31, 32)
    for sign in (1, -1)
    for less in (0, 1)
]
LENGTHS = (0, 1, 15, 16, 31, 32, 255, 256, 4000)
LONG: list[object] = [
    *(None, True, False, 0, *NUMBERS, 2**63, 2**64 - 1, -(2**63)),
    *(make(length) for length in (*LENGTHS, 65_535, 65_536) for make in (bytes, lambda n: "x" * n)),
    *([1] * length for length in LENGTHS),
    *({f"{n:04}": n for n in range(length // 2)} for length in (*LENGTHS, 30)),
]
"""Each kind of value on both sides of each length at which its head changes."""


@pytest.mark.parametrize(
    "value", LONG, ids=lambda value: f"{type(value).__name__} {str(value)[:9]}"
)
def test_a_field_is_found_behind_any_value(value: object) -> None:
    data = wire.pack({"before": value, "kind": 7, "after": value})
    assert wire.peek(data, {"kind": int}) == {"kind": 7}


@pytest.mark.check("wire.items")
def test_the_most_items_that_a_message_may_hold() -> None:
    most = [0] * wire.ITEMS_MAX
    assert wire.unpack(wire.pack(most)) == most
    with pytest.raises(PeerError, match="too many items"):
        wire.unpack(wire.pack([*most, 0]))


@pytest.mark.parametrize("head", [b"\xdc", b"\xdd", b"\xde", b"\xdf"])
def test_more_items_than_there_may_be_are_refused_by_the_head_alone(head: bytes) -> None:
    """Nothing is made of an array or a map that says that it holds 65,535 items or four billion."""
    length = 2 if head in (b"\xdc", b"\xde") else 4
    with pytest.raises(PeerError, match="too many items"):
        wire.unpack(head + b"\xff" * length)
