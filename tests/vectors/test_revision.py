"""The revision of the program is that of its test vectors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p.protocol.genesis import decode_header, signed_revision
from p2p.protocol.logfile import split_log
from tests.revision import OF_TESTS, OF_THE_PROGRAM, OTHER
from tests.vectors import revision
from tests.vectors.make import INDEX, LOGS, frames


def test_program_has_revision_of_vectors() -> None:
    """If not: `python -m tests.vectors.revision`."""
    assert revision.derived() == OF_THE_PROGRAM
    assert OF_THE_PROGRAM != OF_TESTS


def test_changed_index_changes_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, index = revision.derived(), tmp_path / "index.json"
    index.write_text(INDEX.read_text("utf-8").replace('"seat": 1', '"seat": 2', 1), "utf-8")
    monkeypatch.setattr(revision, "INDEX", index)
    assert revision.derived() != before


def test_command_writes_revision_into_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "version.py"
    whole = revision.SOURCE.read_text("utf-8")
    source.write_text(whole.replace(OF_THE_PROGRAM.hex(), OTHER.hex()), "utf-8")
    monkeypatch.setattr(revision, "SOURCE", source)
    revision.write()
    assert source.read_text("utf-8") == whole


def test_vectors_have_revision_of_tests() -> None:
    assert json.loads(INDEX.read_text("utf-8"))["revision"] == OF_TESTS.hex()
    header = split_log((LOGS / "good-sneak.ndlog").read_bytes()).header
    assert decode_header(header).proposal.revision == signed_revision(header) == OF_TESTS


def test_index_lists_frames_of_program() -> None:
    """Programs that send other frames have another revision; `python -m tests.vectors.make`."""
    assert json.loads(INDEX.read_text("utf-8"))["frames"] == frames()
