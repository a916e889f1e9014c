"""The scenarios of the rules, section 13, one test each: basics to Last Card."""

from __future__ import annotations

import pytest

from engine import acts
from engine.games.flaps.calls import SILENT
from engine.games.flaps.rules import turn_up
from tests.engine.flaps.scene import Scene, wins

CLUBS, SPADES, HEARTS, DIAMONDS = range(4)
A, B, C, D = range(4)


def test_scenario_01_suit_or_number_is_followed() -> None:
    """top 10S; A lays 4S: legal; lays 10H: legal; lays 9H: refused."""
    assert Scene(["4S 10H 9H 5C", "5H 5D"], "10S").lay("4S").top == "4S"
    assert Scene(["4S 10H 9H 5C", "5H 5D"], "10S").lay("10H").top == "10H"
    why = Scene(["4S 10H 9H", "5H"], "10S").refused("9H")
    assert why == "only a ♠, a 10 or an Ace may be laid on this card"


def test_scenario_02_a_playable_card_may_be_kept() -> None:
    """top 7C, A holds 7H but picks up: hand +1, turn to B; A cannot lay."""
    scene = Scene(["7H 5D", "5H 9S", "5C 5C"], "7C", stock="2D").decline()
    assert scene.hand(A) == "2D 5D 7H"
    assert scene.decider == B


def test_scenario_03_a_start_card_without_suit_goes_under_the_stack() -> None:
    """Start card ACE-JACK: goes under the stock, next card turned."""
    scene = Scene(["5H", "5D"], "7C", stock="AJ 2D")
    scene.table.playing, scene.table.dealer = False, 0
    table, rule = scene.table, turn_up(scene.table)
    asked = rule.send(None)
    try:
        while True:
            assert isinstance(asked, acts.Open)
            asked = rule.send(scene.dealer.act(table, asked))
    except StopIteration:
        pass
    assert scene.top == "2D"
    assert scene.names(table.stock)[0] == "AJ"
    assert (table.suit, table.rank) == (DIAMONDS, 2)


def test_scenario_04_the_discards_are_recycled_in_order() -> None:
    """Stack of 2, discard x, y, z, top; A must pick up 4: gets the 2, then x, y; z stays."""
    scene = Scene(["9H", "5H 9C"], "2S", stock="KC KD", discard="JC JD JH", dry=True)
    scene.table.owed = 4
    scene = _again(scene)
    scene.decline()
    assert scene.hand(A) == "9H JC JD KC KD"
    assert scene.names(scene.table.stock) == ["JH"]
    assert scene.names(scene.table.discard) == ["2S"]


def _again(scene: Scene) -> Scene:
    """The question is asked anew after a test has changed the table by hand."""
    session = scene.session
    session.close()
    session._begin(0, 0)
    session._resume(None)
    scene._settle()
    return scene


def test_scenario_05_an_ace_calls_a_suit() -> None:
    """top KD, A lays ACE C, calls H; B lays 5D: refused; 5H: legal; B may lay ACE S."""
    scene = Scene(["AC 9C 9C", "5D 5H AS 8C", "5C 8D"], "KD").lay("AC").say(HEARTS)
    assert scene.refused("5D") == "♥ was called: only a ♥ or an Ace may be laid now"
    assert scene.lay("5H").top == "5H"
    scene = Scene(["AC 9C 9C", "5D 5H AS 8C", "5C 8D"], "KD").lay("AC").say(HEARTS)
    assert scene.lay("AS").decider == B


def test_scenario_06_an_ace_is_no_last_card() -> None:
    """A's last card ACE H: calls S, then picks up 1; no win; next player must follow S."""
    scene = Scene(["AH", "5D 5S 8C", "5C 8D"], "KD", stock="2C").lay("AH")
    assert scene.hand(A) == ""
    scene.say(SPADES)
    assert scene.hand(A) == "2C"
    assert not scene.over
    assert scene.decider == B
    assert "♠ was called" in scene.refused("5D")
    scene.lay("5S")


def test_scenario_07_ace_and_lay_takes_a_card_of_its_colour() -> None:
    """A lays ACE'N'LAY H, then 3D (top was 9C): legal; B attacked for 3."""
    scene = Scene(["ALH 3D 5C 5C", "9H 8C"], "9C").lay("ALH", "3D")
    assert scene.decider == B
    assert scene.table.owed == 3


