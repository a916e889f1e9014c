"""Illegal cards, revokes, false oaths: refused by predicate or proof (protocol section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from engine.zone import Slot
from p2p.crypto import oath
from p2p.crypto.group import GENERATOR, SCALAR_BYTES, add, sub
from p2p.crypto.shuffle import OfflinePart
from p2p.protocol.acts import laying
from tests.protocol.cheats import (
    CHEAT,
    acquit,
    bend_decision,
    bend_fields,
    bend_payload,
    convict,
)
from tests.protocol.deals import seed_with
from tests.protocol.kit import Hub, Seat, game_hub, seeded
from tests.protocol.scenes import SCENES, low
from tests.protocol.verbs import DECK

OATH_CARDS = sum(not low(card) for card in DECK.cards)
"""The cards that a hand without low ones may hold: an oath shuffles this many."""


def slots_of(seat: Seat, fits: Callable[[Any], bool]) -> list[Slot]:
    """The slots that the cheat alone can read, with faces that fit."""
    own = seat.cards.slots.own
    return [slot for slot, number in sorted(own.items()) if fits(seat.cards.slots.card(number))]


def high(card: Any) -> bool:
    return not low(card)


def lay(seat: Seat, question: Any, slot: Slot | None) -> Any:
    """The payload with which the cheat would lay this slot, legal or not."""
    hand = laying.Hand(seat.cards, seat.seat, tuple(question.zone))
    return laying.make_laid(seat.cards, hand, question, slot)


def swear_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the prover of oaths work on false ones too, about cards that would be allowed."""
    real = oath.swear

    def lie(secret: Any, opened: Any, allowed: Any, *rest: Any) -> bytes:
        slots, cards = zip(*opened, strict=True)
        if not set(cards) <= set(allowed):
            others = [point for point in allowed if point not in cards]
            opened = list(zip(slots, others, strict=False))
        return real(secret, opened, allowed, *rest)

    monkeypatch.setattr(oath, "swear", lie)


@pytest.mark.slow
@pytest.mark.check("play.legal")
@pytest.mark.call("p2p.protocol.acts.laying:parse_laid -> _refuse #2")
def test_a_card_that_does_not_fit_is_refused() -> None:
    """A seat lays a card that the rules forbid.

    Answer: an illegal move, seen by all, with the seat's signature under it.
    """
    hub = game_hub(SCENES["laid-low"], 3, seed_with("laid-low", 1))
    bend_decision(hub, lambda seat, asked: lay(seat, asked, slots_of(seat, high)[0]))
    convict(hub, "illegal-move")


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["laid-low", "followed"])
@pytest.mark.call("p2p.protocol.acts.laying:parse_laid -> _refuse")
def test_to_decline_where_a_card_has_to_be_laid_is_refused(scene: str) -> None:
    """A seat passes when it has to lay a card.

    Answer: an illegal move.
    """
    hub = game_hub(SCENES[scene], 3, seed_with(scene, 1))
    bend_payload(hub, "play", lambda _: None)
    convict(hub, "illegal-move")


def _fuller(hub: Hub) -> int:
    return hub.seats[0].session.table.hands[2][0]  # type: ignore[attr-defined,no-any-return]


@pytest.mark.check("play.zone")
@pytest.mark.parametrize("slot", [-1, 99])
def test_a_slot_that_is_none_is_refused(slot: int) -> None:
    """A seat lays a card from a place that does not exist.

    Answer: an illegal move.
    """
    hub = game_hub(SCENES["laid-freely"], 3)
    bend_fields(hub, "play", slot=slot)
    convict(hub, "illegal-move")


def test_a_card_of_somebody_else_is_refused() -> None:
    """A seat lays a card out of another one's hand.

    Answer: an illegal move: the place is not in its hand.
    """
    hub = game_hub(SCENES["laid-freely"], 3)
    bend_payload(hub, "play", lambda payload: {**payload, "slot": _fuller(hub)})
    convict(hub, "illegal-move")


@pytest.mark.check("play.face")
def test_another_face_than_the_share_opens_is_refused() -> None:
    """A seat lays a card and names another face; the proof is right.

    Answer: what the share opens is compared with the face that is named.
    """
    hub = game_hub(SCENES["laid-freely"], 3)
    bend_payload(hub, "play", lambda p: {**p, "card": (p["card"] + 1) % len(DECK)})
    convict(hub, "bad-share")


