"""The scenarios of the rules, section 10, one test each.  A leads, B, C, D sit to the left."""

from __future__ import annotations

import pytest

from engine import acts
from engine.errors import IllegalAnswer, UsageError
from engine.games.sneak.combos import FLUSH, MATCH, kind_of
from engine.games.sneak.rules import GAME
from engine.question import PASS
from engine.sets import Laid, Lay, LaySet, LayTogether
from tests.engine.play import step
from tests.engine.sneak.scene import Scene, cards, playing

A, B, C, D = range(4)


@pytest.mark.parametrize("seats", range(2, 8))
def test_scenario_01_the_first_turn_of_a_round_is_a_draw(seats: int) -> None:
    """First turn of a round: A tries to flaunt -> refused, must draw. [Play 1]"""
    session, table, dealer, rng = playing(seats)
    while not isinstance(session.pending, acts.Deal):
        step(session, dealer, rng)
    first = (table.dealer + 1) % seats
    assert [seat for _, seat in session.pending.moves] == [
        (first + place) % seats for place in range(seats)
    ]
    top = table.stock[-1]
    with pytest.raises(IllegalAnswer, match="nothing is to be answered here"):
        session.answer(Laid((top,), (dealer.act(table, acts.Open((top,)))[0],)))  # type: ignore[index]
    step(session, dealer, rng)
    assert [len(hand) for hand in table.hands] == [1] * seats
    assert isinstance(session.pending, LaySet)
    assert session.pending.seat == first


def test_scenario_02_another_player_has_to_hold_as_many_cards() -> None:
    """A holds 3 cards, B 2, C 1: A sneaks 3 -> refused; 2 -> legal. [Note]"""
    scene = Scene(["4C 9H KS", "2S 3H", "7C"])
    assert "has to hold as many cards as you lead" in scene.refused("4C 9H KS", down=True)
    scene.sneak("4C 9H")
    assert isinstance(scene.session.pending, LayTogether)
    assert scene.session.pending.deciders == (B,)


def test_scenario_03_nothing_loses_to_a_straight_and_the_turn_goes_left() -> None:
    """A sneaks 4C 9D (nothing); B challenges 2S 3H (straight) -> B wins 4 cards; turn goes to B
    because he is left of A, not because he won. [Combos, Turn]"""
    scene = Scene(["4C 9H KS", "2S 3D", "7C 8C"]).sneak("4C 9H").challenge(B="2S 3D")
    assert scene.won(B) == 4
    assert scene.table.seat == B


def test_scenario_04_the_winner_does_not_lead() -> None:
    """A leads, C wins the contest -> turn still goes to B. [Turn]"""
    scene = Scene(["4C 9H", "2S 3H", "7C 8C"]).sneak("4C").challenge(C="7C")
    assert scene.won(C) == 2
    assert scene.table.seat == B
    assert isinstance(scene.session.pending, LaySet)
    assert scene.session.pending.seat == B


def test_scenario_05_a_match_beats_a_sneaked_straight_flush() -> None:
    """A sneaks AhKh; B 2-2 -> B wins (Match). [Combos]"""
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).sneak("AH KH").challenge(B="2S 2D")
    assert scene.won(B) == 4


def test_scenario_06_a_flaunted_straight_flush_falls_only_to_a_straight_flush() -> None:
    """A flaunts AhKh; B 2-2 -> A wins (led straight flush only falls to a straight flush).
    [Flaunt s3]"""
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).flaunt("AH KH").challenge(B="2S 2D")
    assert scene.won(A) == 4
    scene = Scene(["QH KH 9C", "AS KS 3C"]).flaunt("QH KH").challenge(B="AS KS")
    assert scene.won(B) == 4


