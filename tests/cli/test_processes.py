"""Three people's machines: host and two guests as real processes over loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from replay.audit import audit
from tests.patience import PATIENCE


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli.main", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home),
    )


def environment(home: Path) -> dict[str, str]:
    """What a program of somebody with this data folder is given."""
    return {**os.environ, "NODEALER_HOME": str(home)}


def finish(processes: Sequence[subprocess.Popen[str]]) -> list[tuple[str, str]]:
    said = [process.communicate(timeout=PATIENCE) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), said
    return said


def test_host_and_two_guests(tmp_path: Path) -> None:
    homes = [tmp_path / str(seat) for seat in range(3)]
    table = ("--seats", "3", "--bind", "127.0.0.1", "--option", "rounds=1", "--json")
    host = start(homes[0], "host", "flip-over", *table)
    assert host.stdout is not None
    opened = json.loads(host.stdout.readline())
    assert opened["addresses"][0].startswith("127.0.0.1:")
    guests = [start(home, "join", f' "{opened["invite"]}" ', "--json") for home in homes[1:]]
    said = finish([host, *guests])
    assert said[0] == ("", "")
    answers = [json.loads(out) for out, _ in said[1:]]
    assert [answer["verdict"] for answer in answers] == ["complete", "complete"]
    assert answers[0]["result"] == answers[1]["result"]
    logs = [next((home / "games").glob("*.ndlog")) for home in homes]
    assert len({log.read_bytes() for log in logs}) == 1
    assert audit(logs[0]).verified
    assert len({(home / "identity.json").read_text() for home in homes}) == 3


def test_a_host_with_bots_only_needs_nobody(tmp_path: Path) -> None:
    table = ("--seats", "3", "--bots", "2", "--bind", "127.0.0.1", "--option", "rounds=1")
    host = start(tmp_path, "host", "flip-over", *table)
    ((out, _),) = finish([host])
    assert "audit  complete" in out
    assert "ND1:" not in out
