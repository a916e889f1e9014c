"""The group ristretto255 (RFC 9496): points, scalars, hashing to both.

A `Point` is its canonical 32-byte encoding, a `Scalar` an integer modulo `ORDER`.  This is
the only module that touches `rbcl`, because rbcl has edges (protocol, introduction): it
leaves a copy of libsodium in the temp folder, and its wrappers hide the status codes of
addition.  We call the same C functions with their status looked at, so a bad encoding is a
`PeerError` in every operation, and the identity and zero are ordinary values.

Multiplication is constant time in libsodium; the integers around it are Python's and are
not.  ctypes releases the GIL during each call.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from types import TracebackType
from typing import Any, Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto.errors import CryptoUnavailable
from p2p.errors import LocalError

Point = bytes
Scalar = int

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
UNIFORM_BYTES: Final = 64
"""How many bytes are reduced to a scalar or mapped to a point without visible bias."""
IDENTITY: Final[Point] = bytes(POINT_BYTES)
_TOP: Final = POINT_BYTES - 1
_HIGH_BIT: Final = 0x80
"""libsodium 1.0.18, which rbcl 1.1 bundles, ignores this bit of the last byte when it decodes,
so each point would have two encodings.  RFC 9496, section 4.3.1, refuses it: so do we."""


def _discard(path: str, handle: int) -> None:
    """Remove the copy of libsodium that rbcl leaves in the temp folder."""
    if os.name == "nt":  # a loaded library cannot be deleted there
        atexit.register(_release_and_remove, path, handle)
    else:
        _remove(path)


def _release_and_remove(path: str, handle: int) -> None:
    importlib.import_module("_ctypes").FreeLibrary(handle)
    _remove(path)


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):  # a temp cleaner was faster
        os.unlink(path)


def _half_written_copy(trace: TracebackType | None) -> str | None:
    """The path of the copy if rbcl failed to load it: a variable of the failed module."""
    while trace is not None:
        names = trace.tb_frame.f_globals
        if names.get("__name__") == "rbcl._sodium":
            return names.get("lib_path")
        trace = trace.tb_next
    return None


def _bundled() -> Any:
    """The module of rbcl that holds libsodium.

    The package itself is not imported: its wrappers, which we do not call, would make the start of
    every peer 5 % longer.
    """
    name = "rbcl._sodium"
    if name not in sys.modules:
        package = find_spec("rbcl")
        inside = package and PathFinder.find_spec(name, package.submodule_search_locations)
        if inside is None or inside.loader is None:
            raise ModuleNotFoundError("rbcl is not installed")
        module = module_from_spec(inside)
        inside.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def _load_libsodium() -> ctypes.CDLL:
    """libsodium as bundled by rbcl, behind a handle of our own."""
    try:
        module = _bundled()
    except (ImportError, OSError) as error:
        leftover = _half_written_copy(error.__traceback__)
        if leftover is not None:
            _remove(leftover)
        raise CryptoUnavailable(
            "The cryptography library cannot be loaded from the temp folder; set TMPDIR to a"
            " folder that is writable and allows execution."
        ) from error
    handle: int = module._sodium._handle
    _discard(module.lib_path, handle)
    return _started(ctypes.CDLL("libsodium", handle=handle))


def _started(library: ctypes.CDLL) -> ctypes.CDLL:
    """The library, which has chosen the code for this processor."""
    if library.sodium_init() < 0:
        raise CryptoUnavailable("The cryptography library does not start on this machine.")
    return library


_libsodium: Final = _load_libsodium()


def _function(name: str, arguments: int) -> Callable[..., int]:
    function = _libsodium[name]
    function.argtypes = (ctypes.c_void_p,) * arguments
    function.restype = ctypes.c_int
    return function


_multiply: Final = _function("crypto_scalarmult_ristretto255", 3)
_multiply_base: Final = _function("crypto_scalarmult_ristretto255_base", 2)
_add: Final = _function("crypto_core_ristretto255_add", 3)
_subtract: Final = _function("crypto_core_ristretto255_sub", 3)
_is_valid: Final = _function("crypto_core_ristretto255_is_valid_point", 1)
_from_uniform: Final = _function("crypto_core_ristretto255_from_hash", 2)
_PointBuffer: Final = ctypes.c_char * POINT_BYTES


NO_POINT: Final = "a point is not a ristretto255 encoding"


def _refuse_operand() -> None:
    checks.require("group.operand", False, "malformed", NO_POINT)


def _misshapen(point: Point) -> bool:
    return len(point) != POINT_BYTES or point[_TOP] >= _HIGH_BIT


def _require_operand(point: Point) -> None:
    if _misshapen(point) or not _is_valid(point):
        _refuse_operand()


# Decoding: whatever a peer sends as points and scalars passes here.


def decode_point(data: bytes, *, identity_ok: bool = False) -> Point:
    """The point that `data` encodes.  PeerError if it encodes none, or the identity."""
    return decode_points(data, 1, identity_ok=identity_ok)[0]


def decode_points(data: bytes, count: int, *, identity_ok: bool = False) -> list[Point]:
    """`count` points from their concatenated encodings.

    Raises PeerError("malformed") for another length, for a bad encoding (RFC 9496, section
    4.3.1), and for the identity unless `identity_ok`.
    """
    checks.require(
        "group.points-length",
        _has_length(data, count * POINT_BYTES),
        "malformed",
        "the points have another length",
    )
    points = [data[at : at + POINT_BYTES] for at in range(0, len(data), POINT_BYTES)]
    checks.require(
        "group.high-bit",
        max(data[_TOP::POINT_BYTES], default=0) < _HIGH_BIT,
        "malformed",
        "a point is not a canonical encoding",
    )
    valid = _is_valid
    checks.require(
        "group.point",
        all([valid(point) for point in points]),  # noqa: C419  faster than a generator
        "malformed",
        NO_POINT,
    )
    checks.require(
        "group.identity", identity_ok or IDENTITY not in points, "malformed", "a point is zero"
    )
    return points


def decode_scalar(data: bytes, *, verdict: str = "malformed") -> Scalar:
    """The scalar that 32 little-endian bytes encode.  PeerError(`verdict`) unless < ORDER."""
    return decode_scalars(data, 1, verdict=verdict)[0]


def decode_scalars(data: bytes, count: int, *, verdict: str = "malformed") -> list[Scalar]:
    """`count` scalars from their concatenated encodings.

    Raises PeerError(`verdict`) for another length and for a value that is not below ORDER.
    """
    checks.require(
        "group.scalars-length",
        _has_length(data, count * SCALAR_BYTES),
        verdict,
        "the scalars have another length",
    )
    from_bytes = int.from_bytes
    scalars = [
        from_bytes(data[at : at + SCALAR_BYTES], "little")
        for at in range(0, len(data), SCALAR_BYTES)
    ]
    checks.require(
        "group.scalar", max(scalars, default=0) < ORDER, verdict, "a scalar is out of range"
    )
    return scalars


def _has_length(data: bytes, length: int) -> bool:
    return isinstance(data, bytes) and len(data) == length


def encode_scalar(scalar: Scalar) -> bytes:
    """32 little-endian bytes of `scalar` modulo ORDER."""
    return (scalar % ORDER).to_bytes(SCALAR_BYTES, "little")


# Arithmetic.  A bad encoding is refused by libsodium's own decoding, at no extra cost.


def mul(point: Point, scalar: Scalar) -> Point:
    """`scalar` times `point`; the identity is an ordinary operand and an ordinary result."""
    scalar %= ORDER
    if not scalar or point == IDENTITY:
        _require_operand(point)
        return IDENTITY
    product = _PointBuffer()
    encoded = scalar.to_bytes(SCALAR_BYTES, "little")
    if _misshapen(point) or _multiply(product, encoded, point):
        _refuse_operand()  # the order is prime, so the product cannot be the identity
    return product.raw


def base(scalar: Scalar) -> Point:
    """`scalar` times the generator."""
    scalar %= ORDER
    product = _PointBuffer()
    if scalar and _multiply_base(product, scalar.to_bytes(SCALAR_BYTES, "little")):
        raise LocalError("libsodium refused a multiple of the generator")
    return product.raw


def add(left: Point, right: Point) -> Point:
    """The sum of two points."""
    total = _PointBuffer()
    if _misshapen(left) or _misshapen(right) or _add(total, left, right):
        _refuse_operand()
    return total.raw


def sub(left: Point, right: Point) -> Point:
    """The difference of two points."""
    difference = _PointBuffer()
    if _misshapen(left) or _misshapen(right) or _subtract(difference, left, right):
        _refuse_operand()
    return difference.raw


def add_all(points: Iterable[Point]) -> Point:
    """The sum of `points`; the identity if there are none."""
    total = _PointBuffer()
    for point in points:
        if _misshapen(point) or _add(total, total, point):
            _refuse_operand()
    return total.raw


def msm(points: Sequence[Point], scalars: Sequence[Scalar]) -> Point:
    """The sum of each scalar times its point (multi-scalar multiplication).

    Any integers will do as scalars.  LocalError if the two lengths differ.
    """
    if len(points) != len(scalars):
        raise LocalError("msm needs one scalar a point")
    total, term = _PointBuffer(), _PointBuffer()
    multiply, accumulate = _multiply, _add
    product = total  # the first product needs no addition
    for point, scalar in zip(points, scalars, strict=True):
        factor = scalar % ORDER
        if not factor or point == IDENTITY:
            _require_operand(point)
            continue
        encoded = factor.to_bytes(SCALAR_BYTES, "little")
        if _misshapen(point) or multiply(product, encoded, point):
            _refuse_operand()
        if product is term:
            accumulate(total, total, term)
        product = term
    return total.raw


def small_sum(points: Sequence[Point], factors: Sequence[int]) -> Point:
    """The sum of each factor times its point, for factors of a few bits, which may be negative.

    Doublings that all terms share, and an addition for each bit that is set: for small factors less
    than `msm`, whose multiplications take as long for 1 as for any scalar.  Not constant time.
    """
    terms, total = list(zip(points, factors, strict=True)), _PointBuffer()
    for point, factor in terms:
        if not factor:
            _require_operand(point)
    for bit in reversed(range(max(map(abs, factors), default=0).bit_length())):
        if total.raw != IDENTITY:
            _add(total, total, total)
        for point, factor in terms:
            if abs(factor) >> bit & 1:
                combine = _add if factor > 0 else _subtract
                if _misshapen(point) or combine(total, total, point):
                    _refuse_operand()
    return total.raw


def rank_sum(points: Sequence[Point]) -> Point:
    """`points[0] + 2 points[1] + 3 points[2] + ...`, by running sums: two additions a point."""
    running, total = _PointBuffer(), _PointBuffer()
    for point in reversed(points):
        if _misshapen(point) or _add(running, running, point):
            _refuse_operand()
        _add(total, total, running)
    return total.raw


# Hashing and randomness.


def _labelled(label: str, parts: Iterable[bytes]) -> bytes:
    digest = hashlib.sha512(b"nodealer group")
    for part in (label.encode(), *parts):
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()


def from_uniform(uniform: bytes) -> Point:
    """The point that 64 uniform bytes map to (RFC 9496, section 4.3.4)."""
    if len(uniform) != UNIFORM_BYTES:
        raise LocalError("the one-way map takes 64 bytes")
    point = _PointBuffer()
    _from_uniform(point, uniform)
    return point.raw


def hash_to_point(label: str, *parts: bytes) -> Point:
    """A point whose logarithm nobody knows, from a label and byte strings of any length."""
    return from_uniform(_labelled(label, parts))


def scalar_from_uniform(uniform: bytes) -> Scalar:
    """A scalar other than zero from 64 uniform bytes."""
    return int.from_bytes(uniform, "little") % (ORDER - 1) + 1


def random_scalar(entropy: Entropy) -> Scalar:
    """A uniform scalar other than zero."""
    return scalar_from_uniform(entropy(UNIFORM_BYTES))


def random_scalars(entropy: Entropy, count: int) -> list[Scalar]:
    """`count` uniform scalars other than zero, from one request for entropy."""
    uniform = entropy(UNIFORM_BYTES * count)
    starts = range(0, UNIFORM_BYTES * count, UNIFORM_BYTES)
    return [scalar_from_uniform(uniform[at : at + UNIFORM_BYTES]) for at in starts]


GENERATOR: Final[Point] = base(1)
