"""Players that are programs: what plays each game, and how well."""

from engine.bots.bot import Bot, careful, random_bot, sensible
from engine.bots.player import player

__all__ = ["Bot", "careful", "player", "random_bot", "sensible"]
