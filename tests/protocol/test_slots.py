"""What one seat knows of the slots, when nobody is there who could be wrong."""

from __future__ import annotations

import pytest

from engine.cards import Card, Deck
from engine.memory import Among
from p2p.crypto.elgamal import card_point, fresh
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
    assert slots.memory.at(1) is DECK.cards[1]
    assert slots.own == {1: 1}
    slots.lay_fresh(DECK)
    assert slots.memory.at(1) is None
    assert slots.own == {}
    assert [slots.open_card(slot) for slot in range(3)] == list(DECK.cards)


def test_a_point_of_another_deck_is_our_own_fault() -> None:
    slots = laid()
    assert [slots.identify(card_point(DECK.name, number)) for number in range(3)] == [0, 1, 2]
    with pytest.raises(LocalError, match="no card of this deck"):
        slots.identify(card_point("another", 0))


def test_cards_that_change_places_are_remembered_among_each_other() -> None:
    """Until the other one is shown: then this seat knows where the card is that it had read."""
    slots = laid()
    (secret,) = table_secrets(1, 1)
    slots.learn([1], secret)
    slots.hide([1, 2], [fresh(slots.points[2]), fresh(slots.points[1])], 1)
    assert slots.memory.among() == [Among(DECK.cards[1], frozenset({1, 2}))]
    assert slots.own == {}, "it reads the slots no longer"
    slots.show(1, 2)
    assert slots.memory.at(2) is DECK.cards[1]


def test_card_that_is_shown_is_no_longer_secret() -> None:
    slots = laid()
    (secret,) = table_secrets(1, 1)
    slots.learn([1], secret)
    slots.show(1, 1)
    assert slots.own == {}
    assert slots.open_card(1) is DECK.cards[1]


def test_a_card_that_gets_another_cipher_stays_where_it_is() -> None:
    slots = laid()
    (secret,) = table_secrets(1, 1)
    slots.learn([1], secret)
    slots.renew([1], [fresh(slots.points[0])], 1, "bad-transfer", same=True)
    assert slots.memory.at(1) is DECK.cards[1]
