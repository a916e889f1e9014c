"""The second implementation, as the page carries it, run by Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

from p2p.errors import PeerError
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import is_evidence, split_evidence, split_log
from replay.audit import audit_bytes
from replay.html import PARTS, told_questions
from replay.reader import read_log
from tests.protocol.kit import seeded

NODE: Final = shutil.which("node")
SECONDS: Final = 1200
FEW: Final = 12
"""The most cases that are not worth a process of their own."""
NOTHING: Final[dict[str, Any]] = {"asked": [], "over": False, "leaving": False, "stopped": None}
Judged = dict[str, Any]

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def case(data: bytes, flips: list[tuple[int, int]] | None = None) -> dict[str, Any]:
    """What the page would hand to its verifier for this file."""
    told: dict[str, Any] = {"log": b64encode(data).decode(), "questions": questions_of(data)}
    return told if flips is None else {**told, "flips": flips}


def questions_of(data: bytes) -> dict[str, Any]:
    """What the page would say the rules asked; nothing if no game can be read."""
    try:
        log = split_evidence(data)[0] if is_evidence(data) else split_log(data)
        header = decode_header(log.header)
    except PeerError:
        return NOTHING
    session = read_log(header, log.records).session
    return told_questions(session, audit_bytes(data, "log", seeded("page")))


def judge(cases: list[dict[str, Any]]) -> list[Any]:
    """What the bundle says about each case; many are shared out to one process per core."""
    many = max(1, min(os.cpu_count() or 1, len(cases) // FEW))
    shares = [cases[first::many] for first in range(many)]
    with ThreadPoolExecutor(many) as pool:
        told = list(pool.map(_judge, shares))
    return [told[at % many][at // many] for at in range(len(cases))]


def _judge(cases: list[dict[str, Any]]) -> list[Any]:
    assert NODE is not None
    script = Path(__file__).parent / "judge.mjs"
    done = subprocess.run(
        [NODE, str(script), (PARTS / "verifier.js").as_uri()],
        input=json.dumps(cases).encode(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=SECONDS,
    )
    judged: list[Any] = json.loads(done.stdout)
    return judged
