"""`nodealer simulate`: studies as people type them."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands import simulate as simulating
from cli.options import plot as plotting
from replay.studies import playing
from replay.studies.playing import play
from tests.cli.conftest import Run
from tests.cli.test_refusals import assert_refused
from tests.patience import PATIENCE
from tests.repo.sources import ROOT

SHORT = ("simulate", "flip-over", "--option", "rounds=1", "--games", "20", "--seed", "4")
SWEEP = (*SHORT, "--sweep", "seats=3,4", "--sweep", "trumps=off,on")


def test_the_bytes_are_the_same_whatever_the_number_of_processes(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / f"{jobs}.csv" for jobs in (1, 2, 3)]
    found = [
        run(*SWEEP, "--no-times", "--json", "--jobs", str(jobs), "--csv", str(file))
        for jobs, file in enumerate(files, 1)
    ]
    assert [(one.exit_code, one.stderr) for one in found] == [(0, "")] * 3
    assert len({one.stdout for one in found}) == 1
    assert len({file.read_bytes() for file in files}) == 1


def test_one_setting_is_told_as_one_object(run: Run) -> None:
    told = json.loads(run(*SHORT, "--json").stdout)
    assert set(told) == {
        *("game", "wanted", "seed", "bots", "leave", "games", "seconds", "games_per_s"),
        *("steps_per_s", "seats", "options", "returns", "errors", "shares", "intervals"),
        *("steps", "steps_median", "left"),
    }
    assert (told["games"], told["wanted"], told["seats"], told["options"]["rounds"]) == (
        20,
        20,
        4,
        1,
    )
    for share, (low, high) in zip(told["shares"], told["intervals"], strict=True):
        assert low <= share <= high


def test_a_sweep_tells_every_setting_in_order(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "sweep.csv"
    told = json.loads(run(*SWEEP, "--json", "--csv", str(file)).stdout)
    settings = told["settings"]
    assert [(one["seats"], one["options"]["trumps"]) for one in settings] == [
        *((3, False), (3, True), (4, False), (4, True)),
    ]
    assert (told["games"], told["wanted"]) == (80, 80)
    alone = json.loads(run(*SHORT, "--seats", "3", "--option", "trumps=on", "--json").stdout)
    assert {key: alone[key] for key in settings[1]} == settings[1]
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [
        row["share"] for row in rows if row["seats"] == "3" and row["option_trumps"] == "on"
    ] == [f"{share:.4f}".rstrip("0") for share in alone["shares"]]
    text = run(*SWEEP, "--no-times").stdout.splitlines()
    assert text[0] == "80 games of Flip Over, 4 settings"
    assert [line for line in text if not line.startswith("  ")][1].startswith(
        "3 seats, trumps off: 20 games, half of them within "
    )
    assert len(text) == 1 + 4 + 3 + 3 + 4 + 4


def test_it_is_drawn(run: Run, tmp_path: Path) -> None:
    for name, arguments in {"one.png": SHORT, "four.png": SWEEP}.items():
        result = run(*arguments, "--plot", str(tmp_path / name))
        assert (result.exit_code, result.stderr) == (0, "")
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_ctrl_c_keeps_and_tells_what_was_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> object:
        pieces = play(*arguments)  # type: ignore[arg-type]
        for _ in range(5):
            yield next(pieces)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulating, "play", interrupted)
    kept, file = tmp_path / "study.json", tmp_path / "study.csv"
    asked = (*SWEEP, "--no-times", "--json", "--resume", str(kept), "--csv", str(file))
    stopped = run(*asked)
    assert stopped.exit_code == 1
    told = json.loads(stopped.stdout)
    assert 5 <= told["games"] < told["wanted"] == 80
    assert stopped.stderr == (
        f"nodealer: stopped after {told['games']} of 80 games. They are kept in {kept}: "
        "the same command goes on from there.\n"
    )
    assert file.read_text().count("\n") == 1 + 3 + 3 + 4 + 4
    monkeypatch.undo()
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    assert run(*asked).stdout == run(*SWEEP, "--no-times", "--json").stdout
    monkeypatch.setattr(playing, "play_piece", lambda *piece: pytest.fail("nothing is left"))
    again = run(*asked)
    assert json.loads(again.stdout)["games"] == 80


def test_ctrl_c_before_the_first_game_only_stops(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulating, "play", interrupted)
    stopped = run(*SHORT)
    assert (stopped.exit_code, stopped.stdout) == (130, "")
    assert stopped.stderr == "\nnodealer: stopped.\n"


INTERRUPTED = """
import os, signal, sys
from cli.main import main
from cli.kit import bar
signal.signal(signal.SIGINT, signal.default_int_handler)  # else a shell's background ignores it
moved, times = bar.Bar.__call__, iter(range(6))
def press(self, done, of):
    moved(self, done, of)
    if next(times, None) == 5:
        os.killpg(0, signal.SIGINT)
