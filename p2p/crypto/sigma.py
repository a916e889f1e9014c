"""The frame of a sigma proof in challenge-response form: encoding; Schnorr's moves and DLEQ's.

A proof is the challenge followed by the responses, 32 bytes each.  The verifier recomputes
the prover's commitments from them and asks the transcript for the challenge again, so no
point travels.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p.crypto import group
from p2p.crypto.group import Point, Scalar

Challenge = Callable[[Point, Point], Scalar]
"""From the two commitments of a DLEQ proof to its challenge."""


def encode(challenge: Scalar, *responses: Scalar) -> bytes:
    """A proof as bytes."""
    return b"".join(map(group.encode_scalar, (challenge, *responses)))


def prove_log(secret: Scalar, nonce: Scalar, challenge: Callable[[Point], Scalar]) -> bytes:
    """64 bytes showing knowledge of the `secret` of a public key (Schnorr).

    `challenge` hashes the statement and the commitment that it is given.
    """
    drawn = challenge(group.base(nonce))
    return encode(drawn, nonce - drawn * secret)


def log_commitment(public: Point, proof: tuple[Scalar, Scalar]) -> Point:
    """The commitment that a proof of `prove_log` answers."""
    drawn, response = proof
    return group.add(group.base(response), group.mul(public, drawn))


def prove_equal_logs(
    secret: Scalar, element: Point, nonce: Scalar, challenge: Challenge
) -> tuple[Scalar, Scalar]:
    """(c, s) showing that G and `element` are multiplied by one `secret`.

    GenerateProof of RFC 9497, section 2.2.1, after the composites: the caller's `challenge`
    hashes the statement and the two commitments.
    """
    drawn = challenge(group.base(nonce), group.mul(element, nonce))
    return drawn, (nonce - drawn * secret) % group.ORDER


def equal_logs_commitments(
    public: Point, element: Point, image: Point, proof: tuple[Scalar, Scalar]
) -> tuple[Point, Point]:
    """The commitments that (c, s) answers (VerifyProof of RFC 9497, section 2.2.2)."""
    drawn, response = proof
    first = group.add(group.base(response), group.mul(public, drawn))
    second = group.msm((element, image), (response, drawn))
    return first, second
