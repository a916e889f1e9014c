"""Proving a shuffle: what can be made ahead, and what needs the deck.

`OfflinePart.prepare` does everything that does not depend on the deck, about half of the
work, while its owner waits for its turn.  A part is used once: two proofs from one part
reveal the permutation (protocol, section 2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from p2p.checks import Entropy
from p2p.crypto import group
from p2p.crypto import shuffle_statement as statement
from p2p.crypto.elgamal import Cipher, pack_ciphers
from p2p.crypto.group import IDENTITY, ORDER, Point, Scalar
from p2p.crypto.shuffle_statement import ShuffleProof
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError

_DRAW_BYTES: Final = 16


@dataclass(frozen=True, repr=False)
class Prepared:
    """The secrets and commitments of one shuffle of `len(permutation)` cards under one key."""

    permutation: list[int]  # output i is input permutation[i]
    factors: list[Scalar]  # VSSHE R_i: how output i is re-encrypted
    layers: list[Cipher]  # (R_i G, R_i Y)
    permutation_opening: Scalar  # VSSHE r
    permutation_commitment: Point  # VSSHE c
    masks: list[Scalar]  # VSSHE d_i
    masks_opening: Scalar  # VSSHE r_d
    mask_commitment: Point  # VSSHE c_d
    mask_factor: Scalar  # VSSHE R_d
    mask_layer: Cipher  # (R_d - sum d_i R_i) times (G, Y)
    blinds: list[Scalar]  # SKC d_i
    blinds_opening: Scalar  # SKC r_d
    blind_commitment: Point  # SKC c_d
    crosses: list[Scalar]  # SKC Delta_i
    cross_opening: Scalar  # SKC r_Delta
    cross_commitment: Point  # SKC c_Delta

    def __repr__(self) -> str:
        return f"Prepared(cards={len(self.permutation)})"


class OfflinePart:
    """The deck-independent part of one shuffle.  Never written down, used once."""

    __slots__ = ("_held", "count", "key")

    def __init__(self, key: Point, prepared: Prepared) -> None:
        self.key: Final = key
        self.count: Final = len(prepared.permutation)
        self._held = [prepared]

    @classmethod
    def prepare(cls, count: int, key: Point, entropy: Entropy) -> OfflinePart:
        """Everything for a shuffle of `count` (1 or more) cards under `key`, but the deck."""
        return cls(key, prepare(random_permutation(count, entropy), key, entropy))

    def take(self) -> Prepared:
        """The contents, once.  LocalError the second time."""
        try:
            return self._held.pop()  # one bytecode: two threads cannot both succeed
        except IndexError:
            raise LocalError("an offline part is used once") from None

    def __repr__(self) -> str:
        return f"OfflinePart(count={self.count}, used={not self._held})"

    def __reduce__(self) -> tuple[object, ...]:
        raise LocalError("an offline part is not copied")


@dataclass(frozen=True)
class Shuffled:
    """A finished shuffle: the new deck, its proof, and (secret) where each card came from."""

    deck: list[Cipher] = field(repr=False)
    proof: ShuffleProof = field(repr=False)
    permutation: list[int] = field(repr=False)


def random_permutation(count: int, entropy: Entropy) -> list[int]:
    """A uniform permutation (Fisher and Yates), each draw biased by less than 2**-100."""
    if count < 1:
        raise LocalError("there is nothing to shuffle")
    permutation = list(range(count))
    drawn = entropy(_DRAW_BYTES * count)
    for last in range(count - 1, 0, -1):
        draw = int.from_bytes(drawn[last * _DRAW_BYTES : (last + 1) * _DRAW_BYTES], "little")
        other = draw % (last + 1)
        permutation[last], permutation[other] = permutation[other], permutation[last]
    return permutation


def _commit(values: list[Scalar], opening: Scalar) -> Point:
    """Pedersen's commitment to a vector."""
    return group.msm(statement.generators(len(values)), [*values, opening])


