"""Decryption shares with one proof for the whole message: batched DLEQ.

Chaum and Pedersen's proof of equal logarithms over one weighted sum of all pairs.  The
weights come from a transcript that has absorbed *every* pair: RFC 9497 derives each weight
from one item, which is not sound against the prover for large batches (protocol section 4).
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import group, sigma
from p2p.crypto.group import Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError

Pair = tuple[Point, Point]
"""(a, D): a slot's first point and the share D = x a."""

PROOF_BYTES = 64


def prove_shares(
    secret: TableSecret, pairs: Sequence[Pair], transcript: Transcript, entropy: Entropy
) -> bytes:
    """64 bytes showing that D = x a in every pair, for the x of `secret.public`.

    LocalError if there are no pairs.  `transcript` is consumed: it must be bound to the
    step, and the verifier's must have the same history.
    """
    if not pairs:
        raise LocalError("there are no shares to prove")
    weights = _weights(secret.public, pairs, transcript)
    element = _combined([a for a, _ in pairs], weights)
    image = group.mul(element, secret.scalar)
    nonce = transcript.witness_rng(entropy, secret.to_bytes()).scalar("share nonce")

    def challenge(first: Point, second: Point) -> Scalar:
        return _challenge(transcript, element, image, first, second)

    return sigma.encode(*sigma.prove_equal_logs(secret.scalar, element, nonce, challenge))


def verify_shares(
    public: Point, pairs: Sequence[Pair], proof: bytes, transcript: Transcript
) -> None:
    """Accept the shares in `pairs` as made with the key `public`.

    The share of a slot whose a is the identity must be the identity; the equation says so.
    Raises PeerError("bad-share"), or "malformed" for an empty batch or a bad encoding.
    """
    checks.require("dleq.empty", len(pairs) > 0, "malformed", "there are no shares")
    challenge, response = group.decode_scalars(proof, 2, verdict="bad-share")
    weights = _weights(public, pairs, transcript)
    element = _combined([a for a, _ in pairs], weights)
    image = _combined([share for _, share in pairs], weights)
    first, second = sigma.equal_logs_commitments(public, element, image, (challenge, response))
    checks.require(
        "dleq.proof",
        _challenge(transcript, element, image, first, second) == challenge,
        "bad-share",
        "a decryption share is false",
    )


def _weights(public: Point, pairs: Sequence[Pair], transcript: Transcript) -> list[int]:
    """The weights of all pairs but the first, whose weight is 1.

    Most proofs are about one card: a multiple of a single pair is right only if the pair is.
    """
    transcript.append("share key", public)
    transcript.append_numbers("share count", len(pairs))
    transcript.append("shares", b"".join(a + share for a, share in pairs))
    return transcript.challenges("share weights", len(pairs) - 1)


def _combined(points: Sequence[Point], weights: Sequence[int]) -> Point:
    """The first point, and each other one times its weight.

    A first point with a bad encoding is refused where the sum is multiplied, if not here.
    """
    first, *others = points
    return group.add(first, group.msm(others, weights)) if others else first


def _challenge(transcript: Transcript, *points: Point) -> Scalar:
    transcript.append("share sums and commitments", *points)
    return transcript.challenge("share challenge")
