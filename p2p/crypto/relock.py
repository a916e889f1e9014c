"""Putting one's own layer on slots from which another one is to be taken, in one act.

Slots under a key K' (that of a lost seat, and of those who came before) are re-encrypted under
K = K' + Y by the holder of Y = x G:

    (a', b') = (a + r G,  b + r K + x a)        with an own r for each slot.

x a alone would hide nothing: the shares of such slots are public since the deal.  The proof is that
of knowledge of all r and of x, for any number of slots in 96 bytes.  With weights w from a
transcript that has absorbed all slots before and after,

    A = sum w (a' - a) = p G,   B = sum w (b' - b) = p K + x E,   E = sum w a,   Y = x G

for p = sum w r (Maurer, "Unifying Zero-Knowledge Proofs of Knowledge", AFRICACRYPT 2009).  It is
sound for each slot: a' - a is r G for one r, so b' - b - r K - x a are fixed before the weights are
drawn, and a sum of them under 128-bit weights is the identity by chance only (Bellare, Garay and
Rabin, EUROCRYPT 1998).  And who can answer for many weights knows each r: they are solved for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import elgamal, group, sigma
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import IDENTITY, ORDER, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError

PROOF_BYTES: Final = 96
_VERDICT: Final = "bad-transfer"


class _Sums(NamedTuple):
    """E, A and B of the proof."""

    before: Point
    first: Point
    second: Point


def relock(
    secret: TableSecret,
    ciphers: Sequence[Cipher],
    key: Point,
    transcript: Transcript,
    entropy: Entropy,
) -> tuple[list[Cipher], bytes]:
    """The slots under `key`, in which this seat's own key is included, and one proof for all.

    `transcript` is bound to the step, the seat and the handles.  LocalError without slots.
    """
    if not ciphers:
        raise LocalError("there are no slots to relock")
    held = secret.to_bytes()
    _absorb_before(transcript, secret.public, ciphers, key)
    draws = transcript.witness_rng(entropy, held)
    factors = [draws.scalar("factor") for _ in ciphers]
    moved = [
        (
            group.add(a, group.base(factor)),
            group.add(b, group.msm((key, a), (factor, secret.scalar))),
        )
        for (a, b), factor in zip(ciphers, factors, strict=True)
    ]
    weights = _weights(transcript, moved)
    total = sum(map(int.__mul__, weights, factors)) % ORDER
    element = group.msm([a for a, _ in ciphers], weights)
    nonces = transcript.witness_rng(entropy, held, group.encode_scalar(total))
    key_nonce, factor_nonce = nonces.scalar("key nonce"), nonces.scalar("factor nonce")
    challenge = _challenge(
        transcript,
        group.base(key_nonce),
        group.base(factor_nonce),
        group.msm((key, element), (factor_nonce, key_nonce)),
    )
    return moved, sigma.encode(
        challenge,
        (key_nonce - challenge * secret.scalar) % ORDER,
        (factor_nonce - challenge * total) % ORDER,
    )


def verify_relock(
    public: Point,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    key: Point,
    proof: bytes,
    transcript: Transcript,
) -> None:
    """Accept the slots `after` as those `before`, under `key`, with the layer of `public` added.

    Raises PeerError("bad-transfer"), or "malformed" for a bad encoding, no slots, or other numbers
    of slots.
    """
    checks.require(
        "relock.count", 0 < len(before) == len(after), "malformed", "another number of slots"
    )
    checks.require(
        "relock.visible-card",
        all(a != IDENTITY for a, _ in after),
        _VERDICT,
        "a slot is hidden by nothing",
    )
    challenge, key_answer, factor_answer = group.decode_scalars(proof, 3, verdict=_VERDICT)
    _absorb_before(transcript, public, before, key)
    sums = _sums(before, after, _weights(transcript, after))
    again = _challenge(
        transcript,
        group.add(group.base(key_answer), group.mul(public, challenge)),
        group.add(group.base(factor_answer), group.mul(sums.first, challenge)),
        group.msm((key, sums.before, sums.second), (factor_answer, key_answer, challenge)),
    )
    checks.require(
        "relock.proof", again == challenge, _VERDICT, "a slot is not the one that lay there before"
    )


def _sums(before: Sequence[Cipher], after: Sequence[Cipher], weights: Sequence[int]) -> _Sums:
    pairs = list(zip(before, after, strict=True))
    return _Sums(
        group.msm([a for a, _ in before], weights),
        group.msm([group.sub(new[0], old[0]) for old, new in pairs], weights),
        group.msm([group.sub(new[1], old[1]) for old, new in pairs], weights),
    )


def _absorb_before(
    transcript: Transcript, public: Point, ciphers: Sequence[Cipher], key: Point
) -> None:
    transcript.append("relock by", public)
    transcript.append("relock under", key)
    transcript.append_numbers("relock count", len(ciphers))
    transcript.append("slots before", elgamal.pack_ciphers(ciphers))


def _weights(transcript: Transcript, after: Sequence[Cipher]) -> list[int]:
    transcript.append("slots after", elgamal.pack_ciphers(after))
    return transcript.challenges("relock weights", len(after))


def _challenge(transcript: Transcript, *commitments: Point) -> Scalar:
    transcript.append("relock commitments", *commitments)
    return transcript.challenge("relock challenge")
