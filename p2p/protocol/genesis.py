"""How a table begins: one proposal, keys by commit and reveal, one header that all sign.

Genesis is three steps on a chain of its own, whose id is the hash of the proposal:

    commit   every seat: a commitment to its table key
    reveal   every seat: opening, key, proof of possession bound to all commitments, and
             the round trips it measured to the others, for races
    sign     every seat: its signature over the header

With the policy carry-on, a seat also commits to and reveals what it promises, and before `sign`
comes a step more; in `sign`, a seat may complain (`p2p.protocol.key_in_shares`):

    share    every seat: a share of its table secret for each other seat, sealed

The header's hash is the table id and enters every later signature and proof (protocol
section 1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
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
    TableSecret,
    commit_key,
    joint_key,
    prove_key,
    verify_key,
)
from p2p.crypto.sharing import Commitments
from p2p.errors import LocalError, blaming
from p2p.identity.keys import verify
from p2p.protocol import step_kinds, wire
from p2p.protocol.entry import HASH_BYTES, SIGNATURE_BYTES, decode_entry
from p2p.protocol.key_in_shares import (
    PROMISE,
    Complaint,
    KeyInShares,
    Promise,
    Promises,
    Sent,
    all_right,
    decode_promise,
)
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
SHARE_STEP: Final = 2
"""Where shares of keys are sent, with the policy carry-on."""

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
    promise: Promise | None = None

    def encode(self) -> dict[str, bytes]:
        return {
            "commitment": self.commitment,
            "opening": self.opening,
            "public": self.public,
            "proof": self.proof,
            **(self.promise.encode() if self.promise is not None else {}),
        }


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
    def promised(self) -> tuple[Commitments, ...]:
        """What the shares of each seat's key are checked against; empty if all wait."""
        return _promised(self.keys)

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


def sign_step(proposal: Proposal) -> int:
    """The last step of a genesis: a seat that has all entries of it can play."""
    return SHARE_STEP + 1 if proposal.least else SHARE_STEP


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
    keys = tuple(_decode_key(key, proposal.least) for key in inner["keys"])
    _verify_keys(proposal, keys)
    pings = tuple(
        decode_pings(seat, count, wire.exactly(row, list, "the pings of a seat"))
        for seat, row in enumerate(inner["pings"])
    )
    return Header(proposal, keys, pings, tuple(fields["signatures"]), body)


def _shape(fields: wire.Shape, least: int) -> wire.Shape:
    """What stands in a reveal, or beside a seat in the header."""
    return {**fields, **PROMISE} if least else fields


def _decode_key(value: Any, least: int) -> TableKey:
    fields = wire.take(value, _shape(_KEY, least))
    return TableKey(
        wire.octets(fields["commitment"], COMMITMENT_BYTES, "a key commitment"),
        wire.octets(fields["opening"], OPENING_BYTES, "a key opening"),
        decode_point(fields["public"]),
        wire.octets(fields["proof"], PROOF_BYTES, "a proof of possession"),
        decode_promise(fields, least) if least else None,
    )


def _verify_keys(proposal: Proposal, keys: Sequence[TableKey]) -> None:
    commitments = [key.commitment for key in keys]
    for seat, key in enumerate(keys):
        with blaming(seat):
            _verify_key(proposal, seat, key, commitments)
    joint_key([key.public for key in keys])


def _verify_key(
    proposal: Proposal, seat: Seat, key: TableKey, commitments: Sequence[bytes]
) -> None:
    context = KeyContext(proposal.token, seat, proposal.identities[seat])
    promise = key.promise
    also = b"" if promise is None else promise.also
    verify_key(context, key.public, key.opening, key.proof, commitments, also)
    if promise is not None:
        promise.verify(context, key.public, commitments, proposal.least)


def _promised(keys: Sequence[TableKey]) -> tuple[Commitments, ...]:
    with_promise = [(key.public, key.promise) for key in keys if key.promise is not None]
    return tuple(Commitments.announced(public, one.further) for public, one in with_promise)


def _promises(proposal: Proposal, keys: Sequence[TableKey]) -> Promises:
    """What shares of keys are bound to at this table; empty if all wait."""
    sealing = tuple(key.promise.sealing for key in keys if key.promise is not None)
    bound = tuple(key.commitment for key in keys)
    return Promises(proposal.token, bound, sealing, _promised(keys))


def shares_of(header: Header, own: OwnSeat, records: Sequence[bytes]) -> dict[Seat, TableSecret]:
    """What each other seat of this table has sealed for ours; empty if all wait.

    `records` are those of its genesis.  PeerError `malformed` if they or our secrets are damaged.
    """
    if own.in_shares is None:
        return {}
    promises = _promises(header.proposal, header.keys)
    said = [entry for entry in map(decode_entry, records) if entry.step == SHARE_STEP]
    sent = {entry.seat: promises.decode(entry.seat, entry.payload) for entry in said}
    return all_right(promises.open(own.seat, own.in_shares.sealing, sent))


