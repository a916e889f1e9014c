"""Ballots: what the others say of a seat whose entry does not come (protocol section 5).

When patience ends, each other seat signs one ballot: `absent`.  (A seat that has the missing
entry sends that entry instead, which keeps the seat.)  Under policy `wait` a unanimous vote
pauses the table and nothing is lost; only at the close step, where nothing but a signature is
missing, unanimous ballots take its place (`closed-without`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.zone import Seat
from p2p import checks
from p2p.errors import LocalError
from p2p.identity.keys import Identity, verify
from p2p.protocol import wire
from p2p.protocol.effects import Agenda, Cast
from p2p.protocol.entry import HASH_BYTES, SIGNATURE_BYTES, Chain
from p2p.protocol.own_seat import OwnSeat
from p2p.version import label

PURPOSE: Final = label("ballot")
_SHAPE: Final[dict[str, type | tuple[type, ...]]] = {
    "table": bytes,
    "step": int,
    "seat": int,
    "absent": int,
    "previous": bytes,
}
_FIVE: Final = bytes([0x80 | len(_SHAPE)])
"""How a map with that many fields begins."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """The statement of `seat` that it cannot get the entry of `absent` for `step`."""

    table: bytes
    step: int
    seat: Seat
    absent: Seat
    previous: bytes
    record: bytes


def is_ballot(record: bytes) -> bool:
    """Whether a record has the shape of a ballot, and not that of an entry."""
    if record[:1] != _FIVE:
        return False  # without looking at what is in it
    body = wire.unpack(record[:-SIGNATURE_BYTES])
    return isinstance(body, dict) and body.keys() == _SHAPE.keys()


def sign_ballot(identity: Identity, chain: Chain, seat: Seat, absent: Seat) -> Ballot:
    """This seat's ballot about the chain's current step."""
    fields = {
        "table": chain.table,
        "step": chain.step,
        "seat": seat,
        "absent": absent,
        "previous": chain.head,
    }
    body = wire.pack(fields)
    record = body + identity.sign(PURPOSE, body)
    return Ballot(chain.table, chain.step, seat, absent, chain.head, record)


def decode_ballot(record: bytes, identities: Sequence[bytes]) -> Ballot:
    """A ballot with a valid signature of the seat that it names; PeerError otherwise."""
    body = record[:-SIGNATURE_BYTES]
    fields = wire.take(wire.unpack(body), _SHAPE)
    wire.octets(fields["table"], HASH_BYTES, "the table id")
    wire.octets(fields["previous"], HASH_BYTES, "the previous hash")
    seats = range(len(identities))
    seated = fields["seat"] in seats and fields["absent"] in seats
    checks.require("ballot.seats", seated, "malformed", "a ballot of or about nobody here")
    verify(identities[fields["seat"]], PURPOSE, body, record[-SIGNATURE_BYTES:])
    return Ballot(**fields, record=record)


class Ballots:
    """The ballots about the current step, by the seat that is missing."""

    def __init__(
        self, chain: Chain, identities: Sequence[bytes], own: OwnSeat | None, agenda: Agenda
    ) -> None:
        self._chain = chain
        self._identities = identities
        self._own = own
        self._agenda = agenda
        self._cast: dict[Seat, dict[Seat, Ballot]] = {}
        self._step = -1

    def receive(self, record: bytes) -> Ballot | None:
        """Count a ballot and return it; None if it is not about the current step, or not new."""
        ballot = decode_ballot(record, self._identities)
        current = (ballot.table, ballot.step, ballot.previous) == (
            self._chain.table,
            self._chain.step,
            self._chain.head,
        )
        if not current or ballot.seat == ballot.absent:
            return None
        return ballot if self.cast(ballot) else None

    def cast(self, ballot: Ballot) -> bool:
        """Count a ballot that is known to be valid; return whether it is new."""
        if self._step != self._chain.step:
            self._cast.clear()
            self._step = self._chain.step
        votes = self._cast.setdefault(ballot.absent, {})
        if ballot.seat in votes:
            return False
        votes[ballot.seat] = ballot
        return True

    def has(self, ballot: Ballot) -> bool:
        """Whether a ballot of the same seat about the same absent one is already counted."""
        return self._step == self._chain.step and ballot.seat in self._cast.get(ballot.absent, {})

    def sign(self, absent: Seat) -> None:
        """Cast a ballot of this seat, once it is on disk; do nothing if it has been cast."""
        if self._own is None:
            raise LocalError("a machine without a seat was to cast a ballot")
        ballot = sign_ballot(self._own.identity, self._chain, self._own.seat, absent)

        def on_disk() -> None:
            if self.cast(ballot):
                self._agenda.at_once(Cast(ballot.record))

        if not self.has(ballot):
            self._agenda.write("ballot", ballot.record, None, on_disk)

    def all(self) -> list[bytes]:
        """Every ballot about the current step."""
        if self._step != self._chain.step:
            return []
        return [ballot.record for votes in self._cast.values() for ballot in votes.values()]

    def unanimous(self, owed: Sequence[Seat], missing: Sequence[Seat]) -> tuple[bytes, ...]:
        """All ballots about `missing` by all others of `owed`, in order; empty until complete."""
        if self._step != self._chain.step or not missing:
            return ()
        voters = [seat for seat in owed if seat not in missing]
        votes = [self._cast.get(absent, {}).get(voter) for absent in missing for voter in voters]
        found = [vote.record for vote in votes if vote is not None]
        return tuple(found) if found and len(found) == len(votes) else ()
