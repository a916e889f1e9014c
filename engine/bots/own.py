"""A bot that somebody wrote in a module of one's own: `module:function`."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Final, cast

from engine.bots.bot import Bot
from engine.errors import UsageError
from engine.question import Question
from engine.view import View

MARK: Final = ":"
"""Stands between module and function; no name of a level has it."""


def own_bot(path: str) -> Bot:
    """The bot at `module:function`; what it decides is checked each time.

    UsageError if there is no such module or function, and when it is asked, for a decision that the
    rules do not allow.
    """
    module, _, name = path.partition(MARK)
    try:
        bot = getattr(import_module(module), name, None)
    except ModuleNotFoundError as missing:
        if not missing.name or not f"{module}.".startswith(f"{missing.name}."):
            raise  # the module is there, and lacks something itself
        raise UsageError(
            f"there is no module {module!r} here (for the bot {path}): start in its folder, or "
            "install it"
        ) from missing
    except ValueError as wrong:
        raise UsageError(f"a bot of your own is named as module:function (not {path!r})") from wrong
    if not callable(bot):
        raise UsageError(
            f"the module {module!r} has no function {name!r} (for the bot {path}): name another one"
        )
    return _checked(cast("Bot", bot), path)


def _checked(bot: Bot, path: str) -> Bot:
    def decide(view: View, question: Question[Any], rng: Random) -> object:
        decision = bot(view, question, rng)
        if not question.allows(view, decision):
            asked = f"{question.kind}: {question.topic}" if question.topic else question.kind
            raise UsageError(
                f"{path} decides {decision!r} where that is not allowed ({asked}): "
                "take one of question.decisions(view)"
            )
        return decision

    return decide
