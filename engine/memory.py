"""What one seat remembers of cards that it has seen, though they change places unseen.

Who saw a card of a hand, alone or with all others, knows once that hand was shuffled that it is
one of these; and once the others were laid, that it is what is left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from engine.cards import Card
from engine.zone import Slot


class Among(NamedTuple):
    """A card that lies in one of these slots.  Several of them are as many different cards."""

    card: Card
    slots: frozenset[Slot]


class Memory:
    """The cards that a seat has seen, whether others have or not, with where each may lie.

    There are never more of them than cards of the deck, and what is kept is true if what it is told
    is.  That a card lies somewhere tells nothing, and is not kept.
    """

    def __init__(self) -> None:
        self._cards = 0
        self._exact: Final[dict[Slot, Card]] = {}
        self._loose: list[Among] = []

    def lay(self, cards: int) -> None:
        """A fresh deck of so many cards is laid: what was known of the one before is over."""
        self._cards = cards
        self._exact.clear()
        self._loose.clear()

    def see(self, slot: Slot, card: Card) -> None:
        """The seat sees this card in this slot, and so no other lies there.

        Which of several copies it is, nobody can tell.  It is taken for the one with the fewest
        places, and each other copy that may lie there may lie in those places too.
        """
        if slot in self._exact:
            return
        self._exact[slot] = card
        copies = [one for one in self._loose if one.card is card and slot in one.slots]
        shown = min(copies, key=lambda one: len(one.slots), default=None)
        if shown is not None:
            self._loose.remove(shown)
        known = []
        for one in self._loose:
            slots = one.slots
            if slot in slots and one.card is card and shown is not None:
                slots |= shown.slots
            known.append(Among(one.card, slots - {slot}))
        self._keep(known)

    def mix(self, slots: Collection[Slot]) -> None:
        """Cards changed places in these slots: what may lie in one of them may lie in each."""
        there = [slot for slot in slots if slot in self._exact]
        seen = [Among(self._exact.pop(slot), frozenset((slot,))) for slot in there]
        mixed = frozenset(slots)
        self._keep(
            one if mixed.isdisjoint(one.slots) else Among(one.card, one.slots | mixed)
            for one in (*seen, *self._loose)
        )

    def at(self, slot: Slot) -> Card | None:
        """The card that lies there; None if the seat cannot tell."""
        return self._exact.get(slot)

    def among(self) -> Sequence[Among]:
        """All that is known, the cards whose slot is known first."""
        exact = [Among(card, frozenset((slot,))) for slot, card in self._exact.items()]
        return [*exact, *self._loose]

    def _keep(self, known: Iterable[Among]) -> None:
        """Remember these cards in place of all whose slot is not known, and what follows."""
        loose = [one for one in known if len(one.slots) < self._cards]
        while (narrowed := _narrowed(loose)) != loose:
            loose = narrowed
        self._exact.update((slot, card) for card, (slot, *more) in loose if not more)
        self._loose = [one for one in loose if len(one.slots) > 1]


def _narrowed(known: Sequence[Among]) -> list[Among]:
    """The same where as many cards as slots fill some of these: all others lie elsewhere."""
    narrowed = [*known]
    for full in dict.fromkeys(one.slots for one in known):
        if sum(one.slots <= full for one in narrowed) == len(full):
            narrowed = [
                one if one.slots <= full else Among(one.card, one.slots - full) for one in narrowed
            ]
    return narrowed