def test_scenario_07_on_a_flaunted_straight_a_straight_flush_is_a_straight() -> None:
    """A flaunts 5S 6D (straight); B 4h5h -> A wins (counts as a 5-high straight); B 6C7C -> B
    wins. [Flaunt s4]"""
    scene = Scene(["5S 6D 9C", "4H 5H 3C"]).flaunt("5S 6D").challenge(B="4H 5H")
    assert scene.won(A) == 4
    scene = Scene(["5S 6D 9C", "6C 7C 3C"]).flaunt("5S 6D").challenge(B="6C 7C")
    assert scene.won(B) == 4


def test_scenario_08_on_a_flaunted_flush_a_straight_flush_is_a_flush() -> None:
    """A flaunts 2S9S (flush); B 7h8h -> counts as flush 8-high -> A wins. [Flaunt s4, D7b]"""
    scene = Scene(["2S 9S KC", "7H 8H 3C"]).flaunt("2S 9S").challenge(B="7H 8H")
    assert scene.won(A) == 4
    scene = Scene(["2S 9S KC", "9H 8H 3C"]).flaunt("2S 9S").challenge(B="9H 8H")
    assert scene.won(B) == 4


def test_scenario_09_of_equal_challengers_the_last_one_wins() -> None:
    """A flaunts single Q; B Q, C K, D K -> D wins 4 cards. [Flaunt s5]"""
    scene = Scene(["QH 2C", "QS 3C", "KH 4C", "KS 5C"]).flaunt("QH")
    scene.challenge(B="QS", C="KH", D="KS")
    assert scene.won(D) == 4


def test_scenario_10_a_challenger_equal_to_the_leader_wins() -> None:
    """A sneaks single Q, C challenges with Q, B passes -> C wins (tie, later). [Sneak s4]"""
    scene = Scene(["QH 2C", "KS 3C", "QD 4C"]).sneak("QH").challenge(C="QD")
    assert scene.won(C) == 2


def test_scenario_11_a_flaunt_is_a_combination() -> None:
    """A flaunts 4S 9h -> refused (no combo). [Play 3, D3]"""
    scene = Scene(["4S 9H KC", "2S 3H 7D"])
    assert "only as a match, a straight or a flush" in scene.refused("4S 9H", down=False)
    scene.flaunt("9H")


def test_scenario_12_a_flaunt_is_challenged_with_a_combination() -> None:
    """B challenges a flaunt of two with 4S 9h -> refused. [D3]"""
    scene = Scene(["5S 6D KC", "4S 9H 7D"]).flaunt("5S 6D")
    sentence = scene.refused("4S 9H", down=False, flaunt_by=B)
    assert "challenged only with a match, a straight or a flush" in sentence


def test_scenario_13_two_identical_cards_are_a_match() -> None:
    """Two packs: 7S7S is a Match; 7S7S9S is a flush. [Combos]"""
    assert kind_of(cards("7S 7S")) is MATCH
    assert kind_of(cards("7S 7S 9S")) is FLUSH
    scene = Scene(["7S 7S 9S KC", "2S 2D 4D 9C", "3S", "4S", "5S"]).flaunt("7S 7S 9S")
    assert scene.table.packs == 2
    assert scene.challenge().won(A) == 3


def test_scenario_14_sneaking_is_over_with_the_last_stock_card() -> None:
    """Drawer takes the last stock card; next player tries to sneak -> refused. [End s1]"""
    scene = Scene(["4S 9H", "2S 3H", "7C"], stock=1).draw()
    assert not scene.table.stock
    assert "the stock is gone" in scene.refused("2S", down=True)
    with pytest.raises(IllegalAnswer, match="you have to flaunt"):
        scene.session.answer(PASS)
    scene.flaunt("2S 3H")


def test_scenario_15_the_last_cards_meet_and_nothing_is_left_over() -> None:
    """Stock gone, A flaunts his last card; C (only other with cards, one card) challenges and
    all hands are empty -> winner takes 2, round over, no leftover. [End s2]"""
    scene = Scene(["9H", "", "10C"], stock=0)
    scene.flaunt("9H").challenge(C="10C")
    assert ("flaunt", A, tuple(cards("9H"))) in scene.notes
    assert scene.won(C) == 2
    assert not [note for note in scene.notes if note[0] == "leftover"]
    assert scene.table.scores == [0, 0, 52]
    assert scene.table.dealing


