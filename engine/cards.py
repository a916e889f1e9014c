"""Cards and decks: what is printed, and how many of each there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

SUITS: Final = "♣♠♥♦"
SUIT_LETTERS: Final = "CSHD"


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A face.  Faces are interned in their deck, so two cards are compared with `is`.

    `id` is the face's place in `Deck.faces`; `name` is what people type and read; `suit` and
    `rank` mean what the game says they mean; `kind` names what sets a special card apart.
    """

    id: int
    name: str
    suit: int
    rank: int
    kind: str = ""

    def __repr__(self) -> str:
        return self.name


Fits = Callable[[Card], bool]
"""Which faces will do."""


class Deck:
    """The physical cards of a game, in the order in which a fresh deck lies.

    `cards[i]` is the face of physical card i; a face may be printed on several cards.
    `name` enters the hash that makes a group element of each face (protocol section 4), so two
    decks with different cards never share a name.
    """

    __slots__ = ("cards", "faces", "lowest", "name", "numbers")

    def __init__(self, name: str, faces: Sequence[Card], copies: Sequence[int] = ()) -> None:
        counts = copies or [1] * len(faces)
        self.name: Final = name
        self.faces: Final = tuple(faces)
        self.cards: Final = tuple(
            face for face, count in zip(faces, counts, strict=True) for _ in range(count)
        )
        self.numbers: Final = {
            face: tuple(i for i, card in enumerate(self.cards) if card is face)
            for face in self.faces
        }
        """The physical cards that carry a face."""
        self.lowest: Final = tuple(self.numbers[card][0] for card in self.cards)
        """For each physical card the first one with its face: copies cannot be told apart."""

    def __len__(self) -> int:
        return len(self.cards)

    def __repr__(self) -> str:
        return f"Deck({self.name!r}, {len(self)} cards)"
