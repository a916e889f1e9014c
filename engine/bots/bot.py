"""Players that are programs.  A bot sees a View and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, cast

from engine.games import load_bot
from engine.question import Question
from engine.view import View

Bot = Callable[[View, Question[Any], Random], object]
"""Takes a decision of a seat: its view, the question, and a source of chance."""


def random_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Take any decision that the rules allow, each equally likely."""
    decisions = question.decisions(view)
    return decisions[int(rng.random() * len(decisions))]


def sensible(name: str) -> Bot:
    """The bot that plays this game with some sense; UsageError for a game that does not exist.

    A game of another package may have none; random_bot plays it then.
    """
    module = load_bot(name)
    return random_bot if module is None else cast("Bot", module.sensible_bot)


def careful(name: str) -> Bot:
    """The same, but its attention does not slip, in a game where that of people does.

    It is the bot of the game that is `sensible` if the game tells them not apart.
    """
    return cast("Bot", getattr(load_bot(name), "careful_bot", None) or sensible(name))
