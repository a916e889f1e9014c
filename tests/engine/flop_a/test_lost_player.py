"""What the rule book says about a lost player: he folds; and what follows from it (D19 to D21)."""

from __future__ import annotations

from random import Random

import pytest

from engine import acts
from engine import question as ask
from engine.games.flop_a.rules import GAME
from engine.games.flop_a.table import FlopTable, Stage
from engine.session import Session
from tests.engine.flop_a.scene import A, B, C, D, Scene, playing, showdown
from tests.engine.play import finish, step

HANDS = ("2C 2S 3C", "5C 6C 7C", "8C 9C 10C", "JC QC KC")


def betting(**how: object) -> Scene:
    return Scene(HANDS, Stage.BETTING, pot=8, **how)  # type: ignore[arg-type]


def test_he_folds_when_it_is_his_turn() -> None:
    scene = betting()
    scene.session.lose(B)
    assert scene.opener == C
    assert scene.table.still_in == [True, False, True, True]
    assert [scene.table.locks[slot] for slot in scene.table.hands[B]] == [-1] * 3
    assert ("act", B, "fold", 0) in (scene.table.notes or [])


def test_he_folds_though_it_is_not_his_turn_and_who_has_to_act_still_has_to() -> None:
    scene = betting().act("bet 2")
    scene.session.lose(D)
    assert (scene.opener, scene.table.waiting) == (C, 2)
    scene.act("call", "call")
    assert scene.table.stage is Stage.FLIP


def test_who_has_acted_already_is_not_waited_for_less() -> None:
    scene = betting().act("check", "check")
    scene.session.lose(B)
    assert (scene.opener, scene.table.waiting) == (D, 2)


def test_a_bet_of_his_stands_and_his_chips_stay_in_the_pot() -> None:
    scene = betting().act("bet 3")
    scene.session.lose(B)
    assert scene.tally == [0, -3, 0, 0]
    scene.act("call")
    assert scene.table.pot == 8 + 3 + 3
    assert (scene.tally[C], scene.opener) == (-3, D)


def test_the_round_of_betting_ends_if_he_was_the_last_to_act() -> None:
    scene = betting().act("check", "check", "check")
    scene.session.lose(A)
    assert scene.table.stage is Stage.FLIP


def test_if_all_others_have_folded_the_last_one_takes_the_pot() -> None:
    scene = betting(hands_to_play=2, folded=(C, D))
    scene.session.lose(B)
    assert (scene.tally, scene.table.hand) == ([8, 0, 0, 0], 2)


def test_who_has_folded_before_leaves_the_hand_as_it_is() -> None:
    scene = betting(folded=(D,))
    scene.session.lose(D)
    assert (scene.opener, scene.table.waiting) == (B, 3)


@pytest.mark.parametrize("kind", [acts.Open, acts.LayAll])
def test_a_flip_goes_on_and_everybody_still_in_flops(kind: type[acts.Open]) -> None:
    """C leaves at the flip of an 8, or when all are to lay their eights; B has none, D has one."""
    hands = ("2C 2S 3C", "5C 6C 7C", "8C 9C 10C", "8H QC KC")
    scene = Scene(hands, coming="8D", pot=8)
    while not isinstance(scene.asked, kind):
        step(scene.session, scene.dealer, Random(0))
    scene.session.lose(C)
    scene.flip()
    assert (len(scene.table.hands[C]), len(scene.table.hands[D])) == (3, 2)
    assert (scene.opener, scene.table.ranks, scene.table.flips) == (D, [8], 1)


def test_another_who_leaves_at_the_same_flop_does_not_stop_it() -> None:
    hands = ("8S 2S 3C", "5C 6C 7C", "8C 9C 10C", "8H QC KC")
    scene = Scene(hands, coming="8D", pot=8)
    while not isinstance(scene.asked, acts.LayAll):
        step(scene.session, scene.dealer, Random(0))
    scene.session.lose(C)
    scene.session.lose(B)
    scene.flip()
    assert [len(hand) for hand in scene.table.hands] == [2, 3, 3, 2]
    assert scene.opener == D


