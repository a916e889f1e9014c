"""A bot that does what was learned in an environment: it plays wherever bots play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engine.bots import Bot
from engine.course import Course
from engine.env.playing import Setting
from engine.env.spelling import Spelling, spelling
from engine.errors import EngineError
from engine.games import load
from engine.question import Question
from engine.view import View
from replay.env.arrays import observed

Policy = Callable[[dict[str, Any], Random], int]
"""Takes an action for an observation without a text, and a source of chance."""


def bot_of(policy: Policy) -> Bot:
    """The bot that says its decisions by the actions of a policy, at any table of any game.

    The observations are those of `GameEnv`.  When it is asked: IllegalAnswer for an action that is
    masked, and EngineError for a view that does not know the course of its game.
    """
    settings: dict[tuple[object, ...], Setting] = {}

    def decide(view: View, question: Question[Any], rng: Random) -> object:
        setting = _setting_of(view.course, settings)
        said: list[int] = []
        at = spelling(setting.actions, view, question)
        while True:
            seen = observed(setting, view, question, said, at.legal())
            said.append(int(policy(seen, rng)))
            after = at.say(said[-1])
            if not isinstance(after, Spelling):
                return after.decision
            at = after

    return decide


def _setting_of(course: Course | None, settings: dict[tuple[object, ...], Setting]) -> Setting:
    """The setting of this game; one that was made before is used again."""
    if course is None:
        raise EngineError("a learned bot needs a view that knows the course of its game")
    options: Mapping[str, bool | int | str] = course.options
    key = (course.game, course.seats, *sorted(options.items()))
    if key not in settings:
        settings[key] = Setting(load(course.game), course.seats, options)
    return settings[key]
