"""The test scenarios of the rules file, with their numbers and words.

Players A (dealer), B, C, D.
"""

from __future__ import annotations

from random import Random

import pytest

from engine import acts
from engine import question as ask
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.games.flop_a.cards import high_value, low_value
from engine.games.flop_a.rules import GAME
from engine.games.flop_a.table import FlopTable, Stage
from engine.session import Session
from tests.engine.flop_a.scene import A, B, C, D, Scene, cards, playing, showdown
from tests.engine.play import step

IDLE = "2C 2D 3C"
"""A hand that none of the flips of a test concerns."""


def test_scenario_01_twelve_cards_dealt_four_on_table_36_in_deck() -> None:
    """Four players: 12 cards dealt, 4 on table, 36 in deck. [P2]"""
    session, table, dealer, rng = playing(4)
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    assert [len(hand) for hand in table.hands] == [3] * 4
    assert (len(table.row), len(table.stock)) == (4, 36)
    assert all(table.faces[slot] is None for slot in range(52))
    assert all(table.locks[slot] == seat for seat in range(4) for slot in table.hands[seat])


def test_scenario_01_cards_are_dealt_one_at_a_time_from_dealers_left() -> None:
    """Section 2: one at a time from dealer's left; then the row."""
    session, _, dealer, rng = playing(4)
    while not isinstance(session.pending, acts.Deal):
        step(session, dealer, rng)
    assert [seat for _, seat in session.pending.moves] == [B, C, D, A] * 3


def test_scenario_02_round_1_is_opened_by_b() -> None:
    """Round 1 opener B. [P2, D3]"""
    session, _, dealer, rng = playing(4)
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    assert session.pending.seat == B


@pytest.mark.parametrize(("folded", "opener"), [((), B), ((B,), C), ((B, C), D)])
def test_scenario_03_nobody_flops(folded: tuple[int, ...], opener: int) -> None:
    """Flip 9, nobody has one → B opens; B folded earlier → C. [P3, D3]"""
    scene = Scene(["2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H"], coming="9C", folded=folded)
    assert scene.flip().opener == opener


def test_scenario_03_the_first_who_flopped_in_this_flip_opens() -> None:
    """Section 2: the first player, counting from dealer's left, who flopped in this flip."""
    scene = Scene(["9D 3C 4C", "2D 3D 4D", "2S 9S 4S", "2H 3H 9H"], coming="9C 5C")
    assert scene.flip().opener == C
    scene.act("check", "check", "check", "check")
    assert scene.flip().opener == B


def test_scenario_04_a_rank_that_is_out_goes_onto_its_pile() -> None:
    """Flip 6 with 6 and Q already out → onto the 6, deck card flipped into the gap; that card Q →
    onto Q, flip again; 3 → new rank, flop, bet once. [P4]"""
    hands = ["3D 7C 8C", IDLE.replace("3C", "4C"), "7S 8S 9S"]
    scene = Scene(hands, board="6C QC", coming="6D KC QD 3H", pot=3)
    table = scene.table
    gap = table.row[0]
    rounds = [note for note in table.notes or () if note[0] == "betting"]
    scene.flip()
    assert [table.face(slot).name for slot in table.board] == ["6C", "QC", "6D", "QD", "3H", "3D"]
    assert table.board[2] == gap
    assert table.ranks == [6, 12, 3]
    assert table.flips == 3
    assert [len(hand) for hand in table.hands] == [2, 3, 3]
    assert scene.opener == A
    assert len(table.row) == 1
    told = [note for note in table.notes or () if note[0] == "betting"]
    assert (len(rounds), len(told)) == (0, 1)


