"""Two revisions of one protocol version: people are told so, and nobody is accused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from cli.home.own_bots import new_bots
from cli.home.person_identity import own_identity
from p2p.version import SAME
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal
from tests.cli.test_left_tables import FRIEND, left, proposed
from tests.cli.test_other_version import TABLE, said
from tests.revision import OF_THE_PROGRAM, OTHER, another_revision
from tests.vectors.make import LOGS

PROGRAMS: Final = {OF_THE_PROGRAM: "cli.main", OTHER: "tests.cli.another_revision"}
WROTE: Final = "written by revision 000000, this program is revision 3fa9c2"
READS: Final = f"it was {WROTE}: use the nodealer that wrote it"


@pytest.mark.slow
@pytest.mark.parametrize(("hosts", "comes"), [(OTHER, OF_THE_PROGRAM), (OF_THE_PROGRAM, OTHER)])
def test_two_people_of_other_revisions_are_told(hosts: bytes, comes: bytes, tmp_path: Path) -> None:
    with Terminal(TABLE, tmp_path / "host", module=PROGRAMS[hosts]) as host:
        host.until("Seated 2 of 3")
        invite = host.shown[host.shown.index("ND1:") :].split()[0]
        for way in ("join", "watch"):
            arguments = [way, invite, "--plain"]
            with Terminal(arguments, tmp_path / "guest", module=PROGRAMS[comes]) as guest:
                assert guest.end() == 2
                runs = f"the table runs revision {hosts.hex()}, and this program {comes.hex()}"
                assert f"nodealer: {runs}: {SAME}." in said(guest)
        host.until("on both machines.")
        runs = f"*** Somebody with your invite runs revision {comes.hex()} of nodealer"
        assert said(host).count(f"{runs}, this table {hosts.hex()}: {SAME}.") == 1
    assert not list(tmp_path.rglob("*.evidence"))


def test_audit_names_revision_of_sound_log(run: Run, finished_log: Path) -> None:
    with another_revision():
        result = run("audit", str(finished_log))
        lines = json.loads(run("audit", str(finished_log), "--json").stdout)
    assert result.exit_code == 0
    assert f"     {WROTE}\n" in result.stdout
    assert lines["logs"][0]["revision"] == "000000"
    assert "revision" not in run("audit", str(finished_log)).stdout


def test_audit_of_other_revision_accuses_nobody(run: Run) -> None:
    log = LOGS / "bad-share-deal.ndlog"
    assert run("audit", str(log)).exit_code == 1
    with another_revision():
        result = run("audit", str(log))
    assert result.exit_code == 2
    assert f"nodealer: {log} cannot be judged: {READS}." in result.stderr
    assert result.stdout == ""


def test_unfinished_table_waits_for_its_revision(home: Path, run: Run) -> None:
    me, _ = own_identity()
    with new_bots() as make_bot:
        bot = make_bot("Ada").identity
        seat_file = left(home, proposed(me, bot, FRIEND), me)
    log, before = str(seat_file.with_suffix(".ndlog")), seat_file.read_bytes()
    with another_revision():
        for arguments in (["resume"], ["resume", "--json"], ["resume", log]):
            result = run(*arguments)
            assert (result.exit_code, result.stdout) == (2, "")
            assert f": {READS}." in result.stderr
        assert run("resume", "--forget").stdout.startswith(
            f"Kept: {seat_file.stem}: it was written"
        )
    assert seat_file.read_bytes() == before
    assert list((home / "bots").glob("*/*/identity.json"))
