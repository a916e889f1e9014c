"""Players that are programs: what plays each game, and how well."""

from engine.bots.bot import LEVELS, Bot, player, random_bot, sensible

__all__ = ["LEVELS", "Bot", "player", "random_bot", "sensible"]
