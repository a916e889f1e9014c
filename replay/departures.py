"""Who went for good before the end of a game: when, in which way, and what became of the cards.

Who has *left* said so; who was *lost* said nothing, and the others went on without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from engine.view import SPECTATOR
from engine.wording.layout import LOST, chair_of
from engine.wording.roles import MarkKind, mark_kind
from engine.zone import Seat
from replay.game import SavedGame

Note = tuple[object, ...]


class Departure(NamedTuple):
    """A chair that is empty from step `step` on, and `why`: LEFT or LOST.

    `when` is the part of the game, as its story heads it; empty if the game does not say.
    `became` are the sentences of the rules about the cards, and about what was being played.
    """

    seat: Seat
    why: str
    step: int
    when: str = ""
    became: Sequence[str] = ()

    def told(self, names: Sequence[str]) -> str:
        """All of it in a few sentences."""
        return " ".join([departed(names[self.seat], self.why, self.step, self.when), *self.became])


def departed(name: str, why: str, step: int, when: str = "") -> str:
    """Who went, in which way, and when."""
    at = f"at step {step} ({when[:1].lower()}{when[1:]})" if when else f"at step {step}"
    if why == LOST:
        return f"{name} was voted out {at}, and cannot win."
    return f"{name} left for good {at}, and cannot win."


def departures(game: SavedGame) -> Iterator[Departure]:
    """All of a saved game, in the order in which the rules were told of them."""
    decided = dict[Seat, int]()
    for step in game.steps:
        decided.update(dict.fromkeys((*step.leavers, *step.absent), step.number))
        for at, note in enumerate(step.notes):
            for seat, why in chair_of(note).items():
                became = tuple(takewhile(lambda one: _goes_on(game, one), step.notes[at + 1 :]))
                when = _when(game, decided[seat])
                yield Departure(seat, why, decided[seat], when, game.tell(became))


def _goes_on(game: SavedGame, note: Note) -> bool:
    """Whether a note still tells of what somebody's going has done."""
    ends = mark_kind(game.wording.marks, str(note[0])) is MarkKind.END
    return not chair_of(note) and not ends


def _when(game: SavedGame, step: int) -> str:
    """The part of the game in which a step begins."""
    view = game.view(game.before(step), SPECTATOR)
    return game.wording.part(game.wording.scene(view, game.names))