bar.Bar.__call__ = press
main(sys.argv[1:])
"""


@pytest.mark.slow
def test_a_pressed_ctrl_c_reaches_all_processes_and_only_one_speaks() -> None:
    line = [sys.executable, "-c", INTERRUPTED, *SWEEP, "--jobs", "2", "--no-times", "--json"]
    done = subprocess.run(
        line,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        start_new_session=True,
        check=False,
    )
    told = json.loads(done.stdout)
    assert done.returncode == 1
    assert done.stderr == f"nodealer: stopped after {told['games']} of 80 games.\n"
    assert 0 < told["games"] < 80


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--sweep", "level"], "--sweep wants NAME=VALUE, such as rounds=4, not 'level'."),
        (["--sweep", "level="], "--sweep wants NAME=A,B,C, such as level=1,2, not ''."),
        (["--sweep", "level=1,,2"], "such as level=1,2, not '1,,2'."),
        (["--sweep", "level=1,9"], "option level is one of: 1 to 7 (not '9')."),
        (["--sweep", "levle=1,2"], "has no option 'levle' (did you mean 'level'?)"),
        (["--sweep", "level=1,2,1"], "level is swept over 1 twice: say it once."),
        (["--sweep", "level=1", "--sweep", "level=2"], "level cannot be 1 and 2 at once: say"),
        (["--sweep", "level=1,2", "--level", "3"], "level is swept: it cannot have one value too"),
        (["--sweep", "seats=2,3", "--seats", "4"], "seats is swept: it cannot have one value too"),
        (["--sweep", "seats=two"], "seats are numbers, not 'two'."),
        (["--sweep", "seats=2,9"], "9 seats: Flaps is for 2 to 8 players, not 9."),
        (["--sweep", "wins=" + ",".join(map(str, range(1, 21))), "--sweep", "level=1,2,3,4,5,6,7",
          "--sweep", "seats=2,3"], "a study has at most 256 settings, not 280."),
        (["--jobs", "0"], "0 is not in the range x>=1"),
        (["--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], "by --jobs here or by a --cluster"),
        (["--plot", "study.gif"], "study.gif cannot be drawn: name a file that ends in .png"),
        (["--plot", "none/x.png"], "none/x.png cannot be written: there is no folder none; "),
        (["--csv", "none/x.csv"], "none/x.csv cannot be written: there is no folder none; "),
        (["--resume", "."], ". cannot be written: it is a folder; "),
        (["--csv", "a\0b"], "cannot be written: this is no name of a file; "),
    ],
)  # fmt: skip
def test_wrong_use_is_one_sentence_before_anything_is_played(
    run: Run, arguments: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "play", lambda *_: pytest.fail("a game was played"))
    assert_refused(run, 2, sentence, "simulate", "flaps", *arguments)


def test_a_file_of_another_study_is_a_sentence(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    assert run(*SHORT, "--resume", str(path)).exit_code == 0
    other = (*SHORT[:-1], "5", "--resume", str(path))
    assert_refused(
        run, 2, "is another one (different: seed). Another file begins a new study.", *other
    )
    assert_refused(run, 2, "is no study of this program.", *SHORT, "--resume", __file__)


def test_a_plot_without_matplotlib_says_what_adds_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(plotting, "find_spec", lambda name: None)
    monkeypatch.setattr(plotting, "to_add", lambda extra: f"pip install {extra}")
    sentence = "A plot needs matplotlib; pip install stats adds it."
    assert_refused(run, 2, sentence, *SHORT, "--plot", str(tmp_path / "x.png"))
