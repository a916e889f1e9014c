"""The scenarios of the rules, section 13: TRUMPS and SPOOF, levels 3 to 7, nested and edge."""

from __future__ import annotations

import pytest

from engine import question as ask
from engine.games.flaps.cards import BY_NAME, ROWS, spoof_value
from engine.games.flaps.level4 import furthest
from engine.games.flaps.level6 import NOBODY
from engine.games.flaps.level7 import REVEAL
from engine.games.flaps.text import TEXT
from tests.engine.flaps.scene import Scene, wins

CLUBS, SPADES, HEARTS, DIAMONDS = range(4)
A, B, C, D = range(4)


def test_scenario_39_the_lowest_card_takes_all() -> None:
    """A TRUMPS S, trump H: B A H, C K C, D OL' MAID 4, A 2D: A's 2D lowest, A takes 4 cards."""
    hands = ["TRS 2D 5D 5C", "AH 9C 9D", "KC 9C 9S", "OM4 8C 8D"]
    scene = Scene(hands, "5S").lay("TRS").say(HEARTS)
    scene.put("AH").put("KC").put("OM4").put("2D")
    assert scene.hand(A) == "2D 5C 5D AH KC OM4"
    assert scene.decider == B
    assert scene.top == "TRS"


def test_scenario_40_equal_lowest_cards_cut() -> None:
    """Trump H: B K C, C K D, A and D OL' MAIDS: tie for lowest, B and C cut."""
    hands = ["TRS OM1 5D 5C", "KC 9C 9D", "KD 9C 9S", "OM4 8C 8D"]
    scene = Scene(hands, "5S", stock="2D 3D", dry=True).lay("TRS").say(HEARTS)
    scene.put("KC").put("KD").put("OM4").put("OM1")
    cut = next(note for note in scene.table.notes or [] if note[0] == "cut")
    shown = {seat: card.name for seat, card in cut[1]}
    assert sorted(shown.values()) == ["2D", "3D"]
    loser = B if shown[B] == "2D" else C
    assert len(scene.table.hands[loser]) == 6
    assert scene.names(scene.table.stock) == ["3D", "2D"]


def test_scenario_41_a_last_card_in_trumps_wins_unless_it_loses() -> None:
    """B on last card lays 9 in TRUMPS and is not lowest: B wins; if lowest: takes all."""
    scene = Scene(["TRS 2D 5D 5C", "9H", "KC 9C 9S"], "5S").lay("TRS").say(HEARTS)
    assert wins(
        scene.put(
            "9H",
        )
        .put("KC")
        .put("2D")
    ) == [0, 1, 0]
    scene = Scene(["TRS QD 5D 5C", "9C", "KC 9C 9S"], "5S").lay("TRS").say(HEARTS)
    scene.put("9C").put("KC").put("QD")
    assert not scene.over
    assert scene.hand(B) == "9C KC QD"


def test_scenario_42_an_ineligible_last_card_in_trumps_draws() -> None:
    """B on last card lays ACE in TRUMPS and isn't lowest: draws 1."""
    hands = ["TRS 2D 5D 5C", "AH", "KC 9C 9S"]
    scene = Scene(hands, "5S", stock="7D").lay("TRS").say(HEARTS).put("AH").put("KC").put("2D")
    assert not scene.over
    assert scene.hand(B) == "7D"


def test_scenario_43_maids_go_on_plain_court_cards_only() -> None:
    """OL' MAID on TRUMPS: refused; on KING'N'LAY: legal."""
    Scene(["OM1 5H 5D", "9C"], "TRS").refused("OM1")
    scene = Scene(["OM1 5H 5D", "9C"], "KLC").lay("OM1")
    assert (scene.table.suit, scene.table.rank, scene.table.maid_ok) == (CLUBS, 13, False)


def test_the_cards_of_each_level() -> None:
    """Section 1 of the rules; level 1 has the plain cards."""
    found: dict[int, set[str]] = {}
    for row in ROWS:
        found.setdefault(row.level, set()).add(row.kind)
    assert len(found.pop(1)) == 18
    ones = {f"1-{where}" for where in ("down", "right", "left", "over", "look", "swap", "up")}
    assert found == {
        2: {"trumps", "ol' maid"},
        3: {"quack", "stop", "dump", "six", "king'n'lay"},
        4: {"spoof", "low ol' maid"},
        5: {"lose", "pick", "guess blind", "guess", "share", "solve"},
        6: ones,
        7: {"full monty"},
    }


