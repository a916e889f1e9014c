"""What others did changes which deals are drawn, and what they could not show changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.acts import Swear
from engine.bots import sensible
from engine.bots.belief import EFFECTIVE, POOL, Belief, tempered
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower, Merged, Witnessed
from engine.bots.hard import Hard
from engine.bots.judge import ROUNDS, SCREENED, Judge
from engine.bots.lookahead import Leisure, lookahead
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.games import load
from engine.games.flaps.cards import CARDS, strength
from engine.games.flaps.laying import CALL
from engine.games.flaps.level2 import DECLARE
from engine.games.flaps.table import FlapsTable
from engine.games.flop_a.bot import prospect
from engine.games.flop_a.table import FlopTable
from engine.question import Choose, LayDown
from engine.session import Session
from engine.view import View
from engine.zone import Seat
from tests.engine.bots.test_search import Played


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

    def belief(self, seed: int, pool: int = POOL) -> Belief:
        view = self.dealer.view(self.table, 0, self.session.course)
        deals = Determinizations(view, self.follower.oaths)
        return Belief(view, deals, self.follower.witnessed, lookahead("flop-a"), Random(seed), pool)

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


def test_the_deals_that_are_drawn_are_some_of_those_that_were_weighed() -> None:
    """In a review: of 120 deals one declaration of Flop-A was 3 of 100 worse or 18 better."""
    hand, rng = Hand(4, 3), Random(3)
    few, many = (
        [belief.draw(rng) for _ in range(200)]
        for belief in (hand.belief(2, 12), hand.belief(2, 600))
    )
    assert len(_hands(hand, few)) <= 12
    assert len(_hands(hand, many)) > 50


def _hands(hand: Hand, deals: Sequence[Sequence[Card]]) -> set[tuple[Card, ...]]:
    """What seat 1 holds in these deals."""
    return {tuple(cards[slot] for slot in hand.table.hands[1]) for cards in deals}


def test_a_review_weighs_more_deals_than_a_bot_at_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pools = list[int]()

    def noted(*known: Any) -> Belief:
        pools.append(known[-1])
        return Belief(*known)

    hand = Hand(4, 3)
    view, asked = hand.dealer.view(hand.table, 0, hand.session.course), hand.session.pending
    assert asked is not None
    monkeypatch.setattr("engine.bots.hard.Belief", noted)
    said = replace(lookahead("flop-a"), leisure=Leisure(compared=POOL + 1))
    monkeypatch.setattr("engine.bots.hard.lookahead", lambda _: said)
    rounds = [(times, sure, inf) for times, sure, _ in ROUNDS]
    monkeypatch.setattr("engine.bots.judge.ROUNDS", rounds)
    judged = [Judge().judge(view, asked, act, Random(1)) for act in range(3)]
    assert any(one is not None and one.gain > 0 for one in judged)
    screened = {times * Leisure().playouts for times in SCREENED}
    assert {*pools} == {*screened, *(times * (POOL + 1) for times, *_ in ROUNDS)}
    pools.clear()
    Hard(20)(view, asked, Random(1))
    assert {*pools} == {POOL}


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


class Called(NamedTuple):
    """The last suit that somebody else said, and whether its hand was reshuffled since."""

    seat: Seat
    suit: int
    merged: bool


def _called(follower: Follower, own: Seat) -> Called | None:
    merged = False
    for one in reversed(follower.witnessed):
        if isinstance(one, Merged):
            merged = True
        elif one.seat != own and one.asked.topic in (CALL, DECLARE):
            assert isinstance(one.asked, Choose)
            return Called(one.seat, one.asked.options[one.decision], merged)
    return None


def _of_suit(played: Played, called: Called, belief: Belief, rng: Random) -> int:
    """How many cards of that suit the seat holds in some deals."""
    hand = played.session.table.hands[called.seat]
    return sum(
        cards[slot].suit == called.suit
        for cards in [belief.draw(rng) for _ in range(20)]
        for slot in hand
    )


def test_who_calls_a_suit_of_flaps_is_believed_to_hold_it() -> None:
    """A review named 1UPC, just after the other player had called clubs.

    A hand that picked up is reshuffled with its next card: what was said before still tells.
    """
    told, untold = Counter[bool](), Counter[bool]()
    for seed in range(6):
        played = Played("flaps", seed)
        follower = Follower(played.session.course)
        for _, seat in played.positions(2):
            follower.catch_up()
            if (called := _called(follower, seat)) is None:
                continue
            view, said = played.dealer.view(played.session.table, seat), lookahead("flaps")
            deals, seen = Determinizations(view, follower.oaths), follower.witnessed
            for found, one in ((told, said), (untold, replace(said, tells=0.0))):
                belief = Belief(view, deals, seen, one, Random(seed))
                found[called.merged] += _of_suit(played, called, belief, Random(seed))
    assert told[False] > 1.3 * untold[False] > 0, (told, untold)
    assert told[True] > 1.1 * untold[True] > 0, (told, untold)


def test_what_somebody_laid_tells_nothing() -> None:
    """To weigh it takes long, and `hard` won no more with it."""
    played = Played("flaps", 1)
    follower = Follower(played.session.course)
    *_, (_, (_, seat)) = zip(range(4), played.positions(1), strict=False)
    follower.catch_up()
    laid = [one for one in follower.witnessed if isinstance(one, Witnessed)]
    assert {one.seat for one in laid} > {seat}
    assert _called(follower, seat) is None
    view = played.dealer.view(played.session.table, seat)
    deals = Determinizations(view, follower.oaths)
    told, blind = (
        Belief(view, deals, follower.witnessed, replace(lookahead("flaps"), tells=tells), Random(1))
        for tells in (0.8, 0.0)
    )
    assert told.draw(Random(2)) == blind.draw(Random(2))


def test_one_deal_that_explains_all_does_not_drive_out_the_others() -> None:
    """By the effective size, the square of the sum by the sum of squares: of one deal it is 1."""
    for behind in (0.0, 0.5, 5.0, 500.0):
        weights = tempered([0.0, *[-behind * deal / POOL for deal in range(1, POOL)]])
        size = sum(weights) ** 2 / sum(one * one for one in weights)
        assert size >= 0.99 * EFFECTIVE
        assert weights == sorted(weights, reverse=True), "the likelier stays the likelier"
        assert behind < 500.0 or size < 1.01 * EFFECTIVE, "no more is taken back than that"
    assert tempered([]) == []


def test_decisions_are_remembered_until_the_cards_change_places() -> None:
    hand, bot = Hand(4, 1), sensible("flop-a")
    table, session, follower = hand.table, hand.session, hand.follower
    (first,) = follower.witnessed
    assert isinstance(first, Witnessed)
    assert (first.seat, first.decision) == (1, 1)
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


def test_others_have_put_down_for_trumps_and_spoof_what_they_usually_do() -> None:
    """They seemed to have put a card drawn by lot: a 10 was as good for TRUMPS as a trump."""
    met, rng = 0, Random(1)
    for seed in range(40):
        played = Played("flaps", seed)
        for asked in played.questions():
            table = played.session.table
            assert isinstance(table, FlapsTable)
            if not isinstance(asked, LayDown) or not any(table.aside):
                continue
            kind = table.face(table.discard[-1]).kind
            if kind not in ("trumps", "spoof"):
                continue
            view = played.dealer.view(table, asked.seat, played.session.course)
            follower = Follower(played.session.course)
            follower.catch_up()
            deals = Determinizations(view, follower.oaths)
            belief = Belief(view, deals, (), lookahead("flaps"), rng)
            for cards in [belief.draw(rng) for _ in range(20)]:
                assert table.deck is not None
                assert Counter(cards) == Counter(table.deck.cards)
                trump = table.trump if kind == "trumps" else None
                for seat, aside in enumerate(table.aside):
                    if aside:
                        held = [strength(cards[slot], trump) for slot in table.hands[seat]]
                        assert strength(cards[aside[0]], trump) >= max(held, default=0)
                        met += 1
    assert met > 100


def test_what_a_seat_has_put_down_is_not_what_it_swore_not_to_hold() -> None:
    """Nor are cards exchanged whose places are known."""
    played, rng = Played("flaps", 3), Random(2)
    for asked in played.questions():
        table = played.session.table
        assert isinstance(table, FlapsTable)
        if isinstance(asked, LayDown) and any(table.aside):
            break
    seat = next(seat for seat, aside in enumerate(table.aside) if aside)
    view = played.dealer.view(table, asked.seat, played.session.course)
    follower = Follower(played.session.course)
    follower.catch_up()
    laid = table.aside[seat][0]
    high = {card for card in CARDS if strength(card, None) > 8}
    follower.oaths.hear(table, Swear(seat, (laid,), high.__contains__), None, ())
    deals = Determinizations(view, follower.oaths)
    belief = Belief(view, deals, (), lookahead("flaps"), rng)
    drawn = [belief.draw(rng)[laid] for _ in range(40)]
    assert not high & {*drawn}
    assert len({*drawn}) > 1
