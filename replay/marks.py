"""Places in a game that people look for: rounds, tricks, races, effects."""

from __future__ import annotations

from typing import NamedTuple

from engine.wording.roles import MarkKind, mark_kind
from replay.game import SavedGame
from replay.narration import told, told_race
from replay.reader import SavedStep


class Bookmark(NamedTuple):
    """A place in a game; `text` says what happened there."""

    step: int
    kind: MarkKind
    text: str


def marks(game: SavedGame) -> list[Bookmark]:
    """All marks of a game, in order; at most one for each step, the widest that applies."""
    found = (mark_of(game, step) for step in game.steps)
    return [mark for mark in found if mark is not None]


def mark_of(game: SavedGame, step: SavedStep) -> Bookmark | None:
    """The mark at one step; None where nothing begins, ends or stands out."""
    kinds = [(mark_kind(game.wording.marks, str(note[0])), note) for note in step.notes]
    for kind in MarkKind:
        for found, note in kinds:
            if found is kind:
                return Bookmark(step.number, kind, game.tell((note,))[0])
    if step.race is not None:
        return Bookmark(step.number, MarkKind.RACE, told_race(game, step.race))
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
