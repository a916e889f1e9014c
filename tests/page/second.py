"""The second implementation, as the page carries it, run by Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import pytest

from p2p.errors import PeerError
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import is_evidence, split_evidence, split_log
from replay.audit import Report, audit_bytes
from replay.html import PARTS, told_questions
from replay.reader import read_log
from tests.protocol.kit import seeded
from tests.revision import OF_TESTS

NODE: Final = shutil.which("node")
SECONDS: Final = 1200
FEW: Final = 12
"""The most cases that are not worth a process of their own."""
NOTHING: Final[dict[str, Any]] = {
    "asked": [],
    "over": False,
    "leaving": False,
    "stopped": None,
    "revision": OF_TESTS.hex(),
}
Judged = dict[str, Any]
Questions = dict[str, Any]
"""What a page tells of the questions that the rules asked."""
Where = tuple[str | None, int | None, int | None]
"""Verdict, seat and step."""
RULES: Final = ("illegal-move", "state-mismatch")
"""Verdicts that may need the rules: without them, an entry at the end of a log looks sound."""
UNTOLD: Final = "nothing more is asked"
"""What the second says if the questions end before the file does."""

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def case(
    data: bytes, flips: list[tuple[int, int]] | None = None, report: Report | None = None
) -> dict[str, Any]:
    """What the page would hand to its verifier for this file, of which the first says `report`."""
    questions = questions_of(data, report)
    told: dict[str, Any] = {"log": b64encode(data).decode(), "questions": questions}
    return told if flips is None else {**told, "flips": flips}


def lied(data: bytes, lie: Callable[[Questions], None]) -> dict[str, Any]:
    """The case of a log whose list of questions says something else."""
    told = case(data)
    honest = deepcopy(told["questions"])
    lie(told["questions"])
    assert json.dumps(told["questions"]) != json.dumps(honest)
    return told


def alone(told: dict[str, Any]) -> dict[str, Any]:
    """The same case, without what the first says of where the rules stopped."""
    return {**told, "questions": {**told["questions"], "stopped": None}}


def questions_of(data: bytes, report: Report | None = None) -> dict[str, Any]:
    """What the page would say the rules asked; nothing if no game can be read."""
    try:
        log = split_evidence(data)[0] if is_evidence(data) else split_log(data)
        header = decode_header(log.header)
    except PeerError:
        return NOTHING
    session = read_log(header, log.records).session
    return told_questions(session, report or audit_bytes(data, "log", seeded("page")))


def where(said: Judged) -> Where:
    """What the second says of whom."""
    return said["verdict"], said["seat"], said["step"]


def goes_on(report: Report, said: Judged) -> bool:
    """Whether the second took what the first refuses, and went on to where the file ends.

    If that entry was the last one owed, the step is whole for the second.  Evidence ends there, and
    so do the questions: there is no verdict then (log format, "Questions").
    """
    step = report.step or 0
    if said["verdict"] == "unfinished":
        return said["step"] in (step, step + 1)
    return is_untold(said) and said["counts"]["steps"] == step + 1


def is_untold(said: Judged) -> bool:
    """Whether the second gives no verdict since the file goes on after the last question."""
    return said["verdict"] is None and said["reason"] == UNTOLD


def differ(report: Report, said: Judged) -> str:
    """In what the two disagree; nothing if they say the same of whom, and counted the same.

    The second may overlook what only the rules of a game refuse, or not know whose fault it is
    (tests/vectors/README.md).
    """
    first = (report.verdict, report.seat, report.step)
    nobody = (report.verdict, None, report.step)
    if report.verdict in RULES and (goes_on(report, said) or where(said) == nobody):
        return ""
    if first != where(said):
        return f"{first}: {report.reason}; the second: {where(said)}: {said['reason']}"
    counted: dict[str, Any] = {
        "left": [one._asdict() for one in report.left],
        "lost": [one._asdict() for one in report.lost],
        "provenTo": report.proven_to,
        "counts": asdict(report.tally),
    }
    if report.returns is not None:
        counted["result"] = list(report.returns)
    odd = [name for name, value in counted.items() if said[name] != value]
    return "; ".join(f"{name}: {counted[name]}; the second: {said[name]}" for name in odd)


def judge(cases: list[dict[str, Any]]) -> list[Any]:
    """What the bundle says about each case; many are shared out to one process per core."""
    many = max(1, min(os.cpu_count() or 1, len(cases) // FEW))
    shares = [cases[first::many] for first in range(many)]
    with ThreadPoolExecutor(many) as pool:
        told = list(pool.map(judge_at_once, shares))
    return [told[at % many][at // many] for at in range(len(cases))]


def judge_at_once(cases: list[dict[str, Any]]) -> list[Any]:
    """The same, by one process."""
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
