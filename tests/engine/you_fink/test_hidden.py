"""Hidden means hidden: until a card is turned nobody knows it, its owner included."""

from __future__ import annotations

from random import Random

import pytest

from engine.dealer import TrustedDealer
from engine.games.you_fink.table import FinkTable
from engine.games.you_fink.text import TEXT
from engine.session import Session
from engine.table_state import JOINT
from tests.engine.play import decided
from tests.engine.you_fink.scene import playing


def seen(session: Session, dealer: TrustedDealer) -> list[object]:
    """Everything that every seat is shown, asked and offered."""
    found: list[object] = [session.digest(), session.where()]
    for seat in range(session.table.seats):
        view = dealer.view(session.table, seat)
        found.append(TEXT.table_lines(view, "ABCDEFGH"[: session.table.seats]))
        found.append([view.face(slot).name for slot in range(54) if view.knows(slot)])
        asked = session.pending
        if asked is not None:
            found.append(TEXT.describe_question(view, asked, "ABCDEFGH"))
            if seat in asked.deciders:
                found.append(list(asked.decisions(view)))
    return found


def shuffle_what_nobody_knows(table: FinkTable, dealer: TrustedDealer, rng: Random) -> None:
    hidden = [slot for slot, lock in enumerate(table.locks) if lock == JOINT]
    cards = [dealer.truth.cards[slot] for slot in hidden]
    rng.shuffle(cards)
    for slot, card in zip(hidden, cards, strict=True):
        dealer.truth.cards[slot] = card


@pytest.mark.parametrize("seats", [2, 3, 8])
@pytest.mark.parametrize("seed", range(3))
def test_runs_that_differ_in_hidden_cards_look_alike(seats: int, seed: int) -> None:
    """At each of many positions: other cards in all decks and the booty change nothing to see."""
    session, table, dealer, rng = playing(seats, seed)
    compared = 0
    while not session.over and len(session.journal) < 400:
        if table.faces and JOINT in table.locks:
            other, there = session.fork(), dealer.copy()
            assert isinstance(other.table, FinkTable)
            shuffle_what_nobody_knows(other.table, there, Random(compared))
            assert seen(session, dealer) == seen(other, there)
            compared += 1
        asked = session.pending
        assert asked is not None
        session.answer(dealer.answer(table, asked, decided(session, dealer, rng)))
    assert compared > 20


def test_no_seat_ever_holds_a_card_alone() -> None:
    """Section 9: decks and booty are known to nobody; a lock is everybody's, or open."""
    session, table, dealer, rng = playing(4, 3)
    while not session.over:
        assert all(lock < 0 for lock in table.locks)
        for deck in table.decks:
            assert all(table.locks[slot] == JOINT for slot in deck)
        asked = session.pending
        assert asked is not None
        session.answer(dealer.answer(table, asked, decided(session, dealer, rng)))
