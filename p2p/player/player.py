"""Who decides at a seat: a person behind a screen, or a bot (p2p.player.bots)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from engine.question import Question
from engine.view import View
from p2p.player.events import Event

GetReady = Callable[[Callable[[bool], None]], Awaitable[None]]
"""Runs while the lobby is open, and calls what it is given whenever the person is ready, or no
longer is.  Raises if the person leaves; the seat is then given back."""


class Player(Protocol):
    """A person or bot at a seat, which sees a view and nothing else."""

    async def decide(self, view: View, question: Question[object]) -> object:
        """Choose one of `question.decisions(view)`, or `LEAVE` (`p2p.protocol.step`).

        That leaves the game for good, which is possible if its rules can go on without a player
        (`Game.lose`).
        """

    def tell(self, event: Event) -> None:
        """Take note of an event; never block."""
