"""The cards of crazy eights: a pack of 52, what fits on what, and what a card costs."""

from __future__ import annotations

from engine.cards import SUIT_LETTERS, Card, Deck, Fits

EIGHT = 8
SUITS = ("clubs", "spades", "hearts", "diamonds")
KINDS = [(suit, rank) for suit in range(4) for rank in range(1, 14)]
NAMES = ["A23456789TJQK"[rank - 1] + SUIT_LETTERS[suit] for suit, rank in KINDS]
DECK = Deck("crazy-eights/52", [Card(n, NAMES[n], *KINDS[n]) for n in range(52)])


def fits_on(suit: int, top: Card) -> Fits:
    """An eight, a card of the suit, or one of the rank that lies there."""
    return lambda card: card.rank in (EIGHT, top.rank) or card.suit == suit


def points(card: Card) -> int:
    """What a card that is left costs: an eight 50, a court card 10, any other its rank."""
    return 50 if card.rank == EIGHT else min(card.rank, 10)
