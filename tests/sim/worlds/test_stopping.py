"""A run that is stopped: its summary, its exit code, and the plan that was being made smaller."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.repo.sources import ROOT
from tests.sim.worlds import running
from tests.sim.worlds.plan import Plan
from tests.sim.worlds.world import Result

MANY = 10**6


@pytest.mark.parametrize(("jobs", "number"), [(1, signal.SIGTERM), (2, signal.SIGINT)])
def test_stopped_run_prints_its_summary(jobs: int, number: signal.Signals) -> None:
    """As a terminal does, the signal is sent to all processes of the run."""
    asked = [sys.executable, "-m", "tests.sim.worlds", f"N={MANY}", "SECOND=0", f"JOBS={jobs}"]
    with subprocess.Popen(
        asked,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("1: ")
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        said, errors = process.communicate()
    assert (process.returncode, errors) == (128 + number, "")
    assert f"stopped by {number.name}" in said
    assert " worlds, " in said
    assert not [*Path("/dev/shm").glob(f"world-{process.pid}-*")]


def test_run_stopped_while_shrinking_prints_its_plan(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(plan: Plan, **asked: Any) -> Result:
        return Result(plan, "one log", "of a test")

    def stop(plan: Plan, fails: Callable[[Plan], bool], seconds: float) -> Plan:
        os.kill(os.getpid(), signal.SIGTERM)
        return plan

    monkeypatch.setattr(running, "run", fail)
    monkeypatch.setattr(running, "shrink", stop)
    monkeypatch.setattr(sys, "argv", ["worlds", "N=5", "SECOND=0"])
    before = signal.getsignal(signal.SIGTERM)
    assert running.main() == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is before
    _, after = capsys.readouterr().out.split(
        "stopped while the world of seed 1 was being made smaller"
    )
    assert str(running.draw(1)) in after
    assert "1 worlds, " in after