def begin_table(
    proposal: Proposal,
    entropy: Entropy,
    own: OwnSeat,
    opening: bytes,
    pings: Callable[[], Sequence[Ping]],
) -> Program[Header]:
    """The steps of genesis; the result is the header that all signed.

    `own`, with its key in shares if the policy is carry-on, and the `opening` of the commitment to
    its key, are already on disk.  `pings` is
    called once, at our reveal: the least round trip to each seat so far, in microseconds and
    seat order.
    """
    return _genesis(proposal, _Own(proposal.token, own, opening, entropy, pings))


def watch_genesis(proposal: Proposal) -> Program[Header]:
    """The same steps for somebody who only checks what the seats signed."""
    return _genesis(proposal, None)


class _Own:
    """A seat's own part in genesis: what it commits to, shows, seals and signs."""

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
        self._in_shares = own.in_shares
        self._entropy = entropy
        self._pings = pings
        self._opening = opening

    def commit(self) -> bytes:
        also = b"" if self._in_shares is None else self._in_shares.also
        return commit_key(self._context, self._secret.public, self._opening, also)

    def reveal(self, commitments: Sequence[bytes]) -> dict[str, object]:
        shown: dict[str, object] = {
            "opening": self._opening,
            "public": self._secret.public,
            "proof": prove_key(self._secret, self._context, commitments, self._entropy),
            "pings": stated(self._pings(), self._context.seat),
        }
        if self._in_shares is not None:
            promise = self._in_shares.promise(self._context, commitments, self._entropy)
            shown |= promise.encode()
        return shown

    def share(self, promises: Promises) -> bytes:
        return promises.seal(self._context.seat, self._key.polynomial, self._entropy)

    def accept(self, promises: Promises, sent: Mapping[Seat, Sent], body: bytes) -> object:
        """Our signature, or a complaint in its place."""
        seat, secret = self._context.seat, self._key.sealing
        complaint = promises.complain(seat, secret, sent, self._entropy)
        return self.sign(body) if complaint is None else complaint.encode()

    def sign(self, body: bytes) -> bytes:
        return self._identity.sign(PURPOSE, body)

    @property
    def _key(self) -> KeyInShares:
        if self._in_shares is None:
            raise LocalError("a seat at a table that carries on has no key in shares")
        return self._in_shares


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
            "keys": [key.encode() for key in keys],
            "pings": [list(row) for row in rows],
        }
    )
    if proposal.least:
        promises = _promises(proposal, keys)
        sent: Parsed = yield _share_step(promises, own)
        signatures: Parsed = yield _accept_step(proposal, body, promises, sent, own)
    else:
        signatures = yield _sign_step(proposal, body, own)
    return Header(proposal, keys, rows, tuple(signatures[seat] for seat in everybody), body)


def _reveal_step(proposal: Proposal, commitments: Sequence[bytes], own: _Own | None) -> Step:
    seats, least = len(commitments), proposal.least

    def parse(seat: Seat, payload: Any) -> _Revealed:
        fields = wire.take(payload, _shape(_REVEAL, least))
        row = decode_pings(seat, seats, fields.pop("pings"))
        return _decode_key({"commitment": commitments[seat], **fields}, least), row

    def verify_reveal(seat: Seat, revealed: _Revealed) -> None:
        _verify_key(proposal, seat, revealed[0], commitments)

    make = (lambda _: own.reveal(commitments)) if own else None
    return Step(step_kinds.REVEAL, tuple(range(seats)), parse, verify_reveal, make)


def _share_step(promises: Promises, own: _Own | None) -> Step:
    everybody = tuple(range(len(promises.bound)))
    make = (lambda _: own.share(promises)) if own else None
    return Step(step_kinds.SHARE, everybody, promises.decode, promises.verify, make)


def _sign_step(proposal: Proposal, body: bytes, own: _Own | None) -> Step:
    return Step(
        step_kinds.SIGN,
        tuple(range(len(proposal.seats))),
        parse=lambda _, payload: wire.octets(payload, SIGNATURE_BYTES, "a signature"),
        verify=lambda seat, signature: verify(proposal.identities[seat], PURPOSE, body, signature),
        make=(lambda _: own.sign(body)) if own else None,
    )


def _accept_step(
    proposal: Proposal, body: bytes, promises: Promises, sent: Parsed, own: _Own | None
) -> Step:
    """The step `sign` where keys are in shares: a signature or, from whose share is wrong, a
    complaint, by which nobody plays.
    """
    plain = _sign_step(proposal, body, None)

    def parse(seat: Seat, payload: Any) -> bytes | Complaint:
        if isinstance(payload, list):
            return promises.decode_complaint(seat, payload)
        signature: bytes = plain.parse(seat, payload)
        return signature

    def judge(seat: Seat, said: bytes | Complaint) -> None:
        if isinstance(said, Complaint):
            promises.judge(seat, said, sent)
        elif plain.verify is not None:
            plain.verify(seat, said)

    make = (lambda _: own.accept(promises, sent, body)) if own else None
    return Step(plain.kind, plain.owed, parse, judge, make, judges_own=True)
