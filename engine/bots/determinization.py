"""Determinizations: full deals that fit what a seat knows (Cowling, Powley, Whitehouse 2012, II.E).

Each hidden slot gets one of the cards whose places the seat does not know, and none that was sworn
not to be there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from engine.bots.following import Oaths
from engine.cards import Card
from engine.errors import EngineError
from engine.truth import shuffle
from engine.view import View
from engine.zone import Slot

TRIES: Final = 100
"""So often a deal that came to a dead end is begun again.  The true deal fits all oaths, so there
is always one, and dead ends are rare."""


class Determinizations:
    """The deals that are possible for the seat of a view, drawn one after the other."""

    def __init__(self, view: View, oaths: Oaths) -> None:
        table = view.table
        self._faces: Final = [view.recall(slot) for slot in range(len(table.faces))]
        hidden = [slot for slot, card in enumerate(self._faces) if card is None]
        unseen = Counter(table.deck.cards if table.deck and self._faces else ())
        unseen.subtract(card for card in self._faces if card is not None)
        self._pool: Final = [*unseen.elements()]
        bound = {slot: self._forbidden(slot, oaths) for slot in hidden}
        self._bound: Final = sorted(
            [(slot, cards) for slot, cards in bound.items() if cards],
            key=lambda one: -len(one[1]),
        )
        self.free: Final = [slot for slot in hidden if not bound[slot]]
        """The hidden slots of which nothing was sworn."""

    @property
    def open(self) -> bool:
        """Whether more than one deal is possible."""
        return len(self._pool) > 1

    def draw(self, rng: Random) -> list[Card]:
        """The card in each slot in one of these deals.

        EngineError if the view knows a card that cannot be where it is.
        """
        for _ in range(TRIES):
            pool = [*self._pool]
            shuffle(pool, rng)
            dealt = self._deal(pool)
            if dealt is not None:
                return dealt
        raise EngineError("no deal fits what this seat knows")

    def _forbidden(self, slot: Slot, oaths: Oaths) -> frozenset[Card]:
        """The unseen cards that were sworn not to be in this slot."""
        sworn = oaths.of(slot)
        return frozenset(card for card in self._pool if any(fits(card) for fits in sworn))

    def _deal(self, pool: list[Card]) -> list[Card] | None:
        """One deal from the end of a shuffled pool; None if an oath cannot be kept any more."""
        faces = [*self._faces]
        for slot, forbidden in self._bound:  # those that may hold the fewest come first
            place = _last_allowed(pool, forbidden)
            if place is None:
                return None
            faces[slot] = pool.pop(place)
        for slot in self.free:
            faces[slot] = pool.pop()
        return [card for card in faces if card is not None]


def _last_allowed(pool: Sequence[Card], forbidden: frozenset[Card]) -> int | None:
    for place in reversed(range(len(pool))):
        if pool[place] not in forbidden:
            return place
    return None