def test_a_share_that_opens_the_card_one_would_like_is_refused() -> None:
    """A seat makes up a share that opens its card as the one it would like.

    Answer: the face fits, but nobody can prove such a share.
    """
    hub = game_hub(SCENES["laid-freely"], 3)

    def wish(seat: Seat, question: Any) -> Any:
        payload = lay(seat, question, slots_of(seat, lambda card: True)[0])
        points, card = seat.cards.slots.points, payload["card"]
        wished = (card + 1) % len(DECK)
        gap = sub(points[card], points[wished])
        return {**payload, "card": wished, "share": add(payload["share"], gap)}

    bend_decision(hub, wish)
    convict(hub, "bad-share")


def test_a_wrong_share_is_refused() -> None:
    """A seat lays a card with a share that opens nothing.

    Answer: refused.
    """
    hub = game_hub(SCENES["laid-freely"], 3)
    bend_payload(hub, "play", lambda p: {**p, "share": add(p["share"], GENERATOR)})
    convict(hub, "bad-share")


@pytest.mark.check("play.card")
@pytest.mark.parametrize("card", [-1, len(DECK), True])
def test_a_card_that_the_deck_does_not_have_is_malformed(card: object) -> None:
    """A seat names a card number that is negative, too large, or "true".

    Answer: malformed.
    """
    hub = game_hub(SCENES["laid-freely"], 3)
    bend_fields(hub, "play", card=card)
    convict(hub, "malformed")


@pytest.mark.parametrize("missing", ["card", "share", "proof"])
def test_a_hidden_card_comes_with_face_share_and_proof(missing: str) -> None:
    """A seat lays a hidden card without its face, its share or its proof.

    Answer: malformed: what is hidden comes with all three.
    """
    hub = game_hub(SCENES["laid-freely"], 3)
    bend_fields(hub, "play", **{missing: None})
    convict(hub, "malformed")


@pytest.mark.check("play.fields")
@pytest.mark.parametrize("more", [{"card": 0}, {"share": GENERATOR}, {"proof": bytes(64)}])
def test_a_public_card_comes_without(more: dict[str, Any]) -> None:
    """A seat adds a proof to a card that all can see.

    Answer: malformed: what is not needed may not be there, since nobody would check it.
    """
    hub = game_hub(SCENES["laid-in-public"], 3)
    bend_fields(hub, "play", **more)
    convict(hub, "malformed")


@pytest.mark.slow
@pytest.mark.check("play.oath")
def test_a_revoke_without_an_oath_is_refused() -> None:
    """A seat does not follow suit and leaves out the proof that it holds none of the suit.

    Answer: an illegal move.
    """
    hub = game_hub(SCENES["followed"], 3, seed_with("followed", 0))
    bend_fields(hub, "play", oath=None)
    convict(hub, "illegal-move")


def test_an_oath_that_nobody_asked_for_is_refused() -> None:
    """A seat sends an oath when none is owed.

    Answer: an illegal move: an entry has nothing in it that nobody checks.
    """
    hub = game_hub(SCENES["followed"], 3, seed_with("followed", 1))
    bend_fields(hub, "play", oath=bytes(64))
    convict(hub, "illegal-move")


def test_a_revoke_with_a_false_oath_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat does not follow suit, though it could, and swears that it cannot.

    Answer: the oath is a proof about the hidden cards themselves; a false one cannot be made and is
    refused.
    """
    swear_anything(monkeypatch)
    hub = game_hub(SCENES["followed"], 3, seed_with("followed", 1))
    bend_decision(hub, lambda seat, asked: lay(seat, asked, slots_of(seat, high)[0]))
    convict(hub, "bad-oath")


@pytest.mark.parametrize("place", [0, 1, -1])
def test_an_oath_with_a_number_out_of_range_is_refused(place: int) -> None:
    """A seat puts numbers that are too large into an oath, which broke a prototype.

    Answer: numbers out of range are refused, wherever they stand.
    """
    hub = game_hub(SCENES["followed"], 3, seed_with("followed", 0))

    def widen(payload: Any) -> Any:
        sworn, size = payload["oath"], SCALAR_BYTES
        at = len(sworn) - size if place < 0 else place * size
        return {**payload, "oath": sworn[:at] + b"\xff" * size + sworn[at + size :]}

    bend_payload(hub, "play", widen)
    convict(hub, "bad-oath")


@pytest.mark.slow
def test_an_oath_of_another_seat_is_refused() -> None:
    """A seat repeats the valid oath of another seat as its own.

    Answer: refused: an oath names its seat, its step and its cards.
    """
    hub = game_hub(SCENES["followed"], 3, seed_with("followed", 0, seats=(1, 2)))
    sworn: list[bytes] = []

    def keep(payload: Any) -> Any:
        sworn.append(payload["oath"])
        return payload

    bend_payload(hub, "play", keep, 1)
    bend_payload(hub, "play", lambda payload: {**payload, "oath": sworn[0]}, 2)
    convict(hub, "bad-oath", 2)


@pytest.mark.slow
def test_an_oath_of_its_own_has_to_be_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat is asked to swear and swears falsely.

    Answer: refused, and the seat is named.
    """
    swear_anything(monkeypatch)
    seed = seed_with("sworn", 1, lambda card: card is DECK.cards[0])
    convict(game_hub(SCENES["sworn"], 3, seed), "bad-oath")


