"""A key share on its way: sealed for one seat, and a complaint that shows everybody who lied.

Hashed ElGamal.  The sender draws k and sends R = k G, the share masked with a hash of k Z, where Z
is the receiver's *sealing key*, and a proof that it knows k.  Hash and proof are bound to token,
sender, receiver, the commitments of all seats' keys, and the sender's polynomial.

The proof keeps a sender from copying the R of another one: the complaint of the receiver would show
k Z, and with it the other one's share.  A complaint is k Z = z R with a proof of equal logarithms
(`p2p.crypto.dleq`): everybody can then take the mask off and see whether the share fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import dleq, group, sharing, sigma
from p2p.crypto.group import ORDER, POINT_BYTES, SCALAR_BYTES, Point, Scalar
from p2p.crypto.keys import KeyContext, TableSecret
from p2p.crypto.sharing import Commitments
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError, blaming

PROOF_BYTES: Final = 64
SEALED_BYTES: Final = POINT_BYTES + SCALAR_BYTES + PROOF_BYTES
COMPLAINT_BYTES: Final = POINT_BYTES + dleq.PROOF_BYTES
_VERDICT: Final = "bad-key"
_POSSESSION: Final = "nodealer sealing key"


class SealingSecret(TableSecret):
    """The key pair of a seat for sealed shares: used for nothing else."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"SealingSecret(public={self.public.hex()[:16]})"


def prove_sealing_key(
    secret: SealingSecret, context: KeyContext, commitments: Sequence[bytes], entropy: Entropy
) -> bytes:
    """Proof of possession (Schnorr, 64 bytes), bound to every seat's commitment, in seat order."""
    transcript = context.possession(_POSSESSION, secret.public, commitments)
    nonce = transcript.witness_rng(entropy, secret.to_bytes()).scalar("nonce")
    return sigma.prove_log(secret.scalar, nonce, lambda first: _challenge(transcript, first))


def verify_sealing_key(
    context: KeyContext, public: Point, proof: bytes, commitments: Sequence[bytes]
) -> None:
    """Accept a sealing key as that of somebody who has its secret.

    Raises PeerError("bad-key"), or "malformed" if `public` is no point or the identity.
    """
    group.decode_point(public)
    challenge, response = group.decode_scalars(proof, 2, verdict=_VERDICT)
    first = sigma.log_commitment(public, (challenge, response))
    again = _challenge(context.possession(_POSSESSION, public, commitments), first)
    checks.require(
        "sealing.possession",
        again == challenge,
        _VERDICT,
        "the proof of possession of the sealing key is false",
    )


def _challenge(transcript: Transcript, first: Point) -> Scalar:
    transcript.append("first", first)
    return transcript.challenge("knowledge")


@dataclass(frozen=True, slots=True)
class Errand:
    """From whom to whom a share goes, and what it belongs to.

    `bound` are the commitments of all seats to their keys, in seat order; `key` is the receiver's
    sealing key, `promised` the sender's polynomial.
    """

    token: bytes
    sender: int
    receiver: int
    bound: tuple[bytes, ...]
    promised: Commitments
    key: Point

    def transcript(self, use: str) -> Transcript:
        """A transcript that has absorbed all of this."""
        transcript = Transcript("nodealer sealed share")
        transcript.append("use", use.encode())
        transcript.append("token", self.token)
        transcript.append_numbers("seats", self.sender, self.receiver)
        transcript.append("bound", *self.bound)
        transcript.append("promised", *self.promised.points)
        transcript.append("key", self.key)
        return transcript

    def mask(self, first: Point, shared: Point) -> Scalar:
        """What is added to the share: a hash of the shared point, and of all that it belongs to."""
        transcript = self.transcript("mask")
        transcript.append("points", first, shared)
        return transcript.challenge("mask")


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed share: R, the masked share, and the proof of knowledge of k."""

    first: Point
    masked: Scalar
    proof: bytes

    def encode(self) -> bytes:
        """128 bytes."""
        return self.first + group.encode_scalar(self.masked) + self.proof


def seal(errand: Errand, share: TableSecret, entropy: Entropy) -> Sealed:
    """This share for its receiver."""
    held = share.to_bytes()
    exponent = errand.transcript("exponent").witness_rng(entropy, held).scalar("exponent")
    first = group.base(exponent)
    masked = (share.scalar + errand.mask(first, group.mul(errand.key, exponent))) % ORDER
    transcript = _knowledge(errand, first, masked)
    known = group.encode_scalar(exponent)
    nonce = transcript.witness_rng(entropy, held, known).scalar("nonce")
    proof = sigma.prove_log(exponent, nonce, lambda made: _challenge(transcript, made))
    return Sealed(first, masked, proof)


def decode_sealed(data: bytes) -> Sealed:
    """What `Sealed.encode` made.  PeerError("malformed")."""
    checks.require(
        "sealing.length", len(data) == SEALED_BYTES, "malformed", "a sealed share has 128 bytes"
    )
    first = group.decode_point(data[:POINT_BYTES])
    masked = group.decode_scalar(data[POINT_BYTES:-PROOF_BYTES])
    return Sealed(first, masked, data[-PROOF_BYTES:])


def verify_sealed(errand: Errand, sealed: Sealed) -> None:
    """Accept a sealed share whose sender knows k: all that those who cannot open it can see.

    Raises PeerError("bad-key").
    """
    challenge, response = group.decode_scalars(sealed.proof, 2, verdict=_VERDICT)
    made = sigma.log_commitment(sealed.first, (challenge, response))
    checks.require(
        "sealing.knowledge",
        _challenge(_knowledge(errand, sealed.first, sealed.masked), made) == challenge,
        _VERDICT,
        "a sealed share is not the sender's own",
    )


def _knowledge(errand: Errand, first: Point, masked: Scalar) -> Transcript:
    transcript = errand.transcript("knowledge")
    transcript.append("sealed", first, group.encode_scalar(masked))
    return transcript


def _opened(errand: Errand, sealed: Sealed, shared: Point) -> Scalar | None:
    """The share, if it is the one that was promised."""
    share = (sealed.masked - errand.mask(sealed.first, shared)) % ORDER
    return share if sharing.fits(errand.promised, errand.receiver, share) else None


def unseal(errand: Errand, sealed: Sealed, secret: SealingSecret) -> TableSecret | None:
    """The share, or None if it is not the one that was promised: then `complain`."""
    share = _opened(errand, sealed, group.mul(sealed.first, secret.scalar))
    return None if share is None else TableSecret(share)


def complain(errand: Errand, sealed: Sealed, secret: SealingSecret, entropy: Entropy) -> bytes:
    """96 bytes that show everybody what was sealed: z R, with its proof."""
    shared = group.mul(sealed.first, secret.scalar)
    transcript = _complaint(errand, sealed)
    return shared + dleq.prove_shares(secret, [(sealed.first, shared)], transcript, entropy)


def verify_complaint(errand: Errand, sealed: Sealed, complaint: bytes) -> None:
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
        dleq.verify_shares(errand.key, [(sealed.first, shared)], proof, transcript)
        checks.require(
            "sealing.complaint",
            _opened(errand, sealed, shared) is None,
            _VERDICT,
            "a complaint about a key share that is right",
        )


def broken_promise(errand: Errand) -> PeerError:
    """What the sender has done if a complaint is right: no table comes about."""
    return PeerError(_VERDICT, "a key share is not the one that was promised", seat=errand.sender)


def _complaint(errand: Errand, sealed: Sealed) -> Transcript:
    transcript = errand.transcript("complaint")
    transcript.append("sealed", sealed.encode())
    return transcript
