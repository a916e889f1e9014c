"""TRUMPS and SPOOF that a player leaves: settled once every player has put a card aside.

Seats are A, B, C, D: 0, 1, 2, 3; A is to move.
"""

from __future__ import annotations

import pytest

from engine import acts
from engine import question as ask
from engine.games.flaps.calls import BEFORE_UP, CAUGHT
from engine.games.flaps.level4 import GUESS
from tests.engine.flaps.scene import Scene, wins
from tests.engine.flaps.test_lost_player import HANDS, A, B, C, D, lose, scene, trumps


def test_spoof_begins_anew_if_a_card_is_not_put_aside() -> None:
    at = scene("SPC 9H 10S", *HANDS[1:]).lay("SPC").put("5D").put("7H").put("9S")
    lose(at, D)
    assert isinstance(at.asked, ask.LayDown)
    assert at.decider == B
    at.put("5D").put("7H").put("9H").say(20).say(21).say(0)
    assert sum(map(len, at.table.hands)) == 8
    assert not any(at.table.aside)


def spoof(*hands: str, top: str = "5C") -> Scene:
    """All cards of SPOOF are put aside, and B calls first."""
    return scene(*hands or ("SPC 9H 10S", *HANDS[1:]), top=top).lay("SPC")


@pytest.mark.parametrize("leaver", [A, C, D])
def test_spoof_with_all_cards_aside_is_settled(leaver: int) -> None:
    """5 + 7 + 9 + 9 = 30; a lost seat makes no call, and its card counts."""
    at = spoof().put("5D").put("7H").put("9S").put("9H")
    assert (at.asked.topic, at.decider) == (GUESS, B)
    lose(at.say(29), leaver)
    callers = [seat for seat in (C, D, A) if seat != leaver]
    assert (at.asked.topic, at.decider) == (GUESS, callers[0])
    at.say(31).say(80)
    notes = at.table.notes or []
    assert ("sum", 30) in notes
    assert ("takes all", callers[1], 4, "SPOOF") in notes
    assert not at.table.hands[leaver]
    assert not any(at.table.aside)
    assert at.decider == B


def test_call_of_a_seat_that_is_lost_later_stands() -> None:
    at = spoof().put("5D").put("7H").put("9S").put("9H").say(80)
    lose(at, B)
    assert 80 not in at.asked.options
    at.say(29).say(31).say(30)
    assert ("takes all", B, 4, "SPOOF") in (at.table.notes or [])
    assert not at.table.hands[B]
    assert {at.table.faces[slot] is not None for slot in at.table.stock[:6]} == {True, False}


@pytest.mark.parametrize("leaver", [A, B, C, D])
def test_trumps_with_all_cards_aside_is_settled(leaver: int) -> None:
    """The lowest card is that of C, whoever leaves while the cards are turned up."""
    at = trumps().say(2)
    for name in ("5D", "7H", "9S"):
        at.put(name)
    at.session.answer(at.dealer.answer(at.table, at.asked, {A: (at.slot(A, "9H"),)}))
    while not isinstance(at.asked, acts.Open):
        at.session.answer(at.dealer.act(at.table, at.asked))
    lose(at, leaver)
    assert ("takes all", B, 4, "TRUMPS") in (at.table.notes or [])
    assert not at.table.hands[leaver]
    assert len(at.table.hands[B]) == (0 if leaver == B else 6)
    assert at.decider == (C if leaver == B else B)


def test_last_card_of_a_lost_seat_does_not_win_trumps() -> None:
    """Without the loss D, whose 9 is not the lowest, would win (scenario 41)."""
    for leaves in (False, True):
        at = scene("TRC 9H 10S", "5D 3H QC", "7H 8C KD", "9S", last_card="off").lay("TRC").say(2)
        for name in ("5D", "7H", "9S"):
            at.put(name)
        at.session.answer(at.dealer.answer(at.table, at.asked, {A: (at.slot(A, "9H"),)}))
        if leaves:
            at.session.lose(D)
        at._settle()
        assert (wins(at) == [0, 0, 0, 1]) != leaves
        assert at.over != leaves


@pytest.mark.parametrize("cuts", [0, 1])
def test_cut_that_was_made_counts_though_a_seat_leaves(cuts: int) -> None:
    at = scene("TRC 9H 10S", "5D 3H QC", "5S 8C KD", "9S 8H 10D", seed=1).lay("TRC").say(2)
    for name in ("5D", "5S", "9S"):
        at.put(name)
    at.session.answer(at.dealer.answer(at.table, at.asked, {A: (at.slot(A, "9H"),)}))
    while not isinstance(at.asked, acts.Cut):
        at.session.answer(at.dealer.act(at.table, at.asked))
    assert at.table.tied == [B, C]
    at.table.cuts = cuts
    lose(at, D)
    assert at.table.cuts >= cuts
    takers = [note[1] for note in at.table.notes or [] if note[0] == "takes all"]
    assert takers in ([B], [C])
    assert [note[0] for note in at.table.notes or []].count("aside up") == 1


def test_second_seat_may_leave_while_trumps_is_settled() -> None:
    at = trumps().say(2).put("5D").put("7H").put("9S")
    at.session.answer(at.dealer.answer(at.table, at.asked, {A: (at.slot(A, "9H"),)}))
    while not isinstance(at.asked, acts.Open):
        at.session.answer(at.dealer.act(at.table, at.asked))
    at.session.lose(D)
    assert isinstance(at.asked, acts.Open)
    lose(at, A)
    assert ("takes all", B, 4, "TRUMPS") in (at.table.notes or [])
    assert [len(hand) for hand in at.table.hands] == [0, 6, 2, 0]


def test_last_chance_to_catch_comes_again_before_the_cards_are_turned_up() -> None:
    at = scene("9C 9H", "TRC 3H QC", "7H 8C KD", "9S 8H", silent=True, last_card="catch")
    at.lay("9C").say("say nothing").flap(B, "TRC").say(1)
    at.put("7H").put("9S").put("9H").put("3H")
    assert at.asked.topic == BEFORE_UP
    lose(at, D)
    assert at.asked.topic == BEFORE_UP
    assert [due[0] for due in at.table.due] == [A]
    assert CAUGHT in str(at.asked.claims[C].options)
    at.call(C)
    assert ("takes all", B, 4, "TRUMPS") in (at.table.notes or [])
    assert len(at.table.hands[A]) == 1, "A was caught, and picked one up"
