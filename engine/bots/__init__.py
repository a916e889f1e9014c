"""Players that are programs: what plays each game, and how well."""

from engine.bots.bot import Bot, random_bot, sensible
from engine.bots.player import LEVELS, player

__all__ = ["LEVELS", "Bot", "player", "random_bot", "sensible"]
