"""How a table begins: one proposal, keys by commit and reveal, one header that all sign.

Genesis is three steps on a chain of its own, whose id is the hash of the proposal:

    commit   every seat: a commitment to its table key
    reveal   every seat: opening, key, proof of possession bound to all commitments, and
             the round trips it measured to the others, for races
    sign     every seat: its signature over the header

The header's hash is the table id and enters every later signature and proof (protocol
section 1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.checks import Entropy
from p2p.crypto.commitment import COMMITMENT_BYTES
from p2p.crypto.group import Point, decode_point
from p2p.crypto.keys import (
    OPENING_BYTES,
    PROOF_BYTES,
    KeyContext,
    commit_key,
    joint_key,
    prove_key,
    verify_key,
)
from p2p.errors import blaming
from p2p.identity.keys import verify
from p2p.protocol import step_kinds, wire
from p2p.protocol.entry import HASH_BYTES, SIGNATURE_BYTES
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.proposal import Proposal, decode_proposal
from p2p.protocol.races.relays import Pair, unlinked
from p2p.protocol.races.terms import (
    Ping,
    Pings,
    decode_pings,
    one_way,
    passed_on,
    race_cap,
    stated,
)
from p2p.protocol.step import Parsed, Program, Step
from p2p.version import label

PURPOSE: Final = label("header")
_TABLE: Final = label("table")
SIGN_STEP: Final = 2
"""The last step of a genesis: a seat that has all entries of it can play."""

_KEY: Final[dict[str, type | tuple[type, ...]]] = {
    "commitment": bytes,
    "opening": bytes,
    "public": bytes,
    "proof": bytes,
}
_REVEAL: Final[dict[str, type | tuple[type, ...]]] = {
    "opening": bytes,
    "public": bytes,
    "proof": bytes,
    "pings": list,
}


@dataclass(frozen=True, slots=True)
class TableKey:
    """A seat's table key as the header shows it."""

    commitment: bytes
    opening: bytes
    public: Point
    proof: bytes


_Revealed = tuple[TableKey, tuple[Ping, ...]]


@dataclass(frozen=True, slots=True)
class Header:
    """The first record of a log: what all seats signed before the first card.

    `pings` are the round trips that each seat stated.  `body` is what the signatures are
    over; its hash is the table id.
    """

    proposal: Proposal
    keys: tuple[TableKey, ...]
    pings: Pings
    signatures: tuple[bytes, ...]
    body: bytes

    @property
    def table(self) -> bytes:
        return table_id(self.body)

    @property
    def publics(self) -> tuple[Point, ...]:
        return tuple(key.public for key in self.keys)

    @property
    def one_way(self) -> Pings:
        """How long a message takes between each two seats, as `races.terms.one_way` says."""
        return one_way(self.pings)

    @property
    def passed_on(self) -> Pings:
        """The same for what all pass on at once, as `races.terms.passed_on` says."""
        return passed_on(self.pings)

    @property
    def unlinked(self) -> tuple[Pair, ...]:
        """The pairs of seats that get each other's records only through others."""
        return unlinked(self.pings)

    @property
    def race_cap_us(self) -> int:
        """The largest delay that a seat is credited with in a race, in microseconds."""
        return race_cap(self.proposal.race, self.pings)

    def encode(self) -> bytes:
        return wire.pack({"body": self.body, "signatures": list(self.signatures)})


def table_id(body: bytes) -> bytes:
    """The id of the table whose header has this body."""
    return hashlib.sha512(_TABLE + body).digest()[:HASH_BYTES]


def decode_header(data: bytes) -> Header:
    """A header with every key and signature in it checked; PeerError otherwise."""
    fields = wire.take(wire.unpack(data), {"body": bytes, "signatures": list})
    body: bytes = fields["body"]
    inner = wire.take(wire.unpack(body), {"proposal": bytes, "keys": list, "pings": list})
    proposal = decode_proposal(inner["proposal"])
    count = len(proposal.seats)
    complete = len(inner["keys"]) == len(inner["pings"]) == len(fields["signatures"]) == count
    checks.require("header.count", complete, "malformed", "not one key, pings, signature a seat")
    for identity, signature in zip(proposal.identities, fields["signatures"], strict=True):
        # Nobody is blamed for a false one: anybody who holds the file can spoil it.
        verify(identity, PURPOSE, body, wire.octets(signature, SIGNATURE_BYTES, "a signature"))
    keys = tuple(_decode_key(key) for key in inner["keys"])
    _verify_keys(proposal, keys)
    pings = tuple(
        decode_pings(seat, count, wire.exactly(row, list, "the pings of a seat"))
        for seat, row in enumerate(inner["pings"])
    )
    return Header(proposal, keys, pings, tuple(fields["signatures"]), body)


