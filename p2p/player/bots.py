"""Bots as players at a table between peers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

import trio

from engine.bots import Bot, player
from engine.question import Question
from engine.view import View
from engine.zone import Seat
from p2p.player.beside import Beside
from p2p.player.events import Event, Finished, Seated, Stopped


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

    It knows how to play `game_name`, and whatever it is seated at later, as well as its `level`
    says, unless a `bot` decides.  A hard one thinks in a process of its own.  With a `pace` it
    takes its time in races, like people, and where it `thinks` at its other decisions; without
    them it is a machine.
    """

    def __init__(
        self,
        game_name: str,
        rng: Random,
        bot: Bot | None = None,
        pace: Pace | None = None,
        thinks: Thinks | None = None,
        level: str = "normal",
    ) -> None:
        self._bot = bot or player(game_name, level)
        self._level = level
        self._beside = Beside() if level == "hard" and bot is None else None
        self._learns = bot is None
        self._rng = rng
        self._pace = pace
        self._thinks = thinks

    async def decide(self, view: View, question: Question[object]) -> object:
        takes = self._takes(view, question)
        if self._beside is None:
            if takes is not None:
                await trio.sleep(takes)
            return self._bot(view, question, self._rng)
        due = trio.current_time() + (takes or 0.0)
        decision = await self._beside.decide(view, self._rng)
        await trio.sleep_until(due)
        return decision

    def tell(self, event: Event) -> None:
        """Learn which game is played, and when it is over; the view shows everything else."""
        if self._learns and isinstance(event, Seated):
            self._bot = player(event.game, self._level)
        if self._beside is not None and isinstance(event, Finished | Stopped):
            self._beside.close()

    def _takes(self, view: View, question: Question[object]) -> float | None:
        """How long a decision is to take, in seconds, drawn before the bot looks at its cards.

        None for a machine.
        """
        if question.timed:
            return None if self._pace is None else self._pace.draw(self._rng)
        return None if self._thinks is None else self._thinks(_size(question, view.seat))


def _size(question: Question[object], seat: Seat) -> int:
    """How much there is to choose from, as far as everybody sees it: the time tells no card."""
    parts = question.parts(seat)
    return sum(len(part.hand(seat) or ()) + len(part.options_of(seat)) for part in parts)
