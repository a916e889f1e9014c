"""Everything that can happen at a small table: no seat signs twice, nothing forks, all end."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.protocol.effects import Write
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnPast
from p2p.seat.reply import Reply
from p2p.seat.runner import Runner
from tests.shares import seldom
from tests.sim.exhaustive import table
from tests.sim.exhaustive.search import FoundError, search
from tests.sim.exhaustive.tables import LONG, QUICK


@pytest.mark.parametrize("name", [*QUICK, *(seldom(pytest.param(name, id=name)) for name in LONG)])
def test_nothing_wrong_can_happen(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = search(*(QUICK | LONG)[name])
    with capsys.disabled():
        print(f"\n{name}: {found}")  # noqa: T201 - how much was looked at belongs to the result
    assert found.ends > 0
    assert found.steps > found.states > found.deepest


def _seen_before_it_is_written(runner: Runner, machine: Machine, effect: Write) -> None:
    runner.desk.save(lambda files: files.write(effect))
    machine.wrote(effect.number)


def test_an_entry_that_leaves_before_it_is_written_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Runner, "_write", _seen_before_it_is_written)
    with pytest.raises(FoundError, match="sent what is not on its disk"):
        search(*QUICK["two seats, one step, one crash"])


def test_a_seat_that_signs_before_it_has_asked_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has lost what it wrote, and asks nobody for its newest entries."""
    real = Runner.run

    def run(runner: Runner, machine: Machine) -> Reply[Any]:
        ended = real(runner, machine)
        machine.allow_signing()
        runner._carry_on()
        return ended

    monkeypatch.setattr(table, "own_past", lambda chain, records: OwnPast())
    monkeypatch.setattr(Runner, "run", run)
    with pytest.raises(FoundError, match="signed two entries for step 0"):
        search(*QUICK["two seats, one step, one crash"])
