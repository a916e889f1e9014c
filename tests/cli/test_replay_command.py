"""`nodealer replay` and `nodealer export` on a command line."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.viewer.review import Reviewing
from engine.bots.lookahead import Leisure, lookahead
from replay.game import open_game
from replay.review import RUNNING, refused
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal
from tests.replay.logs import records, with_records
from tests.replay.saved import write_log
from tests.repo.sources import ROOT


def test_a_step_in_lines(run: Run, finished_log: Path) -> None:
    """A player's own log shows that player's cards, without being asked to."""
    result = run("replay", str(finished_log), "--step", "8")
    assert result.exit_code == 0
    assert result.stdout.startswith("Step 8 of ")
    for part in ("\nYour hand: ", "\nWhy this was legal\n", "\nWho proved what\n"):
        assert part in result.stdout
    assert "the log does not show" not in result.stdout


def test_another_s_eyes(run: Run, tmp_path: Path) -> None:
    log = str(write_log("flop-a", tmp_path, seat=0))
    own = run("replay", log, "--step", "5", "--seat", "0", "--ascii").stdout
    other = run("replay", log, "--step", "5", "--seat", "1", "--ascii").stdout
    assert "the log does not show" not in own
    assert "Your hand: 3 cards that the log does not show" in other
    assert own.isascii()


def test_the_whole_game_in_short(run: Run, finished_log: Path) -> None:
    result = run("replay", "--plain", str(finished_log))
    assert result.exit_code == 0
    assert result.stdout.startswith("Flip Over, table ")
    assert "\nThe log: all seats signed the result.\n" in result.stdout
    assert result.stdout.endswith("verified here: nodealer audit does that.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--step", "900"], "The game has the steps 0 to "),
        (["--step", "-1"], "The game has the steps 0 to "),
        (["--seat", "3"], "The seats are 0 to 2, not 3."),
    ],
)
def test_what_is_not_there(
    run: Run, finished_log: Path, arguments: list[str], sentence: str
) -> None:
    result = run("replay", str(finished_log), *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"nodealer: {sentence}")


@pytest.mark.parametrize("command", [["replay"], ["export", "--text"]])
def test_no_log(run: Run, tmp_path: Path, command: list[str]) -> None:
    missing = tmp_path / "nothing.ndlog"
    assert "cannot be read" in run(*command, str(missing)).stderr
    missing.write_text("Dear Alice")
    result = run(*command, str(missing))
    assert result.exit_code == 2
    assert "cannot be replayed: this is not a nodealer log" in result.stderr


def test_a_folder_means_its_newest_log(run: Run, finished_log: Path, tmp_path: Path) -> None:
    named = run("replay", str(finished_log)).stdout
    assert run("replay", str(finished_log.parent)).stdout == named
    result = run("export", "--text", str(tmp_path))
    assert (result.exit_code, "There is no log" in result.stderr) == (2, True)


def test_prose(run: Run, finished_log: Path, tmp_path: Path) -> None:
    told = run("export", str(finished_log), "--text")
    assert told.exit_code == 0
    assert "The audit: verified, complete" in told.stdout
    written = tmp_path / "game.txt"
    done = run("export", str(finished_log), "--text", "-o", str(written))
    assert done.stdout == f"Written: {written}\n"
    assert written.read_text("utf-8") == told.stdout


def test_lines(run: Run, finished_log: Path) -> None:
    result = run("export", str(finished_log), "--jsonl")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["type"] for line in lines[1:-1]] == ["step"] * lines[0]["steps"]
    assert lines[-1]["verified"] is True
    assert all(line["milliseconds"] is not None for line in lines[1:-2]), "times lie beside it"


def test_a_film(run: Run, tmp_path: Path) -> None:
    """Every step once, from a seat, with the verdict; nobody's hidden cards."""
    log = str(write_log("flop-a", tmp_path, seat=0))
    own, other = (run("export", log, "--svg", "--seat", seat).stdout for seat in "01")
    steps = len(open_game(Path(log)).steps)
    for picture, name in ((own, "seat0"), (other, "seat1")):
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        last = f">step {steps - 1} of {steps - 1}   as {name}"
        assert picture.count(last) == 1
        assert "VERIFIED: " in picture
    assert own != other
    assert run("export", log, "--svg").stdout == own, "the log is the reader's own"
    refused = run("export", log, "--html", "--seat", "0")
    assert (refused.exit_code, "--seat is for --svg" in refused.stderr) == (2, True)
    assert run("export", log, "--svg", "--seat", "9").exit_code == 2


@pytest.mark.parametrize(
    ("forms", "said"), [((), "Say which form: "), (("--text", "--html"), "Say one form: ")]
)
def test_an_export_has_one_form(
    forms: tuple[str, ...], said: str, run: Run, finished_log: Path
) -> None:
    result = run("export", str(finished_log), *forms)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{said}--text, --jsonl, --html or --svg." in result.stderr


