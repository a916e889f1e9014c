"""Hidden means hidden: to a seat that may not know a card, games that differ in it are alike."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import question as ask
from engine.dealer import TrustedDealer
from engine.games.flop_a.rules import GAME
from engine.games.flop_a.table import FlopTable
from engine.golden import describe
from engine.session import Session
from engine.testing import play_out
from engine.zone import Seat, Slot
from tests.engine.flop_a.scene import playing
from tests.engine.play import step

Seen = list[tuple[object, ...]]


class Swapped(TrustedDealer):
    """The same cards as another dealer's, but two slots have swapped faces."""

    def swap(self, first: Slot, second: Slot) -> None:
        self.truth.cards[first], self.truth.cards[second] = (
            self.truth.cards[second],
            self.truth.cards[first],
        )

    @classmethod
    def of(cls, dealer: TrustedDealer, seed: int) -> Swapped:
        twin = cls(Random(seed))
        twin.truth.cards[:] = dealer.truth.cards
        return twin


def seen_by(session: Session, dealer: TrustedDealer, seat: Seat) -> tuple[object, ...]:
    """Everything a seat sees: state, its faces, the question, what it may decide."""
    asked, view = session.pending, dealer.view(session.table, seat)
    assert asked is not None
    faces = [view.face(slot).name if view.knows(slot) else "" for slot in range(52)]
    mine: Any = asked.decisions(view) if seat in asked.deciders else ()
    return session.digest(), faces, describe(session.table, asked), list(mine)


def at_first_bet(seed: int) -> tuple[Session, FlopTable, TrustedDealer]:
    session, table, dealer, rng = playing(4, seed, hands=1)
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    return session, table, dealer


def watch(session: Session, dealer: TrustedDealer, seat: Seat, folds: set[Seat]) -> Seen:
    """What `seat` sees of a hand in which `folds` fold at once and the others stay in."""
    seen: Seen = []
    while (asked := session.pending) is not None:
        seen.append(seen_by(session, dealer, seat))
        decisions: dict[Seat, object] = {one: 0 if one in folds else 1 for one in asked.deciders}
        if isinstance(asked, ask.Together):
            decisions = dict.fromkeys(asked.deciders, 0)
        session.answer(dealer.answer(session.table, asked, decisions))
    return seen


@pytest.mark.parametrize("seed", range(20))
def test_a_folded_hand_is_never_seen_by_anybody(seed: int) -> None:
    """Seat 2 folds before the first flip: its cards may be any others that are never flipped."""
    session, table, dealer = at_first_bet(seed)
    runs = []
    for swap in (False, True):
        twin, other = session.fork(), Swapped.of(dealer, seed)
        assert isinstance(twin.table, FlopTable)
        if swap:
            for hidden, deep in zip(table.hands[2], table.stock[:3], strict=True):
                other.swap(hidden, deep)
        runs.append([watch(twin.fork(), other, seat, {2}) for seat in (0, 1, 3)])
    assert runs[0] == runs[1]


@pytest.mark.parametrize("seed", range(20))
def test_what_others_hold_and_the_row_are_hidden_until_they_are_laid(seed: int) -> None:
    """Two hands that differ in a card of seat 2 and one of the row, up to the first flip."""
    session, table, dealer = at_first_bet(seed)
    other = Swapped.of(dealer, seed)
    other.swap(table.hands[2][0], table.row[3])
    other.swap(table.hands[3][1], table.stock[5])
    for seat in (0, 1):
        assert seen_by(session, dealer, seat) == seen_by(session, other, seat)
    mine, his = seen_by(session, dealer, 2), seen_by(session, other, 2)
    assert mine != his
    assert mine[0] == his[0]


@pytest.mark.parametrize("seed", range(10))
def test_a_declaration_is_hidden_until_all_are_opened(seed: int) -> None:
    """Nothing changes before the answer holds all of them."""
    session, table, dealer, rng = playing(3, seed, hands=1)
    while not session.over and not isinstance(session.pending, ask.Together):
        asked = session.pending
        assert asked is not None
        decisions = dict.fromkeys(asked.deciders, 1)
        session.answer(dealer.answer(table, asked, decisions))
    if session.over:  # somebody has flopped out
        assert not all(table.hands)
        return
    before = [seen_by(session, dealer, seat) for seat in range(3)]
    step(session.fork(), dealer.copy(), rng)
    assert before == [seen_by(session, dealer, seat) for seat in range(3)]


@pytest.mark.parametrize("seed", range(30))
def test_no_hand_of_one_who_is_out_is_ever_public(seed: int) -> None:
    session, table, dealer, rng = playing(5, seed)
    while not session.over:
        for seat, hand in enumerate(table.hands):
            if not table.still_in[seat]:
                assert all(table.faces[slot] is None for slot in hand)
                assert all(table.locks[slot] == seat for slot in hand)
        step(session, dealer, rng)


def test_the_rules_read_no_hidden_face() -> None:
    """A follower that knows the answers, and no card, comes to the same end."""
    done = play_out(GAME, 4, {}, seed=5)
    follower = Session(GAME, 4, {})
    for answer in done.journal:
        follower.answer(answer)
    assert follower.returns == done.returns
