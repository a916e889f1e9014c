"""Who decides at a seat: a person behind a screen, or a bot (p2p.player.bots)."""

from __future__ import annotations

from typing import Protocol

from engine.question import Question
from engine.view import View
from p2p.player.events import Event


class Player(Protocol):
    """The one who plays at a seat.  It sees a view and nothing else."""

    async def decide(self, view: View, question: Question[object]) -> object:
        """One of `question.decisions(view)`."""

    def tell(self, event: Event) -> None:
        """Something happened; never blocks."""