def test_d19_a_hand_that_is_being_dealt_is_dealt_again() -> None:
    """Everybody takes the ante back, and he pays none."""
    session, table, dealer, rng = playing(4, hands=2)
    while not isinstance(session.pending, acts.Deal):
        step(session, dealer, rng)
    assert (table.tally, table.pot) == ([-1] * 4, 4)
    session.lose(1)
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    assert (table.tally, table.pot, table.hand) == ([-1, 0, -1, -1], 3, 1)
    assert not table.hands[1]
    assert table.notes is not None
    assert ("dealt-again",) in table.notes, "all are told why"


@pytest.mark.parametrize("seats", [2, 4])
def test_a_player_who_leaves_before_the_first_deal_is_not_drawn(seats: int) -> None:
    """No hand has begun, so none is dealt again; alone nobody plays."""
    session = Session(GAME, seats, {}, check=True, notes=True)
    session.lose(1)
    table = session.table
    assert isinstance(table, FlopTable)
    assert (table.hand, table.tally, session.over) == (0, [0] * seats, seats == 2)
    assert ("dealt-again",) not in (table.notes or [])
    if seats > 2:
        session.answer((1,))
        assert (table.first_dealer, table.hand) == (2, 1)


def test_d20_all_who_are_left_declare_again() -> None:
    scene = showdown(("KC", "2C", "KH", "3H"))
    scene.session.lose(C)
    assert isinstance(scene.asked, ask.Together)
    assert scene.asked.seats == (B, D, A)
    scene.declare("high", "low", "low")
    assert scene.tally == [10, 10, 0, 0]


def test_one_who_is_left_in_takes_the_pot_without_a_declaration() -> None:
    scene = showdown(("KC", "2C"), pot=20)
    scene.session.lose(B)
    assert (scene.tally, scene.session.over) == ([20, 0], True)


def test_d21_he_is_dealt_no_more_cards_and_the_deal_passes_over_him() -> None:
    session, table, dealer, rng = playing(4, 2, hands=5)
    while table.hand < 2:
        step(session, dealer, rng)
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    session.lose(2)
    before = table.tally[2]
    while table.hand < 3:
        step(session, dealer, rng)
    assert table.dealer == 1, "seat 2 would deal: the one before him does, and seat 3 acts first"
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    assert session.pending.seat == 3
    assert not table.hands[2]
    finish(session, dealer, rng)
    assert (table.tally[2], table.hand) == (before, 5)
    assert sum(session.returns) == 0


def test_with_one_player_left_it_is_over_and_he_has_what_was_carried_over() -> None:
    session, table, dealer, rng = playing(2, 2, hands=5)
    while not isinstance(session.pending, acts.Shuffle):
        step(session, dealer, rng)
    table.pot += 7
    table.tally[0] -= 7
    session.lose(0)
    assert session.over
    assert session.returns == (-7, 7)


def test_he_does_not_pay_the_fifth_of_a_later_hand() -> None:
    hands = ("2C 2S 3C", "5C 6C 7C", "8C", "JC QC KC")
    scene = Scene(hands, coming="8D", pot=40, foldersPay=True)
    scene.session.lose(B)
    scene.flip()
    assert scene.tally == [-8, 0, 56, -8]


@pytest.mark.parametrize("stack", [0, 20])
@pytest.mark.parametrize("seats", [3, 5, 8])
def test_no_chip_is_lost(seats: int, stack: int) -> None:
    for seed in range(25):
        session, table, dealer, rng = playing(seats, seed, hands=4, stack=stack)
        while session.pending is not None:
            if rng.random() < 0.02:
                session.lose(rng.choice(table.present()))
            else:
                step(session, dealer, rng)
            assert sum(table.tally) + table.pot == 0
        assert table.pot == 0
