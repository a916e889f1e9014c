"""The easy level: a sensible player whose attention lapses.

What becomes of a decision then is the game's own to say (`hasty_bot` of its module `bot`): a card
that is overlooked, a bet that is called out of habit, a slap that is missed.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engine.bots.bot import Bot, random_bot, sensible
from engine.games import load_bot
from engine.question import Question
from engine.view import View

LAPSE: Final = 0.45
"""How often attention lapses, in a game that does not say it."""


def easy(name: str) -> Bot:
    """The easy bot of a game; UsageError for a game that does not exist."""
    usual, module = sensible(name), load_bot(name)
    hasty: Bot = getattr(module, "hasty_bot", random_bot)
    lapse: float = getattr(module, "LAPSE", LAPSE)

    def decide(view: View, question: Question[Any], rng: Random) -> object:
        bot = hasty if rng.random() < lapse else usual
        return bot(view, question, rng)

    return decide
