"""What a table agrees on before any key is made: the game, the seats, the terms of its races.

One peer proposes, and everybody signs the proposal with the header (see `genesis`), or leaves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import UsageError
from engine.game import Game, Value
from engine.games import load
from p2p import checks
from p2p.identity import decode_identity
from p2p.protocol import wire
from p2p.protocol.context import PROTOCOL_VERSION
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.race_terms import RaceTerms, decode_terms

TOKEN_BYTES: Final = 16
NAME_MAX: Final = 24
HIDDEN: Final = (
    *((0x0, 0x1F), (0x7F, 0xA0), (0xAD, 0xAD), (0x61C, 0x61C), (0x1680, 0x1680)),
    *((0x180E, 0x180E), (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F)),
    *((0x3000, 0x3000), (0xD800, 0xF8FF), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB)),
    *((0xE0000, 0xE007F), (0xF0000, 0x10FFFF)),
)
"""Code points of no name: controls, spaces but one, marks of direction, private use.

A list of our own, because Unicode's categories grow: two verifiers with other tables would
judge one log differently.
"""
POLICIES: Final = ("wait",)

_PROPOSAL: Final[dict[str, type | tuple[type, ...]]] = {
    "version": int,
    "token": bytes,
    "game": str,
    "rules": int,
    "options": dict,
    "policy": str,
    "seats": list,
    "race": dict,
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is to be played, by whom: agreed before any key is made.

    `seats` are (identity key, name) in seat order.  `data` are the exact bytes that were
    proposed; `id` is their hash.
    """

    token: bytes
    game: Game
    options: dict[str, Value]
    policy: str
    seats: tuple[tuple[bytes, str], ...]
    race: RaceTerms
    data: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha512(b"nodealer proposal v1\0" + self.data).digest()[:HASH_BYTES]

    @property
    def identities(self) -> tuple[bytes, ...]:
        return tuple(identity for identity, _ in self.seats)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.seats)


def propose(
    token: bytes,
    game: Game,
    options: dict[str, Value],
    policy: str,
    seats: Sequence[tuple[bytes, str]],
    race: RaceTerms | None = None,
) -> Proposal:
    """A proposal of ours.  UsageError for a game, options or seats that do not go together."""
    game.check(len(seats), options)
    fields = {
        "version": PROTOCOL_VERSION,
        "token": token,
        "game": game.name,
        "rules": game.rules_version,
        "options": dict(sorted(options.items())),
        "policy": policy,
        "seats": [[identity, name] for identity, name in seats],
        "race": (race or RaceTerms()).encode(),
    }
    return decode_proposal(wire.pack(fields))


def decode_proposal(data: bytes) -> Proposal:
    """A proposal that somebody sent, checked; PeerError `malformed` or `bad-key`."""
    fields = wire.take(wire.unpack(data), _PROPOSAL)
    _know("genesis.version", fields["version"] == PROTOCOL_VERSION, "protocol version")
    _know("genesis.policy", fields["policy"] in POLICIES, "policy for lost players")
    seats = tuple(_decode_seat(seat) for seat in fields["seats"])
    distinct = len({identity for identity, _ in seats}) == len(seats)
    checks.require("genesis.distinct", distinct, "bad-key", "one identity holds two seats")
    try:
        game = load(fields["game"])
        game.check(len(seats), fields["options"])
    except UsageError as error:
        why = str(error)
        game = None
    else:
        why = ""
    checks.require("genesis.game", game is not None, "malformed", why)
    assert game is not None
    _know("genesis.rules", fields["rules"] == game.rules_version, "version of the rules")
    token = wire.octets(fields["token"], TOKEN_BYTES, "the table token")
    race = decode_terms(fields["race"])
    return Proposal(token, game, fields["options"], fields["policy"], seats, race, data)


def _know(check: str, known: bool, what: str) -> None:
    checks.require(check, known, "malformed", f"this program does not know that {what}")


def _decode_seat(seat: Any) -> tuple[bytes, str]:
    pair = isinstance(seat, list) and len(seat) == 2
    checks.require("genesis.seat", pair, "malformed", "a seat is an identity and a name")
    identity, name = seat
    identity = decode_identity(wire.exactly(identity, bytes, "an identity key"))
    name = wire.exactly(name, str, "a name")
    fits = 0 < len(name) <= NAME_MAX and not any(map(_is_hidden, name))
    checks.require("genesis.name", fits, "malformed", "a name is 1 to 24 printable characters")
    return identity, name


def _is_hidden(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in HIDDEN)