@pytest.mark.slow
def test_two_oaths_made_with_one_offline_part_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A seat makes two oaths with the same prepared randomness.

    Answer: the second one is refused: it would tell which card is which.
    """
    hub = game_hub(SCENES["sworn-twice"], 3, seed_with("sworn-twice", 0))
    take = hub.seats[CHEAT].cards.parts.take

    def take_again(count: int, key: bytes) -> OfflinePart:
        again = OfflinePart.prepare(count, key, seeded("the same part"))
        return again if count == OATH_CARDS else take(count, key)

    monkeypatch.setattr(hub.seats[CHEAT].cards.parts, "take", take_again)
    convict(hub, "bad-shuffle")


def _claim_histories(hub: Hub, monkeypatch: pytest.MonkeyPatch, mixed: bool) -> None:
    """Let the cheat believe that about its own hand."""
    slots = hub.seats[CHEAT].cards.slots
    real = slots.mixed

    def claim(hidden: Iterable[Slot]) -> bool:
        mine = list(hidden)
        return mixed if mine and set(mine) <= slots.own.keys() else real(mine)

    monkeypatch.setattr(slots, "mixed", claim)


@pytest.mark.check("merge.owed")
@pytest.mark.parametrize("scene", ["drawn-late", "laid-freely"])
def test_a_hand_is_reshuffled_exactly_where_it_is_owed(
    scene: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat skips the reshuffle that hides which card of its hand was drawn last, or adds one.

    Answer: an illegal move either way.
    """
    hub = game_hub(SCENES[scene], 3)
    _claim_histories(hub, monkeypatch, scene == "laid-freely")
    convict(hub, "illegal-move")


def test_a_false_reshuffle_inside_a_play_is_refused() -> None:
    """A seat exchanges a card while it reshuffles its hand inside a play.

    Answer: that reshuffle is proven like any other, and refused.
    """
    hub = game_hub(SCENES["drawn-late"], 3)

    def change(payload: Any) -> Any:
        merge = payload["merge"]
        deck = merge["deck"]
        return {**payload, "merge": {**merge, "deck": deck[64:128] + deck[:64] + deck[128:]}}

    bend_payload(hub, "play", change)
    convict(hub, "bad-shuffle")


@pytest.mark.parametrize("seed", range(4))
def test_a_public_card_is_laid_without_a_reshuffle(seed: int) -> None:
    """A seat reshuffles its hand when it lays a card that all can see.

    Answer: an illegal move: nothing is owed there.
    """
    acquit(game_hub(SCENES["half-open"], 3, seed))


@pytest.mark.parametrize("slots", [[], [0, 0], [0, 1, 2]])
@pytest.mark.call("p2p.protocol.acts.laying:lay_down.parse -> _refuse")
def test_other_cards_than_asked_are_not_laid_down(slots: list[int]) -> None:
    """A seat lays down no card, one card twice, or too many.

    Answer: an illegal move.
    """
    hub = game_hub(SCENES["laid-down"], 3)
    hand = hub.seats[0].session.table.hands[1]  # type: ignore[attr-defined]
    bend_payload(hub, "lay-down", lambda p: {**p, "slots": [hand[place] for place in slots]})
    convict(hub, "illegal-move")


@pytest.mark.parametrize("scene", ["followed", "laid-low", "drawn-late", "laid-in-public"])
def test_the_scenes_are_played_by_honest_seats(scene: str) -> None:
    """Control: the scenes of these tests are played to the end by honest seats."""
    acquit(game_hub(SCENES[scene], 3, seed_with(scene, 1)))


def test_a_seat_may_swear_twice() -> None:
    """Control: an honest seat may swear twice, each time with fresh randomness."""
    acquit(game_hub(SCENES["sworn-twice"], 3, seed_with("sworn-twice", 0)))
