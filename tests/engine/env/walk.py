"""Games asked action by action, by chance: what tests of environments go through."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from engine.bots.pace import PACES
from engine.env.playing import Playing, Setting
from engine.game import Options
from engine.games import load

TABLES: Final[tuple[tuple[str, int, Options], ...]] = (
    ("flip-over", 3, {}),
    ("flip-over", 4, {"teams": True}),
    ("flaps", 3, {"level": 7, "turn-limit": 100}),
    ("flop-a", 3, {"hands": 3, "stack": 100}),
    ("sneak", 2, {"target": 25}),
    ("sneak", 5, {"target": 25}),
    ("you-fink", 3, {"cardLimit": "50"}),
)
"""Each kind of question is asked at one of them; two packs have two cards with each face."""
IDS: Final = [f"{name}-{seats}" for name, seats, _ in TABLES]


def started(name: str, seats: int, options: Options, seed: int, *, notes: bool = False) -> Playing:
    """A game whose first question for a seat is pending."""
    paces = [PACES["normal"]] * seats
    return Playing(Setting(load(name), seats, options), Random(seed), paces, notes=notes)


def walked(playing: Playing, seed: int, most: int = 2000) -> Iterator[Playing]:
    """The game before each of so many actions that are drawn by chance."""
    rng = Random(seed)
    for _ in range(most):
        if playing.turn is None:
            return
        yield playing
        playing.say(rng.choice(playing.legal()))
