"""The library calls under every proof: how long one takes, and how many were made.

A floor is the time of the calls that cannot be avoided.  Everything above it is ours:
hashing, integers, loops, copies.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from cli.bench.timing import Work
from p2p.crypto import group
from p2p.identity import keys as identity

GROUP_CALLS: Final = {
    "_multiply": "multiply",
    "_multiply_base": "base",
    "_add": "add",
    "_subtract": "add",
    "_is_valid": "valid",
    "_from_uniform": "hash",
}
"""The name of a count, by function of libsodium as `p2p.crypto.group` binds it."""
SIGNATURE: Final = "signature"
LOOPS: Final = 50


@dataclass(frozen=True, slots=True)
class CallTimes:
    """Milliseconds a call: multiplication, base multiplication, addition, and so on."""

    multiply: float
    base: float
    add: float
    valid: float
    hash: float
    signature: float

    def total(self, counted: Mapping[str, int]) -> float:
        """The time of this many calls, in ms."""
        return sum(times * float(getattr(self, name)) for name, times in counted.items())


def call_works() -> dict[str, Work]:
    """Work for `timing.medians`: each a loop over one bare library call."""
    point, other = group.base(5), group.base(7)
    scalar = group.encode_scalar(group.random_scalar(os.urandom))
    uniform, out = os.urandom(group.UNIFORM_BYTES), group._PointBuffer()
    signer = identity.Identity.generate(os.urandom, "bench")
    signed = os.urandom(200)
    signature = signer.sign(_PURPOSE, signed)
    key = identity._library_key(signer.public)

    def times(call: Callable[..., object], *arguments: Any) -> Work:
        return lambda: [call(*arguments) for _ in range(LOOPS)]

    return {
        "call multiply": times(group._multiply, out, scalar, point),
        "call base": times(group._multiply_base, out, scalar),
        "call add": times(group._add, out, point, other),
        "call valid": times(group._is_valid, point),
        "call hash": times(group._from_uniform, out, uniform),
        "call signature": times(key.verify, signature, _PURPOSE + signed),
    }


_PURPOSE: Final = b"nodealer bench\0"


def call_times(taken: Mapping[str, float]) -> CallTimes:
    """The times of single calls from what `medians` measured of `call_works`."""
    return CallTimes(
        *(taken[f"call {name}"] / LOOPS for name in CallTimes.__dataclass_fields__),
    )


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count every call of libsodium, and every signature that is verified, in the block."""
    counted: Counter[str] = Counter()
    with _wrapped(group, GROUP_CALLS, counted), _wrapped(identity, _SIGNATURES, counted):
        yield counted


_SIGNATURES: Final = {"_is_valid": SIGNATURE}


@contextmanager
def _wrapped(module: Any, names: Mapping[str, str], counted: Counter[str]) -> Iterator[None]:
    real = {name: getattr(module, name) for name in names}
    for name, function in real.items():
        setattr(module, name, _counting(function, names[name], counted))
    try:
        yield
    finally:
        for name, function in real.items():
            setattr(module, name, function)


def _counting(function: Callable[..., Any], name: str, counted: Counter[str]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        counted[name] += 1
        return function(*arguments)

    return call
