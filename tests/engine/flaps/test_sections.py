"""Sections of the rule book: who may still call, FLAPs at one moment, a start card, who knows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.flaps.calls import BEFORE_UP, CAUGHT, SILENT, calls
from engine.games.flaps.cards import BY_NAME
from engine.games.flaps.text import TEXT
from engine.question import Race
from engine.view import SPECTATOR, View
from engine.won import Won
from engine.zone import Seat, Slot
from tests.engine.flaps.scene import Scene, wins

A, B, C, D = range(4)
BIT = (1, 2, 4)
NAMES = ("Ann", "Bo", "Cy")


# -- section 6: a card put aside does not end the right to call ------------------------------------


def silent(last: str, king: str) -> Scene:
    """A is left with one card and says nothing; B lays a King for which each puts a card aside."""
    hands = [f"5D {last}", f"{king} 2H 3H 9C", "KC 8C 8D"]
    scene = Scene(hands, "5H", stock="QS JS", silent=True, last_card="catch")
    scene.lay("5D").say(SILENT)
    scene.flap(B, king)
    return scene.say(0) if king == "TRD" else scene


def test_section_6_a_card_put_aside_for_trumps_may_still_be_caught() -> None:
    scene = silent("9H", "TRD").put("8C").put("9H").put("2H")
    assert isinstance(scene.asked, Race)
    assert scene.asked.topic == BEFORE_UP
    assert sorted(scene.asked.claims) == [B, C]
    assert calls(scene.table, B) == calls(scene.table, C) == [(CAUGHT, A)]
    scene.call(C)
    assert scene.hand(A) == "QS"
    assert not scene.table.due
    assert not scene.over


def test_section_6_a_card_put_aside_for_spoof_may_still_be_caught() -> None:
    hands = ["5S 9H", "SPS 2H 3H 9C", "KC 8C 8D"]
    scene = Scene(hands, "5H", stock="QD JS", silent=True, last_card="catch")
    scene.lay("5S").say(SILENT)
    scene.flap(B, "SPS").put("8C").put("9H").put("2H")
    assert scene.call(B).hand(A) == "QD"
    assert scene.say(30).say(20).say(0).hand(A) == "QD"


def test_section_6_who_is_not_caught_wins_with_the_card_put_aside() -> None:
    scene = silent("9H", "TRD").put("8C").put("9H").put("2H").decline()
    assert wins(scene) == [1, 0, 0]


def test_section_6_nobody_is_asked_if_nothing_was_forgotten() -> None:
    hands = ["5D 9H", "TRD 2H 3H 9C", "KC 8C 8D"]
    scene = Scene(hands, "5H", stock="QS JS", last_card="catch").lay("5D", "TRD").say(0)
    assert wins(scene.put("8C").put("9H").put("2H")) == [1, 0, 0]


def test_section_6_the_screen_says_until_when_one_may_call() -> None:
    scene = silent("9H", "TRD").put("8C").put("9H").put("2H")
    said = [TEXT.describe_question(scene.view(seat), scene.asked, NAMES) for seat in (B, A)]
    assert said == [
        "Before the cards are turned up you may say: Caught! (Ann).",
        "Before the cards are turned up others may call.",
    ]


# -- section 9: FLAPs at one moment ----------------------------------------------------------------


def at_once(scene: Scene, first: Seat, **laid: str) -> Scene:
    """These seats lay at one moment: `first`, then the others in the order given."""
    race: Any = scene.asked
    slots = {int(seat[1]): scene.slot(int(seat[1]), name) for seat, name in laid.items()}
    cards = {seat: (slot, scene.dealer.truth.cards[slot]) for seat, slot in slots.items()}
    later = tuple(card for seat, card in cards.items() if seat != first)
    assert set(cards) <= set(race.claims)
    scene.session.answer(Won(first, cards[first], later))
    scene._settle()
    return scene


FLAPS = ["4C 9C 9D", "4D 8C 8D", "4S 7C 7D", "4H KC KD"]


def test_section_9_a_later_flap_is_laid_on_the_new_top() -> None:
    scene = at_once(Scene(FLAPS, "5C").lay("4C"), C, s1="4D", s2="4S")
    assert scene.names(scene.table.discard)[-3:] == ["4C", "4S", "4D"]
    assert (scene.hand(B), scene.hand(C)) == ("8C 8D", "7C 7D")
    assert scene.table.last_flapper == B


def test_section_9_later_flaps_go_in_the_order_of_the_race() -> None:
    scene = at_once(Scene(FLAPS, "5C").lay("4C"), C, s2="4S", s1="4D", s3="4H")
    assert scene.names(scene.table.discard)[-4:] == ["4C", "4S", "4D", "4H"]
    scene = at_once(Scene(FLAPS, "5C").lay("4C"), C, s2="4S", s3="4H", s1="4D")
    assert scene.names(scene.table.discard)[-4:] == ["4C", "4S", "4H", "4D"]


def test_section_9_of_two_last_cards_the_earlier_in_the_race_wins() -> None:
    """D is first, then C, then B; clockwise from D, B would come before C."""
    hands = ["4C 9C 9D", "4H", "4D", "4S 8H 8S"]
    scene = at_once(Scene(hands, "5C").lay("4C"), D, s3="4S", s2="4D", s1="4H")
    assert wins(scene) == [0, 0, 1, 0]


def test_section_9_after_a_stop_a_later_flap_no_longer_fits() -> None:
    hands = ["4C 9C 9D", "4D 8C 8D", "STOPD 7C 7D"]
    scene = at_once(Scene(hands, "5C").lay("4C"), C, s1="4D", s2="STOPD")
    assert scene.top == "STOPD"
    assert scene.hand(B) == "4D 8C 8D"
    assert not scene.table.flapping


def test_section_9_after_a_win_nothing_more_is_laid() -> None:
    hands = ["4C 9C 9D", "4D 8C 8D", "4S"]
    scene = at_once(Scene(hands, "5C").lay("4C"), C, s1="4D", s2="4S")
    assert wins(scene) == [0, 0, 1]
    assert scene.hand(B) == "4D 8C 8D"


def test_section_9_a_later_flap_may_be_the_last_card() -> None:
    hands = ["4C 9C 9D", "4D", "4S 7C 7D"]
    assert wins(at_once(Scene(hands, "5C").lay("4C"), C, s1="4D", s2="4S")) == [0, 1, 0]


# -- section 2, D2: an Ace as the start card -------------------------------------------------------


@pytest.mark.parametrize("card", ["5C", "9D"])
def test_section_2_on_a_start_card_ace_nobody_has_called_a_suit(card: str) -> None:
    scene = Scene([f"{card} 9C", "8D 9D"], "AH")
    assert scene.refused(card) == "only a ♥ or an Ace may be laid on this card"


def test_section_7_a_suit_that_was_called_is_named_as_called() -> None:
    scene = Scene(["AC 9C 9S", "8D 9D"], "AH").lay("AC").say(2)
    assert scene.refused("8D") == "♥ was called: only a ♥ or an Ace may be laid now"


# -- section 10: knowledge travels with a card -----------------------------------------------------


def test_section_10_who_placed_a_card_knows_in_whose_hand_it_is() -> None:
    hands = ["1DOWNC 9H 8H 8C", "1UPC 8S 9S 9D", "8D"]
    scene = Scene(hands, "5C", stock="KC").lay("1DOWNC").say(C)
    (slot,) = scene.table.down[C]
    scene.lay("1UPC").say(C)
    assert slot in scene.table.hands[C]
    assert scene.table.known_by == {slot: BIT[A] | BIT[C]}


def test_section_10_who_looked_into_a_hand_knows_that_card_of_it() -> None:
    scene = Scene(["1LOOKC 9H 8H", "9D 9S"], "5C").lay("1LOOKC").say(B)
    (slot,) = scene.asked.options
    assert scene.say(slot).table.known_by == {slot: BIT[A] | BIT[B]}


def test_section_10_both_know_the_card_of_a_monty() -> None:
    scene = Scene(["FMH 9S 9H 8C", "9D 9S", "8D"], "5H").lay("FMH").put("9S", "9H", "8C")
    three = scene.say(C).asked.options
    scene.say(three[0]).say(three[1]).say(three[2])
    assert scene.table.known_by == {three[2]: BIT[A] | BIT[C]}


def looked_into() -> tuple[Scene, Slot]:
    """A has looked at a card of B, who is to lay."""
    scene = Scene(["1LOOKC 9H 8H", "9C LOSEC TRC"], "5C", stock="KD KH").lay("1LOOKC").say(B)
    (slot,) = scene.asked.options
    scene.say(slot)
    assert slot in scene.table.known_by
    return scene, slot


def test_section_10_it_ends_before_a_blind_pick() -> None:
    scene, _ = looked_into()
    scene.lay("LOSEC")
    assert set(scene.table.known_by) == set(scene.table.mystery[0])


def test_section_10_it_ends_before_a_card_is_laid_face_down() -> None:
    scene, slot = looked_into()
    scene.lay("TRC").say(0)
    assert slot in scene.table.known_by
    scene.put("9H")
    assert scene.table.known_by == {}


def test_section_10_a_card_that_is_laid_is_known_to_all() -> None:
    scene = Scene(["1LOOKC 9H 8H", "9C 9C"], "5C").lay("1LOOKC").say(B)
    (slot,) = scene.asked.options
    scene.say(slot).lay("9C").decline().lay("9C")
    assert slot not in scene.table.known_by


def test_section_10_the_screen_shows_a_card_that_the_reader_has_seen() -> None:
    """B looked at it last and can read it; A placed it, and remembers its face."""
    hands = ["1DOWNC 9H 8H 8C", "1LOOKC 8S 9S 9D", "8D"]
    scene = Scene(hands, "5C", stock="KC").lay("1DOWNC").say(C).lay("1LOOKC").decide({B: 1})
    views = [remembering(scene, seat) for seat in (A, B, C)]
    lines = ["\n".join(TEXT.table_lines(view, NAMES)) for view in views]
    assert ["(K♣)" in line for line in lines] == [True, True, False]
    slot = scene.table.down[C][0]
    assert [TEXT.scene(view, NAMES).face(slot) for view in views] == ["K♣", "K♣", "?"]
    onlooker = View(scene.table, SPECTATOR, scene.view(A).face, lambda slot: BY_NAME["KC"])
    assert "(" not in "".join(TEXT.table_lines(onlooker, NAMES)[-3:])


def test_section_10_a_face_that_is_not_told_is_marked_all_the_same() -> None:
    """A saved game of somebody else says that A has seen the card, and not which it is."""
    hands = ["1DOWNC 9H 8H 8C", "1LOOKC 8S 9S 9D", "8D"]
    scene = Scene(hands, "5C", stock="KC").lay("1DOWNC").say(C).lay("1LOOKC").decide({B: 1})
    lines = ["\n".join(TEXT.table_lines(scene.view(seat), NAMES)) for seat in (A, B, C)]
    assert ["(seen)" in line for line in lines] == [True, False, False]


def remembering(scene: Scene, seat: Seat) -> View:
    """A seat that could tell every card, as far as the rules let it."""
    everything = [BY_NAME[scene.truth(slot)] for slot in range(len(scene.table.faces))]
    return View(scene.table, seat, everything.__getitem__, everything.__getitem__)
