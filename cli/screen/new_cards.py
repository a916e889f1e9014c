"""Which cards of one's own hand are new since one's last decision.  Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from cli.screen.board import CardShown


class NewCards:
    """Follows one hand; of a hand that was dealt as a whole no card is new.

    It goes by faces: a hand may be reshuffled under its slots (protocol section 5).
    """

    def __init__(self) -> None:
        self._hand, self._known = Counter[str](), Counter[str]()

    def see(self, hand: Sequence[CardShown]) -> None:
        """This is the hand now: what has left it is new when it comes again."""
        self._hand = Counter(card.name for card in hand)
        self._known = self._known & self._hand

    def decided(self) -> None:
        """Its owner has seen the hand as it is, and decided something."""
        self._known = self._hand

    def among(self, hand: Sequence[CardShown]) -> Collection[int]:
        """The places of those that have come since then; of two that are alike, the later one."""
        known, new = self._known.copy(), list[int]()
        for place, card in enumerate(hand):
            if known[card.name]:
                known[card.name] -= 1
            else:
                new.append(place)
        return new if len(new) < len(hand) else ()
