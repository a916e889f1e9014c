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
        self._known = Counter[str]()

    def decided(self, hand: Sequence[CardShown]) -> None:
        """Its owner has seen this hand, and decided something."""
        self._known = _names(hand)

    def see(self, hand: Sequence[CardShown]) -> None:
        """This is the hand now: what has left it is new when it comes again."""
        self._known &= _names(hand)

    def among(self, hand: Sequence[CardShown]) -> Collection[int]:
        """The places of those that have come since then; of two that are alike, the later one."""
        known, new = self._known.copy(), list[int]()
        for place, card in enumerate(hand):
            if known[card.name]:
                known[card.name] -= 1
            else:
                new.append(place)
        return new if len(new) < len(hand) else ()


def _names(hand: Sequence[CardShown]) -> Counter[str]:
    return Counter(card.name for card in hand)
