"""What the rule book says about a lost player, sentence by sentence, and what we decided beyond it.

Seats are A, B, C, D: 0, 1, 2, 3; A is to move.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import acts
from engine import question as ask
from engine.games.flaps.calls import LAST_CARD, ONE_LEFT
from engine.games.flaps.flapping import FLAPPING
from engine.games.flaps.laying import CALL
from engine.games.flaps.level1 import TARGET
from engine.games.flaps.level2 import DECLARE
from engine.games.flaps.level6 import LOOK_HAND, SEEN
from engine.games.flaps.level7 import POINT, WHO
from engine.games.flaps.rules import GAME
from engine.session import Session
from engine.table_state import JOINT, OPEN
from engine.totals import winners_of
from tests.engine.flaps.scene import Scene, wins

A, B, C, D = range(4)
HANDS = ("2C 9H 10S", "5D 3H QC", "7H 8C KD", "9S 8H 10D")


def scene(*hands: str, top: str = "5C", **how: Any) -> Scene:
    """Four players, or as many as have hands here."""
    return Scene(hands or HANDS, top, **how)


def lose(at: Scene, *seats: int) -> Scene:
    """These seats leave; the dealer does its part."""
    for seat in seats:
        at.session.lose(seat)
    at._settle()
    return at


# -- the cards ------------------------------------------------------------------------------------


def test_his_hand_unopened_goes_face_down_under_the_stack() -> None:
    at = scene()
    hand = list(at.table.hands[C])
    lose(at, C)
    assert at.table.stock[:3] == hand
    assert not at.table.hands[C]
    assert [(at.table.locks[slot], at.table.faces[slot]) for slot in hand] == [(JOINT, None)] * 3
    assert ("out", C, 3) in (at.table.notes or [])


def test_his_1_down_pile_goes_face_down_under_the_stack() -> None:
    """A has placed a card there and knows it; nobody else can read it before or after."""
    at = (
        scene("1DOWNC 9H 10S", *HANDS[1:], down=("", "", "9D", ""), stock="4H").lay("1DOWNC").say(C)
    )
    hand, pile = list(at.table.hands[C]), list(at.table.down[C])
    assert [at.table.locks[slot] for slot in pile] == [JOINT, A]
    lose(at, C)
    assert not at.table.down[C]
    assert at.table.stock[:5] == [*hand, *pile]
    assert [at.table.locks[slot] for slot in pile] == [JOINT, JOINT]
    assert [at.table.has_seen(A, slot) for slot in pile] == [False, True]


def test_face_up_cards_of_his_pile_go_under_the_stack_as_all_have_seen_them() -> None:
    at = scene(*HANDS, down=("", "9D", "", ""))
    (slot,) = at.table.down[B]
    at.table.faces[slot], at.table.locks[slot] = at.table.deck.cards[slot], OPEN  # type: ignore[union-attr]
    at.table.face_up.append(slot)
    lose(at, B)
    assert slot in at.table.stock[:4]
    assert (at.table.face_up, at.table.locks[slot]) == ([], OPEN)


def test_who_has_left_remembers_no_card_and_who_stays_does() -> None:
    at = scene()
    slot, other = at.table.hands[B][0], at.table.hands[A][0]
    at.table.known_by = {slot: 1 << A | 1 << B, other: 1 << B}
    lose(at, B)
    assert at.table.known_by == {slot: 1 << A}


def test_his_seat_is_skipped() -> None:
    at = lose(scene(), B)
    assert at.decider == A
    assert at.decline().decider == C
    assert lose(scene(), A).decider == B


@pytest.mark.parametrize(("card", "skipped"), [("JC", B), ("2C", D)])
def test_his_seat_is_skipped_in_either_direction(card: str, skipped: int) -> None:
    at = scene(f"{card} 9H 10S", *HANDS[1:])
    lose(at, D if card == "JC" else B)
    at.lay(card)
    assert at.decider == C


def test_he_is_no_player_to_be_named_and_gets_no_card() -> None:
    at = lose(scene("10C 9H 10S", *HANDS[1:]), C).lay("10C")
    assert list(at.asked.options) == [B, D]
    at = lose(scene("1DOWNC 9H 10S", *HANDS[1:]), C).lay("1DOWNC")
    assert list(at.asked.options) == [A, B, D]
    at = lose(scene("UJC 9H 10S", *HANDS[1:]), C).lay("UJC")
    assert [len(hand) for hand in at.table.hands] == [2, 4, 0, 4]


# -- what was pending goes on to the next player --------------------------------------------------


def test_a_pending_attack_passes_to_the_next_player() -> None:
    at = lose(scene(top="7C").lay("2C"), B)
    assert (at.decider, at.table.owed) == (C, 2)
    assert len(at.decline().table.hands[C]) == 5


def test_a_pending_attack_waits_for_who_is_attacked_if_another_leaves() -> None:
    at = lose(scene(top="7C").lay("2C"), A)
    assert (at.decider, at.table.owed) == (B, 2)


def test_a_pending_miss_passes_to_the_next_player() -> None:
    at = lose(scene("8D 9H 10S", *HANDS[1:], top="5D").lay("8D"), B)
    assert (at.decider, at.table.miss) == (C, True)
    at.lay("8C")
    assert at.decider == D


def test_a_pending_target_passes_to_the_next_player() -> None:
    at = scene("10C 9H 10S", *HANDS[1:]).lay("10C").say(C)
    lose(at, C)
    assert at.decider == D
    assert len(at.decline().table.hands[D]) == 4
    assert at.decider == B


def test_a_pending_target_does_not_come_back_to_who_laid_the_10() -> None:
    at = scene("10C 9H 10S", *HANDS[1:]).lay("10C").say(D)
    assert lose(at, D).decider == B


FIVE = ("10C 9H 10S", *HANDS[1:3], "9S 8H JD", "9D 4H 3S")


def test_a_pending_target_passes_over_all_who_have_left() -> None:
    """E is the next who is there after C and D; after E and A, who laid the 10, and B it is C."""
    at = lose(scene(*FIVE), D).lay("10C").say(C)
    assert lose(at, C).decider == 4
    at = lose(scene(*FIVE), B).lay("10C").say(4)
    assert lose(at, 4).decider == C


def test_a_pending_target_passes_on_in_the_direction_of_play() -> None:
    at = scene("JC 9H 10S", HANDS[1], "10C 7H 8C", *FIVE[3:]).lay("JC")
    at.decline().decline()
    assert at.decider == C
    assert lose(lose(at, B).lay("10C").say(0), 0).decider == 4


def test_the_target_stays_the_target_if_another_leaves() -> None:
    at = scene("10C 9H 10S", *HANDS[1:]).lay("10C").say(C)
    assert lose(at, B).decider == C
    assert len(at.decline().table.hands[C]) == 4
    assert at.decider == C, "the turn of who is left of A"


# -- what he had begun himself is void ------------------------------------------------------------


def flapping() -> Scene:
    return scene("4C 4D 9H", "4S 3H", "4H 8C KD", "9S 8H").lay("4C")


def test_his_open_window_is_void() -> None:
    at = flapping()
    assert at.asked.topic == FLAPPING
    lose(at, A)
    assert (at.table.flapping, at.decider, at.top) == (False, B, "4C")


def test_the_window_of_another_goes_on_without_him() -> None:
    at = lose(flapping(), C)
    assert at.asked.topic == FLAPPING
    assert C not in at.asked.deciders
    at.flap(B, "4S")
    assert (at.top, at.table.flapping) == ("4S", True)
    assert at.decline().decider == B


def test_who_laid_the_last_flap_may_leave_and_all_others_may_lay() -> None:
    at = lose(flapping().flap(C, "4H"), C)
    assert at.asked.deciders == (A, B, D)


def test_the_extras_of_his_mega_flap_are_gone() -> None:
    at = scene("4C 4D 9H", "MFH 3H 4S QC", "4H 8C KD", "9S 8H").lay("4C").flap(B, "MFH")
    assert at.table.mega_owner == B
    lose(at, B)
    assert (at.table.mega_owner, at.table.mega_left) == (-1, 0)
    assert at.asked.deciders == (A, C, D)


def test_his_open_call_is_void_and_the_ace_asks_for_its_own_suit() -> None:
    at = scene("AH 9H 10S", *HANDS[1:]).lay("AH")
    assert at.asked.topic == CALL
    lose(at, A)
    assert (at.decider, at.table.suit, at.table.called) == (B, 2, False)


def test_an_ace_jack_for_which_he_called_no_suit_asks_for_clubs() -> None:
    at = lose(scene("AJ 9H 10S", *HANDS[1:]).lay("AJ"), A)
    assert (at.table.suit, at.table.called) == (0, True)
    assert "♣ was called" in at.refused("5D")


def test_another_calls_all_the_same() -> None:
    at = lose(scene("AJ 9H 10S", *HANDS[1:]).lay("AJ"), C)
    assert (at.asked.topic, at.decider) == (CALL, A)
    at.say(3)
    assert (at.table.suit, at.table.direction, at.decider) == (3, -1, D)


def test_naming_by_who_has_left_is_void_and_by_another_is_asked_again() -> None:
    at = scene("10C 9H 10S", *HANDS[1:]).lay("10C")
    assert at.asked.topic == TARGET
    again = lose(at, C)
    assert (again.asked.topic, again.decider, list(again.asked.options)) == (TARGET, A, [B, D])
    at = lose(scene("10C 9H 10S", *HANDS[1:]).lay("10C"), A)
    assert at.decider == B


def trumps() -> Scene:
    return scene("TRC 9H 10S", *HANDS[1:]).lay("TRC")


def test_his_game_of_trumps_is_void_and_cards_committed_return_to_the_others() -> None:
    at = trumps().say(2).put("5D").put("7H")
    assert [len(aside) for aside in at.table.aside] == [0, 1, 1, 0]
    lose(at, A)
    assert [len(hand) for hand in at.table.hands] == [0, 3, 3, 3]
    assert not any(at.table.aside)
    assert at.decider == B


def test_the_trumps_of_another_begin_anew_without_him() -> None:
    at = trumps().say(2).put("5D").put("7H")
    lose(at, C)
    assert (at.asked.topic, at.decider) == (DECLARE, A)
    assert [len(hand) for hand in at.table.hands] == [2, 3, 0, 3]
    at.say(0).put("5D").put("9S").put("9H")
    assert at.decider == B
    assert sum(map(len, at.table.hands)) == 8


def monty() -> Scene:
    at = scene("FMH 9H 10S 2C 3C", *HANDS[1:], top="5H").lay("FMH")
    return at.put("9H", "10S", "2C")


def test_his_full_monty_is_void() -> None:
    at = monty().say(C)
    assert at.asked.topic == POINT
    lose(at, A)
    assert (at.decider, len(at.table.hands[C])) == (B, 3)
    assert not any(at.table.aside)


def test_the_full_monty_of_another_begins_anew_when_the_player_he_named_leaves() -> None:
    at = lose(monty().say(C), C)
    assert isinstance(at.asked, ask.LayDown)
    assert len(at.table.hands[A]) == 4
    at.put("9H", "10S", "2C")
    assert (at.asked.topic, list(at.asked.options)) == (WHO, [B, D])


# -- beyond the rule book -------------------------------------------------------------------------


def test_a_turn_in_which_nothing_was_laid_is_asked_for_again_and_does_not_count() -> None:
    at = scene()
    turns = at.table.turns
    lose(at, D)
    assert (at.decider, at.table.turns) == (A, turns)


def test_the_turn_limit_is_reached_all_the_same() -> None:
    at = scene(turn_limit=3).decline().decline()
    assert (at.table.turns, at.decider) == (3, C)
    lose(at, C)
    assert (at.table.turns, at.decider) == (3, D)
    assert at.decline().over


def test_last_card_is_said_though_another_leaves_and_the_effect_follows() -> None:
    at = scene("2C 9H", *HANDS[1:], silent=True, top="7C").lay("2C")
    assert at.asked.topic == ONE_LEFT
    at.session.lose(C)
    assert at.asked.topic == ONE_LEFT
    at.say(LAST_CARD)
    assert (at.decider, at.table.owed) == (B, 2)


def test_last_card_is_said_in_a_scuffle_though_another_leaves_and_then_a_player_is_named() -> None:
    hands = ["10S 5C 5D", "9D 9D", "HDD 8D", "9H QH"]
    at = scene(*hands, silent=True, top="5S").lay("10S").say(C).lay("HDD")
    assert (at.asked.topic, at.decider) == (ONE_LEFT, C)
    at.session.lose(B)
    assert (at.asked.topic, at.decider) == (ONE_LEFT, C)
    at.say(LAST_CARD)
    assert (at.asked.topic, at.decider) == (TARGET, C)


def test_who_forgot_to_say_last_card_and_leaves_is_caught_by_nobody() -> None:
    at = scene("9C 9H", *HANDS[1:], silent=True, last_card="catch").lay("9C").say("say nothing")
    assert A in at.asked.deciders
    lose(at, A)
    assert not at.table.due
    assert isinstance(at.asked, ask.Play)


def test_a_card_that_somebody_looks_at_goes_back_to_its_holder_if_the_looker_leaves() -> None:
    at = scene("1LOOKC 9H 10S", *HANDS[1:]).lay("1LOOKC")
    assert at.asked.topic == LOOK_HAND
    at.say(B)
    assert at.asked.topic == SEEN
    lose(at, A)
    assert [at.table.locks[slot] for slot in at.table.hands[B]] == [B] * 3
    assert at.decider == B


@pytest.mark.parametrize("goes_back", [False, True])
def test_a_look_is_done_once_the_card_is_on_its_way_back(goes_back: bool) -> None:
    """Before that it begins anew when a third one leaves."""
    at = scene("1LOOKC 9H 10S", *HANDS[1:]).lay("1LOOKC")
    at.session.answer(list(at.asked.options).index(B))
    while not isinstance(at.asked, acts.HandOver):
        at.session.answer(at.dealer.act(at.table, at.asked))
    if goes_back:
        at.session.answer(at.dealer.act(at.table, at.asked))
        at.session.answer(0)
        assert isinstance(at.asked, acts.HandOver)
    lose(at, D)
    assert [at.table.locks[slot] for slot in at.table.hands[B]] == [B] * 3
    assert (at.decider, goes_back) in ((B, True), (A, False))
    assert goes_back or at.asked.topic == LOOK_HAND


@pytest.mark.parametrize("leaver", [B, C])
def test_who_has_looked_into_a_hand_does_not_look_twice(leaver: int) -> None:
    at = scene("1LOOKC 9H 10S", *HANDS[1:]).lay("1LOOKC").say(B)
    lose(at, leaver)
    assert at.decider == (C if leaver == B else B)
    for seat in at.table.present():
        assert all(at.table.locks[slot] == seat for slot in at.table.hands[seat])


def test_who_was_picking_up_cards_gets_them_though_another_leaves() -> None:
    at = scene(top="7C").lay("2C")
    at.session.answer(None)
    assert isinstance(at.asked, acts.Deal)
    lose(at, D)
    assert (len(at.table.hands[B]), at.table.owed, at.decider) == (5, 0, C)


@pytest.mark.parametrize("leaver", [A, B, C, D])
@pytest.mark.parametrize("picked", [0, 1, 2])
def test_all_others_pick_up_at_up_jacks_though_one_leaves_meanwhile(
    leaver: int, picked: int
) -> None:
    """D27: everybody else picks up one, so nobody is let off because somebody left."""
    at = scene("UJC 9H 10S", *HANDS[1:])
    before = list(map(len, at.table.hands))
    deals(at, "UJC", picked)
    lose(at, leaver)
    now = list(map(len, at.table.hands))
    assert [now[seat] - before[seat] for seat in (B, C, D) if seat != leaver] == [1] * (
        3 - (leaver != A)
    )
    assert now[leaver] == 0


def deals(at: Scene, card: str, count: int) -> None:
    """A lays this card; stop where the next card is due after so many were picked up."""
    laid = {A: at.slot(A, card)}
    at.session.answer(at.dealer.answer(at.table, at.asked, laid))
    for done in range(count + 1):
        while not isinstance(at.asked, acts.Deal):
            at.session.answer(at.dealer.act(at.table, at.asked))
        if done < count:
            at.session.answer(at.dealer.act(at.table, at.asked))


def test_two_may_leave_at_once() -> None:
    """The second leaves while the cards of the first are put under the stock."""
    at = scene("1DOWNC 9H 10S", *HANDS[1:], stock="4H").lay("1DOWNC").say(C)
    at.session.lose(C)
    assert isinstance(at.asked, acts.PutBack)
    lose(at, D)
    assert not at.table.hands[C] + at.table.hands[D] + at.table.down[C]
    assert at.decider in (A, B)
    assert sum(map(len, at.table.hands)) == 5


def test_piles_go_round_among_those_who_are_left() -> None:
    at = scene("1LEFTS 9H 10S", *HANDS[1:], down=("9D", "9C", "3D", "3S"), top="5S")
    piles = [list(pile) for pile in at.table.down]
    lose(at, B).lay("1LEFTS")
    assert [list(pile) for pile in at.table.down] == [piles[3], [], piles[0], piles[2]]


def test_all_have_passed_when_those_have_who_are_left() -> None:
    at = scene(*HANDS, dry=True, level=1, top="5C")
    lose(at, D)
    while at.table.stock:
        at.decline()
    before = at.table.turns
    while not at.over:
        at.decline()
    assert at.table.turns - before <= 4


def test_the_fewest_cards_win_among_those_who_are_left() -> None:
    at = lose(scene(turn_limit=1), D)
    at.decline()
    assert wins(at) == [0, 1, 1, 0]


def test_two_players_the_other_wins() -> None:
    at = lose(scene("2C 9H", "5D 3H", wins=3), A)
    assert at.over
    assert at.session.returns == (0, 1)
    assert winners_of(at.session) == (B,)
    assert [note[0] for note in (at.table.notes or [])][-2:] == ["alone", "over"]


def test_two_players_the_other_wins_also_before_the_cards_are_dealt() -> None:
    session = Session(GAME, 2, {}, check=True)
    session.lose(B)
    assert (session.over, session.returns) == (True, (1, 0))


@pytest.mark.parametrize("dealer", range(4))
def test_a_game_that_is_being_dealt_is_dealt_again_by_the_same_dealer(dealer: int) -> None:
    session = Session(GAME, 4, {}, check=True)
    session.answer((dealer,))
    for _ in range(2):
        session.answer(None)
    assert isinstance(session.pending, acts.Deal)
    session.lose((dealer + 1) % 4)
    assert isinstance(session.pending, acts.Fresh)
    table: Any = session.table
    assert table.dealer == dealer
