"""Studies: the same numbers whoever plays them, and after whatever interruption."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import load
from engine.study import Setting, Study, settings
from engine.totals import Totals
from replay.studies import playing
from replay.studies.kept import StudyFile, StudyFileError
from replay.studies.playing import (
    PIECE_MAX,
    PIECE_SECONDS,
    SMALLEST_PART,
    Piece,
    PlayedPiece,
    play,
)
from replay.studies.rows import Outcome, table
from replay.workers import ALONE, Workers, here, workers
from tests.patience import PATIENCE
from tests.repo.sources import ROOT

BASE = Setting(3, {**load("flip-over").defaults(), "rounds": 1})
STUDY = Study(
    "flip-over",
    settings(BASE, {"seats": [3, 4], "rounds": [1, 2]}),
    12,
    4,
    swept=("seats", "rounds"),
)
NOTHING = [Totals.none(one.seats) for one in STUDY.settings]
WHOLE = [STUDY.played(number, range(STUDY.games)) for number in range(len(STUDY.settings))]


def played_by(crowd: Workers, before: Sequence[Totals] = NOTHING) -> list[Totals]:
    totals = list(before)
    for one in play(STUDY, crowd, [part.games for part in before]):
        totals[one.piece.setting] = totals[one.piece.setting] + one.totals
    return totals


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_any_number_of_processes_comes_to_the_same(jobs: int) -> None:
    with workers(jobs) as crowd:
        assert played_by(crowd) == WHOLE


@pytest.mark.slow
def test_a_cluster_comes_to_the_same(cluster: str) -> None:
    with workers(cluster=cluster) as crowd:
        assert played_by(crowd) == WHOLE


def test_what_is_left_is_played_and_nothing_twice() -> None:
    before = [STUDY.played(number, range(3 * number)) for number in range(len(STUDY.settings))]
    assert played_by(ALONE, before) == WHOLE
    assert list(play(STUDY, ALONE, [STUDY.games] * len(STUDY.settings))) == []


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 0.01, 100.0])
def test_pieces_take_about_as_long_whatever_a_game_takes(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each game once, in order, settings alike; and only the size depends on the clock."""

    def pretend(study: Study, piece: Piece) -> PlayedPiece:
        return PlayedPiece(piece, Totals.none(3), seconds * len(piece.games))

    monkeypatch.setattr(playing, "play_piece", pretend)
    study = replace(STUDY, games=5000)
    pieces = [one.piece for one in play(study, Workers(here, 8), [0] * 4)]
    for setting in range(4):
        games = [game for piece in pieces if piece.setting == setting for game in piece.games]
        assert games == list(range(5000))
    assert [piece.setting for piece in pieces[:4]] == [0, 1, 2, 3]
    largest = max(len(piece.games) for piece in pieces)
    assert largest == {0.0: PIECE_MAX, 1e-9: PIECE_MAX, 0.01: 25, 100.0: 1}[seconds]