def test_scenario_16_who_alone_has_cards_adds_them() -> None:
    """Stock gone; after a contest only D holds 5 cards -> D's winnings +5, round over. [End s2]"""
    scene = Scene(["9H", "", "10C", "2C 3D 5H 7S 9C KD"], stock=0)
    scene.flaunt("9H").challenge(C="10C", D="KD")
    assert scene.won(D) == 3
    assert ("leftover", D, 5, True) in scene.notes
    assert scene.table.scores == [0, 0, 0, 52]
    assert scene.table.dealing


def test_scenario_17_without_cards_there_is_only_drawing() -> None:
    """Stock present, A has no cards -> only Draw. [D11]"""
    scene = Scene(["", "2S 3H", "7C"])
    assert isinstance(scene.session.pending, acts.Deal)
    scene.deal()
    assert (len(scene.table.hands[A]), scene.table.seat) == (1, B)


def test_scenario_18_alone_with_cards_nobody_leads() -> None:
    """Two players: A has 5 cards, B 0 -> A may not lead at all while stock remains; if the
    stock is gone A takes his 5. [Note, End s2]"""
    scene = Scene(["4S 9H 2C 3C KD", ""], stock=2)
    assert isinstance(scene.session.pending, acts.Deal)
    scene.deal()
    assert len(scene.table.hands[A]) == 6
    scene = Scene(["4S 9H 2C 3C", ""], stock=1, turn=A).deal()
    assert ("leftover", A, 5, True) in scene.notes
    assert scene.table.scores == [5, 47]


def test_scenario_19_the_highest_total_wins() -> None:
    """Three players, one pack, A 96, B 90, C 40; round gives A 5, B 30, C 17 -> game over, B 120
    beats A 101. [Game, D9]"""
    scene = Scene(["9H", "10C", ""], stock=0)
    table = scene.table
    table.scores = [96, 90, 40]
    others, table.winnings[C][:] = list(table.winnings[C]), []
    table.winnings[A].extend(others[:5])
    table.winnings[B].extend(others[5:33])
    table.winnings[C].extend(others[33:])
    scene.flaunt("9H").challenge(B="10C")
    assert scene.session.over
    assert scene.session.returns == (101, 120, 57)
    assert scene.notes[-1] == ("over", (101, 120, 57), (1,))


def test_scenario_20_seven_players_take_two_packs_and_eight_are_refused() -> None:
    """Seven players -> 104 cards, target 200; eight -> refused. [Cards]"""
    _, table, _, _ = playing(7)
    assert (table.packs, table.target) == (2, 200)
    with pytest.raises(UsageError, match="2 to 7 players, not 8"):
        GAME.check(8, {})
    with pytest.raises(UsageError, match="2 to 7 players, not 1"):
        GAME.check(1, {})


def test_scenario_21_a_straight_falls_to_the_later_of_equal_matches() -> None:
    """Flaunt of straight by A; B Match of 2s, C Match of 2s -> C. [Flaunt s5]"""
    scene = Scene(["5S 6D 9C", "2C 2H 3C", "2S 2D 3D"]).flaunt("5S 6D")
    assert scene.challenge(B="2C 2H", C="2S 2D").won(C) == 6


def test_the_scene_lays_a_set_only_once() -> None:
    """A card named twice is refused, in a lead as in a challenge."""
    scene = Scene(["4S 9H KC", "2S 3H 7D"])
    slot = scene.table.hands[A][0]
    with pytest.raises(IllegalAnswer, match="only once"):
        scene.dealer.answer(scene.table, scene.session.pending, {A: Lay((slot, slot), True)})  # type: ignore[arg-type]
