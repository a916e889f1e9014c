"""What the rule book says about a lost player, sentence by sentence."""

from __future__ import annotations

from random import Random

import pytest

from engine import acts
from engine.games.you_fink.table import NOBODY, Phase
from engine.won import Won
from tests.engine.play import finish, step
from tests.engine.you_fink.scene import FOREHEAD, MIGHT, TURN, A, B, C, Scene, playing

DECKS = ("KH 2C", "4C 5D", "6C")


def test_deck_and_claimed_cards_go_to_the_booty() -> None:
    scene = Scene(("7C 2C", "4C", "5C"), rest=C, claimed=("", "8D 9D"))
    scene.session.lose(B)
    assert scene.owns(B) == 0
    assert len(scene.table.booty) == 3
    assert scene.table.gone == [False, True, False]


def test_his_challenge_is_void_and_the_pile_stays() -> None:
    scene = Scene(DECKS, rest=C).turn(A).act(A, MIGHT)
    scene.session.lose(A)
    table = scene.table
    assert (table.owner, table.remaining, table.due, table.phase) == (NOBODY, 0, B, Phase.TURN)
    assert scene.pile() == "KH"


def test_a_power_that_he_was_choosing_is_void() -> None:
    scene = Scene(DECKS, rest=C).turn(A)
    assert scene.table.phase is Phase.CHOOSE
    scene.session.lose(A)
    assert (scene.table.phase, scene.table.due) == (Phase.TURN, B)


def test_his_minion_is_void() -> None:
    scene = Scene(("M 2C", "4C 5D", "6C"), rest=C).turn(A)
    assert scene.table.remaining == 5
    scene.session.lose(A)
    assert (scene.table.owner, scene.table.remaining, scene.pile()) == (NOBODY, 0, "M")


def test_the_challenge_of_another_goes_on_and_his_part_of_the_answer_is_the_next_ones() -> None:
    scene = Scene(DECKS, rest=C).turn(A).act(A, MIGHT).turn(B)
    assert scene.table.remaining == 2
    scene.session.lose(B)
    table = scene.table
    assert (table.owner, table.due, table.remaining) == (A, C, 2)


def test_a_turn_that_was_his_is_the_next_ones() -> None:
    scene = Scene(("7C", "4C", "5C"), rest=A).turn(A)
    scene.session.lose(B)
    assert scene.table.due == C


def test_a_pile_that_is_free_for_all_is_free_for_all_who_are_left() -> None:
    scene = Scene(("JH 7H", "2C 3C 4C", "5C"), rest=C).turn(A).act(A, MIGHT).turn(B, 3)
    assert scene.table.phase is Phase.FREE
    scene.session.lose(A)
    assert scene.table.phase is Phase.FREE
    assert A not in scene.race.deciders
    scene.slap(B)
    assert scene.owns(B) == 5, "the pile of four cards, and the leaver's one in the booty"


def test_he_can_neither_touch_nor_slap_any_more_nor_is_anybody_barred_by_him() -> None:
    scene = Scene(("7C", "4C", "5C"), rest=B).act(C, FOREHEAD).turn(A)
    scene.session.lose(C)
    assert C not in scene.race.claims
    assert scene.table.touched[C] == scene.table.barred[C] == 0


def test_who_is_left_alone_owns_everything() -> None:
    scene = Scene(("7C", "4C", "5C"), rest=A).turn(A)
    scene.session.lose(A)
    scene.session.lose(C)
    assert scene.session.over
    assert scene.session.returns == (0, 54, 0)


@pytest.mark.parametrize("kind", [acts.Flip, acts.Fresh, acts.Shuffle])
@pytest.mark.parametrize("guests", [0, 2])
def test_before_all_cards_are_dealt_they_are_dealt_to_the_others(
    kind: type[acts.Flip], guests: int
) -> None:
    session, table, dealer, rng = playing(4, 1, guests=guests, cardLimit="50")
    while not isinstance(session.pending, kind):
        step(session, dealer, rng)
    session.lose(1)
    while isinstance(session.pending, acts.Flip | acts.Fresh | acts.Shuffle):
        step(session, dealer, rng)
    owned = [len(deck) for deck in table.decks]
    assert owned == ([18, 0, 18, 18] if not guests else [54, 0, 0, 0])
    finish(session, dealer, rng)


def test_guests_are_dealt_cards_only_if_nobody_else_is_left() -> None:
    session, table, dealer, _ = playing(4, 1, guests=2, cardLimit="50")
    session.lose(0)
    session.lose(1)
    rng = Random(2)
    while isinstance(session.pending, acts.Flip | acts.Fresh | acts.Shuffle):
        step(session, dealer, rng)
    assert [len(deck) for deck in table.decks] == [0, 0, 27, 27]


def test_everybody_may_leave_but_one_whose_cards_nobody_has() -> None:
    """A guest without a card is left alone: all lies in the booty, and is his."""
    scene = Scene(("7C", "4C", ""), rest=A)
    scene.session.lose(A)
    scene.session.lose(B)
    assert scene.session.returns == (0, 0, 54)


def test_a_card_that_was_just_being_turned_is_turned_again() -> None:
    scene = Scene(("7C", "4C", "5C"), rest=B)
    scene.session.answer(Won(A, TURN))
    assert isinstance(scene.session.pending, acts.Open)
    scene.session.lose(C)
    assert (scene.table.due, scene.pile()) == (A, "")
    assert scene.turn(A).pile() == "7C"
