"""How libsodium is loaded, and what becomes of the copy that rbcl leaves, in this process."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace, TracebackType
from typing import Any

import pytest

from p2p.crypto import group
from p2p.crypto.errors import CryptoUnavailable
from p2p.errors import LocalError

RBCL = "rbcl._sodium"


def broken_at(module: str, **names: object) -> TracebackType | None:
    """Where an import of this module fails, which has these variables by then."""
    code = "def load(): raise OSError('failed to map segment')\nload()"
    try:
        exec(code, {"__name__": module, **names})
    except OSError as error:
        return error.__traceback__
    raise AssertionError("nothing failed")


def test_the_copy_is_removed_once(tmp_path: Path) -> None:
    """A temp cleaner may be faster."""
    copy = tmp_path / "libsodium.so"
    copy.write_bytes(b"library")
    for _ in range(2):
        group._discard(str(copy), 7)
        assert not copy.exists()


def test_a_copy_is_known_by_the_module_that_could_not_load_it() -> None:
    assert group._half_written_copy(None) is None
    assert group._half_written_copy(broken_at("another", lib_path="copy")) is None
    assert group._half_written_copy(broken_at(RBCL)) is None
    assert group._half_written_copy(broken_at(RBCL, lib_path="copy")) == "copy"


@pytest.mark.parametrize("written", [True, False])
def test_a_library_that_cannot_be_loaded_leaves_nothing(
    written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "libsodium.so"
    if written:
        copy.write_bytes(b"half of it")
    names = {"lib_path": str(copy)} if written else {}

    def fails() -> Any:
        raise OSError("not executable").with_traceback(broken_at(RBCL, **names))

    monkeypatch.setattr(group, "_bundled", fails)
    with pytest.raises(CryptoUnavailable, match="set TMPDIR to a folder"):
        group._load_libsodium()
    assert not copy.exists()


def test_the_module_that_is_loaded_is_the_one_that_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert group._bundled() is sys.modules[RBCL]
    other = ModuleType(RBCL)
    monkeypatch.setitem(sys.modules, RBCL, other)
    assert group._bundled() is other


@pytest.mark.parametrize("found", ["no package", "no module", "no loader"])
def test_without_rbcl_it_is_not_installed(found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, RBCL)
    package = SimpleNamespace(submodule_search_locations=[])
    inside = None if found == "no module" else SimpleNamespace(loader=None)
    monkeypatch.setattr(group, "find_spec", lambda _: None if found == "no package" else package)
    monkeypatch.setattr(group, "PathFinder", SimpleNamespace(find_spec=lambda *_: inside))
    with pytest.raises(ModuleNotFoundError, match="rbcl is not installed"):
        group._bundled()


def test_a_multiple_of_the_generator_that_is_refused_is_our_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group, "_multiply_base", lambda product, scalar: -1)
    with pytest.raises(LocalError, match="refused a multiple of the generator"):
        group.base(1)
    assert group.base(0) == group.IDENTITY, "nobody asks libsodium for it"
