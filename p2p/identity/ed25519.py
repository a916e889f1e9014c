"""Which 32 bytes are a sound Ed25519 public key (RFC 8032, section 5.1).

The library that verifies signatures accepts any 32 bytes as a key.  Keys of small order make
one signature fit several messages, and keys with a small-order part let two correct
verifiers disagree (Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs", SSR 2020);
so both are refused here, before a key is used for anything.  Keys are public: nothing here
needs constant time.
"""

from __future__ import annotations

from typing import Final

FIELD_PRIME: Final = 2**255 - 19
GROUP_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
CURVE_D: Final = -121665 * pow(121666, -1, FIELD_PRIME) % FIELD_PRIME
SQRT_MINUS_ONE: Final = pow(2, (FIELD_PRIME - 1) // 4, FIELD_PRIME)

Point = tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z (RFC 8032, 5.1.4)."""

NEUTRAL: Final[Point] = (0, 1, 1, 0)


def decompress(encoding: bytes) -> Point | None:
    """The curve point of an encoding, or None (RFC 8032, 5.1.3; y is reduced, not refused)."""
    y = (int.from_bytes(encoding, "little") & (2**255 - 1)) % FIELD_PRIME
    x_is_odd = encoding[31] >> 7
    numerator = (y * y - 1) % FIELD_PRIME
    denominator = (CURVE_D * y * y + 1) % FIELD_PRIME
    x_squared = numerator * pow(denominator, -1, FIELD_PRIME) % FIELD_PRIME
    x = pow(x_squared, (FIELD_PRIME + 3) // 8, FIELD_PRIME)
    if x * x % FIELD_PRIME != x_squared:
        x = x * SQRT_MINUS_ONE % FIELD_PRIME
    if x * x % FIELD_PRIME != x_squared:
        return None
    if x & 1 != x_is_odd:
        x = -x % FIELD_PRIME
    return x, y, 1, x * y % FIELD_PRIME


def add(first: Point, second: Point) -> Point:
    """Sum of two points (RFC 8032, 5.1.4; complete, so doubling needs no case of its own)."""
    x1, y1, z1, t1 = first
    x2, y2, z2, t2 = second
    difference = (y1 - x1) * (y2 - x2) % FIELD_PRIME
    total = (y1 + x1) * (y2 + x2) % FIELD_PRIME
    cross = 2 * t1 * t2 * CURVE_D % FIELD_PRIME
    depth = 2 * z1 * z2 % FIELD_PRIME
    e, f, g, h = total - difference, depth - cross, depth + cross, total + difference
    return e * f % FIELD_PRIME, g * h % FIELD_PRIME, f * g % FIELD_PRIME, e * h % FIELD_PRIME


def multiply(scalar: int, point: Point) -> Point:
    """`scalar` times `point`, by double and add."""
    result = NEUTRAL
    for bit in f"{scalar:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def is_neutral(point: Point) -> bool:
    x, y, z, _ = point
    return x % FIELD_PRIME == 0 and (y - z) % FIELD_PRIME == 0


def is_canonical(encoding: bytes) -> bool:
    """Whether y is below the field prime: each point has one such encoding."""
    return int.from_bytes(encoding, "little") & (2**255 - 1) < FIELD_PRIME


def has_prime_order(point: Point) -> bool:
    """Whether the point generates the large subgroup: neither small nor mixed order."""
    return not is_neutral(point) and is_neutral(multiply(GROUP_ORDER, point))


def is_sound_key(encoding: bytes) -> bool:
    """Whether these 32 bytes are the canonical encoding of a point of prime order."""
    if not is_canonical(encoding):
        return False
    point = decompress(encoding)
    return point is not None and has_prime_order(point)
