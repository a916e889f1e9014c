"""A table secret in shares, so that others can take a lost seat's layer off the cards.

Feldman's verifiable secret sharing ("A Practical Scheme for Non-interactive Verifiable Secret
Sharing", FOCS 1987).  A seat draws a polynomial f of degree t - 1 with f(0) = x, its table secret,
and publishes the commitments C_k = a_k G to its coefficients; C_0 is its table key.  Seat j gets
f(j + 1) (`p2p.crypto.sealing`); anybody knows its image f(j + 1) G, the sum of C_k (j + 1)^k.  The
image is a public key like any other: seat j proves the partial share f(j + 1) a of a slot with
`dleq.prove_shares`, and everybody verifies it with `dleq.verify_shares`.  Any t partial shares make
x a (`combine`); fewer are consistent with every x.

A longer list of commitments would raise the threshold without a word, a fault of several libraries:
there are exactly t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import group
from p2p.crypto.group import IDENTITY, ORDER, POINT_BYTES, SCALAR_BYTES, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.errors import LocalError

_VERDICT: Final = "bad-key"


class Commitments:
    """What everybody knows of a polynomial: C_0, which is the table key, ..., C_(t-1)."""

    __slots__ = ("points",)

    def __init__(self, points: Sequence[Point]) -> None:
        self.points: Final = tuple(points)

    @property
    def threshold(self) -> int:
        """How many partial shares make a whole one."""
        return len(self.points)

    @property
    def further(self) -> bytes:
        """All but the table key, joined, as they are announced."""
        return b"".join(self.points[1:])

    @classmethod
    def announced(cls, public: Point, further: bytes) -> Commitments:
        """Those with this table key and `further`, which `read_commitments` has accepted."""
        cuts = range(0, len(further), POINT_BYTES)
        return cls((public, *[further[at : at + POINT_BYTES] for at in cuts]))

    def image(self, seat: int) -> Point:
        """f(seat + 1) G: what the share of this seat is checked against."""
        powers = [pow(seat + 1, k, ORDER) for k in range(len(self.points))]
        return group.msm(self.points, powers)


def read_commitments(public: Point, further: bytes, threshold: int, seats: int) -> Commitments:
    """The commitments that a seat with this table key announces, at a table of `seats`.

    Raises PeerError("malformed") unless `further` is exactly threshold - 1 points, none of them the
    identity, and "bad-key" if the share of a seat would be zero: nobody could prove anything
    with it.
    """
    points = group.decode_points(further, threshold - 1)
    commitments = Commitments((group.decode_point(public), *points))
    images = [commitments.image(seat) for seat in range(seats)]
    checks.require("sharing.zero", IDENTITY not in images, _VERDICT, "the share of a seat is zero")
    return commitments


class Polynomial:
    """f, with f(0) = x.  Never logged, never shown; kept as long as the table is not closed."""

    __slots__ = ("_coefficients", "commitments")

    def __init__(self, coefficients: Sequence[Scalar]) -> None:
        if len(coefficients) < 2 or not all(0 < one < ORDER for one in coefficients):
            raise LocalError("a polynomial has two or more coefficients other than zero")
        self._coefficients: Final = tuple(coefficients)
        self.commitments: Final = Commitments(tuple(map(group.base, coefficients)))

    @classmethod
    def through(
        cls, secret: TableSecret, threshold: int, seats: int, entropy: Entropy
    ) -> Polynomial:
        """A fresh one for this secret, that gives no seat the share zero."""
        while True:
            drawn = cls((secret.scalar, *group.random_scalars(entropy, threshold - 1)))
            if all(drawn._value(seat + 1) for seat in range(seats)):
                return drawn

    @classmethod
    def from_bytes(cls, secret: TableSecret, data: bytes) -> Polynomial:
        """The polynomial kept in a seat file.  PeerError("malformed") if the file is damaged."""
        drawn = group.decode_scalars(data, len(data) // SCALAR_BYTES)
        checks.require(
            "sharing.file", len(drawn) > 0 and 0 not in drawn, "malformed", "a coefficient is zero"
        )
        return cls((secret.scalar, *drawn))

    def to_bytes(self) -> bytes:
        """All coefficients but the table secret, for the seat file."""
        return b"".join(map(group.encode_scalar, self._coefficients[1:]))

    def share(self, seat: int) -> TableSecret:
        """f(seat + 1): what this seat gets.  LocalError for a seat before the first."""
        if seat < 0:
            raise LocalError("the share of no seat would be the secret itself")
        return TableSecret(self._value(seat + 1))

    def _value(self, at: int) -> Scalar:
        total = 0
        for coefficient in reversed(self._coefficients):
            total = (total * at + coefficient) % ORDER
        return total

    def __repr__(self) -> str:
        return f"Polynomial(public={self.commitments.points[0].hex()[:16]})"

    def __reduce__(self) -> tuple[object, ...]:
        raise LocalError("a polynomial is not pickled")


def fits(commitments: Commitments, seat: int, share: Scalar) -> bool:
    """Whether this is the share that was promised to the seat."""
    return group.base(share) == commitments.image(seat)


def combine(partials: Mapping[int, Sequence[Point]], threshold: int) -> list[Point]:
    """x a of each slot, from the verified partial shares f(seat + 1) a by seat.

    Those of the lowest `threshold` seats are used; any others would give the same.  LocalError if
    there are fewer, or not as many points from each.
    """
    seats = sorted(partials)[:threshold]
    if len(seats) < threshold or len({len(partials[seat]) for seat in seats}) != 1:
        raise LocalError("too few partial shares")
    weights = [_weight_at_zero(seat, seats) for seat in seats]
    return [
        group.msm(points, weights) for points in zip(*(partials[s] for s in seats), strict=True)
    ]


def _weight_at_zero(seat: int, seats: Sequence[int]) -> Scalar:
    """Lagrange: the weight of f(seat + 1) in f(0), among these."""
    weight = 1
    for other in seats:
        if other != seat:
            weight = weight * (other + 1) * pow(other - seat, -1, ORDER) % ORDER
    return weight
