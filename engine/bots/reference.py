"""Simple players, against which bots are measured: none may win more than its share.

Each follows one idea through every game, so it knows nothing but what a question offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from engine.bots.bot import Bot, random_bot
from engine.question import PASS, Question
from engine.sets import Lay
from engine.view import View

MOST_WEIGHED: Final = 200
"""A large hand offers a million sets; the last of them, the largest, are enough for a reference."""


def greedy(view: View, question: Question[Any], rng: Random) -> object:
    """Never pass: lay the most cards, the highest of them; take the last choice, the most chips."""
    return _most(view, _acts(view, question)) if _acts(view, question) else PASS


def always_draw(view: View, question: Question[Any], rng: Random) -> object:
    """Pass or draw as long as that is allowed; then do the most."""
    if question.allows(view, PASS):
        return PASS
    return _most(view, _acts(view, question))


def always_call(view: View, question: Question[Any], rng: Random) -> object:
    """Answer whatever others do: call every bet, meet every challenge.  Lead only if one has to.

    A bet is called with the second choice, after the fold.
    """
    acts = _acts(view, question)
    if question.options_of(view.seat) and len(acts) > 1 and not question.timed:
        return acts[1]
    leads = question.parts(view.seat)[0] is question  # and no claim among those of others
    if not acts or (leads and question.allows(view, PASS)):
        return PASS
    return _most(view, acts)


REFERENCES: Final[dict[str, Bot]] = {
    "random": random_bot,
    "greedy": greedy,
    "always-draw": always_draw,
    "always-call": always_call,
}
"""By the names that people type."""


def _acts(view: View, question: Question[Any]) -> list[object]:
    """The decisions that do something, as many as are weighed, in the order of the question."""
    decisions = question.decisions(view)
    last = range(max(0, len(decisions) - MOST_WEIGHED), len(decisions))
    weighed = [decisions[place] for place in last]
    return [decision for decision in weighed if decision is not PASS]


def _most(view: View, acts: Sequence[object]) -> object:
    """The act with the most cards, of those the highest; the last of equal ones."""
    return max(reversed(acts), key=lambda act: _weight(view, act))


def _weight(view: View, act: object) -> tuple[int, int]:
    slots = act.slots if isinstance(act, Lay) else ()
    if isinstance(act, int) and 0 <= act < len(view.table.faces) and view.knows(act):
        slots = (act,)
    return len(slots), sum(card.rank for card in view.cards(slots))
