"""A table secret in shares, so that others can take a lost seat's layer off the cards.

Feldman's verifiable secret sharing ("A Practical Scheme for Non-interactive Verifiable Secret
Sharing", FOCS 1987), with values in place of coefficients.  A seat draws a polynomial f of degree
t - 1 with f(0) = x, its table secret.  The *place* of another seat is how many seats it comes after
the owner, 1 to n - 1, and its share is f(place).  What is published are the *images* f(0) G, which
is the table key, f(1) G, ..., f(t - 1) G: t points make one polynomial, so its degree needs no
check, most seats find the image of their share among them, and the image of any further place
follows (Lagrange).  An image is a public key like any other: a seat proves the partial share
f(place) a of a slot with `dleq.prove_shares`, and everybody verifies it with `dleq.verify_shares`.
Any t partial shares make x a (`combine`); fewer are consistent with every x.

A longer list of images would raise the threshold without a word, a fault of several libraries:
there are exactly t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import group
from p2p.crypto.group import ORDER, POINT_BYTES, SCALAR_BYTES, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.errors import LocalError


def place(owner: int, seat: int, seats: int) -> int:
    """At which place of the owner's polynomial the share of a seat is; 0 is the owner's own."""
    return (seat - owner) % seats


@dataclass(frozen=True, slots=True)
class Images:
    """What everybody knows of a polynomial: f(0) G, which is the table key, ..., f(t - 1) G."""

    points: tuple[Point, ...]

    @property
    def threshold(self) -> int:
        """How many partial shares make a whole one."""
        return len(self.points)

    @property
    def further(self) -> bytes:
        """All but the table key, joined, as they are announced."""
        return b"".join(self.points[1:])

    @classmethod
    def announced(cls, public: Point, further: bytes) -> Images:
        """Those with this table key and `further`, which `read_images` has accepted."""
        cuts = range(0, len(further), POINT_BYTES)
        return cls((public, *[further[at : at + POINT_BYTES] for at in cuts]))

    def image(self, place: int) -> Point:
        """f(place) G: what the share at this place is checked against."""
        if place < self.threshold:
            return self.points[place]
        return group.small_sum(self.points, _weights(range(self.threshold), place))


def read_images(public: Point, further: bytes, threshold: int) -> Images:
    """The images that a seat with this table key announces.

    Raises PeerError("malformed") unless `further` is exactly threshold - 1 points, none of them the
    identity.  An image that is not among them may be the identity: whoever gets zero for a share
    complains (`p2p.crypto.sealing`).
    """
    points = group.decode_points(further, threshold - 1)
    return Images((group.decode_point(public), *points))


class Polynomial:
    """f, with f(0) = x.  Never logged, never shown; kept as long as the table is not closed."""

    __slots__ = ("_values", "images")

    def __init__(self, values: Sequence[Scalar]) -> None:
        if len(values) < 2 or not all(0 < one < ORDER for one in values):
            raise LocalError("a polynomial is made of two or more values other than zero")
        self._values: Final = tuple(values)
        self.images: Final = Images(tuple(map(group.base, values)))

    @classmethod
    def through(
        cls, secret: TableSecret, threshold: int, seats: int, entropy: Entropy
    ) -> Polynomial:
        """A fresh one for this secret, that gives nobody at a table of so many the share zero."""
        while True:
            drawn = cls((secret.scalar, *group.random_scalars(entropy, threshold - 1)))
            if all(drawn._value(place) for place in range(threshold, seats)):
                return drawn

    @classmethod
    def from_bytes(cls, secret: TableSecret, data: bytes) -> Polynomial:
        """The polynomial kept in a seat file.  PeerError("malformed") if the file is damaged."""
        drawn = group.decode_scalars(data, len(data) // SCALAR_BYTES)
        checks.require(
            "sharing.file", len(drawn) > 0 and 0 not in drawn, "malformed", "a value is zero"
        )
        return cls((secret.scalar, *drawn))

    def to_bytes(self) -> bytes:
        """f(1), ..., f(t - 1), for the seat file, which has the table secret already."""
        return b"".join(map(group.encode_scalar, self._values[1:]))

    def share(self, place: int) -> Scalar:
        """f(place): what the seat at this place gets.  LocalError for the owner's own place."""
        if place < 1:
            raise LocalError("the share at no place would be the secret itself")
        return self._value(place)

    def _value(self, place: int) -> Scalar:
        if place < len(self._values):
            return self._values[place]
        weights = _weights(range(len(self._values)), place)
        return sum(map(int.__mul__, self._values, weights)) % ORDER

    def __repr__(self) -> str:
        return f"Polynomial(public={self.images.points[0].hex()[:16]})"

    def __reduce__(self) -> tuple[object, ...]:
        raise LocalError("a polynomial is not pickled")


def combine(partials: Mapping[int, Sequence[Point]], threshold: int) -> list[Point]:
    """x a of each slot, from the verified partial shares f(place) a by place.

    Those of the lowest `threshold` places are used; any others would give the same.  LocalError if
    there are fewer, or not as many points from each.
    """
    places = sorted(partials)[:threshold]
    if len(places) < threshold or len({len(partials[place]) for place in places}) != 1:
        raise LocalError("too few partial shares")
    weights = _weights(places, 0)
    return [
        group.msm(points, weights) for points in zip(*(partials[p] for p in places), strict=True)
    ]


def _weights(places: Sequence[int], at: int) -> list[int]:
    """Lagrange: the weight in f(at) of the value at each of these places.

    For places in a row all of them are small whole numbers (products of binomials).
    """
    return [_weight(place, places, at) for place in places]


def _weight(place: int, places: Sequence[int], at: int) -> int:
    above = below = 1
    for other in places:
        if other != place:
            above *= at - other
            below *= place - other
    whole, rest = divmod(above, below)
    return above * pow(below, -1, ORDER) % ORDER if rest else whole
