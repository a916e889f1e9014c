"""`--race-cap` and `--hold`: what a host asks for is in the header, and guests agree or go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.races.terms import RaceTerms
from tests.cli.conftest import Run
from tests.cli.test_processes import start
from tests.patience import PATIENCE

TABLE = ("flip-over", "--seats", "3", "--option", "rounds=1", "--json")


def terms_of(log: Path) -> RaceTerms:
    """What the seats of a saved game signed."""
    return decode_header(split_log(log.read_bytes()).header).proposal.terms.race


def test_bots_hold_nothing(finished_log: Path) -> None:
    assert terms_of(finished_log) == RaceTerms(80_000, 0)


@pytest.mark.parametrize(
    ("command", "hold_us"), [(("play", *TABLE), 0), (("host", *TABLE, "--bots", "2"), 250_000)]
)
def test_the_terms_stand_in_the_header(
    run: Run, home: Path, command: tuple[str, ...], hold_us: int
) -> None:
    """Bots agree to what their host asks for; without a terminal `play` is bots only."""
    assert run(*command, "--race-cap", "200", "--hold", "250").exit_code == 0
    (log,) = (home / "games").glob("*.ndlog")
    assert terms_of(log) == RaceTerms(200_000, hold_us)


def test_a_guest_is_asked_before_more_than_80_ms_are_credited(tmp_path: Path) -> None:
    arguments = ("flip-over", "--seats", "3", "--bind", "127.0.0.1", "--race-cap", "120", "--json")
    host = start(tmp_path / "host", "host", *arguments, "--bots", "1")
    assert host.stdout is not None
    invite = json.loads(host.stdout.readline())["invite"]
    guest = start(tmp_path / "guest", "join", invite, "--json")
    _, said = guest.communicate(timeout=PATIENCE)
    host.kill()
    host.communicate()
    assert guest.returncode == 1
    assert "credit up to 120 ms of delay in races, more than the 80 ms" in said


@pytest.mark.parametrize(
    "wrong", [("--race-cap", "0"), ("--race-cap", "251"), ("--hold", "-1"), ("--hold", "5001")]
)
def test_terms_out_of_range(run: Run, wrong: tuple[str, str]) -> None:
    result = run("host", "flip-over", *wrong)
    assert result.exit_code == 2
    assert wrong[0] in result.stderr
