"""`nodealer audit`: verdicts, exit codes, JSON."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from cli.kit.bar import bar_for
from p2p.protocol.logfile import LOG_MAGIC
from replay import workers
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal
from tests.replay import rewriting
from tests.replay.rewriting import CHOOSER

KEYS = {
    *("path", "verdict", "verified", "game", "steps", "shuffles", "seats", "seconds"),
    *("reason", "step", "race_cap_ms", "checked", "proven_to", "returns", "left", "lost"),
}


def test_a_finished_game(run: Run, finished_log: Path) -> None:
    result = run("audit", str(finished_log))
    assert result.exit_code == 0
    assert f"ok   {finished_log}\n     complete: every shuffle" in result.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("audit", "complete: every shuffle"),
        ("fairness", "24 known cards in 1 shuffle"),
        ("replay --step 3", "shuffles 24 cards and proves it"),
    ],
)
def test_without_a_file_ones_own_games_are_meant(
    run: Run, home: Path, finished_log: Path, line: str, said: str
) -> None:
    (home / "games").mkdir(parents=True)
    shutil.copy(finished_log, home / "games")
    result = run(*line.split())
    assert result.exit_code == 0
    assert said in result.stdout


def test_one_log_gets_a_page(run: Run, finished_log: Path) -> None:
    """What was checked, in numbers, and what no audit can show; it fits 80 columns."""
    page = run("audit", "--ascii", str(finished_log)).stdout
    assert "\nWhat was checked\n" in page
    assert "\n  shuffles     3, each proven to keep every card" in page
    assert "Two players on the telephone" in page
    assert "races " not in page, "Flip Over has none"
    assert all(len(line) <= 80 for line in page.splitlines()[1:])


def test_what_was_checked_before_a_fault(run: Run, tmp_path: Path, finished_log: Path) -> None:
    data = finished_log.read_bytes()
    path = tmp_path / "bad.ndlog"
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert "What was checked, as far as the log is sound" in run("audit", str(path)).stdout


def test_json(run: Run, finished_log: Path) -> None:
    result = run("audit", "--json", str(finished_log))
    answer = json.loads(result.stdout)
    (log,) = answer["logs"]
    assert (answer["verified"], answer["tables"]) == (True, [])
    assert set(log) >= KEYS
    assert log["proven_to"] == log["steps"]
    assert len(log["returns"]) == 3
    assert (log["game"], log["seats"], log["shuffles"]) == ("flip-over", 3, 3)
    assert (log["verdict"], log["verified"], log["step"]) == ("complete", True, None)
    assert 1 <= log["race_cap_ms"] <= 80
    assert log["checked"]["shuffles"] == 3
    assert log["checked"]["entries"] > log["steps"]
    assert log["checked"]["shares"] > 60, "30 cards are dealt by the shares of two others each"


def test_one_bad_log_among_good_ones(run: Run, tmp_path: Path, finished_log: Path) -> None:
    data = finished_log.read_bytes()
    (tmp_path / "a.ndlog").write_bytes(data)
    (tmp_path / "b.ndlog").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    for jobs in ("1", "2"):
        result = run("audit", "--jobs", jobs, str(tmp_path))
        assert result.exit_code == 1
        assert "bad-signature" in result.stdout
        assert result.stdout.endswith("1 of 2 logs verified\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_unreadable_file_is_reported_and_the_rest_goes_on(
    run: Run, tmp_path: Path, finished_log: Path, jobs: str
) -> None:
    missing = str(tmp_path / "nothing.ndlog")
    result = run("audit", "--jobs", jobs, missing, str(finished_log))
    assert result.exit_code == 2
    assert result.stderr.startswith(
        f"nodealer: {missing} cannot be read: No such file or directory. Saved games end in "
    )
    assert result.stdout.endswith("1 of 2 logs verified\n")


def _table(folder: Path) -> list[str]:
    """The log of those who stayed, its end written anew, and that of the seat that had left."""
    files = {"theirs.ndlog": rewriting.closed(anew=True), "hers.ndlog": rewriting.own_log()}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [str(folder / name) for name in files]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_two_histories_of_one_table(run: Run, tmp_path: Path, jobs: str) -> None:
    paths = _table(tmp_path)
    result = run("audit", "--jobs", jobs, "--json", *paths)
    answer = json.loads(result.stdout)
    (table,) = answer["tables"]
    assert (result.exit_code, answer["verified"]) == (1, False)
    assert (table["paths"], table["same"], table["verdict"]) == (paths, False, "equivocation")
    chosen = rewriting.CHOSEN
    assert (table["step"], table["seats"]) == (
        chosen,
        [{"seat": CHOOSER, "name": f"seat{CHOOSER}", "step": chosen}],
    )
    for log in answer["logs"]:
        assert (log["verified"], log["proven_to"], log["returns"]) == (False, rewriting.LAST, None)


def test_files_that_are_right_alone_may_be_false_together(run: Run, tmp_path: Path) -> None:
    """Both are complete, and the two who stayed both signed the end in two ways."""
    (tmp_path / "one.ndlog").write_bytes(rewriting.complete())
    (tmp_path / "other.ndlog").write_bytes(rewriting.complete(anew=True))
    result = run("audit", str(tmp_path))
    assert result.exit_code == 1
    assert result.stdout.count("ok   ") == 2
    *_, table, fault, why, then, total = result.stdout.splitlines()
    assert table.startswith("FAIL table ")
    assert table.endswith(": two histories")
    assert f"seat{CHOOSER} signed two different entries for step {rewriting.CHOSEN}" in fault
    assert why == "     Only a changed program signs twice, or one with a restored old data folder."
    assert then == "     Keep all these files: together they prove it to anybody who audits them."
    assert total == "2 of 2 logs verified, 1 table told in two ways"


def test_a_log_in_which_everything_is_right_is_not_called_a_failure(
    run: Run, tmp_path: Path
) -> None:
    """One was closed without a seat's signature, one was left: neither is verified or at fault."""
    (tmp_path / "closed.ndlog").write_bytes(rewriting.closed())
    (tmp_path / "left.ndlog").write_bytes(rewriting.own_log())
    result = run("audit", str(tmp_path))
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [
        *("partly", "unfinished", "ok", "0"),
    ]
    assert lines[-1] == "0 of 2 logs verified, 1 unfinished, 1 partly"


