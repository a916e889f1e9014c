"""Bots as players at a table between peers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

import trio

from engine.bots import Bot, sensible
from engine.question import Question
from engine.view import View
from engine.zone import Seat
from p2p.player.events import Event, Seated


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a bot reacts in races, in milliseconds: each time drawn between the two.

    The time is drawn before the bot looks at its cards, so that it tells nothing about them.
    """

    least: int = 350
    most: int = 1200

    def draw(self, rng: Random) -> float:
        """One reaction, in seconds."""
        return rng.randint(self.least, self.most) / 1000


Thinks = Callable[[int], float]
"""How many seconds a bot takes for a decision among so many things, where nobody races."""
PEOPLE: Final = Pace()
FAST: Final = Pace(300, 600)
"""As fast as people can be."""


class BotPlayer:
    """A bot at a seat; `rng` is the source of its choices, never of keys.

    It knows how to play `game_name`, and whatever it is seated at later, unless a `bot` decides.
    With a `pace` it takes its time in races, like people, and where it `thinks` at its other
    decisions; without them it is a machine.
    """

    def __init__(
        self,
        game_name: str,
        rng: Random,
        bot: Bot | None = None,
        pace: Pace | None = None,
        thinks: Thinks | None = None,
    ) -> None:
        self._bot = bot or sensible(game_name)
        self._learns = bot is None
        self._rng = rng
        self._pace = pace
        self._thinks = thinks

    async def decide(self, view: View, question: Question[object]) -> object:
        if question.timed:
            if self._pace is not None:
                await trio.sleep(self._pace.draw(self._rng))
        elif self._thinks is not None:
            await trio.sleep(self._thinks(_size(question, view.seat)))
        return self._bot(view, question, self._rng)

    def tell(self, event: Event) -> None:
        """Learn which game is played; bots need nothing else that their view does not show."""
        if self._learns and isinstance(event, Seated):
            self._bot = sensible(event.game)


def _size(question: Question[object], seat: Seat) -> int:
    """How much there is to choose from, as far as everybody sees it: the time tells no card."""
    parts = question.parts(seat)
    return sum(len(part.hand(seat) or ()) + len(part.options_of(seat)) for part in parts)
