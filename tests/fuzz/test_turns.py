"""All readers get the same time under the fuzzer, and none is left out without a word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.fuzz import run
from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS
from tests.fuzz.turn import Turn

FUZZER: Final = """
import contextlib, pathlib

def instrument_imports(include):
    return contextlib.nullcontext()

def Setup(arguments, read, custom_mutator):
    global given
    given = read, pathlib.Path(arguments[-1])

def Fuzz():
    read, folder = given
    while True:
        for path in sorted(folder.iterdir()):
            read(path.read_bytes())
"""
"""In the place of the guided fuzzer: reads what lies there, again and again."""


class Processor:
    """A clock that goes on only while a reader reads."""

    def __init__(self) -> None:
        self.now = 0.0

    def reader(self, name: str, seconds: float) -> Reader:
        def read(_: bytes) -> None:
            self.now += seconds

        return Reader(name, read, lambda: [b"sound"])

    def turn(self, reader: Reader, seconds: float) -> Turn:
        return Turn(reader, seconds, lambda: self.now)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No guided fuzzer is there, and nothing is kept."""
    monkeypatch.setattr(run, "find_spec", lambda _: None)


@pytest.mark.usefixtures("bare")
def test_a_slow_reader_gets_the_time_of_a_quick_one(monkeypatch: pytest.MonkeyPatch) -> None:
    processor = Processor()
    monkeypatch.setattr(run, "Turn", processor.turn)
    readers = [processor.reader("quick", 0.25), processor.reader("slow", 2.0)]
    began, spent = 0.0, []
    for outcome in run.run(readers, 8.0, 1):
        spent.append((outcome.runs, processor.now - began))
        began = processor.now
    assert spent == [(33, 8.25), (5, 10.0)]  # the first input is not counted


@pytest.mark.usefixtures("bare")
def test_whoever_takes_longer_than_a_turn_still_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    processor = Processor()
    monkeypatch.setattr(run, "Turn", processor.turn)
    (outcome,) = run.run([processor.reader("endless", 99.0)], 1.0, 1)
    assert outcome.runs == 2
    assert outcome.is_good


def test_who_waits_for_the_processor_loses_nothing() -> None:
    """Only the clock that is handed in ends a turn; by default that of this process."""
    turn = Turn(READERS["frames"], 1000.0)
    for _ in range(3):
        turn.take(b"")
    assert not turn.is_over


def _outcome_of(reader: Reader, runs: int) -> Callable[..., object]:
    return lambda *_: iter([run.Outcome(reader, runs)])


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("runs", "code"), [(0, 1), (7, 0)])
def test_a_reader_that_read_nothing_is_told(
    runs: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "at_random", _outcome_of(READERS["frames"], runs))
    assert run.main("1", "frames") == code
    assert (
        "frames: 0 inputs, 0 edges\n  failed: it has read nothing" in capsys.readouterr().out
    ) == (runs == 0)


def test_each_reader_is_guided_in_its_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them finds an input that it cannot bear, and the next has its turn all the same."""
    (tmp_path / "atheris.py").write_text(FUZZER)
    monkeypatch.setenv("PYTHONPATH", f"{run.ROOT}:{tmp_path}")
    chosen = [READERS[name] for name in ("frames", "hand", "times")]
    for number in range(3):
        (tmp_path / str(number)).mkdir()
    (tmp_path / "1" / "crash-of-before").write_bytes(b"")
    outcomes = list(run.guided(chosen, 0.01, tmp_path, 1))
    assert [one.reader for one in outcomes] == chosen
    assert all(one.runs > 0 for one in outcomes)
    assert [one.is_good for one in outcomes] == [True, False, True]
    assert "read " in outcomes[1].said
