"""A table key in shares, while a table with the policy carry-on begins (protocol section 3).

Each seat shows a sealing key beside the commitment to its table key (`decode_beginning`).  With the
table key it reveals the images of a polynomial, which it has committed to as well, and what it has
sealed for each other seat: a share of its table secret.  A seat whose share is not the promised one
complains instead of signing, and no table comes about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import group, sealing, sharing
from p2p.crypto.commitment import COMMITMENT_BYTES
from p2p.crypto.group import POINT_BYTES, SCALAR_BYTES, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.sealing import COMPLAINT_BYTES, Errand, SealingSecret
from p2p.crypto.sharing import Images, Polynomial
from p2p.protocol import wire

Sealed = Mapping[Seat, Scalar]
"""What one seat has sealed, by receiver."""
Opened = Mapping[Seat, TableSecret | None]
"""What was sealed for one seat, by sender: None if it is not the share that was promised."""
IMAGES: Final[dict[str, type | tuple[type, ...]]] = {"images": bytes}
"""What stands beside a table key, in a reveal and in the header."""
SEALED: Final[dict[str, type | tuple[type, ...]]] = {"sealed": bytes}
"""And what a reveal has besides."""


def decode_beginning(payload: Any, least: int) -> bytes:
    """How a seat began: its commitment and, with keys in shares, its sealing key behind it.

    PeerError `malformed` for another length, or if the latter is no point or the identity.
    """
    size = COMMITMENT_BYTES + (POINT_BYTES if least else 0)
    began = wire.octets(payload, size, "a key commitment")
    if least:
        group.decode_point(_sealing_key(began))
    return began


def _sealing_key(began: bytes) -> Point:
    return began[COMMITMENT_BYTES:]


@dataclass(frozen=True, slots=True)
class KeyInShares:
    """What is behind the shares of a seat's own key: its sealing secret, and the polynomial."""

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
    def images(self) -> Images:
        """What a seat commits to, and announces when all have committed."""
        return self.polynomial.images


@dataclass(frozen=True, slots=True)
class Complaint:
    """Instead of a signature: what `sender` has sealed for us is not what it promised."""

    sender: Seat
    shown: bytes

    def encode(self) -> list[object]:
        return [self.sender, self.shown]


class Promises:
    """What is known of the keys in shares: `bound` is how each seat began, in seat order, and
    `promised` are the images that seats have announced.
    """

    def __init__(
        self, token: bytes, bound: Sequence[bytes], promised: Mapping[Seat, Images]
    ) -> None:
        self._begun: Final = sealing.begun_by(token, bound)
        self._keys: Final = tuple(map(_sealing_key, bound))
        self._promised: Final = promised

    def errand(self, sender: Seat, receiver: Seat) -> Errand:
        """What a share is bound to on its way."""
        keys, promised = (self._keys[sender], self._keys[receiver]), self._promised[sender]
        place = sharing.place(sender, receiver, len(self._keys))
        return Errand(self._begun, sender, receiver, keys, promised, place)

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """Who gets a share from this seat."""
        return tuple([one for one in range(len(self._keys)) if one != seat])

    def seal(self, seat: Seat, own: KeyInShares) -> bytes:
        """What a seat reveals: a sealed share for each other seat, in seat order."""
        errands = [self.errand(seat, other) for other in self.others(seat)]
        shares = [(one, own.polynomial.share(one.place)) for one in errands]
        return b"".join(
            group.encode_scalar(sealing.seal(errand, share, own.sealing))
            for errand, share in shares
        )

    def open(self, seat: Seat, secret: SealingSecret, sent: Sequence[Sealed]) -> Opened:
        """The share that each other seat has sealed for `seat`."""
        return {
            other: sealing.unseal(self.errand(other, seat), sent[other][seat], secret)
            for other in self.others(seat)
        }

    def complain(
        self,
        seat: Seat,
        secret: SealingSecret,
        sent: Sequence[Sealed],
        opened: Opened,
        entropy: Entropy,
    ) -> Complaint | None:
        """What `seat` has to complain of, if anything: the first wrong share."""
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

    def judge(self, seat: Seat, complaint: Complaint, sent: Sequence[Sealed]) -> None:
        """Raise PeerError with whose fault it is: the sender's, or that of who complains."""
        errand = self.errand(complaint.sender, seat)
        sealing.verify_complaint(errand, sent[complaint.sender][seat], complaint.shown)
        raise sealing.broken_promise(errand)


def decode_sealed(seat: Seat, seats: int, data: bytes) -> Sealed:
    """What a seat has sealed for the others, at a table of this size; PeerError `malformed`."""
    others = [one for one in range(seats) if one != seat]
    return dict(zip(others, group.decode_scalars(data, len(others)), strict=True))


def all_right(opened: Opened) -> dict[Seat, TableSecret]:
    """Shares of a table that was signed: its own files tell if they are damaged."""
    return {
        seat: checks.present("shares.kept", share, "malformed", "a kept key share is wrong")
        for seat, share in opened.items()
    }
