"""Several cards at once between peers: honest games, and every cheat that a set allows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import Card, Deck
from engine.question import LayDown
from engine.sets import Lay, LaySet, LayTogether, Terms
from p2p.crypto.group import GENERATOR, POINT_BYTES, add
from p2p.errors import LocalError
from p2p.protocol import wire
from p2p.protocol.acts.laying_sets import _Claim
from p2p.protocol.entry import decode_entry
from tests.protocol import sets
from tests.protocol.cheats import (
    CHEAT,
    acquit,
    bend_decision,
    bend_entry,
    bend_payload,
    convict,
    sign_again,
)
from tests.protocol.kit import Hub, Seat, game_hub
from tests.protocol.scenes import SCENES, scene
from tests.protocol.verbs import DECK, VerbsTable

NAMES = (
    "set-laid",
    "set-laid-anyhow",
    "sets-laid-half-open",
    "set-of-open-cards",
    "sets-in-secret",
)


def table(name: str, seed: int = 1) -> Hub:
    assert sets.__name__
    return game_hub(SCENES[name], 3, seed)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_honest_sets_are_laid_to_the_end(name: str, seed: int) -> None:
    hub = table(name, seed)
    acquit(hub)
    for seat in hub.seats:
        assert seat.session.digest() == hub.seats[0].session.digest()
        assert seat.result.returns == hub.seats[0].result.returns


def sent(hub: Hub, kind: str, seat: int) -> list[Any]:
    records = [record for step in hub.seats[0].machine.records for record in step]
    entries = [decode_entry(record) for record in records]
    return [one.payload for one in entries if one.kind == kind and one.seat == seat]


def test_a_pass_shows_nothing_and_its_commitment_looks_like_any_other() -> None:
    hub = table("sets-in-secret")
    choose = hub.chooser
    hub.chooser = lambda view, asked: None if view.seat == CHEAT else choose(view, asked)
    acquit(hub)
    (reveal,) = sent(hub, "set-reveal", CHEAT)
    assert reveal["laid"] is None
    sizes = {len(sent(hub, "set-commit", seat)[0]) for seat in range(3)}
    assert len(sizes) == 1
    table_now: Any = hub.seats[0].session.table
    assert len(table_now.hands[CHEAT]) == 3
    assert all(table_now.faces[slot] is None for slot in table_now.hands[CHEAT])


def test_a_set_face_down_names_its_slots_only_and_hides_where_they_came_from() -> None:
    """The hand has cards of two deals; the entry reshuffles it before it names a slot."""
    hub = table("set-laid-anyhow")
    hub.chooser = lambda view, asked: Lay(tuple(asked.zone[:1]), down=True)
    acquit(hub)
    (payload,) = sent(hub, "lay-set", CHEAT)
    assert payload["shown"] is None
    assert payload["merge"] is not None


@pytest.mark.parametrize(
    ("name", "kind"), [("set-laid-anyhow", "lay-set"), ("laid-down", "lay-down")]
)
@pytest.mark.parametrize("seed", range(4))
def test_cards_laid_face_down_are_named_in_an_order_that_says_nothing(
    name: str, kind: str, seed: int
) -> None:
    """However they were sorted or typed, and whichever came into the hand first."""
    hub = table(name, seed)

    def descending(view: Any, asked: Any) -> object:
        slots = tuple(sorted(asked.zone, reverse=True)[:2])
        return slots if isinstance(asked, LayDown) else Lay(slots, down=True)

    hub.chooser = descending
    acquit(hub)
    (payload,) = sent(hub, kind, CHEAT)
    assert len(payload["slots"]) == 2
    assert payload["slots"] == sorted(payload["slots"])


def pairs(seat: Seat, *, legal: bool) -> Lay:
    """Two cards of the cheat's hand that are of one suit, or not."""
    own, slots = seat.cards.slots.own, seat.cards.slots
    for one in sorted(own):
        for other in sorted(own):
            faces = [slots.card(own[one]), slots.card(own[other])]
            if one != other and sets.one_suit(faces) is legal:
                return Lay((one, other))
    raise AssertionError("the seed gives the cheat no such cards")


def craft(seat: Seat, question: LaySet, decision: Lay) -> Any:
    return _Claim(seat.cards, question).make(decision)


@pytest.mark.check("set.legal")
@pytest.mark.call("p2p.protocol.acts.laying_sets:_Claim.parse -> _refuse #3")
def test_a_set_that_does_not_fit_is_refused() -> None:
    """Shares, proof and reshuffle are right; the rules forbid the set."""
    hub = table("set-laid")
    bend_decision(hub, lambda seat, asked: craft(seat, asked, pairs(seat, legal=False)))
    convict(hub, "illegal-move")


