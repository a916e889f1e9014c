"""An oath by plaintext inequality: each slot differs from each forbidden card.

After Camenisch and Shoup, "Practical Verifiable Encryption and Decryption of Discrete
Logarithms" (CRYPTO 2003), section 6: for slot (a, b) under Y = x G and forbidden card M the
prover shows C = t (b - M - x a) for a t it knows; C is not the identity exactly when the slot
holds another card.  Proven as knowledge of (t, u) with C = t (b - M) - u a and
0 = t Y - u G, so u = t x.  All pairs share one challenge and are verified in one combination.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import group
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import IDENTITY, ORDER, POINT_BYTES, SCALAR_BYTES, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.transcript import Transcript

_VERDICT: Final = "bad-oath"
ANOTHER_LENGTH: Final = "the oath has another length"
_POINTS: Final = 3
_SCALARS: Final = 2


@dataclass(frozen=True)
class Statement:
    """No slot, all locked to the holder of `public`, holds a forbidden card."""

    public: Point
    slots: list[Cipher]
    forbidden: list[Point]

    @property
    def pairs(self) -> int:
        return len(self.slots) * len(self.forbidden)


@dataclass(frozen=True, repr=False)
class _Witness:
    scale: Scalar  # t
    scale_nonce: Scalar
    product_nonce: Scalar  # for u = t x


def prove(
    secret: TableSecret,
    statement: Statement,
    cards: list[Point],
    transcript: Transcript,
    entropy: Entropy,
) -> bytes:
    """160 bytes for each pair: three points each, then two scalars each.

    `transcript` has absorbed the whole statement: the nonces are drawn from it.
    """
    points: list[Point] = []
    witnesses = []
    rng = transcript.witness_rng(entropy, secret.to_bytes())
    for (slot, card), banned in product(
        zip(statement.slots, cards, strict=True), statement.forbidden
    ):
        witness = _Witness(rng.scalar("t"), rng.scalar("t nonce"), rng.scalar("u nonce"))
        points += _commit(secret, witness, slot, group.sub(card, banned))
        witnesses.append(witness)
    challenge = _challenge(transcript, points)
    answers = [
        answer
        for witness in witnesses
        for answer in (
            witness.scale_nonce + challenge * witness.scale,
            witness.product_nonce + challenge * witness.scale * secret.scalar,
        )
    ]
    return b"".join(points) + b"".join(map(group.encode_scalar, answers))


def _commit(
    secret: TableSecret, witness: _Witness, slot: Cipher, difference: Point
) -> tuple[Point, Point, Point]:
    """C and the two commitments, with b - M = `difference` + x a filled in."""
    log = (witness.scale_nonce * secret.scalar - witness.product_nonce) % ORDER
    return (
        group.mul(difference, witness.scale),
        group.msm((difference, slot[0]), (witness.scale_nonce, log)),
        group.base(log),
    )


def verify(statement: Statement, data: bytes, transcript: Transcript, entropy: Entropy) -> None:
    """Accept that every slot differs from every forbidden card.  Raises PeerError."""
    points, answers = _decode(data, statement.pairs)
    scaled = points[::_POINTS]
    checks.require(
        "oath.forbidden-card", IDENTITY not in scaled, _VERDICT, "a slot holds a forbidden card"
    )
    sum_ = _combine(statement, points, answers, _challenge(transcript, points), entropy)
    checks.require("oath.equations", sum_ == IDENTITY, _VERDICT, "the oath is not proven")


def _combine(
    statement: Statement,
    points: list[Point],
    answers: list[Scalar],
    challenge: Scalar,
    entropy: Entropy,
) -> Point:
    """The weighted sum of C e + T - (s_t (b - M) - s_u a) and V - (s_t Y - s_u G)."""
    slots, forbidden = statement.slots, statement.forbidden
    a_scalars, b_scalars = [0] * len(slots), [0] * len(slots)
    card_scalars = [0] * len(forbidden)
    key_scalar = base_scalar = 0
    scalars: list[Scalar] = []
    for pair, (at, banned) in enumerate(product(range(len(slots)), range(len(forbidden)))):
        scale, scaled_key = answers[_SCALARS * pair : _SCALARS * (pair + 1)]
        relation = checks.weight("oath.inequality", entropy)
        key_relation = checks.weight("oath.key-relation", entropy)
        scalars += (relation * challenge, relation, key_relation)
        a_scalars[at] += relation * scaled_key
        b_scalars[at] -= relation * scale
        card_scalars[banned] += relation * scale
        key_scalar -= key_relation * scale
        base_scalar += key_relation * scaled_key
    a_points, b_points = [a for a, _ in slots], [b for _, b in slots]
    total = group.msm(
        [*points, *a_points, *b_points, *forbidden, statement.public],
        [*scalars, *a_scalars, *b_scalars, *card_scalars, key_scalar],
    )
    return group.add(total, group.base(base_scalar))


def _challenge(transcript: Transcript, points: list[Point]) -> Scalar:
    transcript.append("oath commitments", b"".join(points))
    return transcript.challenge("oath challenge")


def _decode(data: bytes, pairs: int) -> tuple[list[Point], list[Scalar]]:
    split = pairs * _POINTS * POINT_BYTES
    end = split + pairs * _SCALARS * SCALAR_BYTES
    checks.require("oath.pairs-length", len(data) == end, _VERDICT, ANOTHER_LENGTH)
    points = group.decode_points(data[:split], pairs * _POINTS, identity_ok=True)
    return points, group.decode_scalars(data[split:end], pairs * _SCALARS, verdict=_VERDICT)
