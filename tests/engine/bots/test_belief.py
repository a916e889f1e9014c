"""What others did changes which deals are drawn, and what they could not show changes nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.bots import sensible
from engine.bots.belief import Belief
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower
from engine.bots.lookahead import lookahead
from engine.dealer import TrustedDealer
from engine.games import load
from engine.games.flop_a.bot import prospect
from engine.games.flop_a.table import FlopTable
from engine.session import Session
from engine.view import View


class Hand:
    """The first betting of a hand of Flop-A for two, in which seat 1 did as it was told."""

    def __init__(self, seed: int, act: int) -> None:
        self.dealer = TrustedDealer(Random(seed))
        self.session = Session(load("flop-a"), 2, {})
        table = self.session.table
        assert isinstance(table, FlopTable)
        self.table = table
        while (asked := self.session.pending) is not None and asked.deciders != (0,):
            decisions = dict.fromkeys(asked.deciders, act)
            self.session.answer(self.dealer.answer(table, asked, decisions))
        self.follower = Follower(self.session.course)
        self.follower.catch_up()

    def belief(self, seed: int) -> Belief:
        view = self.dealer.view(self.table, 0, self.session.course)
        deals = Determinizations(view, self.follower.oaths)
        return Belief(view, deals, self.follower.witnessed, lookahead("flop-a"), Random(seed))

    def prospects(self, seed: int) -> float:
        """How good the other hand is on average in the deals that are drawn."""
        belief, rng = self.belief(seed), Random(seed)
        found = [
            prospect(View(self.table, 1, belief.draw(rng).__getitem__), self.table)
            for _ in range(60)
        ]
        return sum(found) / len(found)


def test_who_bets_much_is_believed_to_hold_more_than_who_checks() -> None:
    bold, meek = Hand(4, 3), Hand(4, 1)
    assert bold.table.bets[1]
    assert not meek.table.bets[1]
    assert bold.prospects(1) > meek.prospects(1) + 0.1


def test_what_nobody_has_seen_is_dealt_anew_each_time() -> None:
    """One deal that explains all is drawn again and again, and the stock still differs."""
    hand = Hand(4, 3)
    belief, rng = hand.belief(2), Random(3)
    stocks = {tuple(belief.draw(rng)[slot] for slot in hand.table.stock) for _ in range(30)}
    assert len(stocks) == 30


def test_each_deal_has_every_card_once_and_the_own_hand_as_it_is() -> None:
    hand = Hand(7, 2)
    view = hand.dealer.view(hand.table, 0)
    belief, rng = hand.belief(2), Random(3)
    for _ in range(20):
        cards = belief.draw(rng)
        assert hand.table.deck is not None
        assert Counter(cards) == Counter(hand.table.deck.cards)
        assert [cards[slot] for slot in hand.table.hands[0]] == view.cards(hand.table.hands[0])


def test_decisions_are_remembered_until_the_cards_change_places() -> None:
    hand, bot = Hand(4, 1), sensible("flop-a")
    table, session, follower = hand.table, hand.session, hand.follower
    assert [(one.seat, one.decision) for one in follower.witnessed] == [(1, 1)]
    while table.hand == 1 and (asked := session.pending) is not None:
        views = {seat: hand.dealer.view(table, seat) for seat in asked.deciders}
        decisions = {seat: bot(view, asked, Random(1)) for seat, view in views.items()}
        session.answer(hand.dealer.answer(table, asked, decisions))
    follower.catch_up()
    assert len(follower.witnessed) > 3
    while session.pending is not None and not session.pending.deciders:
        session.answer(hand.dealer.act(table, session.pending))
    follower.catch_up()
    assert not follower.witnessed
