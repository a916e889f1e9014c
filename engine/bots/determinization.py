"""Determinizations: full deals that fit what a seat knows (Cowling, Powley, Whitehouse 2012, II.E).

Each hidden slot gets one of the cards whose places the seat does not know, and none that was sworn
not to be there.  A card of which the seat knows that it is in one of some slots gets one of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
        known = self._place(view.among())
        hidden = [slot for slot, card in enumerate(self._faces) if card is None]
        unseen = Counter(table.deck.cards if table.deck and self._faces else ())
        unseen.subtract(card for card in self._faces if card is not None)
        cards = [*unseen.elements()]
        unseen.subtract([one.card for one in known])
        bound = {slot: _sworn_off(slot, cards, oaths) for slot in hidden}
        self._loose: Final = _loose(known, [*unseen.elements()], bound)
        unseen = Counter(cards)
        unseen.subtract([card for card, _ in self._loose])
        self._pool: Final = [*unseen.elements()]
        told = {slot for one in known for slot in one.slots}
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

    def allows(self, slot: Slot, card: Card) -> bool:
        """Whether this card may be exchanged for the one that a deal has in a hidden slot."""
        if self._faces[slot] is not None:
            return False
        sworn_off = any(one == slot and card in cards for one, cards in self._bound)
        places = [slots for one, slots in self._loose if one is card]
        return not sworn_off and (not places or any(slot in slots for slots in places))

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
        """Put the cards whose slot is known there; the others."""
        for card, slots in known:
            if len(slots) == 1:
                (slot,) = slots
                self._faces[slot] = card
        return [one for one in known if len(one.slots) > 1]

    def _deal(self, rng: Random) -> list[Card] | None:
        """One deal; None if an oath cannot be kept any more."""
        faces, taken = [*self._faces], dict[Slot, int]()
        for number, (_, slots) in enumerate(self._loose):
            places = [slot for slot in slots if slot not in taken]
            if places:
                taken[places[below(len(places), rng)]] = number
            elif not self._give_way(number, taken, set(), rng):
                return None
        for slot, number in taken.items():
            faces[slot] = self._loose[number][0]
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
            if faces[slot] is None:
                faces[slot] = pool.pop()
        return [card for card in faces if card is not None]

    def _give_way(self, number: int, taken: dict[Slot, int], tried: set[Slot], rng: Random) -> bool:
        """Take a slot for a loose card from others that find another one; False if none can.

        Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics 2, 1955.
        """
        slots = self._loose[number][1]
        first = below(len(slots), rng) if slots else 0
        for slot in slots[first:] + slots[:first]:
            if slot not in tried:
                tried.add(slot)
                if slot not in taken or self._give_way(taken[slot], taken, tried, rng):
                    taken[slot] = number
                    return True
        return False


def _loose(
    known: Sequence[Among], others: Sequence[Card], bound: Mapping[Slot, frozenset[Card]]
) -> list[tuple[Card, list[Slot]]]:
    """The cards that may lie in some slots only, and in which; those with the fewest come first.

    Of the others, about which only the oaths of slots tell anything, there are none where nothing
    is known: then a deal goes from slot to slot.
    """
    found = [
        (one.card, [slot for slot in sorted(one.slots) if one.card not in bound[slot]])
        for one in known
    ]
    if known:
        for card in others:
            slots = [slot for slot, cards in bound.items() if card not in cards]
            if len(slots) < len(bound):
                found.append((card, slots))
    return sorted(found, key=lambda one: len(one[1]))


def _sworn_off(slot: Slot, cards: Sequence[Card], oaths: Oaths) -> frozenset[Card]:
    """Those of these cards that were sworn not to be in this slot."""
    sworn = oaths.of(slot)
    return frozenset(card for card in cards if any(fits(card) for fits in sworn))


def _last_allowed(pool: Sequence[Card], forbidden: frozenset[Card]) -> int | None:
    for place in reversed(range(len(pool))):
        if pool[place] not in forbidden:
            return place
    return None
