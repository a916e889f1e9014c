"""RFC 9496 vectors, the edges of rbcl, and ordinary arithmetic."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import group
from p2p.crypto.errors import CryptoUnavailable
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, bad_encodings, load, with_high_bit

VECTORS = load("rfc9496_ristretto255.json")
REPOSITORY = Path(__file__).parents[2]
scalars = st.integers(min_value=0, max_value=group.ORDER - 1)


@pytest.mark.parametrize(
    ("multiple", "encoding"), list(enumerate(VECTORS["multiples_of_the_generator"]))
)
def test_multiples_of_the_generator_match_rfc_9496(multiple: int, encoding: str) -> None:
    expected = bytes.fromhex(encoding)
    assert group.base(multiple) == expected
    assert group.mul(group.GENERATOR, multiple) == expected
    assert group.add_all([group.GENERATOR] * multiple) == expected
    assert group.decode_point(expected, identity_ok=True) == expected


@pytest.mark.parametrize("vector", VECTORS["one_way_map"], ids=lambda v: v["input"][:8])
def test_the_one_way_map_matches_rfc_9496(vector: dict[str, str]) -> None:
    assert group.from_uniform(bytes.fromhex(vector["input"])).hex() == vector["output"]


@pytest.mark.check("group.point")
@pytest.mark.parametrize("encoding", bad_encodings()[:-1], ids=lambda e: e.hex()[:8])
def test_bad_encodings_are_refused(encoding: bytes) -> None:
    for data, count in ((encoding, 1), (group.GENERATOR + encoding, 2)):
        with pytest.raises(PeerError) as caught:
            group.decode_points(data, count)
        assert caught.value.verdict == "malformed"


@pytest.mark.check("group.high-bit")
@pytest.mark.parametrize("point", [group.IDENTITY, group.base(3)], ids=["identity", "3 G"])
def test_the_ignored_bit_of_libsodium_gives_no_second_encoding(point: group.Point) -> None:
    with pytest.raises(PeerError, match="canonical"):
        group.decode_points(group.GENERATOR + with_high_bit(point), 2, identity_ok=True)


@pytest.mark.check("group.operand")
@pytest.mark.parametrize("encoding", bad_encodings(), ids=lambda e: e.hex()[:8])
@pytest.mark.call(
    "p2p.crypto.group:_require_operand -> _refuse_operand",
    "p2p.crypto.group:add -> _refuse_operand",
    "p2p.crypto.group:add_all -> _refuse_operand",
    "p2p.crypto.group:msm -> _refuse_operand",
    "p2p.crypto.group:msm -> _require_operand",
    "p2p.crypto.group:mul -> _refuse_operand",
    "p2p.crypto.group:mul -> _require_operand",
    "p2p.crypto.group:rank_sum -> _refuse_operand",
    "p2p.crypto.group:small_sum -> _refuse_operand",
    "p2p.crypto.group:small_sum -> _require_operand",
    "p2p.crypto.group:sub -> _refuse_operand",
)
def test_arithmetic_refuses_bad_encodings(encoding: bytes) -> None:
    good = group.GENERATOR
    for operation in (
        lambda: group.mul(encoding, 5),
        lambda: group.mul(encoding, 0),
        lambda: group.add(encoding, good),
        lambda: group.add(good, encoding),
        lambda: group.sub(encoding, good),
        lambda: group.sub(good, encoding),
        lambda: group.add_all([good, encoding]),
        lambda: group.rank_sum([good, encoding]),
        lambda: group.msm([good, encoding], [1, 2]),
        lambda: group.msm([encoding, good], [0, 2]),
        lambda: group.small_sum([good, encoding], [1, -2]),
        lambda: group.small_sum([encoding, good], [0, 2]),
    ):
        with pytest.raises(PeerError) as caught:
            operation()
        assert caught.value.verdict == "malformed"


@pytest.mark.parametrize("length", [0, 31, 33])
def test_arithmetic_refuses_other_lengths(length: int) -> None:
    with pytest.raises(PeerError):
        group.mul(bytes(length), 3)
    with pytest.raises(PeerError):
        group.add(group.GENERATOR, bytes(length))


@pytest.mark.check("group.points-length")
@pytest.mark.parametrize("change", [b"\x00", group.GENERATOR, None])
def test_the_number_of_points_is_exact(change: bytes | None) -> None:
    two = group.GENERATOR * 2
    data = two[:-32] if change is None else two + change
    with pytest.raises(PeerError, match="length"):
        group.decode_points(data, 2, identity_ok=True)


@pytest.mark.check("group.identity")
def test_the_identity_is_refused_unless_asked_for() -> None:
    data = group.GENERATOR + group.IDENTITY
    assert group.decode_points(data, 2, identity_ok=True)[1] == group.IDENTITY
    with pytest.raises(PeerError, match="zero"):
        group.decode_points(data, 2)


@pytest.mark.check("group.scalar")
@pytest.mark.parametrize("value", [group.ORDER, group.ORDER + 1, 2**256 - 1])
def test_scalars_out_of_range_are_refused(value: int) -> None:
    data = group.encode_scalar(7) + value.to_bytes(32, "little")
    with pytest.raises(PeerError) as caught:
        group.decode_scalars(data, 2, verdict="bad-share")
    assert caught.value.verdict == "bad-share"


@pytest.mark.check("group.scalars-length")
@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_the_number_of_scalars_is_exact(length: int) -> None:
    with pytest.raises(PeerError, match="length"):
        group.decode_scalar(bytes(length))


def test_scalars_are_little_endian() -> None:
    assert group.encode_scalar(258) == b"\x02\x01" + bytes(30)
    assert group.decode_scalar(group.encode_scalar(-1)) == group.ORDER - 1


@settings(max_examples=25)
@given(left=scalars, right=scalars)
def test_arithmetic_follows_the_scalars(left: int, right: int) -> None:
    first, second = group.base(left), group.base(right)
    assert group.add(first, second) == group.base(left + right)
    assert group.sub(first, second) == group.base(left - right)
    assert group.mul(first, right) == group.base(left * right)
    assert group.msm([first, second, group.GENERATOR], [right, left, -1]) == group.base(
        2 * left * right - 1
    )


def test_zero_and_identity_are_ordinary() -> None:
    point = group.base(9)
    assert group.mul(point, 0) == group.mul(point, group.ORDER) == group.IDENTITY
    assert group.mul(group.IDENTITY, 5) == group.IDENTITY
    assert group.add(point, group.IDENTITY) == point
    assert group.sub(point, point) == group.IDENTITY
    assert group.base(0) == group.IDENTITY
    assert group.msm([], []) == group.add_all([]) == group.rank_sum([]) == group.IDENTITY
    assert group.msm([group.IDENTITY, point, point], [3, 0, 1]) == point
    assert group.msm([point, point], [1, -1]) == group.IDENTITY


def test_rank_sum_weights_each_point_by_its_rank() -> None:
    points = [group.base(k) for k in (5, 7, 11)]
    assert group.rank_sum(points) == group.base(5 + 2 * 7 + 3 * 11)


@given(st.lists(st.tuples(scalars, st.integers(-300, 300)), max_size=5))
@settings(max_examples=25)
def test_small_sum_is_the_sum_of_the_products(terms: list[tuple[int, int]]) -> None:
    points, factors = [group.base(scalar) for scalar, _ in terms], [one for _, one in terms]
    assert group.small_sum(points, factors) == group.msm(points, factors)


def test_hashing_to_a_point_separates_labels_and_parts() -> None:
    images = {
        group.hash_to_point("a", b"bc"),
        group.hash_to_point("ab", b"c"),
        group.hash_to_point("a", b"b", b"c"),
        group.hash_to_point("a"),
    }
    assert len(images) == 4


def test_random_scalars_are_reproducible_and_not_zero() -> None:
    assert group.random_scalar(bytes) == 1
    assert group.random_scalars(SeededEntropy("s"), 3) == group.random_scalars(
        SeededEntropy("s"), 3
    )


def test_our_own_mistakes_are_loud() -> None:
    with pytest.raises(LocalError):
        group.msm([group.GENERATOR], [])
    with pytest.raises(LocalError):
        group.from_uniform(bytes(63))


def _python(folder: Path, *code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "\n".join(code)],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_no_copy_of_libsodium_stays_in_the_temp_folder(tmp_path: Path) -> None:
    for _ in range(3):
        run = _python(tmp_path, "import p2p.crypto.group as g", "print(g.base(1) == g.GENERATOR)")
        assert run.stdout == "True\n", run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_temp_folder_without_execution_is_one_clear_sentence(tmp_path: Path) -> None:
    run = _python(
        tmp_path,
        "import ctypes",
        "def refuse(path): raise OSError(f'{path}: failed to map segment from shared object')",
        "ctypes.cdll.LoadLibrary = refuse",
        "from p2p.crypto.errors import CryptoUnavailable",
        "try:",
        "    import p2p.crypto.group",
        "except CryptoUnavailable as error:",
        "    print(error)",
    )
    assert "set TMPDIR" in run.stdout, run.stderr
    assert len(run.stdout.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_library_that_does_not_start_is_one_clear_sentence() -> None:
    with pytest.raises(CryptoUnavailable, match="does not start on this machine"):
        group._started(SimpleNamespace(sodium_init=lambda: -1))  # type: ignore[arg-type]


def test_the_wrappers_around_the_library_are_not_imported(tmp_path: Path) -> None:
    run = _python(tmp_path, "import sys, p2p.crypto.group", "print('rbcl.rbcl' in sys.modules)")
    assert run.stdout == "False\n", run.stderr


def test_where_a_loaded_library_cannot_be_deleted_it_goes_at_exit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, as far as that can be tested elsewhere: released first, then removed."""
    copy = tmp_path / "libsodium.pyd"
    copy.write_bytes(b"library")
    done: list[object] = []
    released = SimpleNamespace(FreeLibrary=lambda handle: done.append((handle, copy.exists())))
    monkeypatch.setattr(group, "os", SimpleNamespace(name="nt", unlink=os.unlink))
    monkeypatch.setattr(group.atexit, "register", lambda *call: done.append(call))
    monkeypatch.setattr(group.importlib, "import_module", lambda _: released)
    group._discard(str(copy), 7)
    (at_exit, path, handle) = done.pop()
    assert copy.exists()
    at_exit(path, handle)
    assert done == [(7, True)]
    assert not copy.exists()


def test_a_scalar_from_uniform_bytes_is_any_but_zero() -> None:
    """The largest scalar comes, the next number begins anew at one."""
    last = group.ORDER - 2
    found = [last.to_bytes(64, "little"), (last + 1).to_bytes(64, "little"), bytes(64)]
    assert [group.scalar_from_uniform(uniform) for uniform in found] == [group.ORDER - 1, 1, 1]
