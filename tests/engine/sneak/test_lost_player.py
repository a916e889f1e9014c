"""What the rule book says about a lost player, sentence by sentence."""

from __future__ import annotations

from random import Random

import pytest

from engine import acts
from engine.bots.reasons import Decided
from engine.games.sneak.why import why
from engine.sets import Lay, LaySet, LayTogether
from engine.table_state import JOINT
from engine.totals import winners_of
from tests.engine.play import step
from tests.engine.sneak.scene import Scene, play_until_choice, playing

A, B, C, D = range(4)
HANDS = ("4C 9D QH", "2S 3H 7D", "5C 5D 8H")


def test_his_hand_goes_under_the_stock_unopened() -> None:
    scene = Scene(HANDS, stock=10)
    hand = list(scene.table.hands[B])
    scene.session.lose(B)
    table = scene.table
    assert table.stock[:3] == hand
    assert (len(table.stock), len(table.hands[B])) == (13, 0)
    assert [(table.locks[slot], table.faces[slot]) for slot in hand] == [(JOINT, None)] * 3
    assert ("out", B, 3, True) in scene.notes
    assert table.seat == A


def test_stock_gone_it_is_out_of_the_round_and_scored_by_nobody() -> None:
    """C alone has cards after B has left: he adds his own, and B's three score for nobody."""
    scene = Scene(("", "2S 3H 7D", "5C 5D 8H"), stock=0, turn=C, target=200)
    scene.session.lose(B)
    assert ("out", B, 3, False) in scene.notes
    assert ("leftover", C, 3, True) in scene.notes
    assert scene.table.scores == [0, 0, 52 - 3]


def test_nobody_has_to_hold_as_many_cards_as_a_hand_that_is_out() -> None:
    scene = Scene(("4C 9D QH", "2S 3H 7D", "5C"), stock=0)
    scene.session.lose(B)
    asked = scene.session.pending
    assert isinstance(asked, LaySet)
    assert (asked.seat, asked.sizes) == (A, range(1, 2))


def test_nobody_counts_on_a_hand_that_is_out() -> None:
    """A hint failed here: nobody can read that hand, and nobody has to beat what it holds."""
    scene = Scene(("QH", "AS 3H 7D", "5C 5D 8H"), stock=0)
    scene.session.lose(B)
    asked, view = scene.session.pending, scene.dealer.view(scene.table, A)
    assert isinstance(asked, LaySet)
    assert scene.table.rivals(A) == [C]
    lead = Lay(tuple(scene.table.hands[A]))
    assert why(Decided(view, asked, lead, [scene.dealer.truth.cards])) == [("may be beaten", C, 0)]


def test_his_winnings_keep_their_score() -> None:
    scene = Scene(HANDS, stock=10)
    table = scene.table
    table.move(table.winnings[C][:5], table.winnings[B])
    scene.session.lose(B)
    scene.session.lose(A)
    assert scene.session.over
    assert scene.session.returns[B] == 5


@pytest.mark.parametrize(("leaver", "winner"), [(A, C), (C, A)])
def test_lost_seat_with_the_best_score_does_not_win(leaver: int, winner: int) -> None:
    scene = Scene(("", "7D", "5C"), stock=0, turn=C)
    table = scene.table
    table.scores = [150 if leaver == A else 99, 10, 150 if leaver == C else 99]
    table.move(table.winnings[C][:20], table.winnings[A])
    scene.session.lose(leaver)
    if leaver == A:
        scene.flaunt("5C").challenge()
    assert scene.session.over
    assert scene.session.returns[leaver] > scene.session.returns[winner] >= 100
    assert winners_of(scene.session) == (winner,)


def test_game_continues_if_only_lost_seats_have_the_target() -> None:
    scene = Scene(("", "7D", "5C"), stock=0, turn=C)
    table = scene.table
    table.scores = [10, 10, 99]
    scene.session.lose(C)
    assert table.scores[C] > 100
    assert not scene.session.over
    assert (table.dealing, table.round) == (True, 1)


def test_his_turn_is_that_of_his_left_neighbour() -> None:
    scene = Scene(HANDS, stock=10)
    scene.session.lose(A)
    assert scene.table.seat == B
    scene.draw()
    assert scene.table.seat == C


# -- a committed but unopened set ------------------------------------------------------------------


def test_a_sneak_that_nobody_turned_up_loses_the_contest_and_its_cards_go_to_the_winner() -> None:
    """A's queen of hearts, the highest card of all, is never seen; C wins it with an eight."""
    scene = Scene(HANDS, stock=10).sneak("QH")
    (led,) = scene.table.played[A]
    scene.session.lose(A)
    scene.challenge(B="7D", C="8H")
    assert scene.won(C) == 3
    assert led in scene.table.winnings[C]
    assert (scene.table.faces[led], scene.table.seat) == (None, B)


