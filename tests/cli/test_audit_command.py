"""`nodealer audit`: verdicts, exit codes, JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

KEYS = {
    *("path", "verdict", "verified", "game", "steps", "shuffles", "seats", "seconds"),
    *("reason", "step", "race_cap_ms"),
}


def test_a_finished_game(run: Run, finished_log: Path) -> None:
    result = run("audit", str(finished_log))
    assert result.exit_code == 0
    assert f"ok   {finished_log}\n     complete: every shuffle" in result.stdout


def test_json(run: Run, finished_log: Path) -> None:
    result = run("audit", "--json", str(finished_log))
    answer = json.loads(result.stdout)
    (log,) = answer["logs"]
    assert answer["verified"] is True
    assert set(log) >= KEYS
    assert (log["game"], log["seats"], log["shuffles"]) == ("flip-over", 3, 3)
    assert (log["verdict"], log["verified"], log["step"]) == ("complete", True, None)
    assert 1 <= log["race_cap_ms"] <= 80


def test_one_bad_log_among_good_ones(run: Run, tmp_path: Path, finished_log: Path) -> None:
    data = finished_log.read_bytes()
    (tmp_path / "a.ndlog").write_bytes(data)
    (tmp_path / "b.ndlog").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    for jobs in ("1", "2"):
        result = run("audit", "--jobs", jobs, str(tmp_path))
        assert result.exit_code == 1
        assert "bad-signature" in result.stdout
        assert result.stdout.endswith("1 of 2 logs verified\n")


def test_a_cut_off_tail_is_unfinished(run: Run, tmp_path: Path, finished_log: Path) -> None:
    cut = tmp_path / "cut.ndlog"
    cut.write_bytes(whole_records(finished_log.read_bytes(), drop=3))
    result = run("audit", "--json", str(cut))
    (log,) = json.loads(result.stdout)["logs"]
    assert result.exit_code == 1
    assert (log["verdict"], log["verified"]) == ("unfinished", False)
    assert log["reason"] == f"valid up to step {log['step']}"


def whole_records(data: bytes, drop: int) -> bytes:
    """The log without its last records (header and records: u32 length, body)."""
    starts, at = [], data.index(b"\n") + 1
    while at < len(data):
        starts.append(at)
        at += 4 + int.from_bytes(data[at : at + 4], "big")
    assert at == len(data)
    return data[: starts[-drop]]


@pytest.mark.parametrize("keep", [0, 10, 300, -1])
def test_a_truncated_log_is_named_malformed(
    run: Run, tmp_path: Path, finished_log: Path, keep: int
) -> None:
    cut = tmp_path / "cut.ndlog"
    cut.write_bytes(finished_log.read_bytes()[:keep])
    result = run("audit", str(cut))
    assert result.exit_code == 1
    assert "malformed" in result.stdout


def test_a_foreign_file(run: Run, tmp_path: Path) -> None:
    foreign = tmp_path / "letter.txt"
    foreign.write_text("Dear Alice, the cards were fair. Bob")
    result = run("audit", str(foreign))
    assert result.exit_code == 1
    assert "malformed: this is not a nodealer log" in result.stdout


def test_a_folder_without_logs(run: Run, tmp_path: Path) -> None:
    result = run("audit", str(tmp_path))
    assert result.exit_code == 2
    assert "There is no log (.ndlog) in the folder" in result.stderr