def _decode_key(value: Any) -> TableKey:
    fields = wire.take(value, _KEY)
    return TableKey(
        wire.octets(fields["commitment"], COMMITMENT_BYTES, "a key commitment"),
        wire.octets(fields["opening"], OPENING_BYTES, "a key opening"),
        decode_point(fields["public"]),
        wire.octets(fields["proof"], PROOF_BYTES, "a proof of possession"),
    )


def _verify_keys(proposal: Proposal, keys: Sequence[TableKey]) -> None:
    commitments = [key.commitment for key in keys]
    for seat, key in enumerate(keys):
        context = KeyContext(proposal.token, seat, proposal.identities[seat])
        with blaming(seat):
            verify_key(context, key.public, key.opening, key.proof, commitments)
    joint_key([key.public for key in keys])


def begin_table(
    proposal: Proposal,
    entropy: Entropy,
    own: OwnSeat,
    opening: bytes,
    pings: Callable[[], Sequence[Ping]],
) -> Program[Header]:
    """The three steps of genesis; the result is the header that all signed.

    `own`, and the `opening` of the commitment to its key, are already on disk.  `pings` is
    called once, at our reveal: the least round trip to each seat so far, in microseconds and
    seat order.
    """
    return _genesis(proposal, _Own(proposal.token, own, opening, entropy, pings))


def watch_genesis(proposal: Proposal) -> Program[Header]:
    """The three steps for somebody who only checks what the seats signed."""
    return _genesis(proposal, None)


class _Own:
    """A seat's own part in genesis: what it commits to, shows and signs."""

    def __init__(
        self,
        token: bytes,
        own: OwnSeat,
        opening: bytes,
        entropy: Entropy,
        pings: Callable[[], Sequence[Ping]],
    ) -> None:
        self._context = KeyContext(token, own.seat, own.identity.public)
        self._identity = own.identity
        self._secret = own.secret
        self._entropy = entropy
        self._pings = pings
        self._opening = opening

    def commit(self) -> bytes:
        return commit_key(self._context, self._secret.public, self._opening)

    def reveal(self, commitments: Sequence[bytes]) -> dict[str, object]:
        return {
            "opening": self._opening,
            "public": self._secret.public,
            "proof": prove_key(self._secret, self._context, commitments, self._entropy),
            "pings": stated(self._pings(), self._context.seat),
        }

    def sign(self, body: bytes) -> bytes:
        return self._identity.sign(PURPOSE, body)


def _genesis(proposal: Proposal, own: _Own | None) -> Program[Header]:
    everybody = tuple(range(len(proposal.seats)))
    commitments: Parsed = yield Step(
        step_kinds.COMMIT,
        everybody,
        parse=lambda _, payload: wire.octets(payload, COMMITMENT_BYTES, "a key commitment"),
        make=(lambda _: own.commit()) if own else None,
    )
    ordered = [commitments[seat] for seat in everybody]
    revealed: Parsed = yield _reveal_step(proposal, ordered, own)
    keys = tuple(revealed[seat][0] for seat in everybody)
    rows = tuple(revealed[seat][1] for seat in everybody)
    joint_key([key.public for key in keys])
    body = wire.pack(
        {
            "proposal": proposal.data,
            "keys": [_encode_key(key) for key in keys],
            "pings": [list(row) for row in rows],
        }
    )
    signatures: Parsed = yield Step(
        step_kinds.SIGN,
        everybody,
        parse=lambda _, payload: wire.octets(payload, SIGNATURE_BYTES, "a signature"),
        verify=lambda seat, signature: verify(proposal.identities[seat], PURPOSE, body, signature),
        make=(lambda _: own.sign(body)) if own else None,
    )
    return Header(proposal, keys, rows, tuple(signatures[seat] for seat in everybody), body)


def _encode_key(key: TableKey) -> dict[str, bytes]:
    return {
        "commitment": key.commitment,
        "opening": key.opening,
        "public": key.public,
        "proof": key.proof,
    }


def _reveal_step(proposal: Proposal, commitments: Sequence[bytes], own: _Own | None) -> Step:
    seats = len(commitments)

    def parse(seat: Seat, payload: Any) -> _Revealed:
        fields = wire.take(payload, _REVEAL)
        row = decode_pings(seat, seats, fields.pop("pings"))
        return _decode_key({"commitment": commitments[seat], **fields}), row

    def verify_reveal(seat: Seat, revealed: _Revealed) -> None:
        key, _ = revealed
        theirs = KeyContext(proposal.token, seat, proposal.identities[seat])
        verify_key(theirs, key.public, key.opening, key.proof, commitments)

    make = (lambda _: own.reveal(commitments)) if own else None
    return Step(step_kinds.REVEAL, tuple(range(seats)), parse, verify_reveal, make)
