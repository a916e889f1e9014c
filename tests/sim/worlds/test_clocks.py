"""Worlds with a clock: whoever sleeps holds up nobody, whatever else goes wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.game import Value
from engine.games import NAMES
from tests.sim.worlds.draw import draw
from tests.sim.worlds.plan import Crash, Plan
from tests.sim.worlds.world import run

SHORT: dict[str, tuple[tuple[str, Value], ...]] = {
    "flip-over": (("rounds", 1),),
    "flaps": (("level", 2), ("turn-limit", 8)),
    "flop-a": (("hands", 1),),
    "sneak": (("target", 25),),
}
DRAWN = [plan for plan in map(draw, range(1, 400)) if plan.game in NAMES and not plan.modified]


@pytest.mark.parametrize("game", SHORT)
def test_one_who_sleeps_is_waited_for_only_until_the_clock(game: str) -> None:
    """Without a clock nothing goes on, and that is no end of such a world."""
    plan = Plan(1, game, 3, SHORT[game], clock=5, asleep=(1,))
    result = run(plan)
    assert (result.failed, result.endings) == ("", ("closed",) * 3)
    assert result.counts["told TimeOver"] >= 1
    waits = run(replace(plan, clock=0))
    assert (waits.failed, waits.endings) == ("an end", ("waits",) * 3)


def test_all_are_told_once_of_one_who_sleeps_on() -> None:
    """By their own clocks, although questions reach some later than others."""
    result = run(Plan(1, "sneak", 3, SHORT["sneak"], clock=5, asleep=(1,)))
    assert result.counts["told TimeOver"] > 40
    assert result.counts["told Away"] == 3


def test_a_game_goes_on_while_everybody_sleeps() -> None:
    result = run(Plan(1, "flip-over", 3, SHORT["flip-over"], clock=5, asleep=(0, 1, 2)))
    assert (result.failed, result.endings) == ("", ("closed",) * 3)
    assert result.counts["told TimeOver"] == 24
    assert result.counts["told Away"] == 9, "each of three seats is told of each"


def test_a_clock_runs_on_after_a_crash() -> None:
    """The seat that sleeps loses its program before its time is over, and comes back."""
    crash = Crash(1, 90, after=True, power=True, back=0.3)
    plan = Plan(3, "flip-over", 3, SHORT["flip-over"], clock=5, asleep=(1,), faults=(crash,))
    result = run(plan)
    assert (result.failed, result.endings) == ("", ("closed",) * 3)
    assert result.counts["Crash"] == 1


@pytest.mark.parametrize("plan", DRAWN[:12], ids=lambda plan: str(plan.seed))
def test_worlds_in_which_somebody_sleeps(plan: Plan) -> None:
    """Crashes, cut links, full disks: every check holds, with a clock that is often too short."""
    sleeper = plan.seed % plan.seats
    result = run(replace(plan, clock=5, asleep=(sleeper,)))
    assert not result.failed, f"{result.failed}: {result.why}"
    assert result.counts["told TimeOver"] or "closed" not in result.endings