def test_scenario_05_who_does_not_lay_cannot_go_on() -> None:
    """Player holds the flipped rank and does not lay it → no valid proof possible, the hand
    cannot go on: an illegal move. [P3 s2]  (Between peers: tests/protocol/test_flop_a.py)"""
    scene = Scene([IDLE, "9D 7C 8C"], coming="9C")
    step(scene.session, scene.dealer, Random(0))
    asked = scene.asked
    assert isinstance(asked, acts.LayAll)
    assert asked.deciders == ()
    laid = scene.dealer.answer(scene.table, asked, {})
    assert [[card.name for _, card in pairs] for pairs in laid] == [["9D"], []]  # type: ignore
    for card in scene.table.hands[B]:
        remains = acts.Swear(B, (card,), asked.fits)
        if scene.dealer.view(scene.table, B).face(card).rank == 9:
            with pytest.raises(IllegalAnswer, match="oath is false"):
                scene.dealer.act(scene.table, remains)
        else:
            scene.dealer.act(scene.table, remains)


def test_scenario_06_flopping_out_takes_pot_and_20_percent() -> None:
    """Flip 2 completes B's third card, pot 40, C and D in, A folded → B gets 40 + 8 + 8; A pays
    nothing. [P5 s2, D7]"""
    hands = [IDLE, "9D", "2S 3S 4S", "2H 3H 4H"]
    scene = Scene(hands, board="KC", coming="9C", folded=[A], pot=40).flip()
    assert scene.tally == [0, 40 + 8 + 8, -8, -8]
    assert scene.session.over


def test_scenario_06_folders_pay_by_option() -> None:
    """D7: option `foldersPay` for the literal "each other player"."""
    hands = [IDLE, "9D", "2S 3S 4S", "2H 3H 4H"]
    scene = Scene(hands, board="KC", coming="9C", folded=[A], pot=40, foldersPay=True).flip()
    assert scene.tally == [-8, 40 + 24, -8, -8]


def test_scenario_07_the_20_percent_are_rounded_down() -> None:
    """Pot 43 → 8 each (floor). [D7]"""
    hands = [IDLE, "9D", "2S 3S 4S", "2H 3H 4H"]
    scene = Scene(hands, board="KC", coming="9C", pot=43).flip()
    assert scene.tally == [-8, 43 + 24, -8, -8]


def test_scenario_08_two_winners_on_one_flip() -> None:
    """B and C both finish on one flip, D in, A folded, pot 30 → D pays 10, B and C 20 each.
    [P5 s3]"""
    hands = [IDLE, "9D", "9S 9H", "2H 3H 4H"]
    scene = Scene(hands, board="KC QC", coming="9C", folded=[A], pot=30).flip()
    assert scene.tally == [0, 20, 20, -10]


def test_scenario_08_odd_chips_go_from_dealers_left() -> None:
    """D8: winners share equally; odd chips to the winners in order from dealer's left."""
    scene = Scene(["9H", "9D", "9S", "2H 3H"], board="KC QC", coming="9C", pot=31).flip()
    assert scene.tally == [13, 14, 14, -10]


def test_scenario_08_no_other_player_left() -> None:
    """D17: three winners at once and nobody else in: pot simply shared."""
    scene = Scene(["9H", "9D", "9S"], board="KC QC", coming="9C", pot=32).flip()
    assert scene.tally == [10, 11, 11]


def test_scenario_09_three_of_a_rank_win_at_once() -> None:
    """Player holding 7,7,7: flip 7 → wins at once on that flip. [P3, P5]"""
    scene = Scene([IDLE, "7D 7S 7H"], coming="7C", pot=10).flip()
    assert scene.session.over
    assert scene.table.flips == 1
    assert scene.tally == [-2, 12]


def test_scenario_10_winner_on_flip_5() -> None:
    """Winner on flip 5 → no betting round 6. [D15]"""
    scene = Scene([IDLE, "9D"], board="KC QC JC 10C", coming="9C", pot=10).flip()
    assert scene.session.over
    assert ("betting", 6, B) not in (scene.table.notes or ())
    assert scene.tally == [-2, 12]


def test_scenario_10_without_a_winner_there_is_a_sixth_round() -> None:
    """Section 2: no winner: betting round 6 (final), then the declaration."""
    scene = Scene([IDLE, "9D 8C"], board="KC QC JC 10C", coming="9C", pot=10).flip()
    assert ("betting", 6, B) in (scene.table.notes or ())
    scene.act("check", "check")
    assert isinstance(scene.asked, ask.Together)


