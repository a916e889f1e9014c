"""Points are numbers: a group in which each equation holds that holds in ristretto255, and no more.

Both have the same prime order, so there is an isomorphism between them: what a proof checks is a
few equations between points, and those hold in the one group if and only if they hold in the other.
What is lost is that logarithms are hard to find, and no world looks for one.  All that is written
on top of the six functions of libsodium runs as ever.  They need a thousandth of the time, so each
seat verifies each proof itself.  Signatures remain what they are; one that was found valid is not
verified again.

Encodings are those of numbers below `ORDER`: seven of eight encodings of ristretto255 are none, so
a point that was kept from elsewhere is refused.  Not for the page's verifier, which has a group of
its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

from p2p.crypto import group
from p2p.crypto.group import ORDER, POINT_BYTES
from p2p.identity import keys

_REFUSED: Final = -1
_PLACES: Final = "p2p.crypto."
_from_bytes: Final = int.from_bytes


def _write(out: Any, number: int) -> int:
    out.raw = (number % ORDER).to_bytes(POINT_BYTES, "little")
    return 0


def _numbers(*points: Any) -> list[int] | None:
    """The numbers of these points, None if one is none."""
    numbers = [_from_bytes(point, "little") for point in points]
    return None if max(numbers) >= ORDER else numbers


def _multiply(out: Any, scalar: bytes, point: Any) -> int:
    number = _from_bytes(point, "little")
    product = _from_bytes(scalar, "little") * number % ORDER
    if number >= ORDER or not product:
        return _REFUSED
    return _write(out, product)


def _multiply_base(out: Any, scalar: bytes) -> int:
    return _write(out, _from_bytes(scalar, "little"))


def _add(out: Any, left: Any, right: Any) -> int:
    numbers = _numbers(left, right)
    return _REFUSED if numbers is None else _write(out, numbers[0] + numbers[1])


def _subtract(out: Any, left: Any, right: Any) -> int:
    numbers = _numbers(left, right)
    return _REFUSED if numbers is None else _write(out, numbers[0] - numbers[1])


def _is_valid(point: Any) -> int:
    return _from_bytes(point, "little") < ORDER


def _from_uniform(out: Any, uniform: bytes) -> int:
    return _write(out, _from_bytes(uniform, "little"))


_FUNCTIONS: Final[tuple[Callable[..., int], ...]] = (
    *(_multiply, _multiply_base, _add, _subtract, _is_valid, _from_uniform),
)


@contextmanager
def points_are_numbers() -> Iterator[None]:
    """In this block they are, for all of this process."""
    _forget_points()
    try:
        with ExitStack() as patched:
            for function in _FUNCTIONS:
                patched.enter_context(patch.object(group, function.__name__, function))
            patched.enter_context(patch.object(keys, "_is_valid", _known(keys._is_valid)))
            yield
    finally:
        _forget_points()


def _forget_points() -> None:
    """Of faces and generators, which are computed once in a process."""
    for module in _crypto():
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def _crypto() -> list[ModuleType]:
    return [module for name, module in sorted(sys.modules.items()) if name.startswith(_PLACES)]


def _known(is_valid: Callable[..., bool]) -> Callable[..., bool]:
    """What was valid is valid."""
    valid: set[tuple[bytes, bytes, bytes]] = set()

    def is_known(key: Any, signed: bytes, signature: bytes) -> bool:
        asked = key.public_bytes_raw(), signed, signature
        if asked not in valid:
            if not is_valid(key, signed, signature):
                return False
            valid.add(asked)
        return True

    return is_known