def _commit_ranks(permutation: list[int], opening: Scalar) -> Point:
    """The commitment to (permutation[i] + 1 for each i), by running sums.

    The values are the small numbers 1 to n, so sorting the generators by them costs two
    additions a card where a multiplication would cost three times as much.
    """
    *points, blinding = statement.generators(len(permutation))
    by_rank = [IDENTITY] * len(points)
    for point, rank in zip(points, permutation, strict=True):
        by_rank[rank] = point
    return group.add(group.rank_sum(by_rank), group.mul(blinding, opening))


def prepare(permutation: list[int], key: Point, entropy: Entropy) -> Prepared:
    """The offline part for one permutation (VSSHE's first move and the blinds of SKC)."""
    count = len(permutation)
    permutation_opening, masks_opening, mask_factor, blinds_opening, cross_opening = (
        group.random_scalars(entropy, 5)
    )
    factors = group.random_scalars(entropy, count)
    masks = group.random_scalars(entropy, count)
    blinds, crosses = _content_blinds(count, entropy)
    remainder = mask_factor - sum(map(int.__mul__, masks, factors))
    return Prepared(
        permutation=permutation,
        factors=factors,
        layers=[(group.base(factor), group.mul(key, factor)) for factor in factors],
        permutation_opening=permutation_opening,
        permutation_commitment=_commit_ranks(permutation, permutation_opening),
        masks=masks,
        masks_opening=masks_opening,
        mask_commitment=_commit([-mask for mask in masks], masks_opening),
        mask_factor=mask_factor,
        mask_layer=(group.base(remainder), group.mul(key, remainder)),
        blinds=blinds,
        blinds_opening=blinds_opening,
        blind_commitment=_commit(blinds, blinds_opening),
        crosses=crosses,
        cross_opening=cross_opening,
        cross_commitment=_commit(_cross_terms(crosses, blinds), cross_opening),
    )


def _content_blinds(count: int, entropy: Entropy) -> tuple[list[Scalar], list[Scalar]]:
    """SKC d_i and Delta_i, with Delta_1 = d_1 and Delta_n = 0.

    One card has d_1 = 0: its contents are no secret, there is one permutation.
    """
    if count == 1:
        return [0], [0]
    blinds = group.random_scalars(entropy, count)
    return blinds, [blinds[0], *group.random_scalars(entropy, count - 2), 0]


def _cross_terms(crosses: list[Scalar], blinds: list[Scalar]) -> list[Scalar]:
    """SKC -Delta_i d_(i+1), for i < n."""
    pairs = zip(crosses[:-1], blinds[1:], strict=True)
    return [-cross * blind % ORDER for cross, blind in pairs]


def prove_shuffle(
    part: OfflinePart, deck: list[Cipher], transcript: Transcript, entropy: Entropy
) -> Shuffled:
    """Permute and re-encrypt `deck` under the key of `part`, and prove it.

    The deck's slots may be fresh (a = identity).  LocalError if the part was made for
    another number of cards or was used before.
    """
    if part.count != len(deck):
        raise LocalError("the offline part was made for another number of cards")
    prepared = part.take()
    output = apply(prepared, deck)
    proof = argue(prepared, part.key, (deck, output), transcript, entropy)
    return Shuffled(output, proof, prepared.permutation)


def apply(prepared: Prepared, deck: list[Cipher]) -> list[Cipher]:
    """The permuted and re-encrypted deck."""
    return [
        (_onto(deck[source][0], layer_a), group.add(deck[source][1], layer_b))
        for source, (layer_a, layer_b) in zip(prepared.permutation, prepared.layers, strict=True)
    ]


def _onto(point: Point, layer: Point) -> Point:
    return layer if point == IDENTITY else group.add(point, layer)


