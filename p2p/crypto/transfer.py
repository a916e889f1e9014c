"""Turning a slot locked to one seat into the same card under another key.

Show, hand over and put back (protocol section 4) are this one act: the holder, secret x,
publishes (a', b') = (r' G, b - x a + r' K) under the target key K and proves knowledge of
(x, r') with Y = x G, a' = r' G and b - b' = x a - r' K: a Schnorr proof of a linear relation
(Maurer, "Unifying Zero-Knowledge Proofs of Knowledge", AFRICACRYPT 2009).
"""

from __future__ import annotations

from typing import Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import elgamal, group, sigma
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import IDENTITY, ORDER, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.transcript import Transcript

PROOF_BYTES: Final = 96
_VERDICT: Final = "bad-transfer"


def transfer(
    secret: TableSecret,
    cipher: Cipher,
    target_key: Point,
    transcript: Transcript,
    entropy: Entropy,
) -> tuple[Cipher, bytes]:
    """The slot re-encrypted under `target_key`, and its 96-byte proof.

    `cipher` must be locked to `secret` alone.  `transcript` is bound to the operation and to
    the handles, so a transfer to show cannot be replayed to hand over.
    """
    held = secret.to_bytes()
    _absorb_before(transcript, secret.public, cipher, target_key)
    factor = transcript.witness_rng(entropy, held).scalar("factor")
    card = elgamal.read(secret, cipher)
    moved = group.base(factor), group.add(card, group.mul(target_key, factor))
    _absorb_after(transcript, moved)
    nonces = transcript.witness_rng(entropy, held, group.encode_scalar(factor))
    key_nonce, factor_nonce = nonces.scalar("key nonce"), nonces.scalar("factor nonce")
    challenge = _challenge(
        transcript,
        group.base(key_nonce),
        group.base(factor_nonce),
        group.msm((cipher[0], target_key), (key_nonce, -factor_nonce)),
    )
    return moved, sigma.encode(
        challenge,
        (key_nonce - challenge * secret.scalar) % ORDER,
        (factor_nonce - challenge * factor) % ORDER,
    )


def verify_transfer(
    public: Point,
    cipher: Cipher,
    new_cipher: Cipher,
    target_key: Point,
    proof: bytes,
    transcript: Transcript,
) -> None:
    """Accept `new_cipher` as the card of `cipher`, moved by the holder of `public`.

    Raises PeerError("bad-transfer"), or "malformed" for a bad encoding.
    """
    (a, b), (new_a, new_b) = cipher, new_cipher
    checks.require(
        "transfer.visible-card", new_a != IDENTITY, _VERDICT, "the moved card is there for all"
    )
    challenge, key_answer, factor_answer = group.decode_scalars(proof, 3, verdict=_VERDICT)
    _absorb_before(transcript, public, cipher, target_key)
    _absorb_after(transcript, new_cipher)
    difference = group.sub(b, new_b)
    again = _challenge(
        transcript,
        group.add(group.base(key_answer), group.mul(public, challenge)),
        group.add(group.base(factor_answer), group.mul(new_a, challenge)),
        group.msm((a, target_key, difference), (key_answer, -factor_answer, challenge)),
    )
    checks.require(
        "transfer.proof", again == challenge, _VERDICT, "the moved card is not the one named"
    )


def _absorb_before(
    transcript: Transcript, public: Point, cipher: Cipher, target_key: Point
) -> None:
    transcript.append("transfer from", public)
    transcript.append("transfer to", target_key)
    transcript.append("slot before", *cipher)


def _absorb_after(transcript: Transcript, new_cipher: Cipher) -> None:
    transcript.append("slot after", *new_cipher)


def _challenge(transcript: Transcript, *commitments: Point) -> Scalar:
    transcript.append("transfer commitments", *commitments)
    return transcript.challenge("transfer challenge")
