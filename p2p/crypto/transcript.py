"""Fiat-Shamir transcripts: a running hash of everything a proof is about.

In the manner of merlin (https://merlin.cool) with SHA-512 in place of Strobe: each message
enters with its label and its length, so no two histories hash the same bytes, and each
challenge changes the state, so that what follows depends on it.  The prover's own randomness is
drawn from it as well, see `Transcript.witness_rng`.
"""

from __future__ import annotations

import hashlib
from typing import Final

from p2p.checks import Entropy
from p2p.crypto.group import Scalar, scalar_from_uniform
from p2p.crypto.hedged import Draws, framed
from p2p.errors import LocalError

_PROTOCOL: Final = b"nodealer transcript"
_APPEND: Final = b"\x00"
_CHALLENGE: Final = b"\x01"
_RATCHET: Final = b"\x02"
_DIGEST_BYTES: Final = 64


class Transcript:
    """What prover and verifier have both seen so far."""

    __slots__ = ("_state",)

    def __init__(self, label: str) -> None:
        self._state = hashlib.sha512(_PROTOCOL + framed(label.encode())).digest()

    def append(self, label: str, *data: bytes) -> None:
        """Absorb `data`, each part with its length, under `label`."""
        digest = hashlib.sha512(self._state + _APPEND + framed(label.encode()))
        digest.update(len(data).to_bytes(4, "big"))
        for part in data:
            digest.update(len(part).to_bytes(4, "big"))
            digest.update(part)
        self._state = digest.digest()

    def append_numbers(self, label: str, *numbers: int) -> None:
        """Absorb small non-negative integers (counts, positions) under `label`."""
        self.append(label, *(number.to_bytes(8, "big") for number in numbers))

    def challenge(self, label: str) -> Scalar:
        """A scalar other than zero that depends on everything absorbed so far."""
        return scalar_from_uniform(self._draw(label))

    def challenges(self, label: str, n: int, bits: int = 128) -> list[int]:
        """`n` integers of `bits` bits (a multiple of 8, at most 512), expanded from one draw."""
        width = bits // 8
        if bits % 8 or not 0 < width <= _DIGEST_BYTES:
            raise LocalError("challenges have 8, 16, ... or 512 bits")
        seed = self._draw(label)
        blocks = -(-n * width // _DIGEST_BYTES)
        stream = b"".join(
            hashlib.sha512(seed + block.to_bytes(4, "big")).digest() for block in range(blocks)
        )
        from_bytes = int.from_bytes
        return [from_bytes(stream[at : at + width], "little") for at in range(0, n * width, width)]

    def witness_rng(self, entropy: Entropy, *secrets: bytes) -> Draws:
        """The prover's randomness at this place of its proof; the transcript stays as it is.

        Ask once everything that the verifier challenges the prover about is absorbed, and again
        each time that something more was absorbed: then two proofs have the same nonces only if
        they have the same challenge.
        """
        return Draws(self._state, secrets, entropy)

    def copy(self) -> Transcript:
        """An independent transcript with the same history."""
        twin = Transcript.__new__(Transcript)
        twin._state = self._state
        return twin

    def _draw(self, label: str) -> bytes:
        named = framed(label.encode())
        drawn = hashlib.sha512(self._state + _CHALLENGE + named).digest()
        self._state = hashlib.sha512(self._state + _RATCHET + named).digest()
        return drawn
