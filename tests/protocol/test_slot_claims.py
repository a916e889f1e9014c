"""The claims about one slot: oaths, pledges, histories and points, each about its cipher."""

from __future__ import annotations

import pytest

from engine.cards import Card, Deck
from p2p.crypto.elgamal import Cipher, card_point
from p2p.errors import LocalError, PeerError
from p2p.protocol.slots import Slots

FACES = [Card(number, str(number), 0, number) for number in range(3)]
DECK = Deck("slot claims/3", FACES)
PAIRS = Deck("slot claims/3 x 2", FACES, [2, 2, 2])


def laid(deck: Deck = DECK) -> Slots:
    slots = Slots()
    slots.lay_fresh(deck)
    return slots


def cipher(number: int) -> Cipher:
    """Two new points."""
    return card_point("first", number), card_point("second", number)


def hidden(*sworn: tuple[int, list[int]]) -> Slots:
    """Three slots of one history, and oaths that each exclude some faces from one slot."""
    slots = laid()
    slots.renew([0, 1, 2], [cipher(number) for number in range(3)], 1, "bad-shuffle")
    for slot, faces in sworn:
        slots.swear([slot], faces)
    return slots


def test_later_oath_adds_to_earlier_one() -> None:
    slots = hidden((0, [1]), (0, [2]))
    assert slots.is_sworn([0], [1, 2])
    assert not slots.is_sworn([0], [0, 1])


def test_oath_covers_each_slot_it_names() -> None:
    slots = hidden((0, [1]))
    assert not slots.is_sworn([0, 1], [1])
    slots.swear([1], [1])
    assert slots.is_sworn([0, 1], [1])


def test_merged_slots_keep_common_oaths_only() -> None:
    slots = hidden((0, [1, 2]), (1, [1]))
    slots.permute([0, 1], [cipher(3), cipher(4)], 2)
    assert slots.is_sworn([0, 1], [1])
    assert not slots.is_sworn([0], [2])
    assert not slots.is_sworn([1], [2])


def test_new_cipher_has_no_oath() -> None:
    slots = hidden((0, [1]))
    slots.renew([0], [cipher(3)], 2, "bad-transfer", same=True)
    assert not slots.is_sworn([0], [1])


def test_fresh_deck_ends_all_oaths() -> None:
    slots = hidden((0, [1]))
    slots.lay_fresh(DECK)
    assert not slots.is_sworn([0], [1])


def test_shares_of_a_cipher_go_to_one_seat() -> None:
    slots = hidden()
    slots.pledge(0, 1)
    slots.pledge(0, 1)
    with pytest.raises(LocalError, match="released to seat 1, not to 2"):
        slots.pledge(0, 2)
    slots.renew([0], [cipher(3)], 2, "bad-transfer", same=True)
    slots.pledge(0, 2)


def test_pledge_follows_the_cipher_to_another_slot() -> None:
    slots = hidden()
    slots.pledge(0, 1)
    slots.hide([1], [slots.ciphers[0]], 2)
    with pytest.raises(LocalError):
        slots.pledge(1, 2)


def test_one_point_hides_one_card() -> None:
    slots = hidden()
    with pytest.raises(PeerError):
        slots.renew([0], [cipher(1)], 2, "bad-transfer")
    with pytest.raises(PeerError):
        slots.renew([0, 1], [cipher(3), (cipher(3)[0], cipher(4)[1])], 2, "bad-shuffle")


def test_face_is_hidden_while_one_copy_is() -> None:
    slots = laid(PAIRS)
    lowest = sorted(set(PAIRS.lowest))
    assert slots.hidden_faces(lowest) == ()
    slots.hide([0], [cipher(0)], 1)
    assert slots.hidden_faces(lowest) == (PAIRS.lowest[0],)


def test_open_card_of_a_hand_owes_no_merge() -> None:
    slots = hidden()
    slots.renew([2], [cipher(3)], 2, "bad-transfer", same=True)
    assert slots.mixed([0, 1, 2])
    assert not slots.mixed([0, 1])
    slots.show(2, 2)
    assert not slots.mixed([0, 1, 2])


def test_open_card_enters_a_shuffle_as_its_face() -> None:
    slots = hidden()
    assert slots.cipher(0) == cipher(0)
    slots.show(0, 1)
    assert slots.cipher(0)[1] == slots.points[1]


def test_seat_plays_only_cards_that_can_be_read() -> None:
    slots = hidden()
    assert slots.may_lay(0, [0, 1])
    assert not slots.may_lay(2, [0, 1])
    slots.show(2, 2)
    assert slots.may_lay(2, [0, 1])
