"""Every card that fits is laid, and sworn: between peers, honestly and otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.session import Session
from engine.zone import Slot
from p2p.crypto import dleq, oath
from p2p.crypto.elgamal import share
from p2p.crypto.group import GENERATOR, POINT_BYTES, add
from p2p.protocol import step_kinds
from p2p.protocol.acts import swearing
from p2p.protocol.entry import decode_entry
from tests.protocol.cheats import CHEAT, acquit, bend_payload, convict
from tests.protocol.deals import seed_with
from tests.protocol.kit import Hub, Seat, game_hub
from tests.protocol.scenes import SCENES, low
from tests.protocol.verbs import DECK, VerbsTable

TWO_LOW, NO_LOW = 2, 0
"""How many low cards the cheat is dealt, of three."""


def at_the_lay(lows: int) -> tuple[Hub, Seat]:
    """A table where seat 1, with this many low cards, cheats when all of them are laid."""
    hub = game_hub(SCENES["laid-all"], 3, seed_with("laid-all", lows))
    return hub, hub.seats[CHEAT]


def held(seat: Seat, lows: bool) -> list[Slot]:
    """The slots of the cheat's hand that are low, or are not, in the order of the hand."""
    known, table = seat.cards.slots, seat.session.table
    assert isinstance(table, VerbsTable)
    hand = table.hands[CHEAT]
    return [slot for slot in hand if low(known.card(known.own[slot])) == lows]


def lay(seat: Seat, slots: Sequence[Slot]) -> dict[str, Any]:
    """What the cheat would send to lay these slots: everything about them is right."""
    dealer, table = seat.cards, seat.session.table
    assert isinstance(table, VerbsTable)
    known, keys = dealer.slots, dealer.keys
    pairs = [(known.ciphers[slot][0], share(keys.own, known.ciphers[slot])) for slot in slots]
    bound = dealer.bind(CHEAT, "lay-all", tuple(slots))
    others = [slot for slot in table.hands[CHEAT] if slot not in slots]
    owed = swearing.owed(dealer, others, low)
    ciphers = dict(enumerate(known.ciphers))
    return {
        "slots": list(slots),
        "cards": [known.own[slot] for slot in slots],
        "shares": b"".join(own for _, own in pairs),
        "proof": dleq.prove_shares(keys.own, pairs, bound, keys.entropy) if pairs else None,
        "oath": swearing.make(dealer, owed, ciphers, known.own) if owed else None,
        "merge": None,
    }


def test_nobody_swears_the_same_twice() -> None:
    """After an oath that no low card is left, the next time all low cards are laid owes none."""
    hub = game_hub(SCENES["laid-all"], 3)
    hub.run()
    entries = [[decode_entry(record) for record in step] for step in hub.seats[0].log]
    first, second = [step for step in entries if step[0].kind == step_kinds.LAY_ALL]
    assert all(entry.payload["oath"] is not None for entry in first)
    assert [entry.payload["oath"] for entry in second] == [None] * len(second) != []


@pytest.mark.slow
@pytest.mark.parametrize("lows", [TWO_LOW, NO_LOW])
def test_the_seeds_deal_what_the_tests_need(lows: int) -> None:
    hub, cheat = at_the_lay(lows)
    seen: list[int] = []
    bend_payload(hub, "lay-all", lambda p: seen.append(len(held(cheat, True))) or p)
    acquit(hub)
    assert seen == [lows]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_sworn_once_is_not_sworn_again(seed: int) -> None:
    """Everybody lays at once, in one step; the second time no oath is owed."""
    hub = game_hub(SCENES["laid-all"], 3, seed)
    oaths: list[bool] = []

    def look(payload: Any) -> Any:
        oaths.append(payload["oath"] is not None)
        return payload

    bend_payload(hub, "lay-all", look)
    bend_payload(hub, "lay-all", look)
    acquit(hub)
    table = hub.seats[0].session.table
    assert isinstance(table, VerbsTable)
    first = Session(SCENES["laid-all"], 3, {})
    for answer in hub.seats[0].session.journal:
        first.answer(answer)
    assert first.digest() == hub.seats[0].session.digest()
    assert oaths[1:] in ([False], [])
    assert all(low(table.face(slot)) for slot in table.pile)


