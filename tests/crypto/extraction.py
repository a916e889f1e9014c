"""What equal nonces give away: the secret behind two proofs, solved as if they had one nonce.

Each function gives what an attacker would compute.  It is right exactly if the two proofs share
their nonces; `opens` tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from p2p.crypto import group
from p2p.crypto.group import ORDER, Point, Scalar
from p2p.crypto.shuffle_statement import ShuffleProof


class Answers(NamedTuple):
    """The challenge of a proof and what was answered: nonce + or - challenge x secret."""

    challenge: Scalar
    responses: tuple[Scalar, ...]


def answers(proof: bytes) -> Answers:
    """Of a proof of shares, of possession or of a transfer: the challenge comes first."""
    challenge, *responses = group.decode_scalars(proof, len(proof) // group.SCALAR_BYTES)
    return Answers(challenge, tuple(responses))


def opens(secret: Scalar | None, public: Point) -> bool:
    """Whether this is the secret of that key."""
    return secret is not None and group.base(secret) == public


def from_responses(one: Answers, other: Answers, at: int = 0) -> Scalar | None:
    """The secret behind response `at` of a Schnorr proof, which is nonce - challenge x secret."""
    return _divide(
        one.responses[at] - other.responses[at],
        other.challenge - one.challenge,
    )


def from_pairs(one: Answers, other: Answers) -> Iterable[Scalar | None]:
    """The table secret behind each two pairs of oaths: t and u = t x are solved for alike."""
    for first, second in _pairs_of(one, other):
        moved = one.challenge - other.challenge
        scale = _divide(first[0] - second[0], moved)
        product = _divide(first[1] - second[1], moved)
        yield None if scale is None or product is None else _divide(product, scale)


def _pairs_of(
    one: Answers, other: Answers
) -> Iterable[tuple[tuple[Scalar, ...], tuple[Scalar, ...]]]:
    mine, theirs = (
        [one.responses[at : at + 2] for at in range(0, len(one.responses), 2)]
        for one in (one, other)
    )
    return ((first, second) for first in mine for second in theirs)


class Order(NamedTuple):
    """A proof of a shuffle and the weights t that its verifier drew."""

    proof: ShuffleProof
    weights: Sequence[Scalar]


def permutation(one: Order, other: Order) -> list[int] | None:
    """Where each card came from, if both proofs were made from one offline part.

    f_i = t_pi(i) + d_i: with equal masks d the differences of f are those of t, permuted.
    """
    moved = {
        (mine - theirs) % ORDER: source
        for source, (mine, theirs) in enumerate(zip(one.weights, other.weights, strict=True))
    }
    masked = zip(one.proof.masked_weights, other.proof.masked_weights, strict=True)
    found = [moved.get((mine - theirs) % ORDER) for mine, theirs in masked]
    sources = [source for source in found if source is not None]
    return sources if len(sources) == len(found) else None


def repeated(values: Iterable[bytes]) -> set[bytes]:
    """The items that occur more than once."""
    seen: set[bytes] = set()
    return {value for value in values if value in seen or seen.add(value)}


def each_two(found: Sequence[Answers]) -> Iterable[tuple[Answers, Answers]]:
    """All pairs of different proofs."""
    return ((one, other) for one, other in combinations(found, 2) if one != other)


def _divide(value: Scalar, by: Scalar) -> Scalar | None:
    return None if by % ORDER == 0 else value * pow(by, -1, ORDER) % ORDER