def test_scenario_44_spoof_sums() -> None:
    """SPOOF four players: four OL' MAIDs: sum 80; A, A, A, QUACK: 3."""
    assert sum(spoof_value(BY_NAME[name]) for name in ("OM1", "OM2", "OM3", "OM4")) == 80
    assert sum(spoof_value(BY_NAME[name]) for name in ("AH", "AC", "AJ", "QUACK")) == 3
    hands = ["SPS AH 5D 5C", "AC 9C 9D", "AS 9C 9S", "QUACK 8C 8D"]
    scene = Scene(hands, "5S").lay("SPS").put("AC").put("AS").put("QUACK").put("AH")
    scene.say(3).say(2).say(4).say(80)
    notes = scene.table.notes or []
    assert [note for note in notes if note[0] == "sum called"] == [
        ("sum called", seat, called) for seat, called in ((B, 3), (C, 2), (D, 4), (A, 80))
    ]
    assert ("sum", 3) in notes
    assert scene.hand(A) == "5C 5D AC AH AS QUACK"


def test_scenario_45_no_call_is_repeated() -> None:
    """SPOOF: second caller repeats 33: refused."""
    hands = ["SPS AH 5D 5C", "AC 9C 9D"]
    scene = Scene(hands, "5S").lay("SPS").put("AC").put("AH").say(33)
    assert 33 not in scene.asked.options
    assert list(scene.asked.options) == [*range(33), *range(34, 41)]


def test_scenario_46_equally_far_calls_cut() -> None:
    """SPOOF sum 33, calls 32, 34, 33 (three players): tie 32/34, cut."""
    assert furthest([B, C, A], {B: 32, C: 34, A: 33}, 33) == [B, C]
    hands = ["SPS KH 5D 5C", "KD 9C 9D", "3C 9C 9S"]
    scene = Scene(hands, "5S", stock="2D 7D", dry=True).lay("SPS").put("KD").put("3C").put("KH")
    scene.say(22).say(24).say(23)
    loser = A if len(scene.table.hands[A]) > 4 else B if len(scene.table.hands[B]) > 2 else C
    assert loser in (B, C)
    assert any(note[0] == "cut" for note in scene.table.notes or [])


def test_scenario_47_dumping_is_no_finish() -> None:
    """Hand DUMP, 5, 5, 5 laid out: not a win, draw 1."""
    scene = Scene(["DUMPH 5C 5D 5S", "9D 9S"], "5H", stock="7D").lay("DUMPH", "5C", "5D", "5S")
    assert not scene.over
    assert scene.hand(A) == "7D"
    assert scene.top == "5S"


def test_scenario_48_six_of_the_best_wins_twice() -> None:
    """SIX as last card: 2 wins. SIX on 5S legal, on 5H refused (with the assumed suit S)."""
    scene = Scene(["SIXS", "9D 9S"], "5S").lay("SIXS")
    assert wins(scene) == [2, 0]
    Scene(["SIXS", "9D 9S"], "5H").refused("SIXS")


def test_scenario_49_a_lost_secret_is_no_win() -> None:
    """LOSE A SECRET: A had LOSE + x: x goes to the pile, A draws 1. C had 1: draws 1, no win."""
    scene = Scene(["LOSEC 9H", "9D 9S", "8D"], "5C", stock="KC KD").lay("LOSEC")
    assert not scene.over
    assert [len(hand) for hand in scene.table.hands] == [1, 1, 1]
    assert sorted(scene.names(scene.table.mystery[0]))[0] == "8D"
    assert scene.hand(C) == "KC"
    assert scene.hand(A) == "KD"


def test_scenario_50_pick_a_secret_as_last_but_one_and_last() -> None:
    """PICK A SECRET as last-but-one: last card to pile, draw 1. As last card: win."""
    scene = Scene(["PICKD 9H", "9D 9S"], "5D", stock="KC").lay("PICKD").put("9H")
    assert scene.names(scene.table.mystery[0]) == ["9H"]
    assert scene.hand(A) == "KC"
    assert wins(Scene(["PICKD", "9D 9S"], "5D").lay("PICKD")) == [1, 0]