def test_a_sneak_that_was_about_to_be_turned_up_loses_too() -> None:
    scene = Scene(HANDS, stock=10).sneak("QH")
    asked = scene.session.pending
    assert isinstance(asked, LayTogether)
    decisions = {B: Lay(scene.slots(scene.table.hands[B], "2S"))}
    scene.session.answer(scene.dealer.answer(scene.table, asked, decisions))
    assert isinstance(scene.session.pending, acts.Open)
    scene.session.lose(A)
    assert scene.won(B) == 2


def test_a_sneak_that_nobody_challenges_goes_under_the_stock() -> None:
    scene = Scene(HANDS, stock=10).sneak("QH 4C")
    scene.session.lose(A)
    scene.challenge()
    assert (len(scene.table.stock), len(scene.table.winnings[A])) == (13, 0)
    assert scene.notes[-1] == ("unclaimed", A, 2)
    assert scene.table.seat == B


def test_a_set_that_was_turned_up_stays_in_the_contest() -> None:
    """A flaunts a queen and leaves: nobody beats it, and A's winnings have all of it."""
    scene = Scene(HANDS, stock=10).flaunt("QH")
    scene.session.lose(A)
    scene.challenge(B="7D", C="8H")
    assert scene.won(A) == 3
    assert len(scene.table.winnings[A]) == 3


def test_a_challenge_that_was_turned_up_stays_in_the_contest() -> None:
    scene = Scene(HANDS, stock=10).sneak("4C")
    asked = scene.session.pending
    assert isinstance(asked, LayTogether)
    decisions = {
        B: Lay(scene.slots(scene.table.hands[B], "7D")),
        C: Lay(scene.slots(scene.table.hands[C], "5C")),
    }
    scene.session.answer(scene.dealer.answer(scene.table, asked, decisions))
    scene.session.lose(B)
    assert isinstance(scene.session.pending, acts.Open)
    scene.session.answer(scene.dealer.act(scene.table, scene.session.pending))
    assert scene.won(B) == 3
    assert len(scene.table.stock) == 12


def test_the_others_decide_again_about_a_challenge() -> None:
    scene = Scene((*HANDS, "JC JD"), stock=10).sneak("4C 9D")
    scene.session.lose(C)
    asked = scene.session.pending
    assert isinstance(asked, LayTogether)
    assert asked.deciders == (B, D)
    scene.challenge(D="JC JD")
    assert scene.won(D) == 4
    assert scene.table.seat == B


def test_a_lead_that_nobody_can_answer_any_more_is_unchallenged() -> None:
    scene = Scene(("4C 9D QH", "2S 3H 7D", "5C"), stock=10).flaunt("QH")
    scene.table.hands[C].clear()
    scene.table.stock.insert(0, scene.slots(list(range(52)), "5C")[0])
    scene.table.locks[scene.table.stock[0]] = JOINT
    scene.session.lose(B)
    assert scene.notes[-1] == ("unchallenged", A, 1)
    assert scene.table.seat == C


# -- the end ---------------------------------------------------------------------------------------


def test_with_one_player_left_it_is_over_and_he_takes_what_lies_in_play() -> None:
    scene = Scene(HANDS[:2], stock=10).sneak("QH 4C")
    scene.session.lose(A)
    assert scene.session.over
    assert scene.session.returns == (0, 52 - 10 - 1)  # A's 9D and the stock score for nobody


@pytest.mark.parametrize(("leaver", "left"), [(A, 2), (B, 2), (C, 2)])
def test_one_more_turn_each_is_one_for_each_who_is_left(leaver: int, left: int) -> None:
    scene = Scene(HANDS, stock=1, ending="one-more-turn").draw()
    assert (scene.table.turns_left, scene.table.seat) == (3, B)
    scene.session.lose(leaver)
    assert scene.table.turns_left == left


def test_a_seat_whose_one_more_turn_is_over_takes_none_from_the_others() -> None:
    scene = Scene(HANDS, stock=1, ending="one-more-turn").draw().flaunt("7D").challenge()
    assert (scene.table.turns_left, scene.table.seat) == (2, C)
    scene.session.lose(B)
    assert (scene.table.turns_left, scene.table.seat) == (2, C)


def test_a_round_that_is_being_dealt_is_dealt_again_by_the_same_dealer() -> None:
    session, table, dealer, rng = playing(4, 1, target=50)
    while table.round < 1 or not isinstance(session.pending, acts.Shuffle):
        step(session, dealer, rng)
    before = table.dealer
    session.lose((before + 1) % 4)
    play_until_choice(session, dealer, rng)
    assert (table.dealer, table.round) == (before, 2)
    assert table.seat == (before + 2) % 4


def test_the_dealer_who_leaves_is_followed_by_his_left_neighbour() -> None:
    session, table, dealer, rng = playing(4, 1, target=50)
    while table.round < 1 or not isinstance(session.pending, acts.Shuffle):
        step(session, dealer, rng)
    before = table.dealer
    session.lose(before)
    play_until_choice(session, dealer, Random(1))
    assert table.dealer == (before + 1) % 4
