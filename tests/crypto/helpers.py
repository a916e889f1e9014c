"""What the crypto tests share: seeded entropy, secrets, decks, transcripts, vectors."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from p2p.crypto import elgamal, group
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import Point
from p2p.crypto.keys import TableSecret
from p2p.crypto.transcript import Transcript

VECTORS = Path(__file__).parent.parent / "vectors"


class SeededEntropy:
    """Reproducible random bytes (SHAKE-256 of a seed and a counter)."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._requests = 0

    def __call__(self, length: int) -> bytes:
        self._requests += 1
        counter = self._requests.to_bytes(8, "big")
        return hashlib.shake_256(counter + self._seed).digest(length)


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


def bad_encodings() -> list[bytes]:
    """RFC 9496 A.2, and one encoding that libsodium 1.0.18 takes for a multiple of G."""
    families = load("rfc9496_ristretto255.json")["bad_encodings"].values()
    listed = [bytes.fromhex(encoding) for family in families for encoding in family]
    return [*listed, with_high_bit(group.base(2))]


def with_high_bit(point: Point) -> bytes:
    return point[:-1] + bytes([point[-1] | 0x80])


def secret(seed: str = "secret") -> TableSecret:
    return TableSecret.generate(SeededEntropy(seed))


def cards(count: int, deck: str = "test deck") -> list[Point]:
    return [elgamal.card_point(deck, index) for index in range(count)]


def hide(card: Point, key: Point, seed: str) -> Cipher:
    """`card` encrypted under `key`."""
    r = group.random_scalar(SeededEntropy(seed))
    return group.base(r), group.add(card, group.mul(key, r))


def hidden_deck(count: int, key: Point, seed: str = "hidden deck") -> list[Cipher]:
    return [hide(card, key, f"{seed} {index}") for index, card in enumerate(cards(count))]


def transcript(operation: str = "test") -> Transcript:
    bound = Transcript("test table")
    bound.append("operation", operation.encode())
    return bound