def test_the_film_in_the_documents_is_that_of_the_log_beside_it(run: Run) -> None:
    folder = ROOT / "docs" / "screenshots"
    told = run("export", str(folder / "recorded.ndlog"), "--svg", "--seat", "0").stdout
    assert told == (folder / "recorded.svg").read_text("utf-8"), "run `make screenshots`"
    assert "VERIFIED: complete" in told


def test_an_export_needs_a_form_and_a_place(run: Run, finished_log: Path, tmp_path: Path) -> None:
    result = run("export", str(finished_log))
    assert (result.exit_code, result.stdout) == (2, "")
    result = run("export", str(finished_log), "--text", "-o", str(tmp_path / "no" / "f"))
    assert result.exit_code == 2
    assert f"cannot be written: there is no folder {tmp_path / 'no'}" in result.stderr


def test_the_viewer_at_a_terminal(tmp_path: Path) -> None:
    """From the command to the last step, and out again; the audit runs meanwhile."""
    log = write_log("flop-a", tmp_path, seat=0)
    with Terminal(["replay", str(log)], tmp_path) as terminal:
        terminal.until("step 0 of")
        terminal.until("complete")
        terminal.keys("w")
        terminal.until("answer", "asked")
        terminal.keys("xq")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.shown


def test_a_terminal_that_draws_nothing_gets_lines(tmp_path: Path) -> None:
    log = write_log("flop-a", tmp_path)
    with Terminal(["replay", str(log), "--step", "4"], tmp_path, TERM="dumb") as terminal:
        terminal.until("Who proved what")
        assert terminal.end() == 0


def test_a_fault_is_shown_while_one_looks(tmp_path: Path) -> None:
    log = write_log("flop-a", tmp_path)
    data = log.read_bytes()
    log.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with Terminal(["replay", str(log)], tmp_path, module="tests.cli.program") as terminal:
        terminal.until("bad-signature")
        terminal.keys("q")
        assert terminal.end() == 1


@pytest.mark.slow
def test_a_review(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = replace(lookahead("flop-a"), leisure=Leisure(compared=200))
    monkeypatch.setattr("engine.games.flop_a.lookahead.LOOKAHEAD", said)
    folder = tmp_path / "games of Ada"
    folder.mkdir()
    log = str(write_log("flop-a", folder, seat=0))
    monkeypatch.setattr("cli.commands.replay.WORST", 1)
    told = run("replay", log, "--review")
    assert told.exit_code == 0
    assert " decisions with a choice." in told.stdout
    assert "\nStep " in told.stdout
    found = json.loads(run("replay", log, "--review", "--json").stdout)
    assert found["seat"] == 0
    assert {*found} == {"seat", "player", "judged", "raced", "unknown", "by_bot", "mistakes"}
    told_of_each = {"step", "decided", "better", "gain", "worth", "why", "missed", "alike", "late"}
    assert {*found["mistakes"][0]} == told_of_each
    step = found["mistakes"][0]["step"]
    *_, shown, rest = told.stdout.splitlines()
    assert rest == f"All {len(found['mistakes'])}: add --json."
    before, _, command = shown.partition(" replay ")
    assert before.startswith(f"What lay on the table before step {step}: ")
    assert run("replay", *shlex.split(command)).exit_code == 0
    assert f"--step {step - 1} " in command


def test_a_running_game_with_other_people_is_not_reviewed(run: Run, tmp_path: Path) -> None:
    """In another shell a review told a player what the others probably held."""
    log = write_log("flop-a", tmp_path, seat=0)
    log.write_bytes(with_records(log.read_bytes(), records(log.read_bytes())[:-40]))
    result = run("replay", str(log), "--review")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"nodealer: {RUNNING}")
    reviewing = Reviewing(log)
    while isinstance(lines := reviewing.review(0), str):
        assert lines.startswith("Reviewing the decisions of this seat")
    assert lines == [RUNNING]


def test_a_running_game_of_one_person_and_bots_is_reviewed(tmp_path: Path) -> None:
    log = write_log("flop-a", tmp_path, seat=0)
    log.write_bytes(with_records(log.read_bytes(), records(log.read_bytes())[:-40]))
    game = open_game(log)
    game.beside.update({1: "bot"})
    assert refused(game) == RUNNING
    game.beside.update({2: "bot"})
    assert refused(game) == ""


def test_a_review_needs_a_seat_and_json_a_review(run: Run, tmp_path: Path) -> None:
    log = str(write_log("flop-a", tmp_path))
    for arguments, sentence in (
        (["--review"], "Whose decisions? --seat 0 to 2 says it."),
        (["--json"], "--json prints a review: add --review."),
    ):
        result = run("replay", log, *arguments)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"nodealer: {sentence}")
