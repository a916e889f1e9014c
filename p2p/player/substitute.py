"""Decides in place of this seat's person, who is not there: its own program, and nobody else's."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engine.bots import careful
from engine.game import Game
from engine.question import Question
from engine.time_out import decide_for
from engine.view import View
from p2p.checks import Entropy

SEED_BYTES: Final = 16


class Substitute:
    """Plays one game as its rule book says for somebody who does not answer, and otherwise as the
    game's careful bot does; chance is from `entropy`, for choices and never for keys.
    """

    def __init__(self, game: Game, entropy: Entropy) -> None:
        self._game: Final = game
        self._entropy: Final = entropy

    def decide(self, view: View, question: Question[Any]) -> object:
        """A decision that the question allows."""
        rng = Random(self._entropy(SEED_BYTES))
        return decide_for(self._game, view, question, careful(self._game.name), rng)
