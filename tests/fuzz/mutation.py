"""Bends valid bytes: as MessagePack, as framed records, as lines of text, or as mere bytes.

All chance comes from the `Random` that is handed in: Hypothesis and the fuzzer hand in their own.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import msgpack

Bend = Callable[[bytes, bytes, Random], bytes]
"""Makes bytes of a valid example and of a second one, of which it may take parts."""
DEPTHS: Final = (5, 6, 7, 40, 600)
ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 2, 15, 16, 17, 127, 128, 255, 256, 2**31, 2**53, 2**53 + 1,
    2**63 - 1, -(2**63), 2**64 - 1, 0.5, float("nan"), b"", b"\0", bytes(16), bytes(31),
    bytes(32), b"\xff" * 32, bytes(33), b"\xff" * 64, bytes(1025), "", "\0", "deck", "a" * 256,
    "\u202e", "\x1b[2J", "\ud7ff", [], {}, [[]], [0, 0], [-1], [None] * 17, list(range(300)),
    msgpack.ExtType(5, b"x"), msgpack.Timestamp(1),
)  # fmt: skip
WORDS: Final = (
    *("", "0", "-1", "1" * 20, "9" * 5000, "1_0", "٣", "0x10", "1e9", "nan", "\0", "\t", "\x1b[2J"),
    *("\u2028", "\u202e", "[" * 700, "{" * 700, '"', "\\", "\ud800", "%s", "{}", "ä" * 300),
)
_PIECE_MAX: Final = 100_000
"""Letters of a piece of text that is repeated: what a fuzzer has kept may be large already."""
LENGTHS: Final = (0, 1, 2**16, 2**31, 2**32 - 1)


class Pairs(list[tuple[Any, Any]]):
    """A map as it is written: keys in any order, also twice."""


def bend_bytes(data: bytes, other: bytes, rng: Random) -> bytes:
    """Flip, cut, double, insert, exchange."""
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.randrange(1, 40))
    some = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9)))
    start = rng.randrange(len(other) + 1)
    return rng.choice(
        (
            lambda: data[:at],
            lambda: data[at:],
            lambda: data[:at] + data[end:],
            lambda: data[:end] + data[at:],
            lambda: data[:at] + some + data[at:],
            lambda: data[:at] + some + data[at + len(some) :],
            lambda: data[:at] + bytes(end - at) + data[end:],
            lambda: data[:at] + bytes(byte ^ 1 << rng.randrange(8) for byte in data[at : at + 1])
            + data[at + 1 :],
            lambda: data[:at] + struct.pack("!I", rng.choice(LENGTHS)) + data[at + 4 :],
            lambda: data[:at] + other[start:],
            lambda: data + other,
        )
    )()  # fmt: skip


def bend_text(data: bytes, other: bytes, rng: Random) -> bytes:
    """Exchange words and lines, and put odd ones in."""
    pieces = re.split(r"(\s|[=:,@\[\]{}\"])", data.decode("utf-8", "surrogateescape"))
    theirs = re.split(r"(\s)", other.decode("utf-8", "surrogateescape"))
    for _ in range(rng.randrange(1, 4)):
        at, to = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        change = rng.randrange(6)
        if change == 0:
            pieces[at] = rng.choice(WORDS)
        elif change == 1:
            pieces[at] = rng.choice(theirs)
        elif change == 2:
            pieces.insert(at, pieces[to])
        elif change == 3:
            pieces[at], pieces[to] = pieces[to], pieces[at]
        elif change == 4:
            del pieces[at : at + rng.randrange(1, 4)]
        else:
            times = rng.choice((2, 40, 1000 if len(pieces[at]) < 9 else 2))
            pieces[at] *= min(times, max(1, _PIECE_MAX // max(1, len(pieces[at]))))
        pieces = pieces or [""]
    return _octets("".join(pieces))


def _octets(text: str) -> bytes:
    """Bytes that were none of UTF-8 stay what they were."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def bend_wire(data: bytes, other: bytes, rng: Random) -> bytes:
    """Bend the value that strict MessagePack encodes, or its encoding; else mere bytes."""
    value, theirs = _tree(data), _tree(other)
    if value is _NO_TREE or rng.randrange(8) == 0:
        return bend_bytes(data, other, rng)
    for _ in range(rng.randrange(1, 3)):
        value = _bent(value, [] if theirs is _NO_TREE else _parts(theirs), rng)
    return _encoded(value, rng, oddly=rng.randrange(3) == 0)


def bend_frames(begin: int, tail: int = 64) -> Bend:
    """Bend frames of u32 length behind `begin` bytes, each MessagePack and `tail` bytes more."""

    def bend(data: bytes, other: bytes, rng: Random) -> bytes:
        frames, theirs = _frames(data, begin), _frames(other, begin)
        if not frames or rng.randrange(5) == 0:
            return bend_bytes(data, other, rng)
        at, to = rng.randrange(len(frames)), rng.randrange(len(frames))
        change = rng.randrange(6)
        if change == 0:
            del frames[at]
        elif change == 1:
            frames.insert(at, frames[to])
        elif change == 2 and theirs:
            frames[at] = rng.choice(theirs)
        elif change == 3:
            frames[at], frames[to] = frames[to], frames[at]
        else:
            end = max(0, len(frames[at]) - tail)
            body, rest = frames[at][:end], frames[at][end:]
            frames[at] = bend_wire(body, frames[to], rng) + rest
        return data[:begin] + b"".join(struct.pack("!I", len(one)) + one for one in frames)

    return bend


