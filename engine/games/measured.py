"""What is measured of the games that come with nodealer: each has a speed of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.game import Options
from engine.session import Session

WIDE: Final = "flaps"
"""The game of the most cards and sentences."""
LONG: Final = ("sneak", "target=200")
"""A game of more than 1,000 steps, with the option that makes it so long."""


class Case(NamedTuple):
    """A game whose speed is counted in `unit`; `share` of the matches of the first are played."""

    name: str
    seats: int
    options: Options
    share: float
    unit: str
    counted: Callable[[Session], float]
    target: float


def steps(session: Session) -> float:
    """Thousands of answered questions, the dealer's acts included."""
    return len(session.journal) / 1000


def games(session: Session) -> float:
    """The whole game is one."""
    return 1


def rounds(session: Session) -> float:
    """The rounds or hands of a session, as its table counts them."""
    counted = session.table.state()
    number = counted["round"] if "round" in counted else counted["hand"]
    assert isinstance(number, int)
    return number


CASES: Final = (
    Case(WIDE, 4, {"level": 1}, 0.05, "k steps", steps, 400.0),
    Case(WIDE, 4, {"level": 7}, 0.05, "k steps", steps, 250.0),
    Case("flop-a", 6, {}, 0.2, "hands", rounds, 6000.0),
    Case("sneak", 4, {}, 0.05, "rounds", rounds, 1500.0),
    Case("you-fink", 2, {}, 0.5, "games", games, 2000.0),
)
