"""Verifying shuffles: a whole chain in one random linear combination.

Every proof gives four linear equations between points, which are summed with random weights
and compared once, and one equation between scalars.  Consecutive shuffles share a deck and
all share the generators, so a chain of K costs (2 (K + 1) + 1) n / K multiplications each
instead of 5 n.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import group
from p2p.crypto import shuffle_statement as statement
from p2p.crypto.elgamal import Cipher, pack_ciphers
from p2p.crypto.group import IDENTITY, ORDER, Point, Scalar
from p2p.crypto.shuffle_statement import BadShuffle, ShuffleProof
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError, PeerError

_VERDICT = "bad-shuffle"


def verify_shuffle(
    key: Point,
    before: list[Cipher],
    after: list[Cipher],
    proof: ShuffleProof,
    transcript: Transcript,
    entropy: Entropy,
) -> None:
    """Accept `after` as a shuffle of `before` under `key`.  Raises BadShuffle (index 0)."""
    verify_chain(key, [before, after], [proof], [transcript], entropy)


def verify_chain(
    key: Point,
    decks: list[list[Cipher]],
    proofs: list[ShuffleProof],
    transcripts: list[Transcript],
    entropy: Entropy,
) -> None:
    """Accept decks[0] -> decks[1] -> ... as shuffles under one key, each with its proof.

    `entropy` is the verifier's own and must not be known to the provers.  Only decks[0] may
    hold slots with a = identity.  Raises BadShuffle for the first false shuffle.
    """
    if not len(decks) - 1 == len(proofs) == len(transcripts) > 0:
        raise LocalError("a chain has one proof and one transcript a shuffle")
    histories = [transcript.copy() for transcript in transcripts]
    try:
        _verify(key, decks, proofs, transcripts, entropy)
    except PeerError as refusal:
        if len(proofs) == 1:
            raise BadShuffle(0, refusal.reason) from refusal
        _blame(key, decks, proofs, histories, entropy)


def _blame(
    key: Point,
    decks: list[list[Cipher]],
    proofs: list[ShuffleProof],
    transcripts: list[Transcript],
    entropy: Entropy,
) -> None:
    for index, (proof, transcript) in enumerate(zip(proofs, transcripts, strict=True)):
        try:
            _verify(key, decks[index : index + 2], [proof], [transcript], entropy)
        except PeerError as refusal:
            raise BadShuffle(index, refusal.reason) from refusal
    raise LocalError("a chain of true shuffles was refused")


@dataclass
class _Combination:
    """The weighted sum of all equations: it must come out as the identity."""

    count: int
    points: list[Point] = field(default_factory=list)
    scalars: list[Scalar] = field(default_factory=list)
    generator_scalars: list[Scalar] = field(init=False)
    key_scalar: Scalar = 0
    base_scalar: Scalar = 0

    def __post_init__(self) -> None:
        self.generator_scalars = [0] * (self.count + 1)

    def holds(self, key: Point) -> bool:
        total = group.msm(
            [*self.points, *statement.generators(self.count), key],
            [*self.scalars, *self.generator_scalars, self.key_scalar],
        )
        return total == group.base(-self.base_scalar)


def _verify(
    key: Point,
    decks: list[list[Cipher]],
    proofs: list[ShuffleProof],
    transcripts: list[Transcript],
    entropy: Entropy,
) -> None:
    count = len(decks[0])
    sum_ = _Combination(count)
    packed = [pack_ciphers(deck) for deck in decks]
    a_scalars = [[0] * count for _ in decks]
    b_scalars = [[0] * count for _ in decks]
    for index, (proof, transcript) in enumerate(zip(proofs, transcripts, strict=True)):
        _check_shape(count, decks[index + 1], proof)
        statement.absorb_statement(transcript, key, packed[index], packed[index + 1])
        weights = statement.draw_weights(transcript, proof.shuffle_commitments, count)
        a_weight = checks.weight("shuffle.a-column", entropy)
        b_weight = checks.weight("shuffle.b-column", entropy)
        _add_column(a_scalars[index : index + 2], a_weight, weights, proof.masked_weights)
        _add_column(b_scalars[index : index + 2], b_weight, weights, proof.masked_weights)
        sum_.points += (proof.masked_a, proof.masked_b)
        sum_.scalars += (a_weight, b_weight)
        sum_.base_scalar -= a_weight * proof.masked_factor
        sum_.key_scalar -= b_weight * proof.masked_factor
        _add_contents(sum_, proof, weights, transcript, entropy)
    for deck, a_column, b_column in zip(decks, a_scalars, b_scalars, strict=True):
        sum_.points += [a for a, _ in deck]
        sum_.points += [b for _, b in deck]
        sum_.scalars += a_column
        sum_.scalars += b_column
    checks.require("shuffle.equations", sum_.holds(key), _VERDICT, "the shuffle proof is false")


def _check_shape(count: int, after: list[Cipher], proof: ShuffleProof) -> None:
    lengths = (len(after), len(proof.masked_weights), len(proof.content_answers))
    checks.require(
        "shuffle.count",
        lengths == (count, count, count) and len(proof.product_answers) == count - 1,
        _VERDICT,
        "the shuffle changes the number of cards",
    )
    checks.require(
        "shuffle.visible-card",
        all([a != IDENTITY for a, _ in after]),  # noqa: C419  faster than a generator
        _VERDICT,
        "the shuffle leaves a card for everybody to see",
    )


def _add_column(
    columns: list[list[Scalar]], factor: int, weights: list[int], masked: list[Scalar]
) -> None:
    """sum f_i e'_i - sum t_i e_i + E_d = Z (G, Y), one half of each slot."""
    before, after = columns
    before[:] = [have - factor * weight for have, weight in zip(before, weights, strict=True)]
    after[:] = [have + factor * weight for have, weight in zip(after, masked, strict=True)]