@pytest.mark.parametrize("jobs", [1, 2, 8])
@pytest.mark.parametrize("seconds", [0.01, 0.001])
def test_no_process_has_much_left_when_the_others_have_ended(
    jobs: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is free takes the next piece: the last of them ends a piece later than the first.

    That is one game, or a few short ones, since each piece has to be asked for.
    """
    monkeypatch.setattr(
        playing,
        "play_piece",
        lambda _, piece: PlayedPiece(piece, WHOLE[0], seconds * len(piece.games)),
    )
    study = replace(STUDY, games=round(5 / seconds))
    busy = [0.0] * jobs
    pieces = []
    for played in play(study, ALONE if jobs == 1 else Workers(here, 4 * jobs), [0] * 4):
        busy[busy.index(min(busy))] += played.seconds
        pieces.append(played.piece.games)
    assert sum(busy) == pytest.approx(20)
    smallest = max(1, round(PIECE_SECONDS / seconds) // SMALLEST_PART)
    assert max(busy) - min(busy) <= 1.1 * seconds * smallest
    late = [len(games) for games in pieces[len(pieces) // 2 :] if games.stop < study.games]
    assert min(late) >= smallest, "only the last of a setting may be smaller"


def test_a_file_holds_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    file = StudyFile(path, STUDY)
    assert file.read() == NOTHING
    file.keep(WHOLE, now=True)
    assert StudyFile(path, STUDY).read() == WHOLE
    assert StudyFile(path, replace(STUDY, games=500)).read() == WHOLE, "more may be asked for"
    assert [one.name for one in tmp_path.iterdir()] == ["study.json"]


def test_it_is_written_once_a_second_and_when_it_has_to_be(tmp_path: Path) -> None:
    now = [0.0]
    path = tmp_path / "study.json"
    file = StudyFile(path, STUDY, lambda: now[0])
    file.read()
    games = []
    for number, at, must in [(1, 0.5, False), (2, 1.0, False), (3, 1.9, False), (4, 1.9, True)]:
        now[0] = at
        file.keep([STUDY.played(k, range(number)) for k in range(4)], now=must)
        games.append(json.loads(path.read_text())["outcome"][0]["games"])
    assert games == [0, 2, 2, 4]


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (replace(STUDY, seed=5), r"is another one \(different: seed\)"),
        (
            replace(STUDY, settings=STUDY.settings[:3], bots="sensible"),
            r"is another one \(different: settings, bots\)",
        ),
        (replace(STUDY, games=11), "has 12 games already: ask for 12 or more with --games"),
    ],
)
def test_the_file_of_another_study_is_refused_and_stays(
    other: Study, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "study.json"
    StudyFile(path, STUDY).keep(WHOLE, now=True)
    before = path.read_bytes()
    with pytest.raises(StudyFileError, match=sentence):
        StudyFile(path, other).read()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is no study of this program"),
        (b"\xff\0", "is no study"),
        (b"[1, 2]", "is no study"),
        (b'{"study": 7}', "is no study"),
        (b"[" * 100_000, "is no study"),
    ],
)
def test_any_other_file_is_refused_and_stays(data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(data)
    with pytest.raises(StudyFileError, match=sentence):
        StudyFile(path, STUDY).read()
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("games", 11),
        ("games", "12"),
        ("left", None),
        ("lengths", {}),
        ("points", [1, 2]),
        ("squares", [1.5, 2, 3]),
        ("won", [[1, 2, 3]]),
        ("won", 7),
    ],
)
def test_a_damaged_file_is_refused(field: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    StudyFile(path, STUDY).keep(WHOLE, now=True)
    told = json.loads(path.read_text())
    told["outcome"][0][field] = value
    path.write_text(json.dumps(told))
    with pytest.raises(StudyFileError, match="is damaged"):
        StudyFile(path, STUDY).read()
    told["outcome"] = told["outcome"][1:]
    path.write_text(json.dumps(told))
    with pytest.raises(StudyFileError, match="is damaged"):
        StudyFile(path, STUDY).read()


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StudyFileError, match="cannot be written: No such file"):
        StudyFile(tmp_path / "none" / "study.json", STUDY).read()
    with pytest.raises(StudyFileError, match="cannot be read: Is a directory"):
        StudyFile(tmp_path, STUDY).read()


KILLED = """
import os, signal, sys
from cli.main import main
from replay.studies import kept
kept.EVERY_SECONDS = 0
write, times = kept.StudyFile._write, iter(range(6))
def killed(self, totals):
    write(self, totals)
    if next(times) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
kept.StudyFile._write = killed
main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_study_goes_on_where_it_was(jobs: str, tmp_path: Path) -> None:
    """The workers of a killed program end too: until then its output is not closed."""
    path = tmp_path / "study.json"
    asked = ["simulate", "flip-over", "--sweep", "seats=3,4", "--games", "60", "--json"]
    asked += ["--seed", "4", "--no-times"]
    resumed = [*asked, "--jobs", jobs, "--resume", str(path)]

    def run(program: Sequence[str], arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        line = [sys.executable, *program, *arguments]
        return subprocess.run(line, cwd=ROOT, capture_output=True, timeout=PATIENCE, check=False)

    killed = run(["-c", KILLED], resumed)
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, b"")
    before = [one["games"] for one in json.loads(path.read_text())["outcome"]]
    assert 0 < sum(before) < 120
    done = run(["-m", "cli.main"], resumed)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == run(["-m", "cli.main"], asked).stdout
    assert [one["games"] for one in json.loads(path.read_text())["outcome"]] == [60, 60]


def test_the_table_has_a_line_for_each_seat() -> None:
    lines = table(Outcome(STUDY, tuple(WHOLE))).splitlines()
    assert lines[0] == (
        "game,option_rounds,option_trumps,option_discs,option_teams,option_exchange,seats,games,"
        "seat,share,share_low,share_high,points,points_error,steps,steps_median,left"
    )
    assert len(lines) == 1 + 3 + 3 + 4 + 4
    assert {line.count(",") for line in lines} == {16}
    stopped = Outcome(STUDY, (*WHOLE[:1], *NOTHING[1:]))
    assert table(stopped).splitlines() == lines[:4]
    assert not stopped.whole
    assert [row["seats"] for row in stopped.rows()] == [3]


def test_fewer_are_handed_out_than_there_are_pieces() -> None:
    taken: list[int] = []
    numbers = (taken.append(number) or number for number in range(100))
    made = Workers(here, 3).each(lambda number: here(abs, number), numbers)
    assert next(made) == 0
    assert taken == [0, 1, 2]
    assert list(made) == list(range(1, 100))
