"""What a table agrees on before any key is made: game, seats, lost players, races, the clock.

One peer proposes, and everybody signs the proposal with the header (see `genesis`), or leaves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engine.errors import UsageError
from engine.game import Game
from engine.zone import Seat
from p2p import checks
from p2p.identity.keys import decode_identity
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.terms import Terms, check_playable, decode_terms
from p2p.text.names import NAMES, are_distinct, is_name
from p2p.version import PROTOCOL_VERSION, REVISION_BYTES, label, own_revision

TOKEN_BYTES: Final = 16
SEATS_MAX: Final = 16
"""Checking an identity key takes a millisecond: nobody may make us check thousands."""
_ID: Final = label("proposal")

_PROPOSAL: Final[wire.Shape] = {
    "version": int,
    "revision": bytes,
    "token": bytes,
    "game": str,
    "rules": int,
    "options": dict,
    "policy": str,
    "seats": list,
    "race": dict,
    "clock": int,
}


class ProposedSeat(NamedTuple):
    """Who is to sit somewhere: the identity key, the name, and whether it is a bot.

    A program says of its own seat whether a bot decides there, and everybody signs that with the
    rest: a label, and no proof.
    """

    identity: bytes
    name: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is to be played, by whom: agreed before any key is made.

    `seats` are in seat order; `revision` is that of the program that proposes.
    `data` are the exact bytes that were proposed; `id` is their hash.
    """

    token: bytes = field(repr=False)
    terms: Terms
    seats: tuple[ProposedSeat, ...]
    revision: bytes
    data: bytes = field(repr=False)

    @property
    def id(self) -> bytes:
        return hashlib.sha512(_ID + self.data).digest()[:HASH_BYTES]

    @property
    def game(self) -> Game:
        """The game of the terms."""
        return self.terms.load()

    @property
    def identities(self) -> tuple[bytes, ...]:
        return tuple(one.identity for one in self.seats)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.seats)

    @property
    def keys_and_names(self) -> tuple[tuple[bytes, str], ...]:
        return tuple((one.identity, one.name) for one in self.seats)

    @property
    def bots(self) -> frozenset[Seat]:
        """The seats that say of themselves that a bot decides there."""
        return frozenset(seat for seat, one in enumerate(self.seats) if one.bot)


def propose(token: bytes, terms: Terms, seats: Sequence[ProposedSeat]) -> Proposal:
    """Make a proposal.  UsageError for terms and seats that do not go together."""
    terms.check(len(seats))
    fields = {
        "version": PROTOCOL_VERSION,
        "revision": own_revision(),
        "token": token,
        "seats": [list(one) for one in seats],
        **terms.encode(),
    }
    return decode_proposal(wire.pack({name: fields[name] for name in _PROPOSAL}))


def decode_proposal(data: bytes) -> Proposal:
    """A proposal that somebody sent, checked in the order of the protocol (section 3).

    PeerError `malformed` or `bad-key`.  The revision may be that of any program.
    """
    fields = wire.take(wire.unpack(data), _PROPOSAL)
    _know("genesis.version", fields["version"] == PROTOCOL_VERSION, "protocol version")
    seats = _decode_seats(fields["seats"])
    game = _decode_game(fields, len(seats))
    _know("genesis.rules", fields["rules"] == game.rules_version, "version of the rules")
    token = wire.octets(fields["token"], TOKEN_BYTES, "the table token")
    terms = decode_terms(fields)
    revision = wire.octets(fields["revision"], REVISION_BYTES, "the revision")
    return Proposal(token, terms, seats, revision, data)


def revision_in(data: bytes) -> bytes:
    """Return the revision that a proposal names; PeerError `malformed`.

    Nothing else is read: programs of that revision may have other rules, or other games.
    """
    return wire.octets(_field(data, "revision"), REVISION_BYTES, "the revision")


def identities_in(data: bytes) -> tuple[bytes, ...]:
    """Return the identity keys of a proposal, and read nothing else of it; PeerError."""
    seats = _read_seats(wire.exactly(_field(data, "seats"), list, "the seats"))
    return tuple(seat.identity for seat in seats)


def _field(data: bytes, name: str) -> Any:
    return wire.exactly(wire.unpack(data), dict, "a proposal").get(name)


def _read_seats(listed: list[Any]) -> tuple[ProposedSeat, ...]:
    few = len(listed) <= SEATS_MAX
    checks.require("genesis.seats", few, "malformed", "a table has no so many seats")
    return tuple(_decode_seat(seat) for seat in listed)


def _decode_seats(listed: list[Any]) -> tuple[ProposedSeat, ...]:
    seats = _read_seats(listed)
    distinct = len({one.identity for one in seats}) == len(seats)
    checks.require("genesis.distinct", distinct, "bad-key", "one identity holds two seats")
    distinct = are_distinct([one.name for one in seats])
    checks.require("genesis.names", distinct, "malformed", "two seats go by one name")
    return seats


def _decode_game(fields: Mapping[str, Any], seats: int) -> Game:
    try:
        game = check_playable(fields["game"], fields["options"], fields["policy"], seats)
    except UsageError as error:
        found, why = None, str(error)
    else:
        found, why = game, ""
    return checks.present("genesis.game", found, "malformed", why)


def _know(check: str, known: bool, what: str) -> None:
    checks.require(check, known, "malformed", f"this program does not know that {what}")


def _decode_seat(seat: Any) -> ProposedSeat:
    three = isinstance(seat, list) and len(seat) == 3
    reason = "a seat is an identity, a name, and whether it is a bot"
    checks.require("genesis.seat", three, "malformed", reason)
    identity, name, bot = seat
    identity = decode_identity(wire.exactly(identity, bytes, "an identity key"))
    name = wire.exactly(name, str, "a name")
    checks.require("genesis.name", is_name(name), "malformed", NAMES)
    return ProposedSeat(identity, name, wire.exactly(bot, bool, "whether it is a bot"))
