"""What prover and verifier of a shuffle share: the proof, its transcript, its generators.

The argument is Groth's "A Verifiable Secret Shuffle of Homomorphic Encryptions" (Journal of
Cryptology 23(4), 2010), made non-interactive: the shuffle argument of its section 5 (called
VSSHE below) around the argument of known contents of its section 4 (SKC).  It is the m = 1
case of Bayer and Groth (EUROCRYPT 2012).  The symbols in the comments are Groth's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from p2p import checks
from p2p.crypto import group
from p2p.crypto.group import POINT_BYTES, SCALAR_BYTES, Point, Scalar
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError

GENERATOR_LABEL: Final = "nodealer shuffle generator"
_POINTS: Final = 7
_SINGLE_SCALARS: Final = 3
CHALLENGE_BITS: Final = 128


class BadShuffle(PeerError):  # noqa: N818  a verdict's name
    """A refused shuffle of a chain; `index` counts the shuffles of the chain from 0."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__("bad-shuffle", reason)
        self.index: Final = index


@dataclass(frozen=True)
class ShuffleProof:
    """One shuffle's proof: seven points and 3 n + 2 scalars, 96 n + 288 bytes."""

    permutation_commitment: Point  # VSSHE c
    mask_commitment: Point  # VSSHE c_d
    masked_a: Point  # VSSHE E_d, first half
    masked_b: Point  # VSSHE E_d, second half
    blind_commitment: Point  # SKC c_d
    cross_commitment: Point  # SKC c_Delta
    product_commitment: Point  # SKC c_a
    masked_factor: Scalar  # VSSHE Z
    content_opening: Scalar  # SKC z
    product_opening: Scalar  # SKC z_Delta
    masked_weights: list[Scalar]  # VSSHE f_i, n of them
    content_answers: list[Scalar]  # SKC f_i, n of them
    product_answers: list[Scalar]  # SKC f_Delta_i, n - 1 of them

    @property
    def commitment(self) -> bytes:
        """The commitment to the permutation: seen twice at a table, an offline part was reused."""
        return self.permutation_commitment

    @property
    def shuffle_commitments(self) -> tuple[Point, Point, Point, Point]:
        """The points of the prover's first move (VSSHE)."""
        return (
            self.permutation_commitment,
            self.mask_commitment,
            self.masked_a,
            self.masked_b,
        )

    @property
    def content_commitments(self) -> tuple[Point, Point, Point]:
        """The points of the prover's third move (SKC)."""
        return self.blind_commitment, self.cross_commitment, self.product_commitment

    def encode(self) -> bytes:
        """The points, the single scalars, then the three lists; all sizes follow from n."""
        scalars = (
            self.masked_factor,
            self.content_opening,
            self.product_opening,
            *self.masked_weights,
            *self.content_answers,
            *self.product_answers,
        )
        points = b"".join(self.shuffle_commitments + self.content_commitments)
        return points + pack_scalars(scalars)

    @classmethod
    def decode(cls, data: bytes, count: int) -> ShuffleProof:
        """The proof of a shuffle of `count` cards.

        Raises PeerError("malformed") for another length, a bad point or the identity, and a
        scalar out of range.
        """
        checks.require(
            "shuffle.no-cards", count > 0, "malformed", "a shuffle of no cards has no proof"
        )
        split = _POINTS * POINT_BYTES
        points = group.decode_points(data[:split], _POINTS)
        scalars = group.decode_scalars(data[split:], _SINGLE_SCALARS + 3 * count - 1)
        singles, lists = scalars[:_SINGLE_SCALARS], scalars[_SINGLE_SCALARS:]
        permutation, mask, masked_a, masked_b, blind, cross, product = points
        masked_factor, content_opening, product_opening = singles
        return cls(
            permutation_commitment=permutation,
            mask_commitment=mask,
            masked_a=masked_a,
            masked_b=masked_b,
            blind_commitment=blind,
            cross_commitment=cross,
            product_commitment=product,
            masked_factor=masked_factor,
            content_opening=content_opening,
            product_opening=product_opening,
            masked_weights=lists[:count],
            content_answers=lists[count : 2 * count],
            product_answers=lists[2 * count :],
        )


def proof_bytes(count: int) -> int:
    """The length of an encoded proof for `count` cards."""
    return _POINTS * POINT_BYTES + (_SINGLE_SCALARS + 3 * count - 1) * SCALAR_BYTES


def pack_scalars(scalars: tuple[Scalar, ...] | list[Scalar]) -> bytes:
    """Little-endian encodings of reduced scalars."""
    return b"".join([scalar.to_bytes(SCALAR_BYTES, "little") for scalar in scalars])


@cache
def _generator(index: int) -> Point:
    return group.hash_to_point(GENERATOR_LABEL, index.to_bytes(4, "big"))


@cache
def generators(count: int) -> tuple[Point, ...]:
    """The Pedersen generators of `count` values, then the one of the blinding value.

    By hash-to-group only: nobody knows a relation between them, or to G.
    """
    blinding = group.hash_to_point(GENERATOR_LABEL, b"blinding")
    return (*(_generator(index) for index in range(count)), blinding)


# The verifier's challenges, in the order of the paper's moves.


def absorb_statement(transcript: Transcript, key: Point, before: bytes, after: bytes) -> None:
    """Bind the proof to the key, the generators, the deck before and the deck after."""
    transcript.append("shuffle key", key)
    transcript.append("shuffle generators", GENERATOR_LABEL.encode())
    transcript.append("deck before", before)
    transcript.append("deck after", after)


def draw_weights(
    transcript: Transcript, commitments: tuple[Point, ...], count: int
) -> list[Scalar]:
    """VSSHE t_1, ..., t_n."""
    transcript.append("shuffle commitments", *commitments)
    return transcript.challenges("card weights", count, CHALLENGE_BITS)


def draw_contents(
    transcript: Transcript, masked_weights: list[Scalar], masked_factor: Scalar
) -> tuple[Scalar, Scalar]:
    """VSSHE lambda and SKC x."""
    transcript.append("masked weights", pack_scalars(masked_weights))
    transcript.append("masked factor", group.encode_scalar(masked_factor))
    return transcript.challenge("rank weight"), transcript.challenge("evaluation point")


def draw_answer(transcript: Transcript, commitments: tuple[Point, ...]) -> Scalar:
    """SKC e; never zero, so that the verifier may divide by it."""
    transcript.append("content commitments", *commitments)
    return transcript.challenge("answer")
