"""Slots as ElGamal ciphertexts, and the shares that open them (protocol section 4).

A slot (a, b) holds the card b - x a for the sum x of the secrets still on it.  A fresh deck
is (identity, card): everybody knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain

from p2p import checks
from p2p.crypto import group
from p2p.crypto.group import IDENTITY, POINT_BYTES, Point
from p2p.crypto.keys import TableSecret

Cipher = tuple[Point, Point]
"""One slot: (a, b)."""

CIPHER_BYTES = 2 * POINT_BYTES


def pack_ciphers(ciphers: Iterable[Cipher]) -> bytes:
    """a and b of each slot in turn, 64 bytes per slot."""
    return b"".join(chain.from_iterable(ciphers))


def unpack_ciphers(data: bytes, count: int, *, identity_ok: bool = False) -> list[Cipher]:
    """`count` slots from `pack_ciphers`.

    With `identity_ok`, a (never b) may be the identity: that is a slot in a fresh deck, or
    one that everybody knows.  Raises PeerError("malformed").
    """
    points = group.decode_points(data, 2 * count, identity_ok=identity_ok)
    ciphers = list(zip(points[::2], points[1::2], strict=True))
    checks.require(
        "elgamal.b-identity", IDENTITY not in points[1::2], "malformed", "a slot holds no card"
    )
    return ciphers


@cache
def card_point(deck_name: str, index: int) -> Point:
    """The point of the face whose lowest card is `index`: copies of a face have one point."""
    return group.hash_to_point("nodealer card", deck_name.encode(), index.to_bytes(4, "big"))


def fresh(point: Point) -> Cipher:
    """A slot whose card everybody knows."""
    return IDENTITY, group.decode_point(point)


def share(secret: TableSecret, cipher: Cipher) -> Point:
    """This seat's decryption share x a of a slot; `dleq.prove_shares` goes with it."""
    return group.mul(cipher[0], secret.scalar)


def strip(cipher: Cipher, shares: Sequence[Point]) -> Cipher:
    """The slot without the layers of the seats whose verified `shares` are given."""
    a, b = cipher
    for layer in shares:
        b = group.sub(b, layer)
    return a, b


def read(secret: TableSecret, cipher: Cipher) -> Point:
    """The card of a slot that is locked to this seat alone."""
    a, b = cipher
    return group.sub(b, group.mul(a, secret.scalar))
