"""How a table begins: one proposal, keys by commit and reveal, one header that all sign.

Genesis is three steps on a chain of its own, whose id is the hash of the proposal:

    commit   every seat: a commitment to its table key
    reveal   every seat: opening, key, proof of possession bound to all commitments, and
             the round trips it measured to the others, for races
    sign     every seat: its signature over the header

With the policy carry-on, a seat also shows a sealing key in `commit`, and in `reveal` what its key
in shares is checked against and a share for each other seat, sealed; in `sign`, a seat may complain
(`p2p.protocol.key_in_shares`).

The header's hash is the table id and enters every later signature and proof (protocol
section 1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engine.zone import Seat
from p2p import checks
from p2p.checks import Entropy
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
from p2p.crypto.sharing import Images, read_images
from p2p.errors import LocalError, blaming
from p2p.identity.keys import verify
from p2p.protocol import step_kinds, wire
from p2p.protocol.entry import HASH_BYTES, SIGNATURE_BYTES, decode_entry
from p2p.protocol.key_in_shares import (
    IMAGES,
    SEALED,
    Complaint,
    KeyInShares,
    Opened,
    Promises,
    Sealed,
    all_right,
    decode_beginning,
    decode_sealed,
)
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.proposal import Proposal, decode_proposal, identities_in, revision_in
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
_BODY: Final = {"proposal": bytes, "keys": list, "pings": list}
_REVEAL_STEP: Final = 1
SIGN_STEP: Final = 2
"""The last step of a genesis: a seat that has all entries of it can play."""


class Signed(NamedTuple):
    """What a genesis comes to: the header, and the shares of the others' keys that we got."""

    header: Header
    shares: Mapping[Seat, TableSecret]


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
    """A seat's table key as the header shows it.

    `began` is how the seat began: the commitment and, with keys in shares, the sealing key; then
    there are `images` as well.
    """

    began: bytes
    opening: bytes = field(repr=False)
    public: Point
    proof: bytes
    images: Images | None = None

    def encode(self) -> dict[str, bytes]:
        return {
            "commitment": self.began,
            "opening": self.opening,
            "public": self.public,
            "proof": self.proof,
            **({} if self.images is None else {"images": self.images.further}),
        }


@dataclass(frozen=True, slots=True)
class _Revealed:
    key: TableKey
    pings: tuple[Ping, ...]
    sealed: Sealed


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
    def promised(self) -> tuple[Images, ...]:
        """What the shares of each seat's key are checked against; empty if all wait."""
        return tuple([key.images for key in self.keys if key.images is not None])

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
        return race_cap(self.proposal.terms.race, self.pings)

    def encode(self) -> bytes:
        return wire.pack({"body": self.body, "signatures": list(self.signatures)})


def table_id(body: bytes) -> bytes:
    """The id of the table whose header has this body."""
    return hashlib.sha512(_TABLE + body).digest()[:HASH_BYTES]


def signed_revision(data: bytes) -> bytes:
    """Return the revision in a header that all of its seats signed; PeerError unless they did.

    The rest of the header may be as programs of that revision make it.
    """
    fields = wire.take(wire.unpack(data), {"body": bytes, "signatures": list})
    proposed = wire.take(wire.unpack(fields["body"]), _BODY)["proposal"]
    identities = identities_in(proposed)
    complete = len(identities) == len(fields["signatures"])
    checks.require("header.signed", complete, "malformed", "not one signature a seat")
    _verify_signatures(identities, fields["signatures"], fields["body"])
    return revision_in(proposed)


def decode_header(data: bytes) -> Header:
    """A header with every key and signature in it checked; PeerError otherwise."""
    fields = wire.take(wire.unpack(data), {"body": bytes, "signatures": list})
    body: bytes = fields["body"]
    inner = wire.take(wire.unpack(body), _BODY)
    proposal = decode_proposal(inner["proposal"])
    count = len(proposal.seats)
    complete = len(inner["keys"]) == len(inner["pings"]) == len(fields["signatures"]) == count
    checks.require("header.count", complete, "malformed", "not one key, pings, signature a seat")
    _verify_signatures(proposal.identities, fields["signatures"], body)
    keys = tuple(_decode_key(key, proposal.terms.least) for key in inner["keys"])
    _verify_keys(proposal, keys)
    pings = tuple(
        decode_pings(seat, count, wire.exactly(row, list, "the pings of a seat"))
        for seat, row in enumerate(inner["pings"])
    )
    return Header(proposal, keys, pings, tuple(fields["signatures"]), body)


