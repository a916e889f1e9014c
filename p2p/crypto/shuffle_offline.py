"""The part of a shuffle argument that can be made before the deck is known.

Most of a prover's work does not depend on the deck, and most of that work does not even depend on
the key: its owner does it while people sit down and while others shuffle.  A part is used once: two
proofs from one part reveal the permutation (protocol section 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from p2p.checks import Entropy
from p2p.crypto import group
from p2p.crypto import shuffle_statement as statement
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import IDENTITY, ORDER, Point, Scalar
from p2p.errors import LocalError

_DRAW_BYTES: Final = 16
Contents = TypeVar("Contents")


@dataclass(frozen=True, repr=False)
class Groundwork:
    """The secrets and commitments of one shuffle of `len(permutation)` cards, under any key."""

    permutation: list[int]  # output i is input permutation[i]
    factors: list[Scalar]  # VSSHE R_i: how output i is re-encrypted
    factor_points: list[Point]  # R_i G
    permutation_opening: Scalar  # VSSHE r
    permutation_commitment: Point  # VSSHE c
    masks: list[Scalar]  # VSSHE d_i
    masks_opening: Scalar  # VSSHE r_d
    mask_commitment: Point  # VSSHE c_d
    mask_factor: Scalar  # VSSHE R_d
    remainder: Scalar  # R_d - sum d_i R_i
    remainder_point: Point  # the remainder times G
    blinds: list[Scalar]  # SKC d_i
    blinds_opening: Scalar  # SKC r_d
    blind_commitment: Point  # SKC c_d
    crosses: list[Scalar]  # SKC Delta_i
    cross_opening: Scalar  # SKC r_Delta
    cross_commitment: Point  # SKC c_Delta

    def __repr__(self) -> str:
        return f"{type(self).__name__}(cards={len(self.permutation)})"


@dataclass(frozen=True, repr=False)
class Prepared(Groundwork):
    """Groundwork, and what follows from it under one key."""

    layers: list[Cipher]  # (R_i G, R_i Y)
    mask_layer: Cipher  # the remainder times (G, Y)


class _UsedOnce(Generic[Contents]):
    """Secrets for one proof: never copied or written down, and taken only once."""

    __slots__ = ("_held", "count")

    def __init__(self, count: int, contents: Contents) -> None:
        self.count: Final = count
        self._held = [contents]

    def take(self) -> Contents:
        """The contents, once.  LocalError the second time."""
        try:
            return self._held.pop()  # one bytecode: two threads cannot both succeed
        except IndexError:
            raise LocalError("an offline part is used once") from None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(count={self.count}, used={not self._held})"

    def __reduce__(self) -> tuple[object, ...]:
        raise LocalError("an offline part is not copied")


class OfflinePart(_UsedOnce[Prepared]):
    """The deck-independent part of one shuffle under `key`."""

    __slots__ = ("key",)

    def __init__(self, key: Point, prepared: Prepared) -> None:
        super().__init__(len(prepared.permutation), prepared)
        self.key: Final = key

    @classmethod
    def prepare(cls, count: int, key: Point, entropy: Entropy) -> OfflinePart:
        """Everything for a shuffle of `count` (1 or more) cards under `key`, except the deck."""
        return KeylessPart.prepare(count, entropy).under(key)


class KeylessPart(_UsedOnce[Groundwork]):
    """What in an offline part needs no key either, so that it can be made before genesis."""

    __slots__ = ()

    @classmethod
    def prepare(cls, count: int, entropy: Entropy) -> KeylessPart:
        """The groundwork for a shuffle of `count` (1 or more) cards."""
        return cls(count, lay_ground(random_permutation(count, entropy), entropy))

    def under(self, key: Point) -> OfflinePart:
        """The offline part under `key`: one multiplication a card.  LocalError the second time."""
        return OfflinePart(key, encrypt_under(self.take(), key))


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


def commit(values: list[Scalar], opening: Scalar) -> Point:
    """Pedersen's commitment to a vector."""
    return group.msm(statement.generators(len(values)), [*values, opening])


def commit_ranks(permutation: list[int], opening: Scalar) -> Point:
    """The commitment to (permutation[i] + 1 for each i), by running sums.

    The values are the small numbers 1 to n, so sorting the generators by them costs two additions
    per card; a multiplication would cost three times as much.
    """
    *points, blinding = statement.generators(len(permutation))
    by_rank = [IDENTITY] * len(points)
    for point, rank in zip(points, permutation, strict=True):
        by_rank[rank] = point
    return group.add(group.rank_sum(by_rank), group.mul(blinding, opening))


def prepare(permutation: list[int], key: Point, entropy: Entropy) -> Prepared:
    """The offline part for one permutation and one key."""
    return encrypt_under(lay_ground(permutation, entropy), key)


def encrypt_under(ground: Groundwork, key: Point) -> Prepared:
    """The layers that the groundwork puts around cards under `key`."""
    second = [group.mul(key, factor) for factor in ground.factors]
    return Prepared(
        **vars(ground),
        layers=list(zip(ground.factor_points, second, strict=True)),
        mask_layer=(ground.remainder_point, group.mul(key, ground.remainder)),
    )


def lay_ground(permutation: list[int], entropy: Entropy) -> Groundwork:
    """The groundwork for one permutation (VSSHE's first move and the blinds of SKC)."""
    count = len(permutation)
    permutation_opening, masks_opening, mask_factor, blinds_opening, cross_opening = (
        group.random_scalars(entropy, 5)
    )
    factors = group.random_scalars(entropy, count)
    masks = group.random_scalars(entropy, count)
    blinds, crosses = _content_blinds(count, entropy)
    remainder = mask_factor - sum(map(int.__mul__, masks, factors))
    return Groundwork(
        permutation=permutation,
        factors=factors,
        factor_points=[group.base(factor) for factor in factors],
        permutation_opening=permutation_opening,
        permutation_commitment=commit_ranks(permutation, permutation_opening),
        masks=masks,
        masks_opening=masks_opening,
        mask_commitment=commit([-mask for mask in masks], masks_opening),
        mask_factor=mask_factor,
        remainder=remainder,
        remainder_point=group.base(remainder),
        blinds=blinds,
        blinds_opening=blinds_opening,
        blind_commitment=commit(blinds, blinds_opening),
        crosses=crosses,
        cross_opening=cross_opening,
        cross_commitment=commit(cross_terms(crosses, blinds), cross_opening),
    )


def _content_blinds(count: int, entropy: Entropy) -> tuple[list[Scalar], list[Scalar]]:
    """SKC d_i and Delta_i, with Delta_1 = d_1 and Delta_n = 0.

    One card has d_1 = 0: its contents are no secret, there is one permutation.
    """
    if count == 1:
        return [0], [0]
    blinds = group.random_scalars(entropy, count)
    return blinds, [blinds[0], *group.random_scalars(entropy, count - 2), 0]


def cross_terms(crosses: list[Scalar], blinds: list[Scalar]) -> list[Scalar]:
    """SKC -Delta_i d_(i+1), for i < n."""
    pairs = zip(crosses[:-1], blinds[1:], strict=True)
    return [-cross * blind % ORDER for cross, blind in pairs]
