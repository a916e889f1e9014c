"""How fast bots and simulated players see what there is to do in a race."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, log, pi, sin, sqrt
from random import Random
from typing import Any, Final

from engine.levels import EASY, HARD, NORMAL
from engine.question import Question
from engine.table_state import TableState
from engine.truth import below
from engine.zone import Seat, Slot

QUICKEST_MS: Final = 300.0
"""No bot sees anything sooner (rules of You Fink!, section 9)."""
SECOND_PRESS_MS: Final = (120, 220)
"""Who has seen it only has to press again: a slap after the touch."""


class Normals:
    """Numbers of the standard normal distribution, drawn exactly as by `Random.gauss`.

    That is a function in Python, and stays so when the engine is compiled: a sixth of each game of
    You Fink! that was tried were the times of all seats for each card.  They are drawn in pairs
    (Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958).
    """

    def __init__(self, rng: Random) -> None:
        self._rng: Final = rng
        self._second = 0.0
        self._has_second = False

    def spare(self) -> float | None:
        """Return the second number of a pair whose first was drawn last."""
        return self._second if self._has_second else None

    def put_back(self, spare: float) -> None:
        """Make this the next number."""
        self._second, self._has_second = spare, True

    def draw(self) -> float:
        """The next number."""
        self._has_second = not self._has_second
        if not self._has_second:
            return self._second
        angle = 2.0 * pi * self._rng.random()
        radius = sqrt(-2.0 * log(1.0 - self._rng.random()))
        self._second = sin(angle) * radius
        return cos(angle) * radius


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a bot sees what there is to do in a race: mean and spread, in milliseconds.

    The time is drawn before the bot looks at its cards, so that it tells nothing about them.
    """

    mean: int = 500
    spread: int = 80

    def __reduce__(self) -> tuple[type[Pace], tuple[int, int]]:
        return Pace, (self.mean, self.spread)  # compiled, it has no slots to be pickled by

    def draw(self, normals: Normals) -> float:
        """How long it takes to see something, in seconds."""
        return max(QUICKEST_MS, self.mean + normals.draw() * self.spread) / 1000


PACES: Final = {EASY: Pace(750, 150), NORMAL: Pace(), HARD: Pace(400, 60)}
"""By level.  A person who sees in 500 ms, give or take 80, is a match for the normal one."""
FAST: Final = Pace(360, 40)
"""As fast as people can be."""


def pace_of(kind: str) -> Pace:
    """How fast a kind of bot sees something in a race; what is no level, as a normal one."""
    return PACES.get(kind, PACES[NORMAL])


Moment = tuple[Seat | None, list[list[Slot]]]
"""Who has to go on, and the slots of each zone."""


def moment_of(table: TableState, question: Question[Any]) -> Moment:
    """What has to be seen anew when it changes: where all cards lie, and who has to go on.

    Everybody sees it, so the times that are drawn for it tell no card.
    """
    return question.turn(), [zone.copy() for zone in table.zones]


def is_moment(moment: Moment, table: TableState, question: Question[Any]) -> bool:
    """Whether it is this moment still, which takes less time than to note it anew."""
    turn, zones = moment
    if question.turn() != turn or len(zones) != len(table.zones):
        return False
    return all(zone == zones[place] for place, zone in enumerate(table.zones))


def second_press(rng: Random) -> float:
    """How long it takes to press again, in seconds."""
    shortest, longest = SECOND_PRESS_MS
    return (shortest + below(longest + 1 - shortest, rng)) / 1000
