"""Determinizations: full deals that fit what a seat knows (Cowling, Powley, Whitehouse 2012, II.E).

Each hidden slot gets one of the cards whose places the seat does not know, and none that was sworn
not to be there.  A card of which the seat knows that it is in one of some slots gets one of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from engine.bots.following import Oaths
from engine.cards import Card
from engine.errors import EngineError
from engine.memory import Among
from engine.truth import below, shuffle
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
        loose = self._place(view.among())
        hidden = [slot for slot, card in enumerate(self._faces) if card is None]
        unseen = Counter(table.deck.cards if table.deck and self._faces else ())
        unseen.subtract(card for card in self._faces if card is not None)
        cards = [*unseen.elements()]
        unseen.subtract([one.card for one in loose])
        self._pool: Final = [*unseen.elements()]
        bound = {slot: _sworn_off(slot, cards, oaths) for slot in hidden}
        self._loose: Final = [
            (card, [slot for slot in sorted(slots) if card not in bound[slot]])
            for card, slots in loose
        ]
        told = {slot for one in loose for slot in one.slots}
        self._bound: Final = sorted(
            [(slot, cards) for slot, cards in bound.items() if cards or slot in told],
            key=lambda one: -len(one[1]),
        )
        self.free: Final = [slot for slot in hidden if not bound[slot] and slot not in told]
        """The hidden slots of which the seat knows nothing, and of which nothing was sworn."""

    @property
    def open(self) -> bool:
        """Whether more than one deal is possible."""
        return len(self._pool) + len(self._loose) > 1

    def draw(self, rng: Random) -> list[Card]:
        """The card in each slot in one of these deals.

        EngineError if the view knows a card that cannot be where it is.
        """
        for _ in range(TRIES):
            dealt = self._deal(rng)
            if dealt is not None:
                return dealt
        raise EngineError("no deal fits what this seat knows")

    def _place(self, known: Sequence[Among]) -> list[Among]:
        """Put cards whose slot is known there; the others, those with the fewest slots first."""
        for card, slots in known:
            if len(slots) == 1:
                (slot,) = slots
                self._faces[slot] = card
        return sorted([one for one in known if len(one.slots) > 1], key=lambda one: len(one.slots))

    def _deal(self, rng: Random) -> list[Card] | None:
        """One deal; None if an oath cannot be kept any more."""
        faces = [*self._faces]
        for card, slots in self._loose:
            places = [slot for slot in slots if faces[slot] is None]
            if not places:
                return None
            faces[places[below(len(places), rng)]] = card
        pool = [*self._pool]
        shuffle(pool, rng)
        for slot, forbidden in self._bound:  # those that may hold the fewest come first
            if faces[slot] is not None:
                continue
            place = _last_allowed(pool, forbidden)
            if place is None:
                return None
            faces[slot] = pool.pop(place)
        for slot in self.free:
            faces[slot] = pool.pop()
        return [card for card in faces if card is not None]


def _sworn_off(slot: Slot, cards: Sequence[Card], oaths: Oaths) -> frozenset[Card]:
    """Those of these cards that were sworn not to be in this slot."""
    sworn = oaths.of(slot)
    return frozenset(card for card in cards if any(fits(card) for fits in sworn))


def _last_allowed(pool: Sequence[Card], forbidden: frozenset[Card]) -> int | None:
    for place in reversed(range(len(pool))):
        if pool[place] not in forbidden:
            return place
    return None
