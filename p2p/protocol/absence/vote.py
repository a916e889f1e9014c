"""A vote: what one seat says of the others who are gone, at one step, in one round.

The body is `{table, step, previous, seat, round, absent}` in strict MessagePack, signed for a
purpose of its own; a record is the body and its signature.  `absent` is the set of seats that are
gone, in ascending order; empty means *present*: nobody is gone as far as this seat sees.

Not to be confused with a ballot (`p2p.protocol.ballot`), which is about a signature that is missing
from the close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.zone import Seat
from p2p import checks
from p2p.errors import LocalError
from p2p.identity.keys import Identity, verify
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES, SIGNATURE_BYTES, Chain
from p2p.version import label

PURPOSE: Final = label("vote")
ROUNDS_MAX: Final = 64
"""How many rounds a step may have.  Each needs a person who changes his mind; and what is kept of a
step that nobody can complete has to be bounded."""
RECORD_MAX: Final = 512
"""The largest record in bytes: a table has 16 seats at most."""
Absent = frozenset[Seat]
PRESENT: Final[Absent] = frozenset()
"""Nobody is gone."""
_SHAPE: Final[dict[str, type | tuple[type, ...]]] = {
    "table": bytes,
    "step": int,
    "previous": bytes,
    "seat": int,
    "round": int,
    "absent": list,
}
_SIX: Final = bytes([0x80 | len(_SHAPE)])
"""How a map with that many fields begins; an entry has seven, a ballot five."""


class Place(NamedTuple):
    """The step that is voted about: `previous` is the hash of the step before it."""

    table: bytes
    step: int
    previous: bytes


def place_of(chain: Chain) -> Place:
    """The current step of a chain."""
    return Place(chain.table, chain.step, chain.head)


@dataclass(frozen=True, slots=True)
class Voters:
    """The seats that are `left` at a step, ascending, and how many have to agree at `least`.

    `least` is the number of seats of the whole table without which nobody is gone.  LocalError
    unless it is a majority of `seats`: two groups that decide have to have a seat in common.
    """

    left: tuple[Seat, ...]
    least: int
    seats: int

    def __post_init__(self) -> None:
        if not self.is_majority():
            raise LocalError("those who go on without a seat have to be a majority")

    def is_majority(self) -> bool:
        """Whether any two groups that may decide have a seat in common."""
        return 2 * self.least > self.seats

    @property
    def room(self) -> int:
        """How many seats can be gone at most."""
        return max(0, len(self.left) - self.least)

    def others(self, absent: Absent) -> tuple[Seat, ...]:
        """The seats that go on if these are gone."""
        return tuple(seat for seat in self.left if seat not in absent)

    def may_say(self, seat: Seat, absent: Absent) -> bool:
        """Whether this seat may vote so: about others who are left, and not too many."""
        about = absent <= set(self.left) - {seat} and len(absent) <= self.room
        return seat in self.left and about


@dataclass(frozen=True, slots=True)
class Vote:
    """The statement of `seat` at `place`, in `round`, that the seats in `absent` are gone."""

    place: Place
    seat: Seat
    round: int
    absent: Absent
    record: bytes

    @property
    def body(self) -> bytes:
        return self.record[:-SIGNATURE_BYTES]


def is_vote(record: bytes) -> bool:
    """Whether a record has as many fields as a vote; neither an entry nor a ballot has."""
    return record[:1] == _SIX


def sign_vote(identity: Identity, place: Place, seat: Seat, number: int, absent: Absent) -> Vote:
    """This seat's vote in round `number`.  It leaves when it is on disk (`Poll.written`)."""
    fields: dict[str, Any] = {
        "table": place.table,
        "step": place.step,
        "previous": place.previous,
        "seat": seat,
        "round": number,
        "absent": sorted(absent),
    }
    body = wire.pack(fields)
    return Vote(place, seat, number, absent, body + identity.sign(PURPOSE, body))


def decode_vote(record: bytes, identities: Sequence[bytes]) -> Vote:
    """A vote with a valid signature of the seat that it names; PeerError otherwise.

    Whether that seat may say so at that step is for `Poll.receive`, which knows who is left.
    """
    checks.require("vote.length", len(record) <= RECORD_MAX, "malformed", "a vote is too long")
    body = record[:-SIGNATURE_BYTES]
    fields = wire.take(wire.unpack(body), _SHAPE)
    wire.octets(fields["table"], HASH_BYTES, "the table id")
    wire.octets(fields["previous"], HASH_BYTES, "the previous hash")
    seats = range(len(identities))
    seat, absent, number = fields["seat"], fields["absent"], fields["round"]
    checks.require(
        "vote.round",
        fields["step"] >= 0 and 0 <= number < ROUNDS_MAX,
        "malformed",
        "a vote in an impossible round",
    )
    seated = seat in seats and all(type(one) is int and one in seats for one in absent)
    checks.require("vote.seats", seated, "malformed", "a vote of or about nobody here")
    ordered = absent == sorted(set(absent))
    checks.require("vote.order", ordered, "malformed", "a vote names its seats out of order")
    verify(identities[seat], PURPOSE, body, record[-SIGNATURE_BYTES:])
    place = Place(fields["table"], fields["step"], fields["previous"])
    return Vote(place, seat, number, frozenset(absent), record)
