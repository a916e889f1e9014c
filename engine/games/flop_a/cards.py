"""The cards of Flop-A: one pack of 52, of which only the ranks matter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.cards import SUIT_LETTERS, Card, Deck, Fits

ACE: Final = 14
RANKS: Final = tuple(range(2, ACE + 1))
COURT: Final = {11: "J", 12: "Q", 13: "K", ACE: "A"}

HIGH: Final = {rank: min(rank, 10) for rank in RANKS} | {ACE: 11}
"""What a card counts in a high hand (rules section 5)."""
LOW: Final = HIGH | {ACE: 1}
"""What a card counts in a low hand."""


def rank_name(rank: int) -> str:
    """A rank as people say it.

    >>> rank_name(7), rank_name(10), rank_name(13)
    ('7', '10', 'K')
    """
    return COURT.get(rank, str(rank))


DECK: Final = Deck(
    "flop-a/52",
    [
        Card(suit * len(RANKS) + place, f"{rank_name(rank)}{SUIT_LETTERS[suit]}", suit, rank)
        for suit in range(len(SUIT_LETTERS))
        for place, rank in enumerate(RANKS)
    ],
)

# Sets are only asked whether they contain a card, never gone through: their order is chance.
OF_RANK: Final[dict[int, Fits]] = {
    rank: frozenset(card for card in DECK.faces if card.rank == rank).__contains__ for rank in RANKS
}
"""For each rank: which cards have to be flopped on it."""


def high_value(cards: Iterable[Card]) -> int:
    """The sum of a high hand: every ace counts 11.

    >>> named = {card.name: card for card in DECK.faces}
    >>> high_value([named["AC"], named["7D"]]), low_value([named["AC"], named["7D"]])
    (18, 8)
    """
    return sum(HIGH[card.rank] for card in cards)


def low_value(cards: Iterable[Card]) -> int:
    """The sum of a low hand: every ace counts 1."""
    return sum(LOW[card.rank] for card in cards)
