"""A table key in shares, while a table with the policy carry-on begins (protocol section 3).

Each seat announces a sealing key and commitments to a polynomial beside its table key (`Promise`,
part of the commitment), and then seals a share of its table secret for each other seat.  A seat
whose share is not the promised one complains instead of signing, and no table comes about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import sealing, sharing
from p2p.crypto.group import POINT_BYTES, SCALAR_BYTES, Point, decode_point
from p2p.crypto.keys import KeyContext, TableSecret
from p2p.crypto.sealing import COMPLAINT_BYTES, SEALED_BYTES, Errand, Sealed, SealingSecret
from p2p.crypto.sharing import Commitments, Polynomial
from p2p.protocol import wire

Sent = Mapping[Seat, Sealed]
"""What one seat has sealed, by receiver."""
PROMISE: Final[dict[str, type | tuple[type, ...]]] = {
    "sealing": bytes,
    "possession": bytes,
    "further": bytes,
}
"""What stands beside a table key, in a reveal and in the header."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A sealing key with its proof of possession, and the commitments after the table key."""

    sealing: Point
    possession: bytes
    further: bytes

    @property
    def also(self) -> bytes:
        """What the commitment to the table key covers besides that key."""
        return self.sealing + self.further

    def encode(self) -> dict[str, bytes]:
        return {"sealing": self.sealing, "possession": self.possession, "further": self.further}

    def verify(
        self, context: KeyContext, public: Point, commitments: Sequence[bytes], least: int
    ) -> None:
        """Accept what was announced with the table key `public`; PeerError otherwise."""
        sealing.verify_sealing_key(context, self.sealing, self.possession, commitments)
        sharing.read_commitments(public, self.further, least, len(commitments))


def decode_promise(fields: Mapping[str, bytes], least: int) -> Promise:
    """The promise in a map with these fields; PeerError `malformed` for bad shapes."""
    return Promise(
        decode_point(fields["sealing"]),
        wire.octets(fields["possession"], sealing.PROOF_BYTES, "a proof of possession"),
        wire.octets(fields["further"], POINT_BYTES * (least - 1), "the commitments to a key"),
    )


@dataclass(frozen=True, slots=True)
class KeyInShares:
    """What is behind a seat's own promise: its sealing secret, and the polynomial of its key."""

    sealing: SealingSecret
    polynomial: Polynomial

    @classmethod
    def draw(cls, secret: TableSecret, least: int, seats: int, entropy: Entropy) -> KeyInShares:
        """Fresh ones for the table secret of a seat."""
        polynomial = Polynomial.through(secret, least, seats, entropy)
        return cls(SealingSecret.generate(entropy), polynomial)

    @classmethod
    def from_bytes(cls, secret: TableSecret, data: bytes, least: int) -> KeyInShares:
        """Those of a seat file; PeerError `malformed` if it is damaged."""
        wire.octets(data, least * SCALAR_BYTES, "the secrets of a seat file")
        kept = SealingSecret.from_bytes(data[:SCALAR_BYTES])
        return cls(kept, Polynomial.from_bytes(secret, data[SCALAR_BYTES:]))

    def to_bytes(self) -> bytes:
        """32 bytes for each seat that has to go on together, for the seat file."""
        return self.sealing.to_bytes() + self.polynomial.to_bytes()

    @property
    def also(self) -> bytes:
        """What is committed to (`Promise.also`)."""
        return self.sealing.public + self.polynomial.commitments.further

    def promise(
        self, context: KeyContext, commitments: Sequence[bytes], entropy: Entropy
    ) -> Promise:
        """What is announced once all have committed themselves."""
        proof = sealing.prove_sealing_key(self.sealing, context, commitments, entropy)
        return Promise(self.sealing.public, proof, self.polynomial.commitments.further)


@dataclass(frozen=True, slots=True)
class Complaint:
    """Instead of a signature: what `sender` has sealed for us is not what it promised."""

    sender: Seat
    shown: bytes

    def encode(self) -> list[object]:
        return [self.sender, self.shown]


