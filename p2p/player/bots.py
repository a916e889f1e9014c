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
from engine.zone import Seat, Slot
from p2p.player.events import Event, Seated


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a bot sees what there is to do in a race: mean and spread, in milliseconds.

    The time is drawn before the bot looks at its cards, so that it tells nothing about them.
    """

    mean: int = 500
    spread: int = 80

    def draw(self, rng: Random) -> float:
        """How long it takes to see something, in seconds."""
        return max(QUICKEST_MS, rng.gauss(self.mean, self.spread)) / 1000


QUICKEST_MS: Final = 300
"""No bot sees anything sooner (rules of You Fink!, section 9)."""
SECOND_PRESS_MS: Final = (120, 220)
"""Who has seen it only has to press again: a slap after the touch."""


Thinks = Callable[[int], float]
"""How many seconds a bot takes for a decision among so many things, where nobody races."""
PACES: Final = {"easy": Pace(750, 150), "normal": Pace(), "hard": Pace(400, 60)}
"""By level.  A person who sees in 500 ms, give or take 80, is a match for the normal one."""
FAST: Final = Pace(360, 40)
"""As fast as people can be."""


class BotPlayer:
    """A bot at a seat; `rng` is the source of its choices, never of keys.

    It knows how to play `game_name`, and whatever it is seated at later, unless a `bot` decides.
    With a `pace` it takes its time in races, like people, and where it `thinks` at its other
    decisions; without them it is a machine.  It plays as well as its `level` says.
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
        self._learns = bot is None
        self._rng = rng
        self._pace = pace
        self._thinks = thinks
        self._moment: tuple[tuple[Slot, ...], ...] | None = None
        self._sees_at = 0.0

    async def decide(self, view: View, question: Question[object]) -> object:
        if question.timed:
            if self._pace is not None:
                await self._look(self._pace, view)
        elif self._thinks is not None:
            await trio.sleep(self._thinks(_size(question, view.seat)))
        return self._bot(view, question, self._rng)

    async def _look(self, pace: Pace, view: View) -> None:
        """Wait until what lies there is seen, once for each moment; then only to press again.

        A moment lasts as long as all cards lie where they lie, which everybody sees.
        """
        moment = tuple(map(tuple, view.table.zones))
        if moment != self._moment:
            self._moment = moment
            self._sees_at = trio.current_time() + pace.draw(self._rng)
        await trio.sleep_until(self._sees_at)
        self._sees_at = trio.current_time() + self._rng.randint(*SECOND_PRESS_MS) / 1000

    def tell(self, event: Event) -> None:
        """Learn which game is played; bots need nothing else that their view does not show."""
        if self._learns and isinstance(event, Seated):
            self._bot = player(event.game, self._level)


def _size(question: Question[object], seat: Seat) -> int:
    """How much there is to choose from, as far as everybody sees it: the time tells no card."""
    parts = question.parts(seat)
    return sum(len(part.hand(seat) or ()) + len(part.options_of(seat)) for part in parts)
