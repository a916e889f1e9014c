"""Faults planted in the product: the worlds find each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, islice
from unittest.mock import patch

import pytest

from tests.sim.worlds import aimed
from tests.sim.worlds.draw import draw, losing
from tests.sim.worlds.plan import (
    BAD_SHUFFLES,
    JUMPS,
    VANISHES,
    Crash,
    GoneAtClose,
    Plan,
    Restore,
    SlowDisk,
    TornWrite,
)
from tests.sim.worlds.planted import PLANTED, PLANTED_IN_LOSSES
from tests.sim.worlds.world import run

MEND = 16
"""The number of the world in which the second seat is lost in the middle of mend."""
MOST = 200
"""Within so many worlds each has to be found."""
_TORN = (TornWrite(0, 30, 0.6, False, 1.0), Crash(0, 130, True, False, 1.0))
_AIMED = {
    "sign before sync": Plan(1, "chosen", 2, (), faults=(SlowDisk(0, 0.0, 99.0, 0.3),)),
    "forget a nonce": Plan(
        *(1, "chosen-together", 2, ()),
        latency=0.01,
        jitter=0.0,
        patience=0.3,
        faults=(Crash(0, 28, True, False, 1.0),),
    ),
    "accept a late body": Plan(
        0, "chosen", 3, (), latency=0.01, jitter=0.0, modified=(1, "says more")
    ),
    "splice a torn file": Plan(
        0, "test-verbs", 2, (), latency=0.01, jitter=0.0, patience=0.1, faults=_TORN
    ),
    "pass on an unsigned frame": Plan(
        *(0, "test-verbs", 3, ()),
        latency=0.01,
        jitter=0.0,
        patience=0.3,
        modified=(1, "sends unsigned"),
    ),
    "count a vote twice": Plan(0, "chosen", 3, (), faults=(GoneAtClose(2, False, None),)),
    "verify no shuffle": Plan(0, "test-verbs", 3, (), modified=(0, BAD_SHUFFLES[0])),
    "count TOLD while behind": Plan(
        *(1, "test-verbs", 2, ()),
        latency=0.01,
        jitter=0.0,
        patience=0.3,
        modified=(1, "boasts"),
        faults=(Restore(0, 0.6, 1.5, 0.3),),
    ),
}
"""For each fault a world that meets it."""


@pytest.mark.parametrize("fault", sorted(PLANTED))
def test_a_world_that_is_aimed_at_a_fault_finds_it(fault: str) -> None:
    plan = _AIMED[fault]
    assert not run(plan).failed
    with PLANTED[fault]():
        assert run(plan).failed


def _beside_an_open_vote() -> Plan:
    """In the game of this seed an entry reaches only one voter; in others it reaches none."""
    with patch.object(aimed, "PLAYED", replace(aimed.PLAYED, seed=4)):
        return aimed.an_entry_that_only_one_voter_gets()


_AIMED_IN_LOSSES: dict[str, Callable[[], Plan]] = {
    "count a vote before it is written": aimed.without_one,
    "complete a step beside an open vote": _beside_an_open_vote,
    "miss who is out": lambda: [*aimed.another_in_the_middle(aimed.without_one(), None)][MEND],
    "open a round by any vote": lambda: replace(aimed.without_one(), modified=(2, JUMPS)),
    "keep a coin for later": lambda: replace(aimed.BEGINNING, modified=(aimed.LOST, VANISHES)),
}


@pytest.mark.parametrize("fault", PLANTED_IN_LOSSES)
def test_a_world_that_is_aimed_at_a_fault_of_losses_finds_it(fault: str) -> None:
    plan = _AIMED_IN_LOSSES[fault]()
    assert not run(plan).failed
    with PLANTED_IN_LOSSES[fault]():
        assert run(plan).failed


@pytest.mark.full
@pytest.mark.parametrize("fault", sorted(PLANTED))
def test_some_world_finds_it(fault: str) -> None:
    with PLANTED[fault]():
        assert any(run(draw(seed)).failed for seed in range(1, MOST + 1))


_DRAWN: dict[str, Callable[[], Iterator[Plan]]] = {
    "count a vote before it is written": lambda: map(losing, count(1)),
    "complete a step beside an open vote": lambda: map(losing, count(1)),
    "miss who is out": lambda: map(losing, count(1)),
    "open a round by any vote": lambda: map(losing, count(1)),
    "keep a coin for later": lambda: map(losing, count(1)),
}
"""Among which worlds each of these is looked for."""


@pytest.mark.full
@pytest.mark.parametrize("fault", PLANTED_IN_LOSSES)
def test_some_world_in_which_seats_are_lost_finds_it(fault: str) -> None:
    with PLANTED_IN_LOSSES[fault]():
        assert any(run(plan).failed for plan in islice(_DRAWN[fault](), MOST))
