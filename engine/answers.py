"""Answers as bytes, for other processes and for copies.

Cards are compared by identity, so a card is written as its number among the faces of its deck.
"""

from __future__ import annotations

from io import BytesIO
from pickle import Pickler, Unpickler
from typing import Any

from engine.cards import Card, Deck


def encode(answer: object) -> bytes:
    """Return an answer, or another plain value that may hold cards, as bytes."""
    written = BytesIO()
    _Writer(written).dump(answer)
    return written.getvalue()


def decode(written: bytes, deck: Deck | None) -> object:
    """Return what was written, with the cards of this deck."""
    return _Reader(written, deck).load()


class _Writer(Pickler):
    def persistent_id(self, value: object) -> object:
        return value.id if isinstance(value, Card) else None


class _Reader(Unpickler):
    def __init__(self, written: bytes, deck: Any) -> None:
        super().__init__(BytesIO(written))
        self._deck = deck

    def persistent_load(self, number: Any) -> Card:
        card: Card = self._deck.faces[number]
        return card
