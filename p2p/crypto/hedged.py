"""Secret random values that stay secret, and different, even if the machine's entropy fails.

What is drawn is a pseudorandom function of three things: the *place* where it is needed (no two
places are alike), what the owner alone knows, and fresh entropy.  Entropy that repeats still gives
a different value at each place; entropy that somebody guesses is still hidden behind the secret;
and without a secret nothing is lost compared with plain entropy.  In the manner of merlin's
transcript RNG (https://merlin.cool/transcript/rng.html), with HKDF (RFC 5869) over SHA-512: the
place is the salt.

`Draws` is for one place, such as a transcript (`Transcript.witness_rng`); `Hedged` is for values
that are made before there is any statement.
"""

from __future__ import annotations

import hashlib
import hmac
from itertools import count
from typing import Final

from p2p.checks import Entropy
from p2p.crypto.group import UNIFORM_BYTES, Scalar, scalar_from_uniform
from p2p.errors import LocalError

FRESH_BYTES: Final = 32
_LABEL: Final = b"nodealer hedged"
_HASH: Final = "sha512"
NO_COPY: Final = "secret randomness is not copied"
_BLOCK_BYTES: Final = 64


def framed(part: bytes) -> bytes:
    """`part` with its length before it."""
    return len(part).to_bytes(4, "big") + part


class Draws:
    """What is drawn at one place; every draw is a different value, whatever its label."""

    __slots__ = ("_drawn", "_key")

    def __init__(self, place: bytes, secrets: tuple[bytes, ...], entropy: Entropy) -> None:
        material = b"".join(map(framed, (*secrets, entropy(FRESH_BYTES))))
        self._key: Final = hmac.digest(place, material, _HASH)
        self._drawn = 0

    def octets(self, label: str, size: int) -> bytes:
        """`size` bytes."""
        info = self._drawn.to_bytes(8, "big") + framed(label.encode())
        self._drawn += 1
        blocks = [
            hmac.digest(self._key, info + block.to_bytes(4, "big"), _HASH)
            for block in range(-(-size // _BLOCK_BYTES))
        ]
        return b"".join(blocks)[:size]

    def scalar(self, label: str) -> Scalar:
        """A uniform scalar other than zero."""
        return scalar_from_uniform(self.octets(label, UNIFORM_BYTES))

    def __reduce__(self) -> tuple[object, ...]:
        raise LocalError(NO_COPY)


class Hedged:
    """An `Entropy` that never gives the same bytes twice.

    `place` distinguishes this source from every other one with these `secrets`, including those of
    a restarted program; only the owner knows the secrets.  Several threads may draw.
    """

    __slots__ = ("_calls", "_entropy", "_key")

    def __init__(self, entropy: Entropy, place: bytes, *secrets: bytes) -> None:
        self._entropy: Final = entropy
        salt = hashlib.sha512(_LABEL + place).digest()
        self._key: Final = hmac.digest(salt, b"".join(map(framed, secrets)), _HASH)
        self._calls: Final = count()

    def __call__(self, size: int) -> bytes:
        number = next(self._calls).to_bytes(8, "big")  # one bytecode: no two threads get the same
        return Draws(self._key, (number,), self._entropy).octets("hedged", size)

    def __reduce__(self) -> tuple[object, ...]:
        raise LocalError(NO_COPY)