@pytest.mark.parametrize("seed", range(6))
def test_a_hand_of_two_histories_is_merged_and_a_public_card_laid_by_all(seed: int) -> None:
    hub = game_hub(SCENES["laid-all-late"], 3, seed)
    merged = []
    bend_payload(hub, "lay-all", lambda p: merged.append(p["merge"] is not None) or p)
    acquit(hub)
    assert merged == [True]
    for seat in hub.seats:
        table = seat.session.table
        assert isinstance(table, VerbsTable)
        assert all(low(table.face(slot)) for slot in table.pile)
        if seat.seat == CHEAT:
            view = seat.cards.view(CHEAT)
            assert not any(map(low, view.cards(table.hands[CHEAT])))


@pytest.mark.check("lay-all.slots")
def test_cards_in_another_order_are_refused() -> None:
    hub, cheat = at_the_lay(TWO_LOW)
    bend_payload(hub, "lay-all", lambda _: lay(cheat, held(cheat, True)[::-1]))
    convict(hub, "illegal-move")


def test_a_card_laid_twice_is_refused() -> None:
    hub, cheat = at_the_lay(TWO_LOW)
    bend_payload(hub, "lay-all", lambda _: lay(cheat, sorted(held(cheat, True) * 2)))
    convict(hub, "illegal-move")


def test_a_slot_of_another_type_is_refused() -> None:
    hub, _ = at_the_lay(TWO_LOW)
    bend_payload(hub, "lay-all", lambda p: {**p, "slots": [str(slot) for slot in p["slots"]]})
    convict(hub, "malformed")


@pytest.mark.check("lay-all.fits")
def test_a_card_too_many_is_refused() -> None:
    """It lays a card that does not fit, with a true oath about the rest."""
    hub, cheat = at_the_lay(TWO_LOW)
    whole = lambda: sorted(held(cheat, True) + held(cheat, False), key=in_hand(cheat))  # noqa: E731
    bend_payload(hub, "lay-all", lambda _: lay(cheat, whole()))
    convict(hub, "illegal-move")


def in_hand(seat: Seat) -> Any:
    table = seat.session.table
    assert isinstance(table, VerbsTable)
    return table.hands[CHEAT].index


@pytest.mark.slow
@pytest.mark.check("lay-all.fields")
def test_a_proof_about_nothing_is_refused() -> None:
    hub, _ = at_the_lay(NO_LOW)
    bend_payload(hub, "lay-all", lambda payload: {**payload, "proof": bytes(64)})
    convict(hub, "malformed")


@pytest.mark.slow
@pytest.mark.check("lay-all.oath")
def test_without_the_oath_nothing_is_accepted() -> None:
    """The card that does not come is the one that the oath would be about."""
    hub, _ = at_the_lay(NO_LOW)
    bend_payload(hub, "lay-all", lambda payload: {**payload, "oath": None})
    convict(hub, "illegal-move")


@pytest.mark.slow
@pytest.mark.parametrize("kept", [1, 2])
def test_a_card_kept_back_under_a_false_oath_is_refused(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, cheat = at_the_lay(TWO_LOW)
    real = oath.swear

    def lie(secret: Any, opened: Any, allowed: Any, *rest: Any) -> bytes:
        slots, cards = zip(*opened, strict=True)
        others = [point for point in allowed if point not in cards]
        return real(secret, list(zip(slots, others, strict=False)), allowed, *rest)

    def keep(_: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(oath, "swear", lie)
            return lay(cheat, held(cheat, True)[kept:])

    bend_payload(hub, "lay-all", keep)
    convict(hub, "bad-oath")


@pytest.mark.check("opened.face")
def test_another_face_that_fits_too_is_refused() -> None:
    """Share and proof are right; the card that is named is another low one."""
    hub, _ = at_the_lay(TWO_LOW)
    lows = [number for number, card in enumerate(DECK.cards) if low(card)]

    def rename(payload: Any) -> Any:
        other = [number for number in lows if number not in payload["cards"]]
        return {**payload, "cards": [other[0], *payload["cards"][1:]]}

    bend_payload(hub, "lay-all", rename)
    convict(hub, "bad-share")


def test_a_wrong_share_is_refused() -> None:
    hub, _ = at_the_lay(TWO_LOW)

    def change(payload: Any) -> Any:
        first = add(payload["shares"][:POINT_BYTES], GENERATOR)
        return {**payload, "shares": first + payload["shares"][POINT_BYTES:]}

    bend_payload(hub, "lay-all", change)
    convict(hub, "bad-share")