def test_whoever_has_a_spoilt_log_is_told_who_has_another(run: Run, tmp_path: Path) -> None:
    (tmp_path / "spoilt.ndlog").write_bytes(LOG_MAGIC + b"nothing")
    lines = run("audit", str(tmp_path / "spoilt.ndlog")).stdout.splitlines()
    assert lines[0].startswith("FAIL ")
    assert lines[-1] == "     Each player of a table has its log: ask one of them for a copy."


def test_of_several_files_it_says_which_tell_the_same(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.ndlog").write_bytes(rewriting.complete(anew=name == "b"))
    lines = run("audit", str(tmp_path)).stdout.splitlines()
    sides = [line.partition("one side: ")[2] for line in lines if "one side: " in line]
    assert sides == [f"{tmp_path}/a.ndlog, {tmp_path}/c.ndlog", f"{tmp_path}/b.ndlog"]


def test_file_under_several_names_is_audited_once(
    run: Run, finished_log: Path, tmp_path: Path
) -> None:
    """The same path again, its folder, a link to it: one file, in full."""
    link = tmp_path / "link.ndlog"
    link.symlink_to(finished_log)
    twice = f"nodealer: {finished_log} is named more than once, and taken once.\n"
    linked = f"nodealer: {link} is the same file as {finished_log}, which is taken once.\n"
    for again, said in ((finished_log, twice), (finished_log.parent, twice), (link, linked)):
        result = run("audit", str(finished_log), str(again))
        assert result.exit_code == 0
        assert result.stderr == said
        assert "What was checked" in result.stdout
        assert "table " not in result.stdout.splitlines()[-1]


def test_same_bytes_under_two_names_count_as_one_copy(
    run: Run, finished_log: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.ndlog"
    copy.write_bytes(finished_log.read_bytes())
    result = run("audit", str(finished_log), str(copy))
    assert result.exit_code == 0
    *_, table, total = result.stdout.splitlines()
    assert table.startswith("ok   table ")
    assert table.endswith(": 2 files, equal byte for byte: they count as one copy")
    assert total == "2 of 2 logs verified, 1 file with the bytes of another"


def test_cut_file_is_not_said_to_have_steps(run: Run, tmp_path: Path) -> None:
    """Nothing is checked of it alone, and nothing counts steps that another line counts anew."""
    cut = tmp_path / "cut.ndlog"
    cut.write_bytes(rewriting.complete()[:-20])
    said = run("audit", str(cut)).stdout
    assert "flop-a, 3 seats, no step was checked, " in said
    assert "  steps        none: the records of this file cannot be told apart" in said
    assert "0 steps" not in said


def test_two_logs_of_which_one_is_cut_agree_up_to_there(run: Run, tmp_path: Path) -> None:
    whole, cut = tmp_path / "a-whole.ndlog", tmp_path / "b-cut.ndlog"
    whole.write_bytes(rewriting.complete())
    cut.write_bytes(rewriting.complete()[:-20])
    result = run("audit", str(tmp_path))
    assert result.exit_code == 1
    *_, fault, extent, advice, table, total = result.stdout.splitlines()
    assert fault == "     malformed: the file is cut short or garbled"
    assert extent.startswith("     flop-a, 3 seats, no step was checked, ")
    assert advice == "     Each player of a table has its log: ask one of them for a copy."
    assert table.endswith(f": 2 files tell one history; {cut} cannot be read to the end")
    assert table.startswith("ok   table ")
    assert total == "1 of 2 logs verified"


def test_who_signed_two_is_named_though_one_log_is_cut(run: Run, tmp_path: Path) -> None:
    whole, cut = tmp_path / "a-whole.ndlog", tmp_path / "b-cut.ndlog"
    whole.write_bytes(rewriting.complete())
    cut.write_bytes(rewriting.complete(anew=True)[:-20])
    result = run("audit", "--json", str(tmp_path))
    answer = json.loads(result.stdout)
    (table,) = answer["tables"]
    assert (result.exit_code, answer["verified"]) == (1, False)
    assert [log["verdict"] for log in answer["logs"]] == ["complete", "malformed"]
    assert (table["paths"], table["same"]) == ([str(whole), str(cut)], False)
    assert (table["verdict"], table["step"]) == ("equivocation", rewriting.CHOSEN)
    assert {one["seat"] for one in table["seats"]} == {0, 1}
    assert table["reason"].endswith(f"; {cut} cannot be read to the end")
    words = run("audit", str(tmp_path)).stdout
    assert f"seat{CHOOSER} signed two different entries for step {rewriting.CHOSEN}" in words


def test_evidence_without_a_table_is_told_so(run: Run) -> None:
    vectors = Path(__file__).parent.parent / "vectors" / "logs"
    page = run("audit", str(vectors / "equivocation-genesis.evidence")).stdout
    assert "     flip-over, 3 seats, no table, checked in" in page
    assert "table key" not in page


def test_json_of_several_logs_is_one_object(run: Run, tmp_path: Path, finished_log: Path) -> None:
    missing = str(tmp_path / "nothing.ndlog")
    result = run("audit", "--json", str(finished_log), missing)
    answer = json.loads(result.stdout)
    assert [log["verdict"] for log in answer["logs"]] == ["complete", "unreadable"]
    assert answer["verified"] is False
    assert result.exit_code == 2


def test_a_cluster_that_does_not_answer(
    run: Run, finished_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 1)
    result = run("audit", "--cluster", "tcp://127.0.0.1:1", str(finished_log))
    assert result.exit_code == 2
    assert "cluster" in result.stderr or "scheduler" in result.stderr


def test_the_bar_is_drawn_on_a_terminal_only(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with bar_for("logs") as advance:
        advance(1, 2)
    assert capfd.readouterr() == ("", "")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with bar_for("logs") as advance:
        advance(1, 2)
    out, err = capfd.readouterr()
    assert out == ""
    assert "Checking logs" in err


def test_the_bar_shows_what_came_last_where_the_next_takes_long(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A review does its first steps in no time: the bar stood at 0 while it looked at a later."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with bar_for("steps", "Reviewing") as advance:
        for step in range(58):
            advance(step, 100)
    assert "57/100" in capfd.readouterr().err


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


def test_in_a_folder_a_game_that_was_left_is_no_failure_and_the_bar_stays_apart(
    tmp_path: Path, finished_log: Path
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.ndlog").write_bytes(finished_log.read_bytes())
    (folder / "9.ndlog").write_bytes(whole_records(finished_log.read_bytes(), drop=3))
    with Terminal(["audit", str(folder)], tmp_path / "home", COLUMNS="200") as terminal:
        terminal.until("3 of 4 logs verified, 1 unfinished")
        assert terminal.end() == 1
    lines = terminal.shown.splitlines()
    assert sum(line.startswith("ok   /") for line in lines) == 3
    assert [line for line in lines if line.startswith("unfinished /")] != []
    assert "FAIL" not in terminal.shown
    assert "Checking logs" in terminal.shown


def test_a_folder_that_is_taken_away_meanwhile_is_passed_over(
    run: Run, finished_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, gone = tmp_path / "games", tmp_path / "games" / "a-gone"
    gone.mkdir(parents=True)
    shutil.copy(finished_log, games)
    scan = os.scandir

    def scandir(path: str) -> object:
        if Path(path) == gone:
            gone.rmdir()
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert run("audit", str(games)).exit_code == 0
    assert not gone.exists()