def argue(
    prepared: Prepared,
    key: Point,
    decks: tuple[list[Cipher], list[Cipher]],
    transcript: Transcript,
    entropy: Entropy,
) -> ShuffleProof:
    """The proof that the second deck is the first, shuffled as `prepared` says (VSSHE)."""
    deck, output = decks
    order, count = prepared.permutation, len(deck)
    masked = _masked_sums(prepared, deck)
    commitments = (prepared.permutation_commitment, prepared.mask_commitment, *masked)
    statement.absorb_statement(transcript, key, pack_ciphers(deck), pack_ciphers(output))
    weights = statement.draw_weights(transcript, commitments, count)
    permuted = [weights[source] for source in order]
    masked_weights = [
        (weight + mask) % ORDER for weight, mask in zip(permuted, prepared.masks, strict=True)
    ]
    masked_factor = (
        sum(map(int.__mul__, permuted, prepared.factors)) + prepared.mask_factor
    ) % ORDER
    rank_weight, point = statement.draw_contents(transcript, masked_weights, masked_factor)
    contents = _Contents(
        [
            (rank_weight * (source + 1) + weight) % ORDER
            for source, weight in zip(order, permuted, strict=True)
        ],
        rank_weight * prepared.permutation_opening + prepared.masks_opening,
    )
    known = _argue_contents(prepared, contents, point, transcript, entropy)
    return ShuffleProof(
        *commitments,
        prepared.blind_commitment,
        prepared.cross_commitment,
        known.commitment,
        masked_factor,
        known.content_opening,
        known.product_opening,
        masked_weights,
        known.content_answers,
        known.product_answers,
    )


def _masked_sums(prepared: Prepared, deck: list[Cipher]) -> tuple[Point, Point]:
    """VSSHE E_d, expressed in the deck before the shuffle.

    sum -d_i e'_i + R_d (G, Y) = sum -d_i e_pi(i) + (R_d - sum d_i R_i) (G, Y), and a fresh
    deck needs no multiplication for its first halves.
    """
    by_input = [0] * len(deck)
    for source, mask in zip(prepared.permutation, prepared.masks, strict=True):
        by_input[source] -= mask
    layer_a, layer_b = prepared.mask_layer
    return (
        group.add(layer_a, group.msm([a for a, _ in deck], by_input)),
        group.add(layer_b, group.msm([b for _, b in deck], by_input)),
    )


@dataclass(frozen=True, repr=False)
class _Contents:
    values: list[Scalar]  # SKC m_pi(i)
    opening: Scalar  # of the commitment to them


@dataclass(frozen=True, repr=False)
class _KnownContents:
    commitment: Point  # SKC c_a
    content_answers: list[Scalar]  # SKC f_i
    content_opening: Scalar  # SKC z
    product_answers: list[Scalar]  # SKC f_Delta_i
    product_opening: Scalar  # SKC z_Delta


def _argue_contents(
    prepared: Prepared,
    contents: _Contents,
    point: Scalar,
    transcript: Transcript,
    entropy: Entropy,
) -> _KnownContents:
    """SKC: the committed contents are the public ones in some order.

    Both sides multiply (content - `point`) over all cards; Schwartz and Zippel do the rest.
    """
    blinds, crosses = prepared.blinds, prepared.crosses
    steps = _product_steps(contents.values, blinds, crosses, point)
    step_opening = group.random_scalar(entropy)
    commitment = _commit(steps, step_opening)
    answer = statement.draw_answer(
        transcript, (prepared.blind_commitment, prepared.cross_commitment, commitment)
    )
    return _KnownContents(
        commitment,
        [
            (answer * content + blind) % ORDER
            for content, blind in zip(contents.values, blinds, strict=True)
        ],
        (answer * contents.opening + prepared.blinds_opening) % ORDER,
        [
            (answer * step + cross) % ORDER
            for step, cross in zip(steps, _cross_terms(crosses, blinds), strict=True)
        ],
        (answer * step_opening + prepared.cross_opening) % ORDER,
    )


def _product_steps(
    contents: list[Scalar], blinds: list[Scalar], crosses: list[Scalar], point: Scalar
) -> list[Scalar]:
    """SKC Delta_(i+1) - (m_pi(i+1) - x) Delta_i - a_i d_(i+1), a_i the product so far."""
    product = contents[0] - point
    steps = []
    for i in range(1, len(contents)):
        factor = contents[i] - point
        steps.append((crosses[i] - factor * crosses[i - 1] - product * blinds[i]) % ORDER)
        product = product * factor % ORDER
    return steps
