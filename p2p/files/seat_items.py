"""The bytes of a seat's own file, item by item.

An item is its length (u32, big-endian), its content, and a checksum of the content.  A crash can
leave the last item torn: it is cut off before anything is appended.  Damage before the last item
does not come from a crash, and the file is refused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from p2p import checks
from p2p.protocol import wire
from p2p.version import label, magic, why_unread

MAGIC: Final = magic("seat")
_ITEM_LABEL: Final = label("seat item")
_LENGTH: Final = 4
_CHECKSUM: Final = 8
DIGEST_BYTES: Final = 32
_ITEM_MAX: Final = _LENGTH + wire.RECORD_MAX + _CHECKSUM
"""One crash leaves no more than this."""
_NEXT: Final = re.compile(rb"(?s).{4}(?=[\x93\x94]\xa3own|\x93\xa6ballot|\x93\xa6header)")
"""How each item except the first begins: its length, an array of three or four, its kind."""


class Prefix(NamedTuple):
    """How long a seat file is, in whole items, and the hash of all of them."""

    size: int
    digest: bytes


def beginning(first: list[object]) -> bytes:
    """How a file begins that has this first item."""
    return MAGIC + encode_item(first)


def encode_item(item: list[object]) -> bytes:
    """The bytes of an item."""
    content = wire.pack(item)
    return len(content).to_bytes(_LENGTH, "big") + content + _checksum(content)


def decode_items(data: bytes) -> list[list[object]]:
    """The whole items of a seat file, in order; PeerError `malformed` for one that is damaged."""
    sound = data[: sound_size(data)]
    contents = (content for content, _ in _whole(sound))
    return [wire.exactly(wire.unpack(content), list, "an item") for content in contents]


def sound_size(data: bytes) -> int:
    """Where the last whole item ends; anything after it was torn by a crash.

    PeerError `malformed` if the file is none of ours, or whole items come after that.
    """
    why = why_unread(data) or "this is not a seat file"
    checks.require("seat.magic", data.startswith(MAGIC), "malformed", why)
    at = max((end for _, end in _whole(data)), default=len(MAGIC))
    torn = len(data) - at <= _ITEM_MAX and not any(
        _content(data, found.start()) is not None for found in _NEXT.finditer(data, at + 1)
    )
    checks.require("seat.damaged", torn, "malformed", "the seat file is damaged in its middle")
    return at


def is_cut_short(data: bytes) -> bool:
    """Whether a crash came while this file was made: its first item is not all there.

    Nothing was signed then, unless the ledger knows better.
    """
    start = len(MAGIC) + _LENGTH
    if len(data) < start:
        return MAGIC.startswith(data[: len(MAGIC)])
    size = int.from_bytes(data[len(MAGIC) : start], "big")
    return data.startswith(MAGIC) and len(data) < start + size + _CHECKSUM


def _whole(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The contents of the items from the first on, each with where it ends."""
    at = len(MAGIC)
    while (content := _content(data, at)) is not None:
        at += _LENGTH + len(content) + _CHECKSUM
        yield content, at


def _content(data: bytes, at: int) -> bytes | None:
    """The content of the item that begins here, None if none does."""
    start = at + _LENGTH
    end = start + int.from_bytes(data[at:start], "big")
    if not start < end <= start + wire.RECORD_MAX or end + _CHECKSUM > len(data):
        return None
    content = data[start:end]
    return content if data[end : end + _CHECKSUM] == _checksum(content) else None


def _checksum(content: bytes) -> bytes:
    return hashlib.sha512(_ITEM_LABEL + content).digest()[:_CHECKSUM]


def prefix_digest(data: bytes, size: int) -> bytes:
    """The hash of the first `size` bytes of a seat file, as `SeatFile.place` has it."""
    return hashlib.sha512(data[:size]).digest()[:DIGEST_BYTES]
