"""A line of talk: signed, so that nobody speaks for another; not part of the game.

At a table a *message* is the map `{table, seat, number, text}` in strict MessagePack and the
signature of the seat's identity key over it, for a purpose of its own.  In the lobby there are no
seats yet that stay whose they are: there it is `{speaker, number, text}`, and the signature is over
the token of the table and the map, for another purpose.  Neither enters a hash or a log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from p2p import checks
from p2p.identity.keys import KEY_BYTES, SIGNATURE_BYTES, Identity, verify
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.text.names import is_printable
from p2p.version import label

PURPOSE: Final = label("chat")
IN_LOBBY: Final = label("lobby chat")
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
_LOBBY_SHAPE: Final[dict[str, type | tuple[type, ...]]] = {
    "speaker": bytes,
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


@dataclass(frozen=True, slots=True)
class LobbyLine:
    """One line in a lobby, of whoever holds the key `speaker`; else as `Message`."""

    speaker: bytes
    number: int
    text: str
    data: bytes

    def check_signature(self, token: bytes) -> None:
        """PeerError `bad-signature` unless the speaker signed this for the table of `token`."""
        body, signature = self.data[:-SIGNATURE_BYTES], self.data[-SIGNATURE_BYTES:]
        verify(self.speaker, IN_LOBBY, token + body, signature)


def is_line(text: str) -> bool:
    """Whether this may be said: 1 to 200 printable characters."""
    return 0 < len(text) <= TEXT_MAX and is_printable(text)


def sign_message(identity: Identity, table: bytes, seat: int, number: int, text: str) -> Message:
    """A line of our own."""
    body = wire.pack({"table": table, "seat": seat, "number": number, "text": text})
    return Message(table, seat, number, text, body + identity.sign(PURPOSE, body))


def sign_lobby_line(identity: Identity, token: bytes, number: int, text: str) -> LobbyLine:
    """A line of our own in the lobby of the table of `token`."""
    body = wire.pack({"speaker": identity.public, "number": number, "text": text})
    signature = identity.sign(IN_LOBBY, token + body)
    return LobbyLine(identity.public, number, text, body + signature)


def decode_message(data: bytes, identities: Sequence[bytes]) -> Message:
    """A line that somebody sent, its signature checked; PeerError `malformed`, `bad-signature`."""
    fields = _fields(data, _SHAPE)
    wire.octets(fields["table"], HASH_BYTES, "the table id")
    known = fields["seat"] in range(len(identities))
    checks.require("chat.seat", known, "malformed", "a line of talk of a seat that does not exist")
    message = Message(**fields, data=data)
    message.check_signature(identities[message.seat])
    return message


def read_lobby_line(data: bytes) -> LobbyLine:
    """A line that somebody sent in a lobby; PeerError `malformed`.

    Whoever shows it checks the signature first: that takes time, and may not be needed.
    """
    fields = _fields(data, _LOBBY_SHAPE)
    wire.octets(fields["speaker"], KEY_BYTES, "the speaker's key")
    return LobbyLine(**fields, data=data)


def _fields(data: bytes, shape: Mapping[str, type | tuple[type, ...]]) -> dict[str, Any]:
    """What both kinds of lines have in common."""
    fits = SIGNATURE_BYTES < len(data) <= _MESSAGE_MAX
    checks.require("chat.length", fits, "malformed", "a line of talk has an impossible length")
    fields = wire.take(wire.unpack(data[:-SIGNATURE_BYTES]), shape)
    counted = 0 <= fields["number"] <= NUMBER_MAX
    checks.require("chat.number", counted, "malformed", "a line of talk has an impossible number")
    sound = is_line(fields["text"])
    checks.require("chat.text", sound, "malformed", "a line of talk is too long or not printable")
    return fields