def test_scenario_51_look_into_a_hand_only_when_no_pile_card_lies_face_down() -> None:
    """1-LOOK with no pile card: may see one hand card; with a face-down card: hand refused."""
    scene = Scene(["1LOOKC 9H 9S", "9D 9S"], "5C").lay("1LOOKC")
    assert list(scene.asked.options) == [NOBODY, A, B]
    (slot,) = scene.say(B).asked.options
    assert scene.view(A).knows(slot)
    assert scene.view(A).face(slot).name in ("9D", "9S")
    scene.say(slot)
    assert not scene.view(A).knows(slot)
    assert scene.view(B).knows(slot)
    scene = Scene(["1LOOKC 9H 9S", "9D 9S"], "5C", down=["", "KC KD"]).lay("1LOOKC")
    assert list(scene.asked.options) == [None, *((B, slot) for slot in scene.table.down[B])]


def test_section_8_5_what_has_one_option_is_not_asked() -> None:
    """1-SWAP without piles does nothing; 1-OVER turns the only card that lies face down."""
    scene = Scene(["1SWAPD 9H 9S", "9D 9S"], "5D").lay("1SWAPD")
    assert (scene.decider, scene.asked.kind) == (B, "play")
    scene = Scene(["1OVERH 9H 9S", "9D 9S"], "5H", down=["", "KC"]).lay("1OVERH")
    assert (scene.decider, scene.table.face_up) == (B, scene.table.down[B])


@pytest.mark.parametrize("card", ["10C", "SHAREH", "FMH"])
def test_section_7_of_two_players_the_other_one_is_named(card: str) -> None:
    """Nobody is asked who the only other player is; all read who is named."""
    scene = Scene([f"{card} 9H 9S 9C", "9D 9S"], f"5{card[-1]}").lay(card)
    if card == "FMH":
        scene.put("9H", "9S", "9C")
    assert ("name", A, B) in (scene.table.notes or [])


def test_section_4_nothing_is_told_of_no_discards() -> None:
    """With one card laid there is nothing to recycle, and no sentence about it."""
    scene = Scene(["9C 5D", "8C 8D"], "9S", dry=True).decline()
    assert not [note for note in scene.table.notes or [] if note[0] == "recycle"]


def test_section_8_4_an_empty_mystery_pile_is_told_as_such() -> None:
    scene = Scene(["SOLVEC 9H 9S", "9D 9S"], "5C").lay("SOLVEC")
    said = [TEXT.describe_note(note, ("Ann", "Bo")) for note in scene.table.notes or []]
    assert "The Mystery Pile is empty: Ann takes no card." in said


def test_scenario_52_up_takes_the_top_card() -> None:
    """1-UP on a player whose top pile card is face up: that card to hand."""
    scene = Scene(["1OVERH 1UPC 9S 9H", "9D 9S"], "5H", down=["", "KC KD"], stock="QC").lay(
        "1OVERH"
    )
    scene.say((B, scene.table.down[B][-1]))
    scene.decline().lay("1UPC").say(B)
    assert scene.hand(B) == "9D 9S KD QC"
    assert scene.names(scene.table.down[B]) == ["KC"]
    assert scene.table.face_up == []


def test_scenario_53_monty_needs_three_cards() -> None:
    """FULL MONTY with 2 cards left: no effect; with 3: chosen player gains 1, layer keeps 2."""
    assert Scene(["FMH 9S 9H", "9D 9S", "8D"], "5H").lay("FMH").decider == B
    scene = Scene(["FMH 9S 9H 8C", "9D 9S", "8D"], "5H").lay("FMH").put("9S", "9H", "8C")
    three = scene.say(C).asked.options
    scene.say(three[0]).say(scene.asked.options[0] if scene.asked.topic == REVEAL else None)
    scene.say(three[0])
    assert [len(hand) for hand in scene.table.hands] == [2, 2, 2]


def test_scenario_54_monty_never_shows_the_pointed_card() -> None:
    """FULL MONTY: layer reveals the pointed card: refused (must be one of the other two)."""
    scene = Scene(["FMH 9S 9H 8C", "9D 9S", "8D"], "5H").lay("FMH").put("9S", "9H", "8C")
    three = scene.say(C).asked.options
    scene.say(three[1])
    assert scene.decider == A
    assert list(scene.asked.options) == [three[0], three[2]]


def test_scenario_55_down_recycles_first() -> None:
    """1-DOWN with stack empty: recycle first; if nothing, no effect."""
    scene = Scene(["1DOWNC 9S 9H", "9D 9S"], "5C", discard="KC KD", dry=True).lay("1DOWNC")
    assert scene.names(scene.table.stock) == ["5C", "KD", "KC"]
    scene.say(B)
    assert scene.names(scene.table.down[B]) == ["KC"]
    scene = Scene(["1DOWNC 9S 9H", "9D 9S"], "5C", dry=True)
    scene.table.zones[-1].append(scene.table.discard.pop())
    scene.lay("1DOWNC")
    assert scene.decider == B
    assert scene.table.down == [[], []]


