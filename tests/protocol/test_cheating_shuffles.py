"""Bad shuffles are refused before a card is opened, and name the seat (protocol section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2p.crypto.elgamal import Cipher, card_point, pack_ciphers, unpack_ciphers
from p2p.crypto.group import IDENTITY, add
from p2p.crypto.shuffle import OfflinePart
from p2p.protocol.entry import decode_entry
from tests.protocol.cheats import CHEAT, bend_payload, convict
from tests.protocol.kit import Hub, game_hub, seeded
from tests.protocol.scenes import SCENES
from tests.protocol.verbs import DECK

CARDS = len(DECK)


def duplicate(deck: list[Cipher]) -> list[Cipher]:
    return [deck[1], *deck[1:]]


def foreign(deck: list[Cipher]) -> list[Cipher]:
    (a, b), *rest = deck
    return [(a, add(b, card_point("another deck", 0))), *rest]


def wrong_permutation(deck: list[Cipher]) -> list[Cipher]:
    return [deck[1], deck[0], *deck[2:]]


def readable(deck: list[Cipher]) -> list[Cipher]:
    """A card in clear: a slot with a = identity is legal in fresh decks only."""
    return [(IDENTITY, card_point(DECK.name, 0)), *deck[1:]]


def opened_cards(hub: Hub) -> set[str]:
    """The kinds of all entries that any seat signed."""
    return {decode_entry(record).kind for seat in hub.seats for step in seat.log for record in step}


@pytest.mark.parametrize("bent", [duplicate, foreign, wrong_permutation])
@pytest.mark.call("p2p.protocol.acts.shuffling:by_everybody -> chain.verify")
def test_a_bad_deck_is_refused_before_a_card_is_opened(
    bent: Callable[[list[Cipher]], list[Cipher]],
) -> None:
    """A shuffler doubles a card, brings in a foreign one, or changes the order afterwards.

    Answer: all shuffles are verified before any part of a card's key leaves, so nothing was seen,
    and the seat is named.
    """
    hub = game_hub(SCENES["opened"], 3)

    def change(payload: dict[str, bytes]) -> dict[str, bytes]:
        deck = bent(unpack_ciphers(payload["deck"], CARDS))
        return {"deck": pack_ciphers(deck), "proof": payload["proof"]}

    bend_payload(hub, "shuffle", change)
    convict(hub, "bad-shuffle")
    assert opened_cards(hub) == {"shuffle"}


def test_a_card_in_clear_in_a_shuffled_deck_is_refused() -> None:
    """A shuffler puts an unencrypted card into the deck, to know its place.

    Answer: malformed.
    """
    hub = game_hub(SCENES["opened"], 3)

    def change(payload: dict[str, bytes]) -> dict[str, bytes]:
        deck = readable(unpack_ciphers(payload["deck"], CARDS))
        return {"deck": pack_ciphers(deck), "proof": payload["proof"]}

    bend_payload(hub, "shuffle", change)
    convict(hub, "malformed")


def test_the_first_of_two_cheats_is_named() -> None:
    """Two seats cheat in one chain of shuffles.

    Answer: the chain is verified at once; when that fails each proof is checked alone, and the
    first false one is named by all.
    """
    hub = game_hub(SCENES["opened"], 4)
    for cheat in (2, 1):

        def change(payload: Any) -> Any:
            deck = wrong_permutation(unpack_ciphers(payload["deck"], CARDS))
            return {**payload, "deck": pack_ciphers(deck)}

        bend_payload(hub, "shuffle", change, cheat)
    hub.run()
    for honest in (0, 3):
        assert hub.faults[honest].error.verdict == "bad-shuffle"
        assert hub.faults[honest].error.seat == 1
        assert hub.faults[honest].error.step == 1


def test_a_copied_shuffle_is_refused() -> None:
    """A shuffler repeats the deck and proof of the seat before it.

    Answer: refused: its commitment was seen before, and the proof names another seat.
    """
    hub = game_hub(SCENES["opened"], 3)
    bend_payload(hub, "shuffle", lambda _: decode_entry(hub.seats[0].machine.records[0][0]).payload)
    convict(hub, "bad-shuffle")


@pytest.mark.check("shuffle.reuse")
@pytest.mark.call("p2p.protocol.acts.shuffling:_one -> cards.count_part")
def test_an_offline_part_is_used_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shuffler uses prepared randomness twice; all else is right.

    Answer: its commitment was seen at this table, so the shuffle is refused: two would tell the
    order of the cards.
    """
    hub = game_hub(SCENES["reshuffled"], 3)
    dealer = hub.seats[CHEAT].cards
    take = dealer.parts.take

    def take_again(count: int, key: bytes) -> OfflinePart:
        again = OfflinePart.prepare(count, key, seeded("the same part"))
        return take(count, key) if count == CARDS else again

    monkeypatch.setattr(dealer.parts, "take", take_again)
    convict(hub, "bad-shuffle")