def _verify_signatures(identities: Sequence[bytes], signatures: list[Any], body: bytes) -> None:
    """Nobody is blamed for a false one: anybody who holds the file can spoil it."""
    for identity, signature in zip(identities, signatures, strict=True):
        verify(identity, PURPOSE, body, wire.octets(signature, SIGNATURE_BYTES, "a signature"))


def _shape(fields: wire.Shape, least: int, more: wire.Shape) -> wire.Shape:
    """What stands in a reveal, or beside a seat in the header."""
    return {**fields, **more} if least else fields


def _decode_key(value: Any, least: int) -> TableKey:
    fields = wire.take(value, _shape(_KEY, least, IMAGES))
    images = read_images(fields["public"], fields["images"], least) if least else None
    return TableKey(
        decode_beginning(fields["commitment"], least),
        wire.octets(fields["opening"], OPENING_BYTES, "a key opening"),
        decode_point(fields["public"]) if images is None else images.points[0],
        wire.octets(fields["proof"], PROOF_BYTES, "a proof of possession"),
        images,
    )


def _verify_keys(proposal: Proposal, keys: Sequence[TableKey]) -> None:
    bound = [key.began for key in keys]
    for seat, key in enumerate(keys):
        with blaming(seat):
            _verify_key(proposal, seat, key, bound)
    joint_key([key.public for key in keys])


def _verify_key(proposal: Proposal, seat: Seat, key: TableKey, bound: Sequence[bytes]) -> None:
    context = KeyContext(proposal.token, seat, proposal.identities[seat])
    also = b"" if key.images is None else key.images.further
    verify_key(context, key.public, key.opening, key.proof, bound, also)


def _promises(proposal: Proposal, keys: Sequence[TableKey]) -> Promises:
    """What shares of keys are bound to at this table, which does not wait."""
    promised = {seat: key.images for seat, key in enumerate(keys) if key.images is not None}
    return Promises(proposal.token, [key.began for key in keys], promised)


def shares_of(header: Header, own: OwnSeat, records: Sequence[bytes]) -> dict[Seat, TableSecret]:
    """What each other seat of this table has sealed for ours; empty if all wait.

    `records` are those of its genesis.  PeerError `malformed` if they or our secrets are damaged.
    """
    if own.in_shares is None:
        return {}
    proposal, revealed = header.proposal, {**_REVEAL, **IMAGES, **SEALED}
    entries = [entry for entry in map(decode_entry, records) if entry.step == _REVEAL_STEP]
    shown = {entry.seat: wire.take(entry.payload, revealed)["sealed"] for entry in entries}
    seats = len(proposal.seats)
    sent = [decode_sealed(seat, seats, shown[seat]) for seat in range(seats)]
    promises = _promises(proposal, header.keys)
    return all_right(promises.open(own.seat, own.in_shares.sealing, sent))


def begin_table(
    proposal: Proposal,
    entropy: Entropy,
    own: OwnSeat,
    opening: bytes,
    pings: Callable[[], Sequence[Ping]],
) -> Program[Signed]:
    """The steps of genesis; the result is the header that all signed, and what is sealed for us.

    `own`, with its key in shares if the policy is carry-on, and the `opening` of the commitment to
    its key, are already on disk.  `pings` is
    called once, at our reveal: the least round trip to each seat so far, in microseconds and
    seat order.
    """
    return _genesis(proposal, _Own(proposal.token, own, opening, entropy, pings))