@pytest.mark.parametrize("down", [True, False])
def test_a_set_of_another_size_or_face_down_is_refused(down: bool) -> None:
    hub = table("set-laid")

    def wrong(seat: Seat, asked: Any) -> Any:
        slots = tuple(asked.zone)
        return craft(seat, asked, Lay(slots[:1] if down else slots, down))

    bend_decision(hub, wrong)
    convict(hub, "illegal-move")


@pytest.mark.call("p2p.protocol.acts.laying_sets:_Claim.parse -> _refuse")
def test_to_pass_where_a_set_has_to_be_laid_is_refused() -> None:
    hub = table("set-laid")
    bend_payload(hub, "lay-set", lambda _: None)
    convict(hub, "illegal-move")


@pytest.mark.parametrize("slots", [[-1, 99], [0, 0], []])
@pytest.mark.call("p2p.protocol.acts.laying_sets:_Claim.parse -> _refuse #2")
def test_slots_that_are_none_of_ones_own_are_refused(slots: list[int]) -> None:
    hub = table("set-laid")
    bend_payload(hub, "lay-set", lambda payload: {**payload, "slots": slots})
    convict(hub, "illegal-move")


def test_a_slot_that_is_no_number_is_malformed() -> None:
    hub = table("set-laid")
    bend_payload(hub, "lay-set", lambda payload: {**payload, "slots": ["one", True]})
    convict(hub, "malformed")


def shown(**changes: Any) -> Any:
    """The payload with other fields of what is shown; callables make them of the old ones."""

    def change(payload: Any) -> Any:
        old = payload["shown"]
        new = {key: new(old[key]) if callable(new) else new for key, new in changes.items()}
        return {**payload, "shown": {**old, **new}}

    return change


@pytest.mark.slow
@pytest.mark.check("opened.face")
def test_another_face_than_the_shares_open_is_refused() -> None:
    """Everything is right and legal except the name of the highest card."""
    hub = table("set-laid-anyhow")
    hub.chooser = lambda view, asked: Lay(tuple(asked.zone[:2]))
    bend_payload(hub, "lay-set", shown(cards=lambda cards: [(cards[0] + 1) % len(DECK), cards[1]]))
    convict(hub, "bad-share")


@pytest.mark.slow
def test_a_wrong_share_is_refused() -> None:
    hub = table("set-laid-anyhow")
    hub.chooser = lambda view, asked: Lay(tuple(asked.zone[:2]))

    def bend(shares: bytes) -> bytes:
        return add(shares[:POINT_BYTES], GENERATOR) + shares[POINT_BYTES:]

    bend_payload(hub, "lay-set", shown(shares=bend))
    convict(hub, "bad-share")


@pytest.mark.slow
def test_a_false_proof_is_refused() -> None:
    hub = table("set-laid-anyhow")
    hub.chooser = lambda view, asked: Lay(tuple(asked.zone[:2]))
    bend_payload(hub, "lay-set", shown(proof=bytes(64)))
    convict(hub, "bad-share")


@pytest.mark.slow
@pytest.mark.check("set.cards")
@pytest.mark.parametrize("cards", [[], [0], [0, 1, 2]])
def test_every_hidden_card_of_a_set_is_named(cards: list[int]) -> None:
    hub = table("set-laid-anyhow")
    hub.chooser = lambda view, asked: Lay(tuple(asked.zone[:2]))
    bend_payload(hub, "lay-set", shown(cards=cards))
    convict(hub, "malformed")


def test_hidden_cards_come_with_a_proof() -> None:
    hub = table("set-laid-anyhow")
    hub.chooser = lambda view, asked: Lay(tuple(asked.zone[:2]))
    bend_payload(hub, "lay-set", shown(proof=None))
    convict(hub, "malformed")


@pytest.mark.check("set.proof")
@pytest.mark.check("set.proof")
def test_open_cards_come_without_a_proof() -> None:
    hub = table("set-of-open-cards")
    bend_payload(hub, "lay-set", shown(proof=bytes(64)))
    convict(hub, "malformed")


def test_a_set_without_its_reshuffle_is_refused() -> None:
    hub = table("set-laid")
    bend_payload(hub, "lay-set", lambda payload: {**payload, "merge": None})
    convict(hub, "illegal-move")


# -- in secret ----------------------------------------------------------------------------------


def both(view: Any, asked: Any) -> Any:
    """Everybody lays the first single card."""
    return Lay(tuple(asked.claims[view.seat].zone[:1]))


@pytest.mark.slow
@pytest.mark.call("p2p.protocol.acts.laying_sets:lay_together.verify -> verify_choice")
def test_another_set_than_the_one_committed_to_is_refused() -> None:
    """The cheat sees the others' cards first, then turns up another card of his, legally."""
    hub = table("sets-in-secret", 2)
    hub.chooser = both

    def switch(payload: Any) -> Any:
        cheat = hub.seats[CHEAT]
        asked = cheat.session.pending
        assert isinstance(asked, LayTogether)
        claim = asked.claims[CHEAT]
        return {**payload, "laid": craft(cheat, claim, Lay(tuple(claim.zone[1:2])))}

    bend_payload(hub, "set-reveal", switch)
    convict(hub, "bad-opening")


