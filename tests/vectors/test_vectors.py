"""The vectors on disk: whole, as small as promised, and judged as the index says."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from engine.games import NAMES
from p2p.errors import VERDICTS
from p2p.protocol.entry import decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import LOG_MAGIC, split_log
from p2p.version import PROTOCOL_VERSION
from replay.audit import CLOSED_WITHOUT, COMPLETE, audit_bytes
from tests.protocol.kit import seeded
from tests.vectors.make import HERE, INDEX, LOGS, QUESTIONS, all_vectors, describe, questions_of
from tests.vectors.scenes import SCENES
from tests.vectors.tables import log_of

SIZE_MAX: Final = 5_800_000
"""All files together, in bytes."""
LIVE_ONLY: Final = {"bad-handshake"}
"""Verdicts that no file can show."""
KINDS: Final = {
    "shuffle", "confirm", "cut", "cut-open", "reshuffle", "deal", "open", "coin", "hand-over",
    "put-back", "play", "lay-all", "lay-down", "swear", "choose", "commit", "reveal", "race",
    "witness", "lay-set", "set-commit", "set-reveal", "leave", "farewell", "vote", "mend",
    "relock", "strip", "close",
}  # fmt: skip
"""Protocol reference, section 5."""

VECTORS: Final[list[dict[str, Any]]] = json.loads(INDEX.read_text("utf-8"))["vectors"]


@cache
def data_of(file: str) -> bytes:
    return (HERE / file).read_bytes()


def good() -> list[bytes]:
    return [data_of(one["file"]) for one in VECTORS if one["verdict"] == COMPLETE]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: Path(one["file"]).name)
def test_the_audit_says_what_the_index_says(vector: dict[str, Any]) -> None:
    report = audit_bytes(data_of(vector["file"]), vector["file"], seeded("vectors"))
    said = (report.verdict, report.seat, report.step)
    assert said == (vector["verdict"], vector["seat"], vector["step"]), report.reason
    assert report.verified == (vector["verdict"] == COMPLETE)


def test_the_index_lists_every_file_once() -> None:
    listed = [one["file"] for one in VECTORS]
    assert sorted(listed) == sorted(f"logs/{path.name}" for path in LOGS.iterdir())
    hashes = {one["sha256"] for one in VECTORS}
    assert hashes == {hashlib.sha256(data_of(file)).hexdigest() for file in listed}
    assert len(hashes) == len(listed)
    assert sum(len(data_of(file)) for file in listed) < SIZE_MAX


def test_every_verdict_is_shown() -> None:
    assert {one["verdict"] for one in VECTORS} == VERDICTS - LIVE_ONLY | {COMPLETE, CLOSED_WITHOUT}


def test_every_game_and_every_kind_of_step_is_there() -> None:
    logs = [split_log(data) for data in good()]
    names = {decode_header(log.header).proposal.game.name for log in logs}
    assert names == {*NAMES, *SCENES}
    kinds = {decode_entry(record).kind for log in logs for record in log.records}
    assert kinds == KINDS


def test_the_questions_beside_the_scenes_are_those_of_the_rules() -> None:
    told = {one["questions"] for one in VECTORS if "questions" in one}
    assert told == {f"questions/{path.name}" for path in QUESTIONS.iterdir()}
    whole = [one for one in VECTORS if "questions" in one and one["verdict"] == COMPLETE]
    assert len(whole) == len(told)
    for one in whole:
        assert questions_of(data_of(one["file"])) == data_of(one["questions"]).decode()


@pytest.mark.slow
def test_the_seeds_still_give_the_same_log() -> None:
    """If not, the protocol or the rules of a game changed: is that a new version?"""
    assert log_of("flip-over") == data_of("logs/good-flip-over.ndlog")


@pytest.mark.full
def test_the_seeds_still_give_all_vectors() -> None:
    assert [describe(vector) for vector in all_vectors()] == VECTORS


@pytest.mark.parametrize("version", [b"0", b"1", b"2", b"10"])
def test_a_log_of_another_version_is_refused_in_a_sentence(version: bytes) -> None:
    log = b"nodealer log " + version + b"\n" + good()[0][len(LOG_MAGIC) :]
    report = audit_bytes(log, "log", seeded("vectors"))
    assert (report.verdict, report.verified) == ("malformed", False)
    ours = f"this program reads version {PROTOCOL_VERSION} only: use the nodealer that wrote it"
    assert report.reason == f"this log is of version {version.decode()}, and {ours}"