def _add_contents(
    sum_: _Combination,
    proof: ShuffleProof,
    weights: list[int],
    transcript: Transcript,
    entropy: Entropy,
) -> None:
    """SKC over the commitment lambda c + c_d + com(f; 0), and its product equation."""
    rank_weight, point = statement.draw_contents(
        transcript, proof.masked_weights, proof.masked_factor
    )
    answer = statement.draw_answer(transcript, proof.content_commitments)
    _check_product(proof, weights, rank_weight, point, answer)
    content_weight = checks.weight("shuffle.contents", entropy)
    product_weight = checks.weight("shuffle.product-commitment", entropy)
    sum_.points += (proof.permutation_commitment, proof.mask_commitment)
    sum_.scalars += (content_weight * answer * rank_weight, content_weight * answer)
    sum_.points += proof.content_commitments
    sum_.scalars += (content_weight, product_weight, product_weight * answer)
    masked, opened = proof.masked_weights, proof.content_answers
    steps = [*proof.product_answers, 0]
    values = [
        have + content_weight * (answer * weight - value) - product_weight * step
        for have, weight, value, step in zip(
            sum_.generator_scalars[:-1], masked, opened, steps, strict=True
        )
    ]
    blinding = sum_.generator_scalars[-1] - content_weight * proof.content_opening
    sum_.generator_scalars = [*values, blinding - product_weight * proof.product_opening]


def _check_product(
    proof: ShuffleProof, weights: list[int], rank_weight: Scalar, point: Scalar, answer: Scalar
) -> None:
    """SKC F_n = e product(m_i - x), with e F_(i+1) = F_i (f_(i+1) - e x) + f_Delta_i."""
    inverse = pow(answer, -1, ORDER)
    shift = answer * point % ORDER
    chained = proof.content_answers[0] - shift
    for opened, step in zip(proof.content_answers[1:], proof.product_answers, strict=True):
        chained = (chained * (opened - shift) + step) * inverse % ORDER
    product = answer
    content = -point
    for weight in weights:
        content += rank_weight
        product = product * (content + weight) % ORDER
    checks.require(
        "shuffle.product",
        (chained - product) % ORDER == 0,
        _VERDICT,
        "the shuffle does not hold each card once",
    )