@pytest.mark.call("p2p.protocol.acts.laying_sets:lay_together.verify -> verify_choice")
def test_to_pass_after_having_committed_to_a_set_is_refused() -> None:
    hub = table("sets-in-secret")
    hub.chooser = both
    bend_payload(hub, "set-reveal", lambda payload: {**payload, "laid": None})
    convict(hub, "bad-opening")


def test_an_illegal_set_in_secret_is_refused_when_it_is_turned_up() -> None:
    """Commitment, opening and shares are right; the rules forbid the set.

    The cheat's own machine goes along: in its copy of the question the terms are others.
    """
    hub = table("sets-in-secret")
    choose = hub.chooser

    def chooser(view: Any, asked: Any) -> Any:
        if view.seat != CHEAT:
            return choose(view, asked)
        asked.claims[CHEAT].terms = Terms("anything")
        return pairs(hub.seats[CHEAT], legal=False)

    hub.chooser = chooser
    convict(hub, "illegal-move")


def test_ones_own_machine_never_commits_to_what_it_could_not_turn_up() -> None:
    hub = table("sets-in-secret")
    choose = hub.chooser

    def chooser(view: Any, asked: Any) -> Any:
        wrong = pairs(hub.seats[CHEAT], legal=False)
        return wrong if view.seat == CHEAT else choose(view, asked)

    hub.chooser = chooser
    with pytest.raises(LocalError, match="one suit only"):
        hub.run()


@pytest.mark.parametrize("seed", [0, 3])
def test_a_copied_commitment_cannot_be_opened(seed: int) -> None:
    hub = table("sets-in-secret", seed)
    hub.chooser = lambda view, asked: None
    for kind in ("set-commit", "set-reveal"):
        bend_entry(hub, kind, lambda entry: [])
        bend_entry(hub, kind, lambda e: [e.record, sign_again(e.record, seat=CHEAT)], 0)
    convict(hub, "bad-opening")


@pytest.mark.slow
def test_a_commitment_or_a_nonce_of_another_length_is_malformed() -> None:
    hub = table("sets-in-secret")
    bend_payload(hub, "set-commit", lambda payload: payload[:-1])
    convict(hub, "malformed")
    hub = table("sets-in-secret")
    bend_payload(hub, "set-reveal", lambda payload: {**payload, "nonce": b"short"})
    convict(hub, "malformed")


def test_what_is_kept_before_a_commitment_leaves_opens_it() -> None:
    """The nonce and the cards: a seat that restarts can still turn up what it chose."""
    hub = table("sets-in-secret")
    hub.chooser = both
    acquit(hub)
    kept = hub.seats[CHEAT].cards.kept
    ((nonce_and_cards),) = kept.values()
    (number,) = wire.unpack(nonce_and_cards[32:])
    pile: Any = hub.seats[CHEAT].session.table
    assert number in [hub.seats[CHEAT].cards.slots.numbers[slot] for slot in pile.pile]


async def open_pair(t: VerbsTable) -> None:
    """Seat 1 has two open cards, and two hidden ones of different histories."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    for count in (2, 1, 1):
        await t.deal(t.stock, [t.hands[CHEAT]], count)
    await t.open(t.hands[CHEAT][:2])
    await t.lay_set(CHEAT, t.hands[CHEAT], range(2, 3), Terms("any"), t.pile)


async def secret_pair(t: VerbsTable) -> None:
    """Seat 1 holds two copies of each of two faces, and commits to two cards."""
    faces = [Card(number, str(number), 0, number) for number in range(2)]
    await t.fresh(Deck("pairs", faces, [2, 2]), t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, [t.hands[CHEAT]], 4)
    await t.lay_together([LaySet(CHEAT, t.hands[CHEAT], range(2, 3), Terms("any"))], [t.pile])


def test_set_of_open_cards_owes_no_merge() -> None:
    hub = game_hub(scene(open_pair), 2)
    hub.chooser = lambda view, asked: Lay(tuple(asked.zone[:2]))
    acquit(hub)
    (payload,) = sent(hub, "lay-set", CHEAT)
    assert (payload["shown"]["cards"], payload["merge"]) == ([], None)


def test_two_copies_of_a_face_are_two_cards() -> None:
    hub = game_hub(scene(secret_pair), 2)

    def equal(view: Any, asked: Any) -> object:
        (zone,) = [claim.zone for claim in asked.claims.values()]
        first = view.face(zone[0])
        return Lay(tuple([slot for slot in zone if view.face(slot) is first]))

    hub.chooser = equal
    acquit(hub)
    pile: Any = hub.seats[CHEAT].session.table
    assert len({*pile.pile}) == 2
    assert len({pile.faces[slot] for slot in pile.pile}) == 1
