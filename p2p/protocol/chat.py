"""A line of talk at a table: signed, so that nobody speaks for another; not part of the game.

A *message* is the map `{table, seat, number, text}` in strict MessagePack and the signature of
the seat's identity key over it, for a purpose of its own.  It enters no hash and no log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p import checks
from p2p.identity.keys import SIGNATURE_BYTES, Identity, verify
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.text.names import is_printable
from p2p.version import label

PURPOSE: Final = label("chat")
TEXT_MAX: Final = 200
"""The most characters in a line."""
NUMBER_MAX: Final = 2**53
_MESSAGE_MAX: Final = 4 * TEXT_MAX + 256
_SHAPE: Final[dict[str, type | tuple[type, ...]]] = {
    "table": bytes,
    "seat": int,
    "number": int,
    "text": str,
}


@dataclass(frozen=True, slots=True)
class Message:
    """One line of one seat.  `number` grows from line to line; `data` are the bytes sent."""

    table: bytes
    seat: int
    number: int
    text: str
    data: bytes

    def check_signature(self, identity: bytes) -> None:
        """PeerError `bad-signature` unless `identity` signed this line."""
        verify(identity, PURPOSE, self.data[:-SIGNATURE_BYTES], self.data[-SIGNATURE_BYTES:])


def is_line(text: str) -> bool:
    """Whether this may be said: 1 to 200 printable characters."""
    return 0 < len(text) <= TEXT_MAX and is_printable(text)


def sign_message(identity: Identity, table: bytes, seat: int, number: int, text: str) -> Message:
    """A line of our own."""
    body = wire.pack({"table": table, "seat": seat, "number": number, "text": text})
    return Message(table, seat, number, text, body + identity.sign(PURPOSE, body))


def decode_message(data: bytes, identities: Sequence[bytes]) -> Message:
    """A line that somebody sent, its signature checked; PeerError `malformed`, `bad-signature`."""
    fits = SIGNATURE_BYTES < len(data) <= _MESSAGE_MAX
    checks.require("chat.length", fits, "malformed", "a line of talk has an impossible length")
    fields = wire.take(wire.unpack(data[:-SIGNATURE_BYTES]), _SHAPE)
    wire.octets(fields["table"], HASH_BYTES, "the table id")
    known = fields["seat"] in range(len(identities))
    checks.require("chat.seat", known, "malformed", "a line of talk of a seat that does not exist")
    counted = 0 <= fields["number"] <= NUMBER_MAX
    checks.require("chat.number", counted, "malformed", "a line of talk has an impossible number")
    sound = is_line(fields["text"])
    checks.require("chat.text", sound, "malformed", "a line of talk is too long or not printable")
    message = Message(**fields, data=data)
    message.check_signature(identities[message.seat])
    return message
