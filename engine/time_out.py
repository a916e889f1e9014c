"""What a seat's own program decides when its person's time is over, as the rule book says.

A table may have a clock.  Nobody else can decide for a seat, so its own program does, and it takes
what can be taken without looking at cards that only this person sees: what the game says for the
question (`Game.timed_out`), or else a pass.  Where only the person could choose among hidden cards,
the game's bot does.
"""

from __future__ import annotations

from random import Random
from typing import Any

from engine.bots import Bot
from engine.game import Game
from engine.question import PASS, Question
from engine.view import View
from engine.zone import Seat


def is_under_clock(question: Question[Any], seat: Seat) -> bool:
    """Whether the table waits for as long as this seat decides nothing.

    Not where the question ends by itself, nor in a race for the turn of somebody else: there it is
    no lateness to do nothing.
    """
    waits = seat in question.deciders and question.lasts_ms() is None
    return waits and not question.for_others(seat)


def decide_for(game: Game, view: View, question: Question[Any], bot: Bot, rng: Random) -> object:
    """The decision of the seat of `view` when its time is over."""
    decision = public_default(game, view, question)
    if decision is not PASS or question.allows(view, PASS):
        return decision
    decisions = question.decisions(view)
    return decisions[0] if len(decisions) == 1 else bot(view, question, rng)


def public_default(game: Game, view: View, question: Question[Any]) -> object:
    """What the rules say for it, looking at what everybody sees; PASS if they say nothing."""
    if game.timed_out is None:
        return PASS
    return game.timed_out(view.table, view.seat, question)