def test_scenario_08_ace_and_lay_refuses_the_other_colour() -> None:
    """A lays ACE'N'LAY H then 3C: refused."""
    why = Scene(["ALH 3C 5C 5C", "9H 8C"], "9C").lay("ALH").refused("3C")
    assert why == "on this ACE'N'LAY goes any red card (♥ or ♦) or an Ace"


def test_scenario_09_ace_and_lay_is_no_way_to_finish() -> None:
    """A has ACE'N'LAY C + 5C: lays both: hand empty, no win, picks up 1; top 5C."""
    scene = Scene(["ALC 5C", "9H 8C"], "9C", stock="2D").lay("ALC", "5C")
    assert scene.hand(A) == "2D"
    assert not scene.over
    assert scene.top == "5C"


def test_scenario_10_ace_and_lay_alone_calls_and_draws() -> None:
    """A has only ACE'N'LAY C: lays, calls C, draws 1."""
    scene = Scene(["ALC", "9H 8C"], "9C", stock="2D 2H").lay("ALC")
    assert list(scene.asked.options) == [CLUBS, SPADES]
    assert scene.say(CLUBS).hand(A) == "2D"


def test_scenario_11_no_maid_on_ace_and_lay() -> None:
    """ACE'N'LAY S then OL' MAID 2: refused."""
    assert "any black card" in Scene(["ALS OM2 5C", "9H 8C"], "9C").lay("ALS").refused("OM2")


def test_scenario_12_attacks_add_up() -> None:
    """A 2C, B 2D: C must pick up 4 or lay 2 (other), 3/7/9 D."""
    hands = ["2C 5C 5C", "2D 5S 5S", "2H 3D 7D 9D 3H", "8C"]
    for card in ("2H", "3D", "7D", "9D"):
        assert Scene(hands, "9C").lay("2C", "2D", card).top == card
    scene = Scene(hands, "9C", stock="KC KS KH KD").lay("2C", "2D")
    scene.refused("3H")
    assert scene.decline().hand(C) == "2H 3D 3H 7D 9D KC KD KH KS"
    assert scene.decider == D
    assert scene.table.owed == 0


def test_scenario_13_a_seven_turns_it_back_and_a_nine_ends_it() -> None:
    """A 2C, B 7C: dir ccw, A attacked for 2; A lays 9C: nobody draws; next is D (ccw)."""
    scene = Scene(["2C 9C 5C", "7C 5S 5S", "8H", "8C"], "5C").lay("2C", "7C")
    assert scene.decider == A
    assert scene.table.owed == 2
    scene.lay("9C")
    assert scene.decider == D
    assert scene.table.owed == 0
    scene.lay("8C")


def test_scenario_14_a_three_of_another_suit_does_not_answer_a_two() -> None:
    """A 2C, B 3D: refused (3 of another suit on a 2)."""
    why = Scene(["2C 5C 5C", "3D 5S"], "9C").lay("2C").refused("3D")
    assert why == "only another 2, a 3, 7 or 9 of ♣, or a QUACK answers the 2 of ♣"


def test_scenario_15_no_ace_answers_an_attack() -> None:
    """A 2C; B lays ACE: refused."""
    assert "QUACK" in Scene(["2C 5C 5C", "AC 5S"], "9C").lay("2C").refused("AC")


def test_scenario_16_a_seven_alone_does_nothing() -> None:
    """top 5D, A lays 7D (no attack): no reversal, B next."""
    scene = Scene(["7D 5C 5C", "8C", "8D"], "5D").lay("7D")
    assert scene.decider == B
    assert scene.table.direction == 1


def test_scenario_17_a_nine_must_share_the_suit() -> None:
    """A 3H, B 9D: refused (9 must share the suit)."""
    scene = Scene(["3H 5C 5C", "9D 9H"], "5H").lay("3H")
    scene.refused("9D")
    scene.lay("9H")


def test_scenario_18_an_attack_as_last_card_wins() -> None:
    """A 2S as last card: A wins at once."""
    scene = Scene(["2S", "9D 9H"], "5S").lay("2S")
    assert scene.over
    assert wins(scene) == [1, 0]


