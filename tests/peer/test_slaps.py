"""Slaps between whole peers whose links are of different lengths: a small one of the benchmark."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli.bench import races, slapping
from cli.bench.slap_table import STAND_INS, Slapped, Slaps, play
from cli.bench.text import table
from engine import games
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.seat import genesis as beginning
from replay.audit import audit

ROUNDS = 5
LINKS = ((0, 5, 20), (5, 0, 20), (20, 20, 0))
SLAPS = Slaps(LINKS, ROUNDS, "a test", jitter=1.0, spikes=0.02, spike=20.0, reaction=150.0)


@pytest.fixture(autouse=True)
def slapping_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "NAMES", (*games.NAMES, slapping.GAME.name))
    monkeypatch.setitem(sys.modules, "engine.games.slapping.rules", slapping)
    for module, name, stand_in in STAND_INS:
        monkeypatch.setattr(module, name, stand_in)


@pytest.mark.slow
async def test_all_seats_agree_who_slapped_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beginning, "MEASURING_SECONDS", 30.0)  # however busy this machine is
    slapped = await play(SLAPS, tmp_path)
    logs = sorted(tmp_path.glob("*/*.ndlog"))
    assert len(logs) == len(LINKS)
    assert len({log.read_bytes() for log in logs}) == 1
    report = audit(logs[0])
    assert report.verdict == "complete"
    assert report.returns == tuple(slapped.wins)
    assert sum(slapped.wins) == ROUNDS
    _check_links(logs[0])
    _check_moments(slapped)


def _check_links(log: Path) -> None:
    """The seats measured the links that the proxy made, never shorter ones."""
    pings = decode_header(split_log(log.read_bytes()).header).pings
    for here, row in enumerate(LINKS):
        for there, round_trip in enumerate(row):
            measured = pings[here][there]
            assert (measured is None) == (here == there)
            assert measured is None or measured >= 1000 * round_trip


def _check_moments(slapped: Slapped) -> None:
    """Each race decided by its witnesses was timed, and its moments are in order."""
    decided = len(slapped.heard)
    assert decided + slapped.ties + slapped.alone == ROUNDS
    assert len(slapped.witnessed) == len(slapped.claimed) == decided
    assert min(slapped.heard, default=0.0) >= 0
    assert all(
        1.0 < witnessed < claimed
        for witnessed, claimed in zip(slapped.witnessed, slapped.claimed, strict=True)
    )
    assert len(slapped.late) >= ROUNDS
    assert min(slapped.late) >= 0


@pytest.mark.slow
def test_rows_count_every_slap() -> None:
    """A table in a process of its own."""
    rows = races.share_rows(1, rounds=2)
    values = {row.name.partition(": ")[2]: row.value for row in rows}
    assert values["decided"] == 2
    assert sum(values[f"won by seat {seat}"] for seat in range(4)) == pytest.approx(100)
    assert max(len(line) for line in table(rows)) <= 80
    assert [row.reached is None for row in rows[1:5]] == [False] * 4
