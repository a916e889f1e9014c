"""Which cards of one's own hand are new since one's last decision.  Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.zone import Slot


class NewCards:
    """Follows one hand; of a hand that was dealt as a whole no card is new."""

    def __init__(self) -> None:
        self._known: frozenset[Slot] = frozenset()

    def decided(self, hand: Sequence[Slot]) -> None:
        """Its owner has seen this hand, and decided something."""
        self._known = frozenset(hand)

    def among(self, hand: Sequence[Slot]) -> Collection[Slot]:
        """Those that have come since then."""
        new = frozenset(hand) - self._known
        return new if len(new) < len(hand) else ()