def test_scenario_11_folded_hands_do_not_flop() -> None:
    """Folded player holds the flipped rank → his cards are not laid. [section 3]"""
    scene = Scene(["9D 2C 3C", "4C 5C 6C", "7C 8C 10C"], coming="9C", folded=[A]).flip()
    assert len(scene.table.hands[A]) == 3
    assert all(scene.table.faces[slot] is None for slot in scene.table.hands[A])
    assert len(scene.table.board) == 1


def test_scenario_12_high_and_low_share() -> None:
    """Showdown B 10 (K), C 3 (A,2): B high, C low → half each. C's low value is 3. [P7, P8]"""
    scene = showdown(["7C", "KC", "AC 2C"], folded=[A]).declare("high", "low")
    assert scene.tally == [0, 10, 10]
    assert low_value(cards("AC 2C")) == 3


def test_scenario_13_a_swing_succeeds() -> None:
    """B swing with A (11/1); C high 10, D low 2 → B wins all. [P8 s1]"""
    scene = showdown(["7C", "AC", "KC", "2C"], folded=[A]).declare("swing", "high", "low")
    assert scene.tally == [0, 20, 0, 0]


def test_scenario_14_a_swing_that_ties_fails() -> None:
    """B swing with A; D low with A (1) → tie on low, B out; C high gets half, D half. [P8 s1]"""
    scene = showdown(["7C", "AC", "KC", "AD"], folded=[A]).declare("swing", "high", "low")
    assert scene.tally == [0, 0, 10, 10]


def test_scenario_14_a_swing_is_compared_with_those_of_that_way_only() -> None:
    """D10: declarers of that direction and other swingers."""
    scene = showdown(["7C", "AC", "KC 2C", "2D"], folded=[A]).declare("swing", "low", "low")
    assert scene.tally == [0, 20, 0, 0]


def test_scenario_15_all_declare_high() -> None:
    """All three declare high: 12, 12, 9 → the 12s share the whole pot. [P8 s3, D11]"""
    scene = showdown(["7C", "KC 2C", "JC 2D", "7D 2S"], pot=21, folded=[A])
    assert scene.declare("high", "high", "high").tally == [0, 11, 10, 0]


def test_scenario_16_odd_pot() -> None:
    """Odd pot 25, one high one low → high 13, low 12. [section 5]"""
    scene = showdown(["7C", "KC", "2C"], pot=25, folded=[A]).declare("high", "low")
    assert scene.tally == [0, 13, 12]


def test_scenario_17_all_swing_and_fail() -> None:
    """Two swingers, both fail, nobody else → carry over. [D12]"""
    hands = ["7C", "KC 2C", "KD 2D"]
    scene = showdown(hands, pot=21, folded=[A], hands_to_play=2).declare("swing", "swing")
    assert scene.tally == [0, 0, 0]
    assert scene.table.pot == 21
    assert scene.table.hand == 2
    while not isinstance(scene.asked, ask.Choose):
        step(scene.session, scene.dealer, Random(0))
    assert scene.act("fold", "fold").tally[1] == 21


def test_scenario_17_in_the_last_hand_they_split() -> None:
    """D12: last hand of a session: split equally."""
    hands = ["7C", "KC 2C", "KD 2D"]
    scene = showdown(hands, pot=21, folded=[A]).declare("swing", "swing")
    assert scene.tally == [0, 11, 10]


@pytest.mark.parametrize("chips", [0, 4])
def test_scenario_18_other_numbers_of_chips_are_refused(chips: int) -> None:
    """Declaration of 0 or 4 chips → refused; change after opening → refused. [P6 s2]"""
    scene = showdown(["KC 3D", "2C"])
    digest = scene.session.digest()
    with pytest.raises(IllegalAnswer, match="1 chip for high, 2 for low, 3 for swing"):
        scene.session.answer((chips - 1, 0))
    assert scene.session.digest() == digest
    scene.session.answer((1, 0))
    opened = ("declares", B, "low")
    assert opened in (scene.table.notes or ())
    assert isinstance(scene.asked, acts.Open)
    with pytest.raises(IllegalAnswer, match="one face for each card"):
        scene.session.answer((0, 0))
    assert opened in (scene.table.notes or ())


