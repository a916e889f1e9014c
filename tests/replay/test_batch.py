"""Many logs: in order, in several processes or on a cluster, without keeping any."""

from __future__ import annotations

import gc
import os
import time
import tracemalloc
from itertools import repeat
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from replay import workers as working
from replay.batch import UNREADABLE, audit_each
from replay.workers import AHEAD, ClusterError, Known, Promise, Workers, workers
from tests.remembered import forget
from tests.replay.logs import records, with_records
from tests.replay.saved import log_of, write_log


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """A good log, none at all, a garbled one, and a good one."""
    good = write_log("flop-a", tmp_path)
    garbled = tmp_path / "garbled.ndlog"
    garbled.write_bytes(good.read_bytes()[:-1] + b"\0")
    return [good, tmp_path / "nothing.ndlog", garbled, good]


VERDICTS = ["complete", UNREADABLE, "bad-signature", "complete"]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_cannot_be_read_is_reported_and_the_rest_goes_on(jobs: int, logs: list[Path]) -> None:
    with workers(jobs) as crowd:
        reports = list(audit_each(logs, crowd))
    assert [report.verdict for report in reports] == VERDICTS
    assert [report.path for report in reports] == [str(path) for path in logs]
    assert "cannot be read" in reports[1].reason
    assert not reports[1].verified


def test_only_a_few_logs_are_handed_out_before_the_first_report() -> None:
    handed: list[Path] = []

    class Waits:
        def result(self) -> Any:
            return len(handed)

    def submit(path: Path) -> Promise[Any]:
        handed.append(path)
        return Waits()

    made = list(Workers(Known, AHEAD).each(submit, repeat(Path("a"), 50)))
    assert len(made) == 50
    assert made[:3] == [AHEAD, AHEAD + 1, AHEAD + 2]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_logs(tmp_path: Path) -> None:
    """After fifty logs no more is held than after five: a kept report would take a kilobyte."""
    log = log_of("flop-a")
    path = tmp_path / "begun.ndlog"
    path.write_bytes(with_records(log, records(log)[:6]))
    held: dict[int, int] = {}
    tracemalloc.start()
    try:
        for number, report in enumerate(audit_each(repeat(path, 50)), 1):
            assert (report.verdict, report.shuffles) == ("unfinished", 3)
            if number in (5, 50):
                forget()
                gc.collect()
                held[number] = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held[50] < held[5] + 10_000


@pytest.mark.full
def test_memory_is_flat_over_ten_thousand_logs(tmp_path: Path) -> None:
    path = tmp_path / "short.ndlog"
    path.write_bytes(write_log("flop-a", tmp_path).read_bytes()[:9_000])
    tracemalloc.start()
    levels = []
    for number, _ in enumerate(audit_each(repeat(path, 10_000))):
        if number in (1_000, 9_999):
            forget()
            gc.collect()
            levels.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert levels[1] < levels[0] + 100_000


@pytest.mark.slow
def test_a_cluster_comes_to_the_same_verdicts(cluster: str, logs: list[Path]) -> None:
    with workers(cluster=cluster) as crowd:
        reports = list(audit_each(logs, crowd))
    assert [report.verdict for report in reports] == VERDICTS
    here = list(audit_each(logs))
    assert [report.tally for report in reports] == [report.tally for report in here]


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(working, "PATIENCE", 1)
    with (
        pytest.raises(ClusterError, match=r"nodealer\[cluster\]|No Dask scheduler answers"),
        workers(cluster="tcp://127.0.0.1:1"),
    ):
        pytest.fail("somebody answered")


def _rest(begun: Path) -> None:
    begun.touch()
    time.sleep(3600)


def _stop_while_somebody_works(begun: Path) -> None:
    with workers(2) as crowd:
        crowd.hand_out(_rest, begun)
        while not begun.exists():
            os.sched_yield()
        raise KeyboardInterrupt


def test_who_stops_waits_for_no_piece_of_work(tmp_path: Path) -> None:
    """Ctrl-C in a review by several processes took 49 s, for the decision that each looked at."""
    others = active_children()
    with pytest.raises(KeyboardInterrupt):
        _stop_while_somebody_works(tmp_path / "begun")
    assert [child for child in active_children() if child not in others] == []
