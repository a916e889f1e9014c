"""`nodealer report`: all that is needed, nothing that is nobody's business, shown first."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from p2p.files.evidence import write_genesis_evidence
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import encode_evidence, split_log
from replay.outline import outline, runs
from tests.cli.conftest import Run

KINDS = ("shuffle", "deal", "play", "close")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names_in(log: Path) -> tuple[str, ...]:
    return decode_header(split_log(log.read_bytes()).header).proposal.names


def test_it_shows_what_it_writes(run: Run, finished_log: Path, tmp_path: Path) -> None:
    shutil.copy(finished_log, "game.ndlog")
    result = run("report", "game.ndlog", "--yes")
    assert result.exit_code == 0
    written = (tmp_path / "nodealer-report.txt").read_text("utf-8")
    assert result.stdout == f"{written}\nwritten  nodealer-report.txt\n"
    assert (tmp_path / "nodealer-report.txt").stat().st_mode & 0o077 == 0
    for word in ("nodealer ", "Python ", "cryptography ", "trio ", "TERM", "rounds=1", *KINDS):
        assert word in written
    assert "flip-over, 3 seats" in written
    assert "audit            complete" in written


def test_names_keys_and_paths_are_not_in_it(run: Run, home: Path, finished_log: Path) -> None:
    header = decode_header(split_log(finished_log.read_bytes()).header)
    said = run("report", str(finished_log), "--yes").stdout
    for hidden in (*names_in(finished_log), str(home), str(finished_log.parent)):
        assert hidden not in said
    for key in (*header.publics, *header.proposal.identities, header.proposal.token):
        assert bytes(key).hex()[:16] not in said
    told = run("report", str(finished_log), "--yes", "--names", "-o", "named.txt").stdout
    assert [name for name in names_in(finished_log) if name not in told] == []


def test_the_end_of_a_log_file(run: Run, finished_log: Path) -> None:
    name = names_in(finished_log)[0]
    head = "2026-11-22 18:00:01,123 INFO    p2p    seat 1  "
    lines = [
        f"{head}link down: seat 2: 192.0.2.1:4000 is gone",
        f"{head}link down: seat 0: {name} has left \x1b[2J",
        f"{head}with {'ab' * 32} and ND1:AHIVFHB5",
        "-----BEGIN PRIVATE KEY-----",
        f"{head}the last",
    ]
    Path("table.log").write_text("\n".join(lines) + "\n", "utf-8")
    said = run("report", str(finished_log), "--log", "table.log", "--yes").stdout
    assert "The last 4 lines of the log file\n  (1 lines in it are none of" in said
    assert "link down: seat 2: <address> is gone" in said
    assert "link down: seat 0: seat 0 has left \ufffd[2J" in said
    assert "with <hidden> and <hidden>" in said
    assert "PRIVATE" not in said
    assert f"{head}the last" in said


def test_only_the_end_of_a_long_log_file(run: Run) -> None:
    head = "2026-11-22 18:00:01,123 DEBUG   cli    -       line"
    Path("long.log").write_text("".join(f"{head} {n}\n" for n in range(9999)), "utf-8")
    said = run("report", "--log", "long.log", "--yes").stdout
    assert f"{head} 9999" not in said
    assert f"{head} 9998\n" in said
    assert f"{head} 9799\n" in said
    assert f"{head} 9798\n" not in said


def test_without_a_game_it_takes_the_newest_or_none(
    run: Run, home: Path, finished_log: Path
) -> None:
    assert "Saved game\n  none\n" in run("report", "--yes").stdout
    assert not home.exists(), "a report makes no data folder"
    (home / "games").mkdir(parents=True)
    shutil.copy(finished_log, home / "games")
    assert "flip-over, 3 seats" in run("report", "--yes", "-o", "second.txt").stdout


def test_a_garbled_game_is_told_of(run: Run, finished_log: Path) -> None:
    Path("cut.ndlog").write_bytes(finished_log.read_bytes()[:-7])
    said = run("report", "cut.ndlog", "--yes").stdout
    assert "header           cannot be read: malformed" in said
    assert "audit            malformed" in said


def test_evidence_is_told_of(run: Run, finished_log: Path) -> None:
    data = finished_log.read_bytes()
    log = split_log(data)
    Path("x.evidence").write_bytes(encode_evidence(data, [log.records[0]]))
    assert "beyond the log   1 records" in run("report", "x.evidence", "--yes").stdout
    proposal = decode_header(log.header).proposal
    path = write_genesis_evidence(Path(), proposal, [])
    said = run("report", str(path), "--yes", "-o", "begun.txt").stdout
    assert "table            it never began" in said


@pytest.mark.parametrize("arguments", [(), ("-o", "-")])
def test_report_sent_elsewhere_is_only_shown(run: Run, arguments: tuple[str, ...]) -> None:
    """As in `nodealer report > file`: nobody reads a question there."""
    result = run("report", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("A report of nodealer\n")
    assert "written" not in result.stdout
    assert not list(Path().iterdir())


def test_named_report_without_terminal_needs_yes(run: Run) -> None:
    result = run("report", "-o", "mine.txt")
    assert result.exit_code == 2
    assert result.stderr == (
        "nodealer: Nothing was written: say --yes where nobody can be asked.\n"
    )
    assert not Path("mine.txt").exists()


@pytest.mark.parametrize(("answer", "written"), [(True, True), (False, False)])
def test_it_is_written_when_one_agrees(
    run: Run, monkeypatch: pytest.MonkeyPatch, answer: bool, written: bool
) -> None:
    asked: list[str] = []

    def ask(what: str) -> bool:
        asked.append(what)
        return answer

    monkeypatch.setattr("cli.commands.report.at_a_terminal", lambda: True)
    monkeypatch.setattr("cli.commands.report.ask_yes", ask)
    assert run("report", "-o", "mine.txt").exit_code == 0
    assert asked == ["Write this into mine.txt?"]
    assert Path("mine.txt").exists() is written


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.ndlog"], "none.ndlog cannot be read: No such file or directory. Saved games end"),
        (["empty"], "There is no log (.ndlog) in the folder empty; name another one"),
        (["--log", "none"], "The log file none cannot be read: No such file or directory; name"),
        (["--log", "empty"], "The log file empty cannot be read: Is a directory; name"),
        (["-o", "there"], "there is there already; say another file with -o."),
        (["-o", "no/folder"], "no/folder cannot be written: there is no folder no; "),
    ],
)
def test_mistakes_are_one_sentence(run: Run, arguments: list[str], sentence: str) -> None:
    Path("empty").mkdir()
    Path("there").write_text("mine")
    result = run("report", "--yes", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"nodealer: {sentence}")
    assert result.stderr.count("\n") == 1
    assert Path("there").read_text() == "mine"


def test_the_kinds_of_all_steps_are_told(finished_log: Path) -> None:
    found = outline(finished_log.read_bytes())
    assert set(KINDS) <= set(found.kinds)
    assert found.kinds[-1] == "close"
    assert list(runs(found.kinds))[-1] == f"{len(found.kinds) - 1} close"
