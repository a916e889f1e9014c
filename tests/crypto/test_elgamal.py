"""Slots and shares: packing, opening, the locks of protocol section 4."""

from __future__ import annotations

import pytest

from p2p.crypto import elgamal, group, keys
from p2p.errors import PeerError
from tests.crypto.helpers import cards, hidden_deck, hide, secret

SEATS = [secret(f"seat {seat}") for seat in range(3)]
JOINT = keys.joint_key([seat.public for seat in SEATS])


def test_all_shares_but_one_leave_a_slot_its_holder_alone_can_read() -> None:
    card = cards(1)[0]
    slot = hide(card, JOINT, "slot")
    others = [elgamal.share(seat, slot) for seat in SEATS[1:]]
    locked = elgamal.strip(slot, others)
    assert elgamal.read(SEATS[0], locked) == card
    assert elgamal.read(SEATS[1], locked) != card
    opened = elgamal.strip(locked, [elgamal.share(SEATS[0], locked)])
    assert opened == (slot[0], card)


def test_an_open_slot_needs_no_share() -> None:
    slot = elgamal.fresh(cards(1)[0])
    assert slot == (group.IDENTITY, cards(1)[0])
    assert elgamal.share(SEATS[0], slot) == group.IDENTITY
    assert elgamal.read(SEATS[0], slot) == cards(1)[0]


def test_slots_travel_flat() -> None:
    deck = hidden_deck(3, JOINT)
    packed = elgamal.pack_ciphers(deck)
    assert len(packed) == 3 * elgamal.CIPHER_BYTES
    assert elgamal.unpack_ciphers(packed, 3) == deck
    assert elgamal.unpack_ciphers(b"", 0) == []


def test_a_known_slot_is_unpacked_only_where_it_may_be() -> None:
    packed = elgamal.pack_ciphers([elgamal.fresh(cards(1)[0])])
    assert elgamal.unpack_ciphers(packed, 1, identity_ok=True)[0][0] == group.IDENTITY
    with pytest.raises(PeerError):
        elgamal.unpack_ciphers(packed, 1)


@pytest.mark.check("elgamal.b-identity")
def test_a_slot_without_a_card_is_refused() -> None:
    packed = elgamal.pack_ciphers([(group.GENERATOR, group.IDENTITY)])
    with pytest.raises(PeerError) as caught:
        elgamal.unpack_ciphers(packed, 1, identity_ok=True)
    assert caught.value.verdict == "malformed"


@pytest.mark.parametrize("count", [1, 3])
def test_the_number_of_slots_is_exact(count: int) -> None:
    packed = elgamal.pack_ciphers(hidden_deck(2, JOINT))
    with pytest.raises(PeerError):
        elgamal.unpack_ciphers(packed, count)


def test_cards_are_different_points_in_every_deck() -> None:
    points = cards(52, "one") + cards(52, "two")
    assert len(set(points)) == 104
    assert elgamal.card_point("one", 3) == points[3]
