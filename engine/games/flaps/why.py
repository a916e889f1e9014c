"""Why a decision is good in Flaps: what it brings, and what another one would cost.

Facts of a decision are compared with the same facts of the others (`why_deals.Fact`): a fact is a
reason where it is better.  What a decision costs is a reason for another one that costs less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.bots.reasons import Decided, Reason
from engine.games.flaps import why_laid, why_named, why_put, why_spared
from engine.games.flaps.table import FlapsTable
from engine.games.flaps.why_deals import Fact, Look
from engine.question import PASS, Choose, LayDown, Play

MOST: Final = 2
"""So many reasons are given: nobody keeps more in mind."""
MUCH: Final = 2
"""So many cards that need not be picked up are said first."""
EVEN: Final = 50
"""What others cannot do in fewer of 100 deals is said after other reasons."""


def why(decided: Decided) -> Sequence[Reason]:
    """What speaks for it and not for what it is compared with, the most telling first."""
    table = decided.view.table
    if not isinstance(table, FlapsTable):
        return ()
    look = Look(decided, table)
    others = [one for one in decided.others if one != decided.decision]
    gains = _gains(decided, _brings(look, decided.decision), [_brings(look, one) for one in others])
    spared = _spared(decided, _costs(look, decided.decision), [_costs(look, one) for one in others])
    found = gains if gains and gains[0].key == "wins" else sorted([*gains, *spared], key=_place)
    if not found and decided.decision is PASS:
        return (("keeps",),)
    return tuple(fact.reason for fact in found[:MOST])


def _place(fact: Fact) -> int:
    """What is said first: cards that come into the hand; last what is true of many cards."""
    if fact.key == "spares" and fact.good >= MUCH:
        return -1
    if fact.key == "follows" and fact.good < EVEN:
        return 1
    return 2 if fact.key == "left" else 0


def _brings(look: Look, decision: Any) -> Sequence[Fact]:
    """What this decision brings."""
    match look.decided.asked:
        case Play() as play:
            return why_laid.brings(look, play, decision)
        case LayDown():
            return why_put.brings(look, decision)
        case Choose() as choose:
            option = choose.options[decision]
            return why_named.brings(look, choose.topic, option, choose.options)
    return ()


def _costs(look: Look, decision: Any) -> Sequence[Fact]:
    """What this decision costs; here less is better."""
    match look.decided.asked:
        case Play() as play:
            return why_spared.costs(look, play, decision)
        case LayDown():
            return why_put.costs(look, decision)
        case Choose() as choose:
            return why_named.costs(look, choose.topic, choose.options[decision])
    return ()


def _gains(decided: Decided, own: Sequence[Fact], others: Sequence[Sequence[Fact]]) -> list[Fact]:
    """The facts for it that others lack, or have less of.

    A hint compares with all that is allowed: some may be as good, if others are not.
    """
    found = []
    for fact in own:
        if fact.good < fact.enough:
            continue
        same = [_same(fact, other) for other in others]
        ahead = [_ahead(fact, one) for one in same]
        if decided.compared or not others:
            said = all(one >= fact.clear for one in ahead)
        else:
            said = min(ahead) >= 0 and max(ahead) >= fact.clear
        if said:
            found.append(fact.told(same))
    return found


def _ahead(fact: Fact, other: Fact | None) -> int:
    """How much better it is than that of another decision, which may have none."""
    if other is not None:
        return fact.good - other.good
    return fact.clear


def _spared(decided: Decided, own: Sequence[Fact], others: Sequence[Sequence[Fact]]) -> list[Fact]:
    """What every other decision costs, and this one does not: the least of it."""
    if not others:
        return []
    found = []
    for fact in others[0]:
        cost = _same(fact, own)
        least = (cost.good if cost else 0) + fact.clear
        alike = [_same(fact, other) for other in others]
        if all(one is not None and one.good >= least for one in alike):
            found.append(min([one for one in alike if one], key=lambda one: one.good))
    return found


def _same(fact: Fact, among: Sequence[Fact]) -> Fact | None:
    """The fact that can be compared with this one."""
    return next((other for other in among if other.key == fact.key), None)
