"""A player of You Fink! with some sense: slaps what can be slapped, and challenges low.

It sees only what is public: nobody knows a card before everybody does.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engine.bots import random_bot
from engine.cards import Card
from engine.games.you_fink.acts import FOREHEAD, INTEL, SLAP, TURN, fink_table
from engine.games.you_fink.cards import POWERS
from engine.games.you_fink.table import (
    CHOOSING,
    MINION_ASKS,
    NOBODY,
    FinkTable,
    is_touched,
    powers_left,
    slappable,
)
from engine.question import PASS, Question, Race
from engine.view import View

LAPSE: Final = 0.2
"""How often the easy level does not look at the pile (found by play against the normal level)."""
SLIP: Final = 0.01
"""How often a ready hand slaps what cannot be slapped: it happens to people too."""


def sensible_bot(view: View, question: Question[Any], rng: Random) -> object:
    """A careful player whose ready hand slips now and then."""
    return _play(view, question, rng, SLIP)


def careful_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Be ready to slap, never slap in vain, choose a power that leaves the pile open."""
    return _play(view, question, rng, 0)


def _play(view: View, question: Question[Any], rng: Random, slip: float) -> object:
    """How careful people play; a ready hand that has nothing to slap does so with this chance."""
    if not isinstance(question, Race):
        return random_bot(view, question, rng)
    table, allowed = fink_table(view.table), question.claims[view.seat].decisions(view)
    if slappable(table):
        return _grab(table, view.seat, allowed)
    if table.phase is CHOOSING and table.due == view.seat:
        return INTEL + best_power(table, table.face(table.pile[-1]))
    if slip and SLAP in allowed and rng.random() < slip:
        return SLAP
    if TURN in allowed:
        return TURN
    return FOREHEAD if FOREHEAD in allowed and _soon(table) else PASS


def hasty_bot(view: View, question: Question[Any], rng: Random) -> object:
    """See nothing but what is due: a match is missed, and any power is named."""
    if not isinstance(question, Race):
        return random_bot(view, question, rng)
    table, allowed = fink_table(view.table), question.claims[view.seat].decisions(view)
    powers = [act for act in allowed if act is not None and act >= INTEL]
    if powers and table.phase is CHOOSING:
        return powers[int(rng.random() * len(powers))]
    return TURN if TURN in allowed else PASS


def _grab(table: FinkTable, seat: int, allowed: Any) -> object:
    """Slap, get the hand ready, or cover a match that others are quicker to slap."""
    if SLAP in allowed:
        return SLAP
    others = any(is_touched(table, other) for other in range(table.seats) if other != seat)
    if TURN in allowed and others and table.forehead:
        return TURN
    return FOREHEAD if FOREHEAD in allowed else TURN if TURN in allowed else PASS


def _soon(table: FinkTable) -> bool:
    """Whether the next card may make the pile free for all."""
    challenged = table.owner != NOBODY and table.asked != MINION_ASKS
    return challenged and table.remaining == 1


def best_power(table: FinkTable, card: Card) -> int:
    """The lowest power: the fewer cards, the sooner the pile is free for a quick hand.

    Of equal ones the first.
    """
    return min(powers_left(table, card), key=POWERS[card.id].__getitem__)
