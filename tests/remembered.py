"""libsodium's products and the checks of signatures, remembered for the tests that come after.

Most tests of the protocol play the same few tables from the same seeds, so the same points are
multiplied by the same scalars in one test after the other, at each of the seats: more than half of
the work of most tests was that.  What is remembered are answers of libraries to the same
question, byte for byte.  All code of ours runs as ever, and those who count calls count them.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2p.crypto import group
from p2p.identity import keys

MULTIPLICATIONS: Final = ("_multiply", "_multiply_base")
MOST: Final = 1 << 17
"""So many answers are kept, some 40 MB; then all are forgotten, for tests come in no order."""


_MEMORIES: Final[list[dict[Any, Any]]] = []


def remember() -> None:
    """From now on."""
    for name in MULTIPLICATIONS:
        setattr(group, name, _product(getattr(group, name)))
    vars(keys)["_is_valid"] = _verdict(keys._is_valid)


def forget() -> None:
    """Ask again: for tests that change the code which asks, or count what is kept."""
    for memory in _MEMORIES:
        memory.clear()


def _product(function: Callable[..., int]) -> Callable[..., int]:
    """A function of libsodium that writes a point: it says 0, or refuses an operand."""
    known: dict[tuple[bytes, ...], bytes] = {}
    _MEMORIES.append(known)

    def call(out: ctypes.Array[Any], *operands: bytes) -> int:
        found = known.get(operands)
        if found is not None:
            out.raw = found
            return 0
        refused = function(out, *operands)
        if not refused:
            _keep(known, operands, out.raw)
        return refused

    return call


def _verdict(
    function: Callable[[Ed25519PublicKey, bytes, bytes], bool],
) -> Callable[[Ed25519PublicKey, bytes, bytes], bool]:
    known: dict[tuple[bytes, bytes, bytes], bool] = {}
    _MEMORIES.append(known)

    @functools.wraps(function)
    def call(key: Ed25519PublicKey, signed: bytes, signature: bytes) -> bool:
        asked = key.public_bytes_raw(), signed, signature
        said = known.get(asked)
        if said is None:
            said = function(key, signed, signature)
            _keep(known, asked, said)
        return said

    return call


def _keep(known: dict[Any, Any], question: object, answer: object) -> None:
    if len(known) >= MOST:
        known.clear()
    known[question] = answer
