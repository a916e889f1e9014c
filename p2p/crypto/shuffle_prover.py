"""Proving a shuffle, once its turn has come and the deck is known.

What can be made ahead is in `shuffle_offline`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p.checks import Entropy
from p2p.crypto import group
from p2p.crypto import shuffle_statement as statement
from p2p.crypto.elgamal import Cipher, pack_ciphers
from p2p.crypto.group import IDENTITY, ORDER, Point, Scalar
from p2p.crypto.shuffle_offline import OfflinePart, Prepared, commit, cross_terms
from p2p.crypto.shuffle_statement import ShuffleProof
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError


@dataclass(frozen=True)
class Shuffled:
    """A finished shuffle: the new deck, its proof, and (secret) where each card came from."""

    deck: list[Cipher] = field(repr=False)
    proof: ShuffleProof = field(repr=False)
    permutation: list[int] = field(repr=False)


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
    step_opening = transcript.witness_rng(entropy, *_blinds(prepared)).scalar("product blind")
    commitment = commit(steps, step_opening)
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
            for step, cross in zip(steps, cross_terms(crosses, blinds), strict=True)
        ],
        (answer * step_opening + prepared.cross_opening) % ORDER,
    )


def _blinds(prepared: Prepared) -> list[bytes]:
    """The contents of a part that nobody else knows, and no other part has."""
    openings = (
        prepared.permutation_opening,
        prepared.masks_opening,
        prepared.blinds_opening,
        prepared.cross_opening,
    )
    return list(map(group.encode_scalar, openings))


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