@dataclass(frozen=True, slots=True)
class Promises:
    """What all seats have promised, in seat order; `bound` are the commitments to their keys."""

    token: bytes
    bound: tuple[bytes, ...]
    sealing: tuple[Point, ...]
    promised: tuple[Commitments, ...]

    def errand(self, sender: Seat, receiver: Seat) -> Errand:
        """What a share is bound to on its way."""
        promised, key = self.promised[sender], self.sealing[receiver]
        return Errand(self.token, sender, receiver, self.bound, promised, key)

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """Who gets a share from this seat."""
        return tuple([one for one in range(len(self.bound)) if one != seat])

    def seal(self, seat: Seat, polynomial: Polynomial, entropy: Entropy) -> bytes:
        """The payload of a seat: a sealed share for each other seat, in seat order."""
        return b"".join(
            sealing.seal(self.errand(seat, other), polynomial.share(other), entropy).encode()
            for other in self.others(seat)
        )

    def decode(self, seat: Seat, payload: Any) -> Sent:
        """That payload, not yet verified; PeerError `malformed`."""
        others = self.others(seat)
        data = wire.octets(payload, len(others) * SEALED_BYTES, "the key shares")
        cuts = range(0, len(data), SEALED_BYTES)
        parts = [sealing.decode_sealed(data[at : at + SEALED_BYTES]) for at in cuts]
        return dict(zip(others, parts, strict=True))

    def verify(self, seat: Seat, sent: Sent) -> None:
        """Accept what a seat has sealed, as far as everybody can see; PeerError `bad-key`."""
        for other, sealed in sent.items():
            sealing.verify_sealed(self.errand(seat, other), sealed)

    def open(
        self, seat: Seat, secret: SealingSecret, sent: Mapping[Seat, Sent]
    ) -> dict[Seat, TableSecret | None]:
        """The share that each other seat has sealed for `seat`: None if it is a wrong one."""
        return {
            other: sealing.unseal(self.errand(other, seat), sent[other][seat], secret)
            for other in self.others(seat)
        }

    def complain(
        self, seat: Seat, secret: SealingSecret, sent: Mapping[Seat, Sent], entropy: Entropy
    ) -> Complaint | None:
        """What `seat` has to complain of, if anything: the first wrong share."""
        opened = self.open(seat, secret, sent)
        wrong = next((other for other, share in opened.items() if share is None), None)
        if wrong is None:
            return None
        errand, sealed = self.errand(wrong, seat), sent[wrong][seat]
        return Complaint(wrong, sealing.complain(errand, sealed, secret, entropy))

    def decode_complaint(self, seat: Seat, payload: list[Any]) -> Complaint:
        """The complaint of a seat; PeerError `malformed`."""
        checks.require("complaint.shape", len(payload) == 2, "malformed", "a complaint has 2 parts")
        sender = wire.exactly(payload[0], int, "whom a complaint is about")
        other = sender in self.others(seat)
        checks.require("complaint.seat", other, "malformed", "a complaint is about another seat")
        return Complaint(sender, wire.octets(payload[1], COMPLAINT_BYTES, "a complaint"))

    def judge(self, seat: Seat, complaint: Complaint, sent: Mapping[Seat, Sent]) -> None:
        """Raise PeerError with whose fault it is: the sender's, or that of who complains."""
        errand = self.errand(complaint.sender, seat)
        sealing.verify_complaint(errand, sent[complaint.sender][seat], complaint.shown)
        raise sealing.broken_promise(errand)


def all_right(shares: Mapping[Seat, TableSecret | None]) -> dict[Seat, TableSecret]:
    """Shares of a table that was signed: its own files tell if they are damaged."""
    return {
        seat: checks.present("shares.kept", share, "malformed", "a kept key share is wrong")
        for seat, share in shares.items()
    }
