"""Every check on what a peer sent goes through here, under a name of its own.

The name lets `tests/mutation` replace one check at a time and see a test fail; nothing in
the product can switch a check off.  Call all functions through the module
(`checks.require(...)`), so that the replacement takes effect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from p2p.errors import PeerError

Entropy = Callable[[int], bytes]
"""A source of random bytes: `os.urandom` in play, a seeded one in simulations."""

T = TypeVar("T")
WEIGHT_BYTES = 16


def require(check: str, ok: bool, verdict: str, reason: str) -> None:
    """Refuse what a peer sent unless `ok`; `check` names the check, `area.name`."""
    if not ok:
        raise PeerError(verdict, reason)


def present(check: str, value: T | None, verdict: str, reason: str) -> T:
    """Return what a peer sent, or what was read from it; refuse it if it is None."""
    require(check, value is not None, verdict, reason)
    return cast(T, value)


def weight(check: str, entropy: Entropy) -> int:
    """A fresh odd 128-bit weight for one equation of a random linear combination.

    Several equations are verified as one weighted sum; a cheat passes with probability
    2**-127 (small-exponent test of Bellare, Garay and Rabin, EUROCRYPT 1998).

    All it needs is that no prover can guess it before committing: afterwards it need not be secret,
    and it may even repeat.  A seat's entropy is hedged by its table secret (`p2p.crypto.hedged`);
    an audit has no secret to hedge with, and what it reads was written before it draws.
    """
    return int.from_bytes(entropy(WEIGHT_BYTES), "little") | 1
