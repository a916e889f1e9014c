"""Two versions of the protocol: people are told so in a sentence, and nobody is accused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from cli.home.own_bots import new_bots
from cli.home.person_identity import own_identity
from cli.words.saved import NOT_FINISHED, OTHER_VERSION, saved_games
from p2p.version import PROTOCOL_VERSION, UPDATE
from tests.cli.conftest import Run
from tests.cli.older import OLDER, older
from tests.cli.terminal import Terminal
from tests.cli.test_left_tables import FRIEND, left, proposed

TABLE: Final = (
    *("host", "flip-over", "--seats", "3", "--bots", "1", "--bind", "127.0.0.1"),
    *("--no-announce", "--no-map", "--plain"),
)
PROGRAMS: Final = {PROTOCOL_VERSION: "cli.main", OLDER: "tests.cli.older"}
BOTH: Final = f"is of version {OLDER}, and this program reads version {PROTOCOL_VERSION} only: use"


def said(terminal: Terminal) -> str:
    """What it showed, on one line."""
    return " ".join(terminal.shown.split())


@pytest.mark.slow
@pytest.mark.parametrize(("hosts", "comes"), [(OLDER, PROTOCOL_VERSION), (PROTOCOL_VERSION, OLDER)])
def test_two_people_with_different_versions_are_both_told(
    hosts: int, comes: int, tmp_path: Path
) -> None:
    """The guest read that the link broke, and the host nothing."""
    with Terminal(TABLE, tmp_path / "host", module=PROGRAMS[hosts]) as host:
        host.until("Seated 2 of 3")
        invite = host.shown[host.shown.index("ND1:") :].split()[0]
        for way in ("join", "watch"):
            arguments = [way, invite, "--plain"]
            with Terminal(arguments, tmp_path / "guest", module=PROGRAMS[comes]) as guest:
                assert guest.end() == 2
                speaks = f"the table speaks protocol version {hosts}, and this program {comes}"
                assert f"nodealer: {speaks}: {UPDATE}." in said(guest)
        host.until("installs a newer nodealer.")
        told = f"*** Somebody with your invite speaks protocol version {comes}, this table {hosts}"
        assert said(host).count(f"{told}: {UPDATE}.") == 1
    assert not list(tmp_path.rglob("*.evidence"))


@pytest.mark.parametrize(
    "line", ["audit", "replay --plain", "export --text", "fairness", "watch --plain"]
)
def test_a_log_of_another_version_is_not_at_fault(
    line: str, run: Run, finished_log: Path, tmp_path: Path
) -> None:
    """The audit said FAIL, and that another player may have a better copy."""
    log = tmp_path / "old.ndlog"
    log.write_bytes(older(finished_log.read_bytes()))
    command, *options = line.split()
    result = run(command, str(log), *options)
    assert result.exit_code == 2
    assert f"nodealer: {log} cannot be read: this log {BOTH} the nodealer that wrote it." in (
        result.stderr
    )
    assert "FAIL" not in result.stdout


def test_an_audit_of_several_says_which_is_of_another_version(
    run: Run, finished_log: Path, tmp_path: Path
) -> None:
    (tmp_path / "new.ndlog").write_bytes(finished_log.read_bytes())
    (tmp_path / "old.ndlog").write_bytes(older(finished_log.read_bytes()))
    result = run("audit", str(tmp_path), "--json")
    assert result.exit_code == 2
    verdicts = [one["verdict"] for one in json.loads(result.stdout)["logs"]]
    assert verdicts == ["complete", "unreadable"]


def test_a_report_can_be_made_of_it(run: Run, finished_log: Path, tmp_path: Path) -> None:
    log = tmp_path / "old.ndlog"
    log.write_bytes(older(finished_log.read_bytes()))
    result = run("report", str(log), "--yes", "-o", str(tmp_path / "report"))
    assert result.exit_code == 0
    assert f"this log is of version {OLDER}" in " ".join(result.stdout.split())


def test_the_list_of_saved_games_says_so(finished_log: Path, tmp_path: Path) -> None:
    log = tmp_path / "2026-11-21-flip-over-d49ee0973d78.ndlog"
    log.write_bytes(older(finished_log.read_bytes()))
    (one,) = saved_games({log: (0, 0)}, 5)
    assert one.about.endswith(f"   {OTHER_VERSION}   table d49ee0")
    log.with_suffix(".ndseat").write_bytes(b"")
    (one,) = saved_games({log: (0, 0)}, 5)
    assert f"   {NOT_FINISHED}   {OTHER_VERSION}   " in one.about


def test_an_unfinished_table_waits_for_the_version_that_began_it(home: Path, run: Run) -> None:
    """It was called damaged; its bots' keys were erased, and with `--forget` its own secrets."""
    me, _ = own_identity()
    with new_bots() as make_bot:
        bot = make_bot("Ada").identity
        seat_file = left(home, proposed(me, bot, FRIEND), me)
        seat_file.write_bytes(older(seat_file.read_bytes()))
    log = str(seat_file.with_suffix(".ndlog"))
    for arguments in (["resume"], ["resume", "--json"], ["resume", log]):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert seat_file.stem in result.stderr
        assert f": this seat file {BOTH} the nodealer that wrote it." in result.stderr
    assert run("resume", "--forget").stdout.startswith(f"Kept: {seat_file.stem}: this seat file")
    assert seat_file.exists()
    assert list((home / "bots").glob("*/*/identity.json"))
    assert run("resume", "--forget", log).exit_code == 0
    assert not seat_file.exists()
    assert not list((home / "bots").iterdir())
