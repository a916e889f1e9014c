"""The bot of each game and level."""

from __future__ import annotations

from engine.bots.bot import Bot, sensible
from engine.bots.easy import easy
from engine.errors import UsageError
from engine.games import package_of
from engine.levels import EASY, HARD, LEVELS


def player(name: str, level: str) -> Bot:
    """The bot of this game and level; UsageError for a game or level that does not exist."""
    if level not in LEVELS:
        raise UsageError(f"a bot's level is one of: {', '.join(LEVELS)} (not {level!r})")
    if level == HARD:
        # Not at the top: the first picture needs no bot that looks ahead.
        from engine.bots.hard import Hard  # noqa: PLC0415

        package_of(name)
        return Hard()
    return easy(name) if level == EASY else sensible(name)