def test_scenario_19_quack_wins_under_attack_and_is_refused_without() -> None:
    """B's last card QUACK under attack: B wins. QUACK without attack: refused."""
    scene = Scene(["2S 5C 5D", "QUACK"], "5S").lay("2S", "QUACK")
    assert wins(scene) == [0, 1]
    Scene(["QUACK 5C", "9C"], "5S").refused("QUACK")


def test_scenario_20_two_players_turn_attacks_back() -> None:
    """Two players: A 2C, B 7C: A attacked for 2."""
    scene = Scene(["2C 5C 5D", "7C 5S 5S"], "5C").lay("2C", "7C")
    assert scene.decider == A
    assert scene.table.owed == 2


# -- flapping ----------------------------------------------------------------------------------


def test_scenario_21_not_twice_in_succession() -> None:
    """A lays 4C; D 4D, D again 4H: refused; B 4H ok; D again ok. Close: B plays on it."""
    scene = Scene(["4C 5C 5D", "4H 8S 8C", "8C", "4D 4H 4S 8D"], "5C").lay("4C")
    scene.flap(D, "4D")
    assert scene.refused("4H", D) == "that seat takes no part in this race"
    scene.flap(B, "4H").flap(D, "4S").decline()
    assert scene.decider == B
    assert scene.lay("8S").top == "8S"


def test_scenario_22_a_turn_may_open_a_new_window_on_ones_own_flap() -> None:
    """A opens with 4C, B's FLAP is the last, the window closes: B may lay 4S: new window."""
    scene = Scene(["4C 5C 5D", "4H 4S 8C", "8C"], "5C").lay("4C").flap(B, "4H").decline()
    assert scene.decider == B
    scene.lay("4S")
    assert scene.table.flapping


def test_scenario_23_mega_gives_three_extras() -> None:
    """A MEGA, A 4, C 4, A 4, A 4: legal (third extra used); A 4 again: refused."""
    scene = Scene(["MFH 4C 4S 4H 4D 5C", "8C 8D", "4C 4S 8D"], "5H").lay("MFH")
    scene.flap(A, "4C").flap(C, "4C").flap(A, "4S", "4H")
    scene.refused("4D", A)
    scene.flap(C, "4S").flap(A, "4D")
    table = scene.table
    assert (table.mega_left, table.mega_used) == (0, 3), "the last one is no extra"


def test_scenario_24_a_flap_out_of_turn_may_win() -> None:
    """B lays 4D in A's window when B has 1 card: B wins."""
    scene = Scene(["4C 5C 5D", "4D", "8C"], "5C").lay("4C").flap(B, "4D")
    assert wins(scene) == [0, 1, 0]


def test_scenario_25_stop_closes_the_window() -> None:
    """A 4C, C STOP: window closes; B plays on STOP."""
    scene = Scene(["4C 5C 5D", "4S 8D 9D", "STOPD 8C 8C"], "5C").lay("4C").flap(C, "STOPD")
    assert not scene.table.flapping
    assert scene.decider == B
    scene.lay("8D")


def test_scenario_26_stop_against_a_mega_leaves_two_extras() -> None:
    """A MEGA, A 4, C STOP, A 4: legal; A 4: refused; D 4: refused."""
    hands = ["MFH 4C 4S 4H 5C", "8C 8D", "STOPD 8C 8S", "4D 8D 8H"]
    scene = Scene(hands, "5H").lay("MFH").flap(A, "4C").flap(C, "STOPD")
    scene.refused("4D", D)
    scene.flap(A, "4S")
    assert not scene.table.flapping
    assert scene.decider == B


def test_scenario_27_the_owner_of_the_mega_may_stop_it() -> None:
    """A MEGA, 4, 4, STOP all by A: legal, closed."""
    scene = Scene(["MFH 4C 4S STOPD 5C 5D", "8C 8D"], "5H").lay("MFH")
    scene.flap(A, "4C", "4S", "STOPD")
    assert not scene.table.flapping


def test_scenario_28_no_stop_on_ones_own_flap() -> None:
    """A 4C then A STOP: refused (own FLAP, no MEGA)."""
    scene = Scene(["4C STOPD 5C 5D", "8C 8D"], "5C").lay("4C")
    scene.refused("STOPD", A)


