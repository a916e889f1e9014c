"""Public random values in one round (protocol section 4).

Each seat's share x_j P of the point P of a step is unique, so nobody can choose; the value
is a hash of the sum.  The shares are proven with `dleq.prove_shares`, over (P, x_j P).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from p2p.crypto import group
from p2p.crypto.group import Point
from p2p.errors import LocalError

VALUE_BYTES: Final = 64


def coin_point(table_id: bytes, step: int, previous: bytes) -> Point:
    """The point whose shares decide the coin of `step`.

    `previous` is the hash of the step before: nobody can ask for a share of a coin to come, and
    a table that forks tosses other coins.
    """
    return group.hash_to_point("coin", table_id, step.to_bytes(8, "big"), previous)


def coin_value(shares: Sequence[Point]) -> bytes:
    """64 bytes from all seats' verified shares, in any order.  LocalError without shares."""
    if not shares:
        raise LocalError("a coin needs everybody's share")
    return hashlib.sha512(b"nodealer coin value" + group.add_all(shares)).digest()


def draw(value: bytes, k: int, sides: int) -> int:
    """Draw `k` (0, 1, ...) of a coin step: a uniform number below `sides`.

    Rejection-sampled from SHA-512(label, value, k, attempt): no bias, and one coin step
    serves all draws of a question.
    """
    if sides < 1 or len(value) != VALUE_BYTES:
        raise LocalError("a draw needs a coin value and at least one side")
    space = 1 << 512
    fair = space - space % sides
    attempt = 0
    while True:
        counters = k.to_bytes(8, "big") + attempt.to_bytes(8, "big")
        drawn = int.from_bytes(hashlib.sha512(b"nodealer draw" + value + counters).digest(), "big")
        if drawn < fair:
            return drawn % sides
        attempt += 1
