"""Bots as players at a table between peers."""

from __future__ import annotations

from random import Random

from engine.bots import Bot, sensible
from engine.question import Question
from engine.view import View
from p2p.events import Event


class BotPlayer:
    """A bot at a seat; `rng` is the source of its choices, never of keys."""

    def __init__(self, game_name: str, rng: Random, bot: Bot | None = None) -> None:
        self._bot = bot or sensible(game_name)
        self._rng = rng

    async def decide(self, view: View, question: Question[object]) -> object:
        return self._bot(view, question, self._rng)

    def tell(self, event: Event) -> None:
        """Bots are not told anything that their view does not show."""
