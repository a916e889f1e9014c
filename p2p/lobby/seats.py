"""Who is in a lobby, as the host tells its guests: keys, names, readiness, addresses and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from p2p import checks
from p2p.identity.keys import KEY_BYTES, decode_identity
from p2p.net.seat_links import NO_SEATS
from p2p.protocol import wire
from p2p.protocol.frame_kinds import SEATS
from p2p.protocol.proposal import SEATS_MAX, ProposedSeat
from p2p.text.names import is_name


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat of the lobby; `ready` is None if it has no link to the host just now.

    `addresses` is its signed list as it was sent, b"" if none was; `linked` are the keys of
    the others in the lobby with whom it says that it is linked; `bot`: it says of itself that a
    bot decides there.
    """

    identity: bytes
    name: str
    ready: bool | None
    addresses: bytes = b""
    linked: frozenset[bytes] = frozenset()
    bot: bool = False

    @property
    def proposed(self) -> ProposedSeat:
        """The seat as a proposal says it."""
        return ProposedSeat(self.identity, self.name, self.bot)


def encode_seats(seats: Sequence[Taken]) -> bytes:
    """The frame that tells the guests who is there, and who is ready."""
    keys = [one.identity for one in seats]
    return SEATS.make([_encode_seat(one, keys) for one in seats])


def _encode_seat(one: Taken, keys: Sequence[bytes]) -> list[object]:
    linked = [place for place, key in enumerate(keys) if key in one.linked]
    return [one.identity, one.name, one.bot, one.ready, one.addresses, linked]


def decode_seats(payload: bytes) -> tuple[Taken, ...]:
    """Who is there, as a host says it; PeerError `malformed` or `bad-key`.

    The signatures of the lists are not checked here.
    """
    said = SEATS.read(payload)
    few = len(said) <= SEATS_MAX
    checks.require("lobby.few", few, "malformed", "more seats than a table can have")
    rows = [_fields(one) for one in said]
    keys = [decode_identity(wire.exactly(row[0], bytes, "an identity key")) for row in rows]
    return tuple(_decode_seat(place, row, keys) for place, row in enumerate(rows))


def _fields(said: object) -> list[Any]:
    six = isinstance(said, list) and len(said) == 6
    reason = "a seat is a key, a name, two words, a list of addresses and its links"
    checks.require("lobby.seat", six, "malformed", reason)
    assert isinstance(said, list)
    return said


def _decode_seat(place: int, row: list[Any], keys: Sequence[bytes]) -> Taken:
    name = wire.exactly(row[1], str, "a name")
    checks.require("lobby.name", is_name(name), "malformed", "this is no name")
    bot = wire.exactly(row[2], bool, "whether it is a bot")
    ready = None if row[3] is None else wire.exactly(row[3], bool, "readiness")
    addresses = wire.exactly(row[4], bytes, "a signed list")
    places = [wire.exactly(one, int, "a seat") for one in wire.exactly(row[5], list, "the links")]
    others = set(range(len(keys))) - {place}
    sound = len(set(places)) == len(places) and set(places) <= others
    checks.require("lobby.links", sound, "malformed", NO_SEATS)
    linked = frozenset(keys[one] for one in places)
    return Taken(keys[place], name, ready, addresses, linked, bot)


def decode_linked(said: list[Any], most: int) -> frozenset[bytes]:
    """The keys with which a guest says that it is linked: at most `most`, and any keys.

    Guests that have left meanwhile may be among them.
    """
    few = len(said) <= most
    checks.require("lobby.linked", few, "malformed", "links with more people than there are")
    return frozenset(wire.octets(key, KEY_BYTES, "an identity key") for key in said)
