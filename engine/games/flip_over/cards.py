"""The cards of Flip Over: one of each number in each suit, fewer of both for fewer players."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.cards import SUIT_LETTERS, SUITS, Card, Deck, Fits

SYMBOLS: Final = SUITS + "★"
LETTERS: Final = SUIT_LETTERS + "T"
"""The fifth suit is the star; S stands for spades already."""

SIZES: Final = {3: (3, 8), 4: (4, 10), 5: (5, 12)}
"""Players: (suits, numbers), rules section 1."""


def _deck(suits: int, numbers: int) -> Deck:
    faces = [
        Card(suit * numbers + rank - 1, f"{rank}{LETTERS[suit]}", suit, rank)
        for suit in range(suits)
        for rank in range(1, numbers + 1)
    ]
    return Deck(f"flip-over/{suits}x{numbers}", faces)


DECKS: Final = {seats: _deck(*size) for seats, size in SIZES.items()}
"""The deck for each number of players."""


class Duty(NamedTuple):
    """What a player has to lay, and the sentence for a card that will not do."""

    fits: Fits
    why: str


# Sets are only asked whether they contain a card, never gone through: their order is chance.
ANYTHING: Final = {
    seats: Duty(frozenset(deck.faces).__contains__, "any card leads")
    for seats, deck in DECKS.items()
}
FOLLOW: Final = {
    seats: tuple(
        Duty(
            frozenset(card for card in deck.faces if card.suit == suit).__contains__,
            f"you hold a {symbol} and have to follow {symbol}",
        )
        for suit, symbol in enumerate(SYMBOLS[: SIZES[seats][0]])
    )
    for seats, deck in DECKS.items()
}
"""For each number of players: what follows each suit (a trump still has its printed suit)."""
