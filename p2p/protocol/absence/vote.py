"""A vote: what one seat says of the others who are gone, at one step, in one round.

It is written as an entry is (`p2p.protocol.entry`), of kind `vote` and with the state digest zero,
but signed for a purpose of its own: whoever reads a log reads both in one way.  The payload is
`{round, absent}`.  `absent` is the set of seats that are gone, in ascending order; empty means
*present*: nobody is gone as far as this seat sees.

Not to be confused with a ballot (`p2p.protocol.ballot`), which is about a signature that is missing
from the close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p import checks
from p2p.errors import LocalError
from p2p.identity.keys import Identity
from p2p.protocol import step_kinds, wire
from p2p.protocol.entry import SIGNATURE_BYTES, Chain, Entry, decode_entry, no_state, sign_entry

ROUNDS_MAX: Final = 64
"""How many rounds a step may have.  Each needs a person who changes his mind; and what is kept of a
step that nobody can complete has to be bounded."""
RECORD_MAX: Final = 512
"""The largest record in bytes: a table has 16 seats at most."""
Absent = frozenset[Seat]
PRESENT: Final[Absent] = frozenset()
"""Nobody is gone."""
_PAYLOAD: Final[dict[str, type | tuple[type, ...]]] = {"round": int, "absent": list}


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
    def opens(self) -> int:
        """How many rounds one seat may open: all seats have as many, and use up nobody else's."""
        return ROUNDS_MAX // self.seats

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


def sign_vote(identity: Identity, place: Place, seat: Seat, number: int, absent: Absent) -> Vote:
    """This seat's vote in round `number`.  It leaves when it is on disk (`Poll.written`)."""
    chain = Chain(place.table, place.step, place.previous)
    said = {"round": number, "absent": sorted(absent)}
    entry = sign_entry(identity, chain, seat, str(step_kinds.VOTE), said, no_state())
    return Vote(place, seat, number, absent, entry.record)


def decode_vote(record: bytes, identities: Sequence[bytes]) -> Vote:
    """A vote with a valid signature of the seat that it names; PeerError otherwise.

    Whether that seat may say so at that step is for `Poll.receive`, which knows who is left.
    """
    checks.require("vote.length", len(record) <= RECORD_MAX, "malformed", "a vote is too long")
    entry = decode_entry(record)
    is_vote = entry.kind == step_kinds.VOTE
    checks.require("vote.kind", is_vote, "malformed", "an entry that is no vote")
    fields = wire.take(entry.payload, _PAYLOAD)
    seats = range(len(identities))
    absent, number = fields["absent"], fields["round"]
    checks.require(
        "vote.round",
        entry.step >= 0 and 0 <= number < ROUNDS_MAX,
        "malformed",
        "a vote in an impossible round",
    )
    seated = entry.seat in seats and all(type(one) is int and one in seats for one in absent)
    checks.require("vote.seats", seated, "malformed", "a vote of or about nobody here")
    ordered = absent == sorted(set(absent))
    checks.require("vote.order", ordered, "malformed", "a vote names its seats out of order")
    stateless = entry.state == no_state()
    checks.require("vote.state", stateless, "malformed", "a vote says nothing about the state")
    entry.check_signature(identities[entry.seat])
    return Vote(_place(entry), entry.seat, number, frozenset(absent), record)


def said_round(payload: object) -> int:
    """The round that the payload of a vote names; -1 if it names none."""
    said = payload.get("round") if isinstance(payload, dict) else None
    return said if type(said) is int else -1


def _place(entry: Entry) -> Place:
    return Place(entry.table, entry.step, entry.previous)
