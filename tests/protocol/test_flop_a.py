"""Flop-A between peers in memory."""

from __future__ import annotations

from typing import Any

import pytest

from engine.acts import LayAll
from engine.games.flop_a.rules import GAME
from engine.games.flop_a.table import FlopTable
from engine.question import Choose
from engine.session import Session
from p2p.crypto.elgamal import share
from p2p.protocol.entry import decode_entry
from tests.protocol.cheats import CHEAT, convict, sign_again
from tests.protocol.kit import Hub, game_hub, log_bytes

HANDS = 2


def patient(hub: Hub, folds: float = 0.15) -> None:
    """Most players check or call, so that hands come to flops and declarations."""
    at_random = hub.chooser

    def choose(view: Any, question: Any) -> object:
        if isinstance(question, Choose) and hub.rng.random() > folds:
            return 1
        return at_random(view, question)

    hub.chooser = choose


def finished(seats: int, seed: int, **options: int) -> Hub:
    hub = game_hub(GAME, seats, seed, **options)
    patient(hub)
    hub.run()
    assert not hub.faults
    return hub


def kinds(hub: Hub) -> set[str]:
    return {decode_entry(record).kind for step in hub.seats[0].log for record in step}


@pytest.mark.slow
def test_declarations_are_committed_before_any_is_opened() -> None:
    hub = finished(2, 1, hands=HANDS)
    order = [decode_entry(record).kind for step in hub.seats[0].log for record in step]
    assert order.count("commit") == order.count("reveal") > 0
    assert order.index("commit") < order.index("reveal")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_folded_hand_stays_hidden_from_everybody_with_the_log(seed: int) -> None:
    """The owner's share, which alone would open a card, is nowhere in the log."""
    hub = game_hub(GAME, 3, seed, hands=HANDS)
    patient(hub, folds=0.5)
    shares: set[bytes] = set()
    play = hub.chooser

    def choose(view: Any, question: Any) -> object:
        decision = play(view, question)
        if isinstance(question, Choose) and decision == 0:
            dealer = hub.seats[view.seat].cards
            for slot in view.table.hands[view.seat]:
                shares.add(share(dealer.keys.own, dealer.slots.ciphers[slot]))
        return decision

    hub.chooser = choose
    hub.run()
    assert not hub.faults
    assert len(shares) >= 3
    log = log_bytes(hub.seats[0])
    assert not [one for one in shares if one in log]
    for seat in hub.seats:
        table = seat.session.table
        assert isinstance(table, FlopTable)
        for other, hand in enumerate(table.hands):
            if not table.still_in[other]:
                assert all(seat.cards.slots.numbers[slot] is None for slot in hand)
                assert other == seat.seat or not set(hand) & set(seat.cards.slots.own)


@pytest.mark.slow
def test_scenario_05_a_card_kept_back_is_an_illegal_move() -> None:
    """Player holds the flipped rank and does not lay it → no valid proof possible, the hand
    cannot go on: an illegal move. [P3 s2]"""
    hub = game_hub(GAME, 2, seed=1)
    hub.chooser = lambda view, question: 1
    kept: list[int] = []

    def keep(source: int, record: bytes) -> list[bytes]:
        entry = decode_entry(record)
        laid = entry.payload["slots"] if entry.kind == "lay-all" else []
        if source != CHEAT or not laid:
            return [record]
        kept.extend(laid)
        nothing = {"slots": [], "cards": [], "shares": b"", "proof": None}
        return [sign_again(record, payload={**entry.payload, **nothing})]

    hub.bend = keep
    convict(hub, "bad-oath")
    assert kept
    table = hub.seats[0].session.table
    assert isinstance(table, FlopTable)
    assert set(kept) <= set(table.hands[CHEAT])


def flops(hub: Hub) -> list[dict[int, tuple[int, int, int]]]:
    """For each flop and seat, what all can see: cards held, cards laid, cards of the rank out."""
    session = hub.seats[0].session
    follower, found = Session(GAME, session.table.seats, session.options), []
    for answer in session.journal:
        asked, faces = follower.pending, follower.table.faces
        if isinstance(asked, LayAll) and isinstance(answer, tuple):
            out = sum(face is not None and asked.fits(face) for face in faces)
            hands = [hand for hand in asked.hands if hand.owner is not None]
            seen = zip(hands, answer, strict=True)
            found.append({int(h.owner or 0): (len(h), len(laid), out) for h, laid in seen})
        follower.answer(answer)
    return found


@pytest.mark.slow
def test_what_a_flop_looks_like_follows_from_what_all_can_see() -> None:
    """Kinds, owners and sizes of entries tell nothing about the cards that stay in a hand."""
    looks: dict[tuple[int, int, int], set[tuple[object, ...]]] = {}
    for seed in range(6):
        hub = game_hub(GAME, 3, seed, hands=HANDS)
        hub.chooser = lambda view, question: 1
        hub.run()
        entries = [[decode_entry(record) for record in step] for step in hub.seats[0].log]
        laid = [step for step in entries if step[0].kind == "lay-all"]
        for step, seen in zip(laid, flops(hub), strict=True):
            assert [entry.seat for entry in step] == sorted(seen)
            for entry in step:
                said, oath = entry.payload, entry.payload["oath"]
                look = len(said["shares"]), said["proof"] is None, oath and len(oath)
                looks.setdefault(seen[entry.seat], set()).add(look)
    assert len(looks) >= 5
    assert {len(found) for found in looks.values()} == {1}


@pytest.mark.slow
def test_a_commitment_looks_the_same_whatever_is_declared() -> None:
    sizes = set()
    for declared in range(3):
        hub = game_hub(GAME, 2, seed=1, hands=1)
        hub.chooser = lambda view, question, declared=declared: (  # type: ignore[misc]
            1 if isinstance(question, Choose) else declared
        )
        hub.run()
        records = [record for step in hub.seats[0].log for record in step]
        kinds = [(decode_entry(record).kind, decode_entry(record).seat) for record in records]
        sizes.add(
            tuple(
                (*kind, len(record))
                for kind, record in zip(kinds, records, strict=True)
                if kind[0] in ("commit", "reveal")
            )
        )
    assert len(sizes) == 1
    assert len(next(iter(sizes))) == 4
