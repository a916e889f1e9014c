"""Players that are programs.  A bot sees a View and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

from engine.errors import UsageError
from engine.games import NAMES
from engine.question import Question
from engine.view import View

Bot = Callable[[View, Question[Any], Random], object]
"""Takes a decision of a seat: its view, the question, and a source of chance."""


def random_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Any decision that the rules allow, all equally likely."""
    decisions = question.decisions(view)
    return decisions[int(rng.random() * len(decisions))]


def sensible(name: str) -> Bot:
    """The bot that plays this game with some sense; UsageError for a game that is not there."""
    if name not in NAMES:
        raise UsageError(f"there is no game {name!r}; the games are: {', '.join(NAMES)}")
    bot: Bot = import_module(f"engine.bots.{name.replace('-', '_')}").sensible_bot
    return bot
