"""How fast bots and simulated players see what there is to do in a race."""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

from engine.levels import EASY, HARD, NORMAL
from engine.question import Question
from engine.table_state import TableState
from engine.zone import Seat, Slot

QUICKEST_MS: Final = 300
"""No bot sees anything sooner (rules of You Fink!, section 9)."""
SECOND_PRESS_MS: Final = (120, 220)
"""Who has seen it only has to press again: a slap after the touch."""


class Pace(NamedTuple):
    """How fast a bot sees what there is to do in a race: mean and spread, in milliseconds.

    The time is drawn before the bot looks at its cards, so that it tells nothing about them.
    """

    mean: int = 500
    spread: int = 80

    def draw(self, rng: Random) -> float:
        """How long it takes to see something, in seconds."""
        return max(QUICKEST_MS, rng.gauss(self.mean, self.spread)) / 1000


PACES: Final = {EASY: Pace(750, 150), NORMAL: Pace(), HARD: Pace(400, 60)}
"""By level.  A person who sees in 500 ms, give or take 80, is a match for the normal one."""
FAST: Final = Pace(360, 40)
"""As fast as people can be."""

Moment = tuple[Seat | None, tuple[tuple[Slot, ...], ...]]


def moment_of(table: TableState, question: Question[Any]) -> Moment:
    """What has to be seen anew when it changes: where all cards lie, and who has to go on.

    Everybody sees it, so the times that are drawn for it tell no card.
    """
    return question.turn(), tuple(map(tuple, table.zones))


def second_press(rng: Random) -> float:
    """How long it takes to press again, in seconds."""
    return rng.randint(*SECOND_PRESS_MS) / 1000
