"""How Sneak is looked ahead in: to the end of the round, with the sets worth a thought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.bots.lookahead import Leisure, Lookahead, chances
from engine.games.sneak.bot import LARGEST, by_strength, is_free, sensible_bot
from engine.games.sneak.combos import kind_of, strength
from engine.games.sneak.table import SneakTable
from engine.games.sneak.why import why
from engine.question import Question
from engine.sets import Lay, LaySet, LayTogether
from engine.view import View

A_LOT: Final = 15.0
STEPS: Final = 4500
"""A bot of Sneak takes some 0.2 ms for each at most, so this is less than a second."""
LEISURE: Final = Leisure(steps=15_000)
"""4,500 were some 18 games early in a round: of two that looked alike, one cost 33 of 100."""


def considered(view: View, question: Question[Any]) -> Sequence[object]:
    """Drawing or a sneak while there is stock, then of each size the best sets; few challenges."""
    table = view.table
    if isinstance(table, SneakTable) and isinstance(question, LaySet):
        leads = _sneaks if question.terms.may_pass else _flaunts
        return leads(view, table, question)
    if isinstance(table, SneakTable) and isinstance(question, LayTogether):
        return _challenges(view, table, question.claims[view.seat])
    return question.decisions(view)


def _sneaks(view: View, table: SneakTable, question: LaySet) -> list[Lay | None]:
    """Drawing; where no other seat would draw in its place, the worst and the best card down."""
    if not is_free(table):
        return [None]
    sets = by_strength(view, table, question, 1, combos=False)
    return [None, *[Lay(slots, down=True) for slots in dict.fromkeys([sets[0], sets[-1]])]]


def _flaunts(view: View, table: SneakTable, question: LaySet) -> list[Lay | None]:
    found: list[Lay | None] = []
    for size in range(1, min(LARGEST, question.sizes[-1]) + 1):
        sets = by_strength(view, table, question, size, combos=True)
        middle = sets[len(sets) // 2 :][:1] if size == 1 else []
        found += map(Lay, dict.fromkeys([*sets[:1], *middle, *sets[-1:]]))
    return found


def _challenges(view: View, table: SneakTable, claim: LaySet) -> list[Lay | None]:
    """Passing, the best set, and the least that beats what was led, or is of middle strength."""
    led = [face for slot in table.played[table.seat] if (face := table.faces[slot]) is not None]
    sets = by_strength(view, table, claim, claim.sizes[0], combos=bool(led))
    if led:
        kind = kind_of(led)
        least = strength(led, table.order, kind)
        sets = [one for one in sets if strength(view.cards(one), table.order, kind) >= least]
    kept = dict.fromkeys([*sets[:1], *sets[len(sets) // 2 :][:1], *sets[-1:]])
    return [None, *map(Lay, kept)]


def enough(then: SneakTable, now: SneakTable) -> bool:
    """Whether the round is over."""
    return now.round > then.round or now.dealing


def worth(table: SneakTable) -> Sequence[float]:
    """The chance of each seat to win with the points it has."""
    return chances(table.scores, A_LOT, table.lost)


LOOKAHEAD: Final = Lookahead(
    sensible_bot, sensible_bot, considered, enough, worth, steps=STEPS, leisure=LEISURE, why=why
)
