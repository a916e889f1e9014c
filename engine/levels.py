"""How well a bot plays: the names of the levels.

Nothing is imported here, so that what only names a level (the menu's first picture) loads no bot.
"""

from typing import Final

EASY: Final = "easy"
NORMAL: Final = "normal"
HARD: Final = "hard"
LEVELS: Final = (EASY, NORMAL, HARD)
"""Weakest first."""