def _frames(data: bytes, at: int) -> list[bytes]:
    found = []
    while at + 4 <= len(data):
        (size,) = struct.unpack_from("!I", data, at)
        found.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return found


_NO_TREE: Final = object()


def _tree(data: bytes) -> Any:
    try:
        return msgpack.unpackb(data, raw=False, strict_map_key=False, object_pairs_hook=Pairs)
    except (ValueError, TypeError, RecursionError, OverflowError, msgpack.exceptions.ExtraData):
        return _NO_TREE


def _parts(value: Any) -> list[Any]:
    """All values in this one, itself first."""
    found = [value]
    for one in found:
        if isinstance(one, Pairs):
            found.extend(inner for _, inner in one)
        elif isinstance(one, list):
            found.extend(one)
    return found


def _bent(value: Any, theirs: Sequence[Any], rng: Random) -> Any:
    """`value` with one thing in it changed."""
    if isinstance(value, Pairs) and value and rng.randrange(8):
        at = rng.randrange(len(value))
        key, inside = value[at]
        if rng.randrange(5):
            return Pairs([*value[:at], (key, _bent(inside, theirs, rng)), *value[at + 1 :]])
        return _bent_map(value, at, rng)
    if isinstance(value, list) and not isinstance(value, Pairs) and value and rng.randrange(8):
        at = rng.randrange(len(value))
        if rng.randrange(5):
            return [*value[:at], _bent(value[at], theirs, rng), *value[at + 1 :]]
        changed = ([], [value[at]] * 2, [value[at]] * 40, [rng.choice(ODD)])
        return [*value[:at], *rng.choice(changed), *value[at + 1 :]]
    return _other_than(value, theirs, rng)


def _bent_map(value: Pairs, at: int, rng: Random) -> Pairs:
    key, inside = value[at]
    changed: tuple[list[tuple[Any, Any]], ...] = (
        [],
        [(key, inside)] * 2,
        [(f"{key}x", inside)],
        [(rng.choice(ODD), inside)],
        [("also", 1), (key, inside)],
    )
    made = Pairs([*value[:at], *rng.choice(changed), *value[at + 1 :]])
    if rng.randrange(4) == 0:
        made.reverse()
    return made


def _other_than(value: Any, theirs: Sequence[Any], rng: Random) -> Any:
    """Something else in the place of `value`."""
    change = rng.randrange(6)
    if change == 0 and theirs:
        return rng.choice(theirs)
    if change == 1:
        return _nested(value, rng)
    if isinstance(value, bytes) and change < 5:
        inner = _tree(value)
        if isinstance(inner, list) and inner and change < 4:
            return _encoded(_bent(inner, theirs, rng), rng, oddly=False)
        return bend_bytes(value, b"", rng)
    if isinstance(value, str) and change < 5:
        letters = bend_text(value.encode("utf-8", "replace"), b"", rng)
        return letters.decode("utf-8", "replace") if change < 4 else letters
    if type(value) is int and change < 5:
        return max(-(2**63), min(2**64 - 1, value + rng.choice((-1, 1, 2, 100, 2**32))))
    return rng.choice(ODD)


def _nested(value: Any, rng: Random) -> Any:
    as_map = rng.randrange(2)
    for _ in range(rng.choice(DEPTHS)):
        value = Pairs([("a", value)]) if as_map else [value]
    return value


def _encoded(value: Any, rng: Random, *, oddly: bool) -> bytes:
    """In MessagePack; `oddly`: not always in the shortest way, and lengths may lie."""
    out: list[bytes] = []
    todo = [value]
    while todo:  # not by recursion: values are nested deeply
        one = todo.pop()
        odd = oddly and rng.randrange(6) == 0
        if isinstance(one, Pairs):
            out.append(_head(0x80, (0xDE, 0xDF), len(one) + _lie(odd, rng), odd))
            todo.extend(part for pair in reversed(one) for part in reversed(pair))
        elif isinstance(one, list):
            out.append(_head(0x90, (0xDC, 0xDD), len(one) + _lie(odd, rng), odd))
            todo.extend(reversed(one))
        else:
            out.append(_odd_leaf(one, rng) if odd else _leaf(one))
    return b"".join(out)


def _lie(odd: bool, rng: Random) -> int:
    return rng.choice((0, 0, 1, 2**16, 2**31)) if odd else 0


def _head(small: int, large: tuple[int, int], count: int, odd: bool) -> bytes:
    if count < 16 and not odd:
        return bytes([small | count])
    if count < 2**16:
        return struct.pack("!BH", large[0], count)
    return struct.pack("!BI", large[1], count)


def _leaf(value: Any) -> bytes:
    packed: bytes = msgpack.packb(value, use_bin_type=True, unicode_errors="surrogatepass")
    return packed


def _odd_leaf(value: Any, rng: Random) -> bytes:
    if type(value) is int and 0 <= value < 2**31:
        return (
            struct.pack("!BQ", 0xCF, value) if rng.randrange(2) else struct.pack("!Bi", 0xD2, value)
        )
    if isinstance(value, bytes):
        return struct.pack("!BI", 0xC6, len(value) + _lie(True, rng)) + value
    if isinstance(value, str):
        letters = value.encode("utf-8", "replace")
        return struct.pack("!BI", 0xDB, len(letters) + _lie(True, rng)) + letters
    return b"\xc1" if rng.randrange(2) else _leaf(value)