def watch_genesis(proposal: Proposal) -> Program[Header]:
    """The same steps for somebody who only checks what the seats signed."""
    return (yield from _genesis(proposal, None)).header


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

    @property
    def seat(self) -> Seat:
        return self._context.seat

    def commit(self) -> bytes:
        key = self._in_shares
        images, shown = (b"", b"") if key is None else (key.images.further, key.sealing.public)
        return commit_key(self._context, self._secret.public, self._opening, images) + shown

    def reveal(self, bound: Sequence[bytes]) -> dict[str, object]:
        shown: dict[str, object] = {
            "opening": self._opening,
            "public": self._secret.public,
            "proof": prove_key(self._secret, self._context, bound, self._entropy),
            "pings": stated(self._pings(), self._context.seat),
        }
        if self._in_shares is not None:
            images = self._in_shares.images
            promises = Promises(self._context.token, bound, {self.seat: images})
            shown["images"] = images.further
            shown["sealed"] = promises.seal(self.seat, self._in_shares)
        return shown

    def open(self, promises: Promises, sent: Sequence[Sealed]) -> Opened:
        return promises.open(self.seat, self._key.sealing, sent)

    def accept(
        self, promises: Promises, sent: Sequence[Sealed], opened: Opened, body: bytes
    ) -> object:
        """Our signature, or a complaint in its place."""
        key, entropy = self._key.sealing, self._entropy
        complaint = promises.complain(self.seat, key, sent, opened, entropy)
        return self.sign(body) if complaint is None else complaint.encode()

    def sign(self, body: bytes) -> bytes:
        return self._identity.sign(PURPOSE, body)

    @property
    def _key(self) -> KeyInShares:
        if self._in_shares is None:
            raise LocalError("a seat at a table that carries on has no key in shares")
        return self._in_shares


def _genesis(proposal: Proposal, own: _Own | None) -> Program[Signed]:
    everybody = tuple(range(len(proposal.seats)))
    began: Parsed = yield Step(
        step_kinds.COMMIT,
        everybody,
        parse=lambda _, payload: decode_beginning(payload, proposal.terms.least),
        make=(lambda _: own.commit()) if own else None,
    )
    bound = [began[seat] for seat in everybody]
    revealed: Parsed = yield _reveal_step(proposal, bound, own)
    ordered: list[_Revealed] = [revealed[seat] for seat in everybody]
    keys, rows = tuple([one.key for one in ordered]), tuple([one.pings for one in ordered])
    joint_key([key.public for key in keys])
    body = wire.pack(
        {
            "proposal": proposal.data,
            "keys": [key.encode() for key in keys],
            "pings": [list(row) for row in rows],
        }
    )
    opened: Opened = {}
    if proposal.terms.least:
        promises, sent = _promises(proposal, keys), [one.sealed for one in ordered]
        opened = own.open(promises, sent) if own else {}
        last = _accept_step(proposal, body, promises, sent, opened, own)
    else:
        last = _sign_step(proposal, body, own)
    said: Parsed = yield last
    signatures = tuple([said[seat] for seat in everybody])
    return Signed(Header(proposal, keys, rows, signatures, body), all_right(opened))


def _reveal_step(proposal: Proposal, bound: Sequence[bytes], own: _Own | None) -> Step:
    seats, least = len(bound), proposal.terms.least

    def parse(seat: Seat, payload: Any) -> _Revealed:
        fields = wire.take(payload, _shape(_REVEAL, least, {**IMAGES, **SEALED}))
        row = decode_pings(seat, seats, fields.pop("pings"))
        sealed = decode_sealed(seat, seats, fields.pop("sealed")) if least else {}
        return _Revealed(_decode_key({"commitment": bound[seat], **fields}, least), row, sealed)

    def verify_reveal(seat: Seat, revealed: _Revealed) -> None:
        _verify_key(proposal, seat, revealed.key, bound)

    make = (lambda _: own.reveal(bound)) if own else None
    return Step(step_kinds.REVEAL, tuple(range(seats)), parse, verify_reveal, make)


def _sign_step(proposal: Proposal, body: bytes, own: _Own | None) -> Step:
    return Step(
        step_kinds.SIGN,
        tuple(range(len(proposal.seats))),
        parse=lambda _, payload: wire.octets(payload, SIGNATURE_BYTES, "a signature"),
        verify=lambda seat, signature: verify(proposal.identities[seat], PURPOSE, body, signature),
        make=(lambda _: own.sign(body)) if own else None,
    )


def _accept_step(
    proposal: Proposal,
    body: bytes,
    promises: Promises,
    sent: Sequence[Sealed],
    opened: Opened,
    own: _Own | None,
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
        elif plain.verify is not None and (own is None or seat != own.seat):
            plain.verify(seat, said)

    make = (lambda _: own.accept(promises, sent, opened, body)) if own else None
    return Step(plain.kind, plain.owed, parse, judge, make, judges_own=True)
