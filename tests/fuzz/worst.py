"""The worst that somebody can say in a megabyte, to any reader."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from p2p.protocol.wire import RECORD_MAX
from tests.fuzz.reader import Reader

SIZE: Final = 2**20
_FOREVER: Final = b"\xff\xff\xff\xff"
UNITS: Final = {
    "zeros": b"\0",
    "ones": b"\xff",
    "arrays in arrays": b"\x91",
    "maps in maps": b"\x81\xa1a",
    "empty maps": b"\x80",
    "nothings": b"\xc0",
    "long arrays in arrays": b"\xdd" + _FOREVER,
    "long maps in maps": b"\xdf" + _FOREVER,
    "bytes without end": b"\xc6" + _FOREVER,
    "digits": b"9",
    "lines": b"\n",
    "pairs of numbers": b"1 1\n",
    "triples of numbers": b"1 1 1\n",
    "odd letters": "\u202e".encode(),
    "marks on a letter": "\u0301".encode(),
    "brackets": b"[",
    "braces": b'{"a":',
    "quotes": b'"',
    "escapes": b'\\"',
    "dots": b".a",
    "colons": b"a:1,",
    "comments": b"<!--",
    "elements": b"<a>",
    "equals": b"a = 1\n",
    "frames of one byte": b"\0\0\0\1x",
    "empty frames": b"\0\0\0\0",
    "frames of 16 kB": b"\0\0\x40\0" + bytes(0x4000),
    "items of a seat": b"\0\1\0\0\x93\xa3own",
}
"""What is repeated until a megabyte is full."""


def full(begin: bytes, unit: bytes, size: int) -> bytes:
    """`begin`, and then `unit` again and again."""
    return begin + unit * ((size - len(begin)) // len(unit))


def hostile(reader: Reader, size: int = SIZE) -> Iterator[tuple[str, bytes]]:
    """Inputs of so many bytes for one reader, each with a name."""
    sound = reader.examples[0]
    for name, unit in UNITS.items():
        yield name, full(b"", unit, size)
        yield f"sound, then {name}", full(sound, unit, size)
        half = len(sound) // 2
        yield f"half of a sound one, then {name}", full(sound[:half], unit, size)
    yield "a sound one again and again", full(b"", sound or b"x", size)
    for kind, tag, unit in (("an array", 0xDD, b"\xc0"), ("an array of maps", 0xDD, b"\x80")):
        yield kind, full(struct.pack("!BI", tag, size - 5), unit, size)
    for kind, tag in (("bytes", 0xC6), ("text", 0xDB)):
        yield f"one long {kind}", full(struct.pack("!BI", tag, size - 5), b"a", size)
    yield from _as_large_as_a_record(sound)


def _as_large_as_a_record(sound: bytes) -> Iterator[tuple[str, bytes]]:
    """What is larger than a record is refused at once: the same, just as large as one may be."""
    most = RECORD_MAX - 300
    for name in ("arrays in arrays", "empty maps", "nothings", "maps in maps", "marks on a letter"):
        yield f"{name}, as large as a record", full(b"", UNITS[name], most)
    count = 4000
    numbers = b"".join(b"\xa4" + b"%04d" % one + b"\xc0" for one in range(count // 2))
    yield "a map of many keys", struct.pack("!BI", 0xDF, count // 2) + numbers
    yield "an array of 4,000", struct.pack("!BH", 0xDC, count) + b"\x80" * count
    for kind, tag in (("bytes", 0xC6), ("text", 0xDB)):
        value = struct.pack("!BI", tag, most) + b"\xcc\x81"[: 1 + (tag == 0xDB)] * (most // 2)
        yield f"long {kind}, as large as a record", value
        for place in _leaves(sound):
            yield f"long {kind} at {place}", sound[:place] + value


def _leaves(sound: bytes) -> list[int]:
    """Where some values inside an encoding may begin."""
    tags = [at for at, byte in enumerate(sound[:2000]) if byte in {0xC4, 0xD9, 0xA1, 0xA7}]
    return tags[:4]