def test_scenario_19_one_survivor_takes_the_pot_without_a_declaration() -> None:
    """One survivor after round 6 → takes pot, no declaration. [P6 s2]"""
    board = "4C 5C 6C 8C 9C"
    scene = Scene(["KC", "2C", "3C"], Stage.BETTING, board=board, pot=12)
    scene.act("bet 2", "fold", "fold")
    assert scene.session.over
    assert scene.tally == [0, 12, 0]
    assert all(scene.table.faces[slot] is None for hand in scene.table.hands for slot in hand)


@pytest.mark.parametrize("bet", ["bet 0", "bet 5"])
def test_scenario_20_bets_are_1_to_4_chips(bet: str) -> None:
    """Bet of 0 or 5, fourth raise → refused. [D5]"""
    scene = Scene([IDLE, "9D 7C 8C"], Stage.BETTING)
    with pytest.raises(IllegalAnswer, match="fold, check, or bet 1 to 4 chips"):
        scene.act(bet)
    for index in (-1, 6):
        with pytest.raises(IllegalAnswer, match="bet 1 to 4 chips"):
            scene.session.answer(index)


def test_scenario_20_a_fourth_raise_is_refused() -> None:
    """Bet of 0 or 5, fourth raise → refused. [D5]"""
    scene = Scene([IDLE, "9D 7C 8C"], Stage.BETTING)
    scene.act("bet 4", "raise 4", "raise 4", "raise 4")
    with pytest.raises(IllegalAnswer, match="no further raise"):
        scene.act("raise 1")
    with pytest.raises(IllegalAnswer, match="no further raise"):
        scene.session.answer(2)
    assert scene.act("call").tally == [-16, -16]


def test_scenario_21_two_players() -> None:
    """Two players: dealer A, opener B each time nobody flops. [P3]"""
    scene = Scene([IDLE, "2S 2H 3D"], Stage.BETTING, coming="KC QC JC 10C 9C")
    for _ in range(6):
        assert scene.opener == B
        scene.act("check", "check").flip()
    assert isinstance(scene.asked, ask.Together)


def test_scenario_22_the_next_hand_is_dealt_by_b() -> None:
    """Next hand: dealer B. [D4]"""
    session, table, dealer, rng = playing(4, hands=5)
    dealers, openers = [], []
    while not session.over:
        if isinstance(session.pending, ask.Choose) and table.hand > len(dealers):
            dealers.append(table.dealer)
            openers.append(session.pending.seat)
        step(session, dealer, rng)
    assert dealers == [A, B, C, D, A]
    assert openers == [B, C, D, A, B]


@pytest.mark.parametrize("first", [A, B, C, D])
def test_scenario_22_a_coin_names_the_first_dealer(first: int) -> None:
    session = Session(GAME, 4, {}, check=True)
    assert (session.pending.kind, session.pending.sides) == ("flip", 4)  # type: ignore[union-attr]
    session.answer((first,))
    rng = Random(1)
    dealer = TrustedDealer(rng)
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    table = session.table
    assert isinstance(table, FlopTable)
    assert (table.dealer, table.hand) == (first, 1)
    assert session.pending.seat == (first + 1) % 4


def test_scenario_23_court_cards_count_10() -> None:
    """J, Q, K count 10; hand K,7 → 17 both ways. [P7]"""
    for court in ("JC", "QD", "KS"):
        assert high_value(cards(court)) == low_value(cards(court)) == 10
    assert high_value(cards("KC 7C")) == low_value(cards("KC 7C")) == 17
    assert high_value(cards("8C 8D 2C")) == low_value(cards("8C 8D 2C")) == 18  # D18
