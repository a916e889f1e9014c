"""What a seat holds does not grow with a game, beyond its log, nor with what is sent to it in vain.

Its caches are full after some hundred steps: what it holds is compared at two later ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

import pytest

from p2p.protocol import held
from p2p.seat import forwarding
from p2p.seat.runner import Runner
from tests.sim.worlds import games
from tests.sim.worlds.holdings import SIZE, holdings
from tests.sim.worlds.plan import Plan
from tests.sim.worlds.process import Process
from tests.sim.worlds.watch import Watch
from tests.sim.worlds.world import run

GAME: Final = "chosen-long"
EARLY: Final = 1600
STEPS: Final = 1000
"""So many steps later once more."""
OBJECTS: Final = 0.2
BYTES: Final = 60
"""How much more may be held after each step, on average: a leak of anything is an object a step."""
SMALL: Final = 32
"""The length of caches in short games."""
VAIN: Final = ("floods", "replays", "boasts", "sends garbage")


async def _long(t: Any) -> None:
    """Everybody chooses in turn, very often."""
    while True:
        for seat in t.present():
            await t.choose(seat, ("left", "right"), "a side")


class EnoughError(BaseException):
    """All was measured."""


def grown(plan: Plan, early: int, steps: int) -> Counter[str]:
    """How much more seat 0 holds `steps` steps after the step `early`."""
    found: list[Counter[str]] = []
    stepped = Watch.stepped

    def measured(watch: Watch, process: Process) -> None:
        before = process.checked
        stepped(watch, process)
        at = early + len(found) * steps
        if process.seat == 0 and before < at <= process.checked:
            found.append(holdings(process))
        if len(found) == 2:
            raise EnoughError

    game = replace(games.game_of("chosen-on"), name=GAME, turn=_long)
    known = patch.dict(games._MANY, {GAME: game})
    with known, patch.object(Watch, "stepped", measured), pytest.raises(EnoughError):
        run(plan)
    found[1].subtract(found[0])
    return found[1]


def is_flat(more: Counter[str], steps: int) -> bool:
    """Whether that is less than a leak of one object a step would be."""
    objects = sum(count for name, count in more.items() if name != SIZE)
    return objects < OBJECTS * steps and more[SIZE] < BYTES * steps


def table(seats: int, modified: tuple[int, str] | None = None) -> Plan:
    return Plan(1, GAME, seats, (), latency=0.001, jitter=0.0, patience=0.0, modified=modified)


@contextmanager
def short() -> Iterator[None]:
    """In this block caches are full soon."""
    with patch.object(held, "REMEMBERED", SMALL), patch.object(forwarding, "REMEMBERED", SMALL):
        yield


@pytest.mark.slow
def test_a_seat_holds_no_more_after_a_thousand_steps_than_before_them() -> None:
    more = grown(table(2), EARLY, STEPS)
    assert is_flat(more, STEPS), more


@pytest.mark.parametrize("behaviour", VAIN)
def test_what_is_sent_in_vain_is_not_held(behaviour: str) -> None:
    with short():
        more = grown(table(3, (1, behaviour)), 200, 200)
    assert is_flat(more, 200), more


@pytest.mark.full
@pytest.mark.parametrize("behaviour", VAIN)
def test_what_is_sent_in_vain_is_not_held_in_long_games(behaviour: str) -> None:
    more = grown(table(3, (1, behaviour)), EARLY, STEPS)
    assert is_flat(more, STEPS), more


@contextmanager
def each_frame_is_kept() -> Iterator[None]:
    """A leak: whatever comes is kept."""
    receive = Runner.receive

    def keeps(self: Any, peer: bytes, frame: bytes) -> None:
        self._met.add(frame + b"")
        receive(self, peer, frame)

    with patch.object(Runner, "receive", keeps):
        yield


def no_record_is_forgotten() -> AbstractContextManager[object]:
    """Which of them were taken was once kept for the whole game."""
    return patch.object(held, "REMEMBERED", 10**9)


@pytest.mark.parametrize("leak", [each_frame_is_kept, no_record_is_forgotten])
def test_a_leak_is_found(leak: Any) -> None:
    with short(), leak():
        more = grown(table(2), 200, 200)
    assert not is_flat(more, 200), more
