"""The cards of Sneak: one ordinary pack, or two shuffled together (rules section 1)."""

from __future__ import annotations

from typing import Final

from engine.cards import SUIT_LETTERS, Card, Deck
from engine.game import Options

RANKS: Final = {**{rank: str(rank) for rank in range(2, 11)}, 11: "J", 12: "Q", 13: "K", 14: "A"}
"""Rank and name, low to high: the ace counts 14, and 1 at the low end of a straight."""

FACES: Final = tuple(
    Card(suit * len(RANKS) + place, f"{name}{letter}", suit, rank)
    for suit, letter in enumerate(SUIT_LETTERS)
    for place, (rank, name) in enumerate(RANKS.items())
)

DECKS: Final = {
    1: Deck("sneak/52", FACES),
    2: Deck("sneak/104", FACES, [2] * len(FACES)),
}
"""The deck for each number of packs."""

TARGETS: Final = {1: 100, 2: 200}
"""The points that end the game, for each number of packs."""


def target_of(packs: int, options: Options) -> int:
    """How many points end the game."""
    return int(options["target"]) or TARGETS[packs]


def packs_for(seats: int, wanted: str) -> int:
    """How many packs are played with; `wanted` is "auto", "one" or "two".

    >>> packs_for(4, "auto"), packs_for(4, "two"), packs_for(7, "auto")
    (1, 2, 2)
    """
    if wanted == "auto":
        return 1 if seats <= 4 else 2
    return 1 if wanted == "one" else 2
