"""A failing plan made smaller while the same check fails: fewer faults, seats and troubles."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, Final

from tests.sim.worlds.games import game_of
from tests.sim.worlds.plan import Fault, Plan

_PLAIN: Final = (
    ("never", ()),
    ("late", ()),
    ("jitter", 0.0),
    ("bandwidth", 1e7),
    ("patience", 0.0),
    ("latency", 0.01),
    ("sensible", False),
    ("memo", True),
    ("pieces", False),
    ("watched", None),
    ("modified", None),
)
_SHORT: Final = ("tossed", "chosen", "dealt", "opened", "laid-freely")
"""Short games, the shortest first."""


def shrink(plan: Plan, fails: Callable[[Plan], bool], seconds: float) -> Plan:
    """The smallest plan that was found in so many seconds; `fails` says whether one fails alike."""
    ends = time.monotonic() + seconds
    smaller: Plan | None = plan
    while smaller is not None:
        plan, smaller = smaller, None
        for other in candidates(plan):
            if time.monotonic() > ends:
                return plan
            if fails(other):
                smaller = other
                break
    return plan


def candidates(plan: Plan) -> Iterator[Plan]:
    """Plans with one thing less each, the greatest step first."""
    half = len(plan.faults) // 2
    if half > 1:
        yield replace(plan, faults=plan.faults[:half])
        yield replace(plan, faults=plan.faults[half:])
    for left_out in range(len(plan.faults)):
        yield replace(plan, faults=plan.faults[:left_out] + plan.faults[left_out + 1 :])
    for game in _SHORT[: _SHORT.index(plan.game) if plan.game in _SHORT else None]:
        if plan.seats in game_of(game).seats and not plan.least:  # they need all their players
            yield replace(plan, game=game, options=())
    if plan.seats - 1 in game_of(plan.game).seats and _names_only(plan, plan.seats - 1):
        yield replace(plan, seats=plan.seats - 1)
    for name, plain in _PLAIN:
        if getattr(plan, name) != plain:
            yield replace(plan, **{name: plain})


def _names_only(plan: Plan, seats: int) -> bool:
    """Whether nothing in the plan is about seats from this number on."""
    named = [seat for pair in plan.never for seat in pair] + [seat for seat, _ in plan.late]
    named += [one[0] for one in (plan.modified, plan.watched) if one is not None]
    named += [seat for fault in plan.faults for seat in _seats(fault)]
    return all(seat < seats for seat in named)


def _seats(fault: Fault) -> tuple[int, ...]:
    values: dict[str, Any] = {field.name: getattr(fault, field.name) for field in fields(fault)}
    alone = (values["seat"],) if "seat" in values else ()
    return (*alone, *values.get("pair", ()), *values.get("seats", ()))
