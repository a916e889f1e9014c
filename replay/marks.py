"""Places in a game that people look for: rounds, tricks, races, effects."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from replay.game import SavedGame
from replay.reader import SavedStep
from replay.telling import told, told_race


class Kind(Enum):
    """What a mark is about."""

    ROUND = "round"
    TRICK = "trick"
    RACE = "race"
    EFFECT = "effect"
    END = "end"


ROUNDS: Final = frozenset({"round", "hand", "hand-over", "deal", "win", "ranking"})
TRICKS: Final = frozenset({"trick", "contest", "unchallenged", "take", "takes", "flop"})
EFFECTS: Final = frozenset(
    {
        *("trumps", "suit", "secrets", "swap", "monty", "down", "gather", "lot", "cut"),
        *("minion", "minion-beaten", "minion-wins", "power", "lost", "challenge", "forfeit"),
        *("flopped-out", "recycle", "call", "knock", "exchange", "take-up"),
    }
)
"""First words of the engine's notes.  A note with another word makes no mark."""
_KINDS: Final = (
    (Kind.END, frozenset({"over"})),
    (Kind.ROUND, ROUNDS),
    (Kind.TRICK, TRICKS),
    (Kind.EFFECT, EFFECTS),
)


class Mark(NamedTuple):
    """A place in a game; `text` says what happened there."""

    step: int
    kind: Kind
    text: str


def marks(game: SavedGame) -> list[Mark]:
    """All marks of a game, in order; at most one for each step, the widest that applies."""
    found = (mark_of(game, step) for step in game.steps)
    return [mark for mark in found if mark is not None]


def mark_of(game: SavedGame, step: SavedStep) -> Mark | None:
    """The mark at one step; None if nothing begins, ends or stands out."""
    for kind, words in _KINDS:
        for note in step.notes:
            if note[0] in words:
                return Mark(step.number, kind, game.tell((note,))[0])
    if step.race is not None:
        return Mark(step.number, Kind.RACE, told_race(game, step.race))
    return None


def search(game: SavedGame, text: str, start: int, *, back: bool = False) -> int | None:
    """The nearest step after `start` (or before it) whose sentences contain this text, or None.

    Case does not matter.  Letters stand for suit symbols too: "7H" finds 7♥.
    """
    wanted = text.casefold().strip()
    order = range(start - 1, -1, -1) if back else range(start + 1, len(game.steps))
    return next((number for number in order if wanted and _matches(game, number, wanted)), None)


def _matches(game: SavedGame, number: int, wanted: str) -> bool:
    step = game.steps[number]
    if wanted == step.kind:
        return True
    return any(
        wanted in line.casefold()
        for letters in (False, True)
        for line in told(game, step, ascii=letters)
    )
