"""The file of one's identity: private, whole or absent, never overwritten."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from p2p.identity import file as identity_file
from p2p.identity.file import (
    IdentityFileError,
    create_identity,
    default_path,
    load_identity,
    load_or_create,
)

from .helpers import seeded


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "identity.json"
    made = create_identity(path, "Alice", seeded(1))
    read = load_identity(path)
    assert (read.public, read.name) == (made.public, "Alice")
    assert [entry.name for entry in path.parent.iterdir()] == ["identity.json"]


@pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX matter")
def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    create_identity(path, "Alice")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(IdentityFileError, match="chmod 600"):
        load_identity(path)


def test_it_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    create_identity(path, "Alice")
    before = path.read_bytes()
    with pytest.raises(IdentityFileError, match="already an identity"):
        create_identity(path, "Mallory")
    assert path.read_bytes() == before
    assert load_or_create(path, "Mallory").name == "Alice"


def test_where_hard_links_are_forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_paths: Path) -> None:
        raise PermissionError("no hard links here")

    monkeypatch.setattr(identity_file.os, "link", forbidden)
    path = tmp_path / "identity.json"
    made = load_or_create(path, "Alice")
    assert load_identity(path).public == made.public
    with pytest.raises(IdentityFileError, match="already an identity"):
        create_identity(path, "Mallory")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"format": "nodealer identity 2"}',
        b'{"format": "nodealer identity 1", "name": "A", "secret": 5}',
        b'{"format": "nodealer identity 1", "name": "A", "secret": "5eC7e7"}',
        b'{"format": "nodealer identity 1", "name": "A", "secret": "5eC7e7 not hex"}',
        b'{"format": "nodealer identity 1", "name": "A\\n", "secret": "' + b"5e" * 32 + b'"}',
    ],
)
def test_a_damaged_file_is_one_sentence_without_the_secret(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "identity.json"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(IdentityFileError) as caught:
        load_identity(path)
    assert "\n" not in str(caught.value)
    assert "5e" not in str(caught.value).replace(str(path), "").lower()


def test_a_missing_file_and_an_impossible_place(tmp_path: Path) -> None:
    with pytest.raises(IdentityFileError, match="no identity file"):
        load_identity(tmp_path / "nowhere")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(IdentityFileError, match="cannot be made"):
        create_identity(tmp_path / "file" / "identity.json", "Alice")


@pytest.mark.parametrize("name", ["", " padded", "a" * 25, "a\u202eb", "bell\a", "two\nlines"])
def test_names_fit_in_a_line_of_a_terminal(tmp_path: Path, name: str) -> None:
    with pytest.raises(IdentityFileError):
        create_identity(tmp_path / "identity.json", name)


def test_the_default_place_is_the_users_data_folder() -> None:
    assert default_path().name == "identity.json"
    assert "nodealer" in default_path().parts
