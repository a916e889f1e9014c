"""What one seat knows of the slots, when nobody is there who could be wrong."""

from __future__ import annotations

import pytest

from engine.cards import Card, Deck
from p2p.crypto.elgamal import card_point
from p2p.errors import LocalError
from p2p.protocol.slots import Slots
from tests.protocol.kit import table_secrets

DECK = Deck("slots/3", [Card(number, str(number), 0, number) for number in range(3)])


def laid() -> Slots:
    slots = Slots()
    slots.lay_fresh(DECK)
    return slots


def test_a_fresh_deck_is_known_to_all_and_remembered_by_nobody() -> None:
    slots = laid()
    (secret,) = table_secrets(1, 1)
    slots.learn([1], secret)
    assert slots.remembered(1) is DECK.cards[1]
    assert slots.own == {1: 1}
    slots.lay_fresh(DECK)
    assert slots.remembered(1) is None
    assert slots.own == {}
    assert [slots.open_card(slot) for slot in range(3)] == list(DECK.cards)


def test_a_point_of_another_deck_is_our_own_fault() -> None:
    slots = laid()
    assert [slots.identify(card_point(DECK.name, number)) for number in range(3)] == [0, 1, 2]
    with pytest.raises(LocalError, match="no card of this deck"):
        slots.identify(card_point("another", 0))
