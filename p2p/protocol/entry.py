"""An entry: one seat's signed contribution to a step; and the chain that steps form.

The body is `{table, step, seat, kind, payload, previous, state}` in strict MessagePack; a
*record* is the body followed by its Ed25519 signature.  Signatures and hashes are over the
exact bytes received (protocol section 2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from p2p import checks
from p2p.errors import PeerError
from p2p.identity.keys import Identity, verify
from p2p.protocol import step_kinds, wire
from p2p.text.names import quoted
from p2p.version import label

SIGNATURE_BYTES: Final = 64
PURPOSE: Final = label("entry")
VOTE_PURPOSE: Final = label("vote")
STATE_BYTES: Final = 16
HASH_BYTES: Final = 32
_STEP: Final = label("step")

_SHAPE: Final[dict[str, type | tuple[type, ...]]] = {
    "table": bytes,
    "step": int,
    "seat": int,
    "kind": str,
    "payload": (dict, list, bytes, int, type(None)),
    "previous": bytes,
    "state": bytes,
}


_ORIGIN: Final[dict[str, type | tuple[type, ...]]] = {
    name: _SHAPE[name] for name in ("table", "step", "seat", "kind")
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A decoded entry.  `record` is what was signed and sent, byte for byte."""

    table: bytes
    step: int
    seat: int
    kind: str
    payload: Any
    previous: bytes
    state: bytes
    record: bytes

    @property
    def body(self) -> bytes:
        return self.record[:-SIGNATURE_BYTES]

    @property
    def unasked(self) -> str:
        """Why it is refused if no such entry is owed; its kind is whatever the seat wrote."""
        return f"nobody asked for this {quoted(self.kind)}"

    def check_signature(self, identity: bytes) -> None:
        """PeerError `bad-signature` unless `identity` signed this body as what it is."""
        verify(identity, _purpose(self.kind), self.body, self.record[-SIGNATURE_BYTES:])

    def read(self) -> Entry:
        """Itself: it is already read."""
        return self


class Unread(NamedTuple):
    """A record with only its origin read: all that is needed to check its signature."""

    table: bytes
    step: int
    seat: int
    kind: str
    record: bytes

    def check_signature(self, identity: bytes) -> None:
        """PeerError `bad-signature` unless `identity` signed this record as what it is."""
        verify(
            identity,
            _purpose(self.kind),
            self.record[:-SIGNATURE_BYTES],
            self.record[-SIGNATURE_BYTES:],
        )

    def read(self) -> Entry:
        """The whole entry.  PeerError `malformed`."""
        return decode_entry(self.record)


def _purpose(kind: str) -> bytes:
    """What an entry of this kind is signed for: nobody can take a vote for an entry."""
    return VOTE_PURPOSE if kind == step_kinds.VOTE else PURPOSE


def check_origin(entry: Entry | Unread, table: bytes, identities: Sequence[bytes]) -> None:
    """PeerError unless it is of this table, and signed by its seat; nobody is to blame then."""
    check_place(entry, table, len(identities))
    entry.check_signature(identities[entry.seat])


def check_place(entry: Entry | Unread, table: bytes, seats: int) -> None:
    """PeerError `malformed` unless it says that it is of a seat of this table."""
    seated = entry.seat in range(seats) and entry.table == table
    checks.require("entry.table", seated, "malformed", "an entry of another table or seat")


def signed_twice(seat: int, step: int, *, vote: bool = False) -> PeerError:
    """The only offence about chains."""
    what = "votes in one round" if vote else "entries"
    twice = f"the seat signed two different {what} for one step"
    return PeerError("equivocation", twice, seat=seat, step=step)


def sign_entry(
    identity: Identity, chain: Chain, seat: int, kind: str, payload: object, state: bytes
) -> Entry:
    """This seat's entry for the chain's current step."""
    fields: dict[str, Any] = {
        "table": chain.table,
        "step": chain.step,
        "seat": seat,
        "kind": kind,
        "payload": payload,
        "previous": chain.head,
        "state": state,
    }
    body = wire.pack(fields)
    return Entry(**fields, record=body + identity.sign(_purpose(kind), body))


def unread(record: bytes) -> Unread:
    """Read only where a record says that it belongs.  PeerError `malformed`."""
    _check_length(record)
    fields = wire.peek(record[:-SIGNATURE_BYTES], _ORIGIN)
    wire.octets(fields["table"], HASH_BYTES, "the table id")
    return Unread(**fields, record=record)


def _check_length(record: bytes) -> None:
    long_enough = SIGNATURE_BYTES < len(record) <= wire.RECORD_MAX
    checks.require("entry.length", long_enough, "malformed", "a record has an impossible length")


def decode_entry(record: bytes) -> Entry:
    """The entry of a record; its signature is not yet checked.  PeerError `malformed`."""
    _check_length(record)
    fields = wire.take(wire.unpack(record[:-SIGNATURE_BYTES]), _SHAPE)
    wire.octets(fields["table"], HASH_BYTES, "the table id")
    wire.octets(fields["previous"], HASH_BYTES, "the previous hash")
    wire.octets(fields["state"], STATE_BYTES, "the state digest")
    return Entry(**fields, record=record)


def no_state() -> bytes:
    """The state digest while there is no game yet (genesis)."""
    return bytes(STATE_BYTES)


class Chain:
    """Where a table stands: the next step's number and the hash of the one before.

    The hash of a step covers the hash before it and the bodies of its entries in seat order.
    """

    __slots__ = ("head", "step", "table")

    def __init__(self, table: bytes, step: int = 0, head: bytes | None = None) -> None:
        self.table: Final = table
        self.head = table if head is None else head
        self.step = step

    def advance(self, bodies: Sequence[bytes]) -> None:
        """Close the current step with the bodies of its entries, in seat order."""
        self.head = self.after(bodies)
        self.step += 1

    def after(self, bodies: Sequence[bytes]) -> bytes:
        """The hash of the current step if it is closed with these bodies."""
        digest = hashlib.sha512(_STEP + self.head)
        for body in bodies:
            digest.update(hashlib.sha512(body).digest())
        return digest.digest()[:HASH_BYTES]