# -- nested and edge -------------------------------------------------------------------------------


def test_scenario_56_a_follow_up_attack_after_the_penalty() -> None:
    """A's last two: ACE'N'LAY H, 2H. Both laid: no win, A draws 1, then B is attacked for 2."""
    scene = Scene(["ALH 2H", "9D 9S"], "5C", stock="KC").lay("ALH", "2H")
    assert scene.hand(A) == "KC"
    assert scene.decider == B
    assert scene.table.owed == 2


def test_scenario_57_a_mega_on_ace_and_lay_opens_a_window() -> None:
    """ACE'N'LAY H + MEGA-FLAP: window opens with A as opener and MEGA owner."""
    scene = Scene(["ALH MFH 9S 9H", "9D 9S"], "5C").lay("ALH", "MFH")
    assert isinstance(scene.asked, ask.Race)
    assert (scene.table.mega_owner, scene.table.mega_left) == (A, 3)
    assert scene.decline().decider == B


def test_scenario_58_a_recycled_queen_is_still_followed() -> None:
    """Top OL' MAID on QUEEN D, stack runs dry and is recycled: next still follows D or Q."""
    scene = Scene(["OM1 5C 9S", "5C 9D 9S", "QC 8D 8S"], "QD", dry=True).lay("OM1").decline()
    assert scene.names(scene.table.discard) == ["OM1"]
    assert scene.hand(B) == "5C 9D 9S QD"
    scene.refused("8S")
    scene.lay("QC")


def test_scenario_59_up_jacks_between_two() -> None:
    """Two players, UP-JACKS: other draws 1 and is next."""
    scene = Scene(["UJD 5C 5D", "9D 8C"], "5D", stock="KC").lay("UJD")
    assert scene.hand(B) == "8C 9D KC"
    assert scene.decider == B


def test_scenario_60_up_jacks_as_last_card() -> None:
    """A UP-JACKS as last card: A wins, nobody draws."""
    scene = Scene(["UJD", "9D 8C"], "5D", stock="KC").lay("UJD")
    assert wins(scene) == [1, 0]
    assert scene.hand(B) == "8C 9D"


def test_scenario_61_a_stalled_table() -> None:
    """L6, nothing to draw, all pass: the piles become the stock; L1: smallest hand wins."""
    piles = {"down": ["", "KC KD"], "mystery": "2C"}
    scene = Scene(["9C 5D", "8C 8C 8D"], "9S", dry=True, level=6, **piles)  # type: ignore[arg-type]
    scene.decline().decline()
    assert sorted(scene.names(scene.table.stock)) == ["2C", "KC", "KD"]
    assert (scene.decider, scene.table.passes) == (A, 0)
    assert ("gather", 3) in (scene.table.notes or [])
    assert all(lock == -1 for lock in (scene.table.locks[slot] for slot in scene.table.stock))
    scene = Scene(["9C 5D", "8C 8C 8D"], "9S", dry=True, level=1).decline().decline()
    assert wins(scene) == [1, 0]


def test_scenario_62_a_settled_attack_is_not_turned() -> None:
    """A 2D, B picks up 2, C lays 7D: direction unchanged, D next."""
    scene = Scene(["2D 5C 5D", "9D 8C", "7D 8C", "9D 9S"], "5D").lay("2D").decline().lay("7D")
    assert scene.table.direction == 1
    assert scene.decider == D


def test_scenario_63_quack_after_a_turned_attack() -> None:
    """A 2C, B 3C, C 7C: dir ccw, B owes 5; B QUACK: A owes 5 and may lay any 7, or 2/3/9 C."""
    hands = ["2C 7H 3C 9C 5D 5D", "3C QUACK 8C 8D", "7C 8C 8S"]
    for answer in ("7H", "3C", "9C"):
        scene = Scene(hands, "5C").lay("2C", "3C", "7C")
        assert (scene.decider, scene.table.owed, scene.table.direction) == (B, 5, -1)
        scene.lay("QUACK")
        assert (scene.decider, scene.table.owed) == (A, 5)
        scene.refused("5D")
        scene.lay(answer)
