"""`-v`, `-vv` and `--log-file`: what was asked for, where it was asked for, and nothing else."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from cli.kit import logs
from cli.kit.full_screen import full_screen
from cli.kit.logs import InFile, OnTerminal, SeatFormatter
from p2p.errors import PeerError
from p2p.logs import LOG, PEERS_MAX, at_a_table, logger, peer, seated, without_addresses
from p2p.net.statistics import MeshStatistics
from tests.cli.conftest import Run

DEMO = ("demo", "--seats", "3", "--option", "rounds=1", "--seed", "5", "--json")
LINE = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING) +"
    r"(p2p|replay|cli) +(-|seat \d) +\S.*"
)


def handlers() -> list[logging.Handler]:
    return logging.getLogger("nodealer").handlers


def test_without_being_asked_nothing_is_set_up_and_nothing_is_said(run: Run) -> None:
    result = run(*DEMO)
    assert result.stderr == ""
    assert [type(one) for one in handlers()] == [logging.NullHandler]
    assert not logging.getLogger("nodealer").isEnabledFor(logging.INFO)
    assert "handlers" not in vars(logging.getLogger("nodealer.p2p")) or not LOG.handlers


def test_the_handlers_are_not_imported_for_a_command_without_a_log(home: Path) -> None:
    code = (
        "import sys; from cli.main import main\n"
        "try: main(['rules', 'sneak'])\n"
        "except SystemExit: print('cli.kit.logs' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "False\n"


def test_a_log_file_has_all_lines_with_their_seats(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    result = run(*DEMO, "--log-file", str(path))
    assert json.loads(result.stdout)["verified"]
    assert result.stderr == ""
    assert path.stat().st_mode & 0o077 == 0
    text = path.read_text("utf-8")
    assert [line for line in text.splitlines() if not LINE.fullmatch(line)] == []
    first = text.splitlines()[0]
    assert "demo: " in first
    assert "seats=3" in first
    assert str(path) not in text
    for seat in range(3):
        for said in (
            "genesis: flip-over, 3 seats",
            "seat file: begun",
            "step 0 done: commit",
            r"step \d+ begun: ",  # a step whose entries are all there already has no such line
            "play: the header is signed",
            "over: played to the end",
            "mesh: ",
            "link down: seat ",
        ):
            assert re.search(rf"seat {seat} +{said}", text), (seat, said)
    assert re.search(r"replay +- +audit: complete", text)
    assert [type(one) for one in handlers()] == [logging.NullHandler]


def test_a_log_file_is_continued(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "log"
    run("rules", "sneak", "--log-file", str(path))
    run("rules", "sneak", "--log-file", str(path))
    assert len(path.read_text("utf-8").splitlines()) == 2


@pytest.mark.parametrize("where", ["no/such/folder/log", ".", "pipe"])
def test_a_log_file_that_cannot_be_written_is_a_mistake(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    result = run("rules", "sneak", "--log-file", where)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"nodealer: The log file {where} cannot be written: ")
    assert result.stderr.count("\n") == 1


def test_v_says_what_happens_and_vv_everything(run: Run, finished_log: Path) -> None:
    few = run("audit", str(finished_log), "-v").stderr
    assert "INFO" in few
    assert "audit: complete" in few
    assert "DEBUG" not in few
    assert "audit: begun" in run("audit", str(finished_log), "-vv").stderr


def test_nothing_comes_over_a_full_screen(capsys: pytest.CaptureFixture[str]) -> None:
    handler = OnTerminal()
    handler.setFormatter(SeatFormatter())
    record = logging.makeLogRecord({"name": "nodealer.p2p", "msg": "link up", "levelname": "INFO"})
    with full_screen():
        handler.handle(record)
    assert capsys.readouterr().err == ""
    handler.handle(record)
    assert capsys.readouterr().err.endswith("link up\n")


def test_a_full_file_and_a_full_disk_end_the_log_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logs, "FILE_MAX", 100)
    record = logging.makeLogRecord({"name": "nodealer.p2p", "msg": "x" * 40})
    with (tmp_path / "log").open("ab", buffering=0) as opened:
        handler = InFile(opened)
        for _ in range(9):
            handler.handle(record)
        handler.close()
    assert (tmp_path / "log").read_text().splitlines()[2:] == ["the log ends here: it is full"]
    if Path("/dev/full").exists():
        handler = InFile(Path("/dev/full").open("ab", buffering=0))  # noqa: SIM115
        handler.handle(record)
        handler.handle(record)
        assert capsys.readouterr().err.count("the log file cannot be written") == 1


def test_what_others_wrote_is_letters(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "nodealer"):
        LOG.info("link down: %s", "\x1b[2J\u202eat 192.0.2.7:4000\nseat 1 has won" + 500 * "x")
    (message,) = caplog.messages
    assert "192.0.2.7" not in message
    assert not re.search("[\x00-\x1f\u202e]", message)
    assert len(message) < 250


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("198.51.100.7:4000: refused", "<address>: refused"),
        ("[2001:db8::7]:4000: no answer", "<address>: no answer"),
        ("::1", "<address>"),
        ("play.example.org:4000 x", "<address> x"),
        ("reach+abc@relay.example:443", "<address>"),
        ("bad-share, seat 1, step 22: false", "bad-share, seat 1, step 22: false"),
        ("12:30:05,123 begun", "12:30:05,123 begun"),
    ],
)
def test_addresses_are_taken_out(said: str, left: str) -> None:
    assert without_addresses(said) == left


async def test_seats_of_one_process_are_told_apart(caplog: pytest.LogCaptureFixture) -> None:
    keys = [bytes([seat]) * 32 for seat in range(3)]
    first_is_done = trio.Event()

    @at_a_table("tests")
    async def sit(seat: int) -> None:
        assert peer(keys[seat - 1]) == "peer 1"
        seated(seat, keys)
        await trio.sleep(0)
        LOG.info("linked to %s and %s", peer(keys[seat - 1]), peer(bytes(32 + seat)))
        if seat == 1:
            first_is_done.set()
        else:
            await first_is_done.wait()
            raise PeerError("malformed", "garbage", seat=1)

    async def both() -> None:
        async with trio.open_nursery() as nursery:
            for seat in (1, 2):
                nursery.start_soon(sit, seat)

    with caplog.at_level(logging.DEBUG, "nodealer"):
        with pytest.raises(ExceptionGroup):
            await both()
        LOG.info("outside")
    said = {(record.seat, record.getMessage()) for record in caplog.records}
    assert {
        (1, "linked to seat 0 and peer 2"),
        (2, "linked to seat 1 and peer 2"),
        (2, "over: malformed, seat 1: garbage"),
        (None, "outside"),
    } <= said
    assert {
        record.levelname for record in caplog.records if "malformed" in record.getMessage()
    } == {"WARNING"}


async def test_strangers_do_not_fill_the_memory() -> None:
    @at_a_table("tests")
    async def sit() -> None:
        names = {peer(number.to_bytes(32, "big")) for number in range(3 * PEERS_MAX)}
        assert len(names) == 3 * PEERS_MAX

    await sit()


def test_there_is_one_logger_a_package_and_never_the_root(run: Run, tmp_path: Path) -> None:
    root = list(logging.getLogger().handlers), logging.getLogger().level
    run(*DEMO, "--log-file", str(tmp_path / "log"))
    assert (list(logging.getLogger().handlers), logging.getLogger().level) == root
    known = [name for name in logging.root.manager.loggerDict if name.startswith("nodealer.")]
    assert sorted(known) == ["nodealer.cli", "nodealer.p2p", "nodealer.replay"]
    assert logger("p2p") is LOG
    assert len(LOG.filters) == 1


def test_the_statistics_are_told_in_a_line() -> None:
    told = MeshStatistics(dials=3, dials_failed=1, frames_sent=7, bytes_sent=99).summary()
    assert told.startswith("3 dials (1 failed), ")
    assert "7 frames sent (99 bytes)" in told
