"""The numbers of the actions at a table.  Each action says one thing: a card, a number, a word.

A number means the same thing in every question of a table, as far as the engine can know it.
"""

from __future__ import annotations

from typing import Final

from engine.cards import Card, Deck
from engine.errors import EngineError

PASS: Final = 0
"""Decline; claim nothing in a race."""
DONE: Final = 1
"""The decision is complete as it is; a set of cards is laid face up."""
DOWN: Final = 2
"""The set of cards is complete, and is laid face down."""
_FIRST: Final = 3
WORDS: Final = 32
"""As many options that are neither a card nor a number can be told apart at once."""


class Actions:
    """What each action of a table says.

    After `PASS`, `DONE` and `DOWN` come `WORDS` places for options that have no number of their
    own ("fold", "raise"), in the order in which they are offered; then the numbers from 0, for
    options that are numbers (a seat, a suit, a sum, a slot); then the faces of the deck.
    """

    def __init__(self, deck: Deck, seats: int) -> None:
        self.numbers: Final = max(len(deck), seats)
        self._deck: Final = deck
        self._first_number: Final = _FIRST + WORDS
        self._first_card: Final = self._first_number + self.numbers
        self.count: Final = self._first_card + len(deck.faces)

    def word(self, place: int) -> int:
        """The option at this place among those without a number; EngineError for too many."""
        if place >= WORDS:
            raise EngineError(f"more than {WORDS} options that are no cards and no numbers")
        return _FIRST + place

    def number(self, value: int) -> int | None:
        """An option that is this number; None if it has no place among the numbers."""
        return self._first_number + value if 0 <= value < self.numbers else None

    def card(self, card: Card) -> int:
        """A card with this face."""
        return self._first_card + card.id

    def told(self, action: int) -> str:
        """What an action says, for people who look at numbers."""
        if action >= self._first_card:
            return f"card {self._deck.faces[action - self._first_card].name}"
        if action >= self._first_number:
            return f"number {action - self._first_number}"
        named = {PASS: "pass", DONE: "done", DOWN: "done, face down"}
        return named.get(action) or f"option {action - _FIRST}"
