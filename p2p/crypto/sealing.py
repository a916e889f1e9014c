"""A key share on its way: sealed for one seat, and a complaint that shows everybody who lied.

Hashed Diffie-Hellman.  Each seat has a *sealing key* Z = z G for one table and nothing else, known
to all before a share is sent.  Two seats have the point D = z Z' = z' Z to themselves, and a share
is masked with a hash of D, which is bound to token, sender, receiver, how all seats began, and the
sender's polynomial: of each pair of seats, each way has a mask of its own.  Nobody proves anything
about Z.  Whoever takes another seat's Z for its own can read nothing that is sealed for it, and as
in every use of Diffie-Hellman with keys that anybody may register, what counts is that the hash
names both seats (Freire, Hofheinz, Kiltz, Paterson, "Non-Interactive Key Exchange", PKC 2013).

A complaint is D with a proof of equal logarithms (`p2p.crypto.dleq`): everybody can then take the
mask off and see whether the share fits.  D opens what passed between these two seats, both ways.
It is never asked for at a table that goes on: a complaint, whoever is right, ends the table before
there is a card, and the keys of that table are used nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import dleq, group
from p2p.crypto.group import ORDER, POINT_BYTES, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.sharing import Images
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError, blaming

COMPLAINT_BYTES: Final = POINT_BYTES + dleq.PROOF_BYTES
_VERDICT: Final = "bad-key"


class SealingSecret(TableSecret):
    """The key pair of a seat for sealed shares: used for nothing else."""

    __slots__ = ("_with",)

    def __init__(self, scalar: Scalar) -> None:
        super().__init__(scalar)
        self._with: Final[dict[Point, Point]] = {}

    def shared_with(self, other: Point) -> Point:
        """D, from the sealing key of another seat; made once, for both ways."""
        if other not in self._with:
            self._with[other] = group.mul(other, self.scalar)
        return self._with[other]

    def __repr__(self) -> str:
        return f"SealingSecret(public={self.public.hex()[:16]})"


def begun_by(token: bytes, bound: Sequence[bytes]) -> Transcript:
    """What every sealed share of a table is bound to: its token, and how each seat began, in seat
    order, sealing keys included.
    """
    transcript = Transcript("nodealer sealed share")
    transcript.append("token", token)
    transcript.append("bound", *bound)
    return transcript


@dataclass(frozen=True, slots=True)
class Errand:
    """From whom to whom a share goes, and what it belongs to.

    `begun` is how the table began (`begun_by`).  `keys` are the sealing keys of sender and
    receiver; `promised` is the sender's polynomial, and `place` is whose value the share is.
    """

    begun: Transcript
    sender: int
    receiver: int
    keys: tuple[Point, Point]
    promised: Images
    place: int

    def transcript(self) -> Transcript:
        """A transcript that has absorbed all of this."""
        transcript = self.begun.copy()
        transcript.append("promised", *self.promised.points)
        transcript.append_numbers("seats", self.sender, self.receiver)
        return transcript

    def mask(self, shared: Point) -> Scalar:
        """What is added to the share: a hash of D, and of all that it belongs to."""
        transcript = self.transcript()
        transcript.append("shared", shared)
        return transcript.challenge("mask")

    def opened(self, sealed: Scalar, shared: Point) -> TableSecret | None:
        """The share, if it is the one that was promised and not zero, with which nobody could
        prove anything.
        """
        scalar = (sealed - self.mask(shared)) % ORDER
        share = TableSecret(scalar) if scalar else None
        right = share is not None and share.public == self.promised.image(self.place)
        return share if right else None


def seal(errand: Errand, share: Scalar, secret: SealingSecret) -> Scalar:
    """This share for its receiver, by the holder of the sender's sealing key."""
    return (share + errand.mask(secret.shared_with(errand.keys[1]))) % ORDER


def unseal(errand: Errand, sealed: Scalar, secret: SealingSecret) -> TableSecret | None:
    """The share, for its receiver; None if it is not the one that was promised: `complain`."""
    return errand.opened(sealed, secret.shared_with(errand.keys[0]))


def complain(errand: Errand, sealed: Scalar, secret: SealingSecret, entropy: Entropy) -> bytes:
    """96 bytes by which the receiver shows everybody what was sealed: D, with its proof."""
    shared = secret.shared_with(errand.keys[0])
    transcript = _complaint(errand, sealed)
    return shared + dleq.prove_shares(secret, [(errand.keys[0], shared)], transcript, entropy)


def verify_complaint(errand: Errand, sealed: Scalar, complaint: bytes) -> None:
    """Accept a complaint of the receiver: the share is not the promised one (`broken_promise`).

    Otherwise it is the receiver's fault.  Raises PeerError with that seat: "malformed", "bad-share"
    if the proof is false, "bad-key" if the share is the one that was promised.
    """
    with blaming(errand.receiver):
        checks.require(
            "sealing.complaint-length",
            len(complaint) == COMPLAINT_BYTES,
            "malformed",
            "a complaint has 96 bytes",
        )
        shared = group.decode_point(complaint[:POINT_BYTES])
        proof, transcript = complaint[POINT_BYTES:], _complaint(errand, sealed)
        dleq.verify_shares(errand.keys[1], [(errand.keys[0], shared)], proof, transcript)
        checks.require(
            "sealing.complaint",
            errand.opened(sealed, shared) is None,
            _VERDICT,
            "a complaint about a key share that is right",
        )


def broken_promise(errand: Errand) -> PeerError:
    """What the sender has done if a complaint is right: no table comes about."""
    return PeerError(_VERDICT, "a key share is not the one that was promised", seat=errand.sender)


def _complaint(errand: Errand, sealed: Scalar) -> Transcript:
    transcript = errand.transcript()
    transcript.append("complaint", group.encode_scalar(sealed))
    return transcript
