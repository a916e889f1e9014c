"""An entry that comes before its step has begun is judged when the step begins."""

from __future__ import annotations

import pytest

from p2p.protocol.effects import Behind, Forward
from p2p.protocol.entry import STATE_BYTES, Entry, decode_entry
from p2p.protocol.held import AHEAD
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.table import open_table
from tests.protocol.cheats import CHEAT, sign_again, signed
from tests.protocol.kit import game_hub, make_header, seeded
from tests.protocol.scenes import SCENES

SCENE = SCENES["dealt"]


def confirmed_before_the_last_shuffle() -> list[Entry]:
    """A whole game in another order; seat 0 has all of it."""
    hub = game_hub(SCENE, 3)
    hub.run()
    entries = signed(hub, 0)
    assert [entry.kind for entry in entries[:6]] == ["shuffle"] * 3 + ["confirm"] * 3
    return [*entries[:2], entries[4], entries[3], entries[2], *entries[5:]]


def reader() -> Machine:
    """The machine of somebody who only checks."""
    machine = open_table(make_header(SCENE, 3), seeded("reader")).machine
    machine.start()
    return machine


def take(machine: Machine, record: bytes) -> None:
    machine.receive(record)
    run_inline(machine)


@pytest.mark.call("p2p.protocol.machine:Machine._begin -> self._admit")
def test_a_right_one_counts() -> None:
    machine = reader()
    for entry in confirmed_before_the_last_shuffle():
        take(machine, entry.record)
    assert machine.ended


@pytest.mark.call("p2p.protocol.machine:Machine._begin -> self._admit")
def test_a_wrong_one_is_refused() -> None:
    machine = reader()
    for entry in confirmed_before_the_last_shuffle()[:5]:
        bent = entry.kind == "confirm" and entry.seat == CHEAT
        changes = {"state": bytes(STATE_BYTES)} if bent else {}
        take(machine, sign_again(entry.record, **changes))
    assert machine.fault is not None
    assert (machine.fault.verdict, machine.fault.seat) == ("state-mismatch", CHEAT)


def test_what_is_too_far_ahead_is_not_held_but_asked_for() -> None:
    """One step nearer it is held and passed on; only of that one a second body is guilt."""
    machine = reader()
    confirm = confirmed_before_the_last_shuffle()[3]
    for step, told in ((AHEAD, Forward), (AHEAD + 1, Behind)):
        entry = decode_entry(sign_again(confirm.record, step=step))
        machine.receive(entry.record)
        (effect,) = run_inline(machine)
        assert effect == (Forward(entry) if told is Forward else Behind(0))
        assert (entry.record in machine.beyond()) == (told is Forward)
        assert (machine.timing.arrived(step, entry.seat) is not None) == (told is Forward)


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_another_history_is_asked_for_from_the_step_before(steps: int) -> None:
    """There the two may have parted; before the first step there is none."""
    machine, entries = reader(), confirmed_before_the_last_shuffle()
    for entry in [*entries[:2], entries[4]][:steps]:
        take(machine, entry.record)
    assert machine.chain.step == steps
    stray = decode_entry(sign_again(entries[0].record, step=steps, previous=bytes(32)))
    machine.receive(stray.record)
    assert run_inline(machine) == [Forward(stray), Behind(max(0, steps - 1))]
    assert machine.fault is None