# -- eights, tens, jacks --------------------------------------------------------------------------


def test_scenario_29_a_knock_misses_the_go() -> None:
    """A 8C; B knocks: C plays on 8C, B draws nothing."""
    scene = Scene(["8C 5C 5D", "9D", "9C 8D"], "5C").lay("8C").decline()
    assert scene.decider == C
    assert scene.hand(B) == "9D"
    scene.lay("9C")


def test_scenario_30_an_eight_passes_the_miss_on() -> None:
    """A 8C, B 8D: C must knock or lay an 8; not two skips."""
    scene = Scene(["8C 5C 5D", "8D 9D 9D", "9C 8D", "9H"], "5C").lay("8C", "8D")
    assert scene.refused("9C") == "after an 8: knock, or lay any 8"
    assert scene.decline().decider == D


def test_scenario_31_a_doofer_passes_the_ten_on() -> None:
    """A 10S to C; C has HD D, lays it, names A; A draws 1: B plays next on HD D."""
    hands = ["10S 5C 5D", "9D 9D", "HDD 8D 8D", "9H"]
    scene = Scene(hands, "5S", stock="KC KD").lay("10S").say(C).lay("HDD")
    assert list(scene.asked.options) == [A, B, D]
    scene.say(A).decline()
    assert scene.hand(A) == "5C 5D KC"
    assert scene.decider == B
    scene.lay("9D")


def test_scenario_32_a_plain_queen_is_no_defence() -> None:
    """Target C holds plain QUEEN only: must draw 1."""
    scene = Scene(["10S 5C 5D", "9D 9D", "QD", "9H"], "5S", stock="KC").lay("10S").say(C)
    assert scene.refused("QD") == "only a HOOFERS-DOOFERS passes a 10 on"
    assert scene.decline().hand(C) == "KC QD"


def test_scenario_33_the_target_keeps_its_turn() -> None:
    """A 10 to B; B draws; B still takes his normal turn."""
    scene = Scene(["10S 5C 5D", "9D 9D", "QD"], "5S", stock="KC").lay("10S").say(B).decline()
    assert scene.hand(B) == "9D 9D KC"
    assert scene.decider == B


def test_scenario_34_nobody_names_himself() -> None:
    """A names himself: refused."""
    scene = Scene(["10S 5C 5D", "9D 9D", "QD"], "5S").lay("10S")
    assert list(scene.asked.options) == [B, C]


@pytest.mark.parametrize(("players", "following"), [(4, D), (2, B)])
def test_scenario_35_a_jack_reverses(players: int, following: int) -> None:
    """A JACK C (4 players): D next. Two players: B next."""
    hands = ["JC 5C 5D", "9D 9H", "9S 8C", "9C 8D"]
    assert Scene(hands[:players], "5C").lay("JC").decider == following


def test_scenario_36_up_jacks_go_clockwise() -> None:
    """A UP-JACKS D with B, C, D: B, C, D draw 1 in that order; then D plays."""
    scene = Scene(["UJD 5C 5D", "9D", "9H", "9S"], "5D", stock="KC KS KH").lay("UJD")
    assert [scene.hand(seat) for seat in (B, C, D)] == ["9D KC", "9H KS", "9S KH"]
    assert scene.decider == D


def test_scenario_37_an_ace_jack_is_no_last_card() -> None:
    """A's last card ACE-JACK: called, draw 1, reversed, no win."""
    scene = Scene(["AJ", "9D", "9H", "9S"], "5D", stock="KC").lay("AJ").say(HEARTS)
    assert scene.hand(A) == "KC"
    assert scene.decider == D
    assert scene.refused("9S") == (
        "♥ was called: only a ♥, a Jack, an OL' MAID or an Ace may be laid now"
    )


def test_scenario_38_last_card_has_to_be_said() -> None:
    """A lays to 1 card, B lays before A said it: A draws 1 (auto)."""
    scene = Scene(["5D 9H", "8D 9D", "9H"], "5H", stock="KC", silent=True).lay("5D").say(SILENT)
    assert scene.hand(A) == "9H"
    scene.flap(B, "8D")
    assert scene.hand(A) == "9H KC"
