"""Why a decision of Flaps is good: each reason where it has to be given, and where it must not."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.bots.reasons import Decided, Reason
from engine.dealer import TrustedDealer
from engine.games import load
from engine.games.flaps.bot import careful_bot, sensible_bot
from engine.games.flaps.text import TEXT
from engine.games.flaps.why import MOST, why
from engine.question import PASS, Choose, Either, LayDown, Play, said
from engine.session import Session
from engine.view import View
from tests.engine.flaps.scene import Scene

NAMES = ("Ann", "Bo", "Cy", "Di")
A, B, C = range(3)
NONE = "nothing"
LONGEST = 100
"""With the longest names of cards; most reasons are shorter than a line."""
MANY = "5S 7S 9S JS QS"
"""Five cards, of which nothing is said as long as they stay."""


def decision(at: Scene, seat: int, one: object) -> Any:
    """A decision by the names of its cards, or by its option; NONE: to lay nothing."""
    asked = at.asked.claims[seat] if hasattr(at.asked, "claims") else at.asked
    if one is NONE:
        return PASS
    if isinstance(asked, Either) and one in asked.calls.options:
        return said([*asked.calls.options].index(one))
    if isinstance(asked, Choose):
        return [*asked.options].index(one)
    slots = tuple(at.slot(seat, name) for name in str(one).split())
    return slots if isinstance(asked, LayDown) else slots[0]


def told(at: Scene, better: object, *others: object, seat: int | None = None) -> str:
    """What speaks for a decision and not for the others, if the deal as it is is the only one."""
    seat = at.decider if seat is None else seat
    view = at.dealer.view(at.table, seat, at.session.course)
    rest = [decision(at, seat, one) for one in others]
    deals = [at.dealer.truth.cards]
    found = why(Decided(view, at.asked, decision(at, seat, better), deals, rest))
    assert len(found) <= MOST
    return TEXT.describe_why(found, NAMES, ascii=True)


def test_the_last_card_wins_unless_it_is_one_that_does_not() -> None:
    assert told(Scene(["7C", "9D 9S"], "5C"), "7C", NONE) == "it is the last card, and wins"
    assert "wins" not in told(Scene(["AC", "9D 9S"], "5C"), "AC", NONE)
    assert "wins" not in told(Scene(["ALC 7C", "9D 9S"], "5D").lay("ALC"), "7C", NONE)


def test_who_is_attacked_may_have_no_answer() -> None:
    at = Scene(["2C 9C KS QS", "5D 8S 10S JS", "8D"], "5C")
    assert told(at, "2C", "9C") == "Bo has no answer in 100 of 100 deals and picks up 2 cards"
    at = Scene(["2C 9C KS QS", "5D 8S", "8D"], "3C").lay("2C")
    at = Scene(["3C QC KS", "2C 3D KD", "8D"], "5C")
    assert "answer" not in told(at, "3C", "QC")
    at = Scene(["2C 9S KS", "3C 3D KD", "8D"], "3S", stock="9H").lay("9S")
    assert "attack" not in told(at, "3C", NONE)


def test_an_attack_that_is_passed_on_adds_up_and_saves_the_cards_of_it() -> None:
    at = Scene(["2C 9C KS QS", "2D 8S 10S JS", "8D"], "5C").lay("2C")
    assert told(at, "2D", NONE) == (
        "otherwise 2 cards would come into the hand, and Cy, with 1 card left, has no answer in"
        " 100 of 100 deals and picks up 4 cards"
    )
    assert (
        told(at, NONE, "2D") == "then Cy, with 1 card left, has nothing to lay in 100 of 100 deals"
    )


def test_a_seven_turns_an_attack_back() -> None:
    at = Scene(["2C 9S KS QS", "7C 8S 10S JS", "7D"], "5C").lay("2C")
    assert "Ann, with 3 cards left, has no answer in 100 of 100" in told(at, "7C", NONE)
    at = Scene(["2C 7D KS QS", "7C 8S 10S JS", "8D"], "5C").lay("2C")
    assert "answer" not in told(at, "7C", NONE)


def test_after_an_8_somebody_misses_a_turn() -> None:
    at = Scene([f"8C 5C {MANY}", "9D 9S", "8D"], "KC")
    assert "Bo has no 8 in 100 of 100 deals and misses a turn" in told(at, "8C", "5C")
    at = Scene([f"8C 5C {MANY}", "9D 8S", "8D"], "KC")
    assert "misses" not in told(at, "8C", "5C")
    assert "come into" not in told(at.lay("8C"), "8S", NONE)


def test_the_next_player_may_have_nothing_to_lay() -> None:
    at = Scene(["5C KH QH", "5D", "8D"], "KC")
    assert (
        told(at, "KH", "5C")
        == "then Bo, with 1 card left, has nothing to lay in 100 of 100 deals (otherwise 0), and"
        " 1 of the 2 cards that stay is of the suit or rank of KH"
    )
    at = Scene(["5C KH QS", "KD", "8D"], "KC")
    assert "nothing to lay" not in told(at, "KH", "5C")
    assert "nothing to lay" in told(at, "5C", "KH")
    at = Scene(["5C KC QS", "8D", "8D"], "10C")
    assert "nothing to lay" not in told(at, "5C", "KC")


def test_a_jack_turns_to_the_other_side() -> None:
    at = Scene(["JC 5C KS", "9D", "9H 9S 5H 8D"], "KC")
    turns = "the turn goes on to Cy, with 4 cards, and not to Bo, with 1"
    assert turns in told(at, "JC", "5C")
    assert "turn goes" not in told(at, "5C", "JC")
    at = Scene(["JC 5C KS", "9H 9S 5H 8D", "9D"], "KC")
    assert "the turn goes on to Bo, with 4 cards, and not to Cy, with 1" in told(at, "5C", "JC")
    at = Scene(["JC 5C KS", "9D 9H 9S 5H", "8D"], "KC")
    assert "turn goes" not in told(at, "JC", "5C")
    assert "turn goes" not in told(Scene(["JC 5C KS", "9D"], "KC"), "JC", "5C")


def test_others_pick_up_a_card() -> None:
    at = Scene(["10C UJC 5C KS", "9D 5H", "8D"], "KC")
    assert told(at, "10C", "5C") == "Cy, who has 1 card, can be made to pick one up"
    assert told(at, "UJC", "5C").startswith("Bo and Cy pick up a card each")
    assert "pick" not in told(at, "5C", "UJC")


def test_an_ace_calls_what_one_holds_and_the_next_player_does_not() -> None:
    at = Scene([f"AC KC {MANY}", "9D", "8D"], "5C")
    found = told(at, "AC", "KC")
    assert found == "spades can be called, of which the hand has 5 cards"
    at = Scene([f"AC KC {MANY}", "9C", "8D"], "5C")
    found = told(at, "AC", "KC")
    assert "if spades are called, Bo, with 1 card left, has nothing to lay" in found
    assert "are called" not in told(Scene([f"AC KC {MANY}", "AH", "8D"], "5C"), "AC", "KC")


@pytest.mark.parametrize(
    ("hand", "laid", "goes"),
    [
        ("DUMPH 5C 5S KS", "DUMPH", "3 cards can go at once"),
        ("DUMPH 5C 5S", "DUMPH", ""),
        ("ALH 9H KS", "ALH", "2 cards can go at once"),
        ("ALH 9H", "ALH", ""),
        ("ALH 9S KS", "ALH", ""),
        ("KLC QC KD 9H", "KLC", "2 cards can go at once"),
        ("PICKD 9C KS", "PICKD", "2 cards can go at once"),
        ("PICKD 9C", "PICKD", ""),
        ("FMH 9C KS QC", "FMH", "2 cards can go at once"),
        ("FMH 9C KS", "FMH", ""),
        ("MFH 4C 4S", "MFH", "3 cards can go at once"),
    ],
)
def test_several_cards_can_go_at_once(hand: str, laid: str, goes: str) -> None:
    top = {"DUMPH": "5H", "KLC": "KH", "PICKD": "5H", "FMH": "KH", "MFH": "4H", "ALH": "5H"}[laid]
    found = told(Scene([hand, "9D 8S 7S 3S", "8D"], top), laid, NONE)
    assert goes in found
    assert ("at once" in found) == bool(goes)


def test_what_would_not_win_as_the_last_card_is_laid_before() -> None:
    at = Scene(["OM1 QC 9S", "9D 5D", "8D"], "KC")
    assert "as the last card it would not win" in told(at, "OM1", "QC")
    assert "not win" not in told(at, "QC", "OM1")
    few, many = Scene(["AC QC", "9D", "8D"], "KC"), Scene([f"AC QC {MANY}", "9D", "8D"], "KC")
    assert "not win" in told(few, "AC", "QC")
    assert "not win" not in told(many, "AC", "QC")
    assert "not win" not in told(Scene(["AES QC", "9D", "8D"], "KC"), "AES", "QC")


def test_what_has_to_be_picked_up_is_said_of_what_costs_it() -> None:
    at = Scene(["SOLVEC 7C KS", "9D", "8D"], "10C", mystery="9H 9S 5S")
    assert "otherwise 3 cards would come into the hand" in told(at, "7C", "SOLVEC")
    assert "come into" not in told(at, "SOLVEC", "7C")
    at = Scene(["SOLVEC 7C KS", "9D", "8D"], "10C")
    assert "come into" not in told(at, "7C", "SOLVEC")
    at = Scene(["8S 7S", "8D KS", "8C"], "10S").lay("8S")
    assert "come into" not in told(at, "8D", NONE)
    at = Scene(["10S 7S", "HDH KS", "8C"], "5S").lay("10S").say(B)
    assert told(at, "HDH", NONE) == "otherwise 1 card would come into the hand"


def test_a_flap_lets_others_flap() -> None:
    at = Scene(["4C 5C 9S", "4D QS", "8D QH"], "KC")
    assert "on 4C FLAPS Bo could lay a FLAP in 100 of 100 deals" in told(at, "5C", "4C")
    assert "could lay" not in told(Scene(["4C 5C 9S", "9D QS", "8D QH"], "KC"), "5C", "4C")
    at = Scene(["4C 4H 9S", "4D QS 7D", "8D QH"], "KC").lay("4C")
    assert told(at, "4D", NONE, seat=B) == (
        "it goes out of turn, and 1 of the 2 cards that stay is of the suit or rank of 4D FLAPS"
    )
    assert told(at, NONE, "4D", seat=B).startswith("on 4D FLAPS Ann could lay a FLAP in 100")


def test_trumps_let_somebody_get_rid_of_the_last_card() -> None:
    at = Scene(["TRC 5C KH 9H", "9D", "QS 8D"], "KC")
    assert "in TRC TRUMPS Bo could get rid of the last card" in told(at, "5C", "TRC")
    at = Scene(["TRC 5C KH 9H", "9D 9S", "QS 8D"], "KC")
    assert "get rid" not in told(at, "5C", "TRC")


@pytest.mark.parametrize(
    ("card", "good"),
    [
        ("AED", "AED ACE'N'END stays: it goes on any card and wins as the last"),
        ("AH", "AH stays: it goes on any card"),
        ("9C", "9C stays: it can answer an attack"),
        ("8C", "8C stays: it can make the next player miss a turn"),
        ("HDC", "HDC HOOFERS-DOOFERS stays: it passes a 10 on"),
        ("4C", "4C FLAPS stays: it can go out of turn in the next flapping"),
        ("KC", ""),
    ],
)
def test_a_card_that_is_good_for_something_later_is_kept(card: str, good: str) -> None:
    at = Scene([f"{card} QC 5S JS 10S KS", "9D 9S", "8D"], "5C")
    found = told(at, "QC", card)
    assert good in found
    assert ("stays: it" in found) == bool(good)
    assert "stays: it" not in told(at, card, "QC")


def test_six_of_the_best_is_kept_where_it_wins_twice_as_much() -> None:
    hands = ["SIXS QS 5D", "9D 9S", "8D"]
    assert "wins twice" in told(Scene(hands, "5S", wins=2), "QS", "SIXS")
    assert "wins twice" not in told(Scene(hands, "5S", wins=1), "QS", "SIXS")


def test_who_picks_up_with_what_could_be_laid_keeps_it() -> None:
    at = Scene(["KC QH", "9C 9S", "8D"], "5C")
    assert told(at, NONE, "KC") == "the cards in the hand are worth more later"


def test_what_fits_the_cards_that_stay_is_said_of_what_leaves_more() -> None:
    """It was said of a card that left two, as the other one did, where a third left three."""
    at = Scene(["7C 9C QC 7H KH", "9D 9S", "8D"], "10C")
    assert "stay" not in told(at, "9C", "QC")
    assert told(at, "7C", "QC") == "3 of the 4 cards that stay are of the suit or rank of 7C"


def test_a_suit_is_called_that_one_holds_and_the_next_player_does_not() -> None:
    at = Scene(["AC KH QH KS 9S 7S", "9H 5D", "8D"], "5C").lay("AC")
    assert told(at, 1, 2) == (
        "then Bo, with 2 cards left, has nothing to lay in 100 of 100 deals (otherwise 0),"
        " and the hand holds 3 cards of it"
    )
    assert told(at, 2, 1) == ""
    assert told(at, 2, 3) == "the hand holds 2 cards of it"
    at = Scene(["AC KH AH KS 5D", "9H 5D", "8D"], "5C").lay("AC")
    assert told(at, 2, 0) == "the hand holds 1 card of it, not counting Aces"
    at = Scene(["AJ KH QH KS 9S 7S", "9S 5D", "9D 8H"], "5C").lay("AJ")
    assert "Cy, with 2 cards left, has nothing to lay" in told(at, 1, 3)


def test_trumps_are_declared_so_that_the_best_card_does_not_lose() -> None:
    at = Scene(["TRC 9H 5D", "KD 9S", "QD 8D"], "5C").lay("TRC")
    assert told(at, 2, 3) == (
        "9H loses in 0 of 100 deals (otherwise 100) if the others put their highest down,"
        " and 9H is the highest of it in the hand"
    )
    assert told(at, 3, 2) == ""
    assert told(at, 3, 1) == "5D is the highest of it in the hand, and the hand holds 1 card of it"


def test_trumps_are_laid_with_a_card_that_does_not_lose() -> None:
    """A TRUMPS that won a hand was named because an Ace could be kept."""
    at = Scene(["TRC 9H 8C", "KD 9S", "QD 8D"], "5C")
    assert "with hearts as trumps 9H loses in only 0 of 100 deals" in told(at, "TRC", "8C")
    at = Scene(["TRC 9H 8C", "KH KC", "QH QC"], "5C")
    assert "trumps" not in told(at, "TRC", "8C")


def test_a_card_is_put_down_for_trumps_that_does_not_lose() -> None:
    at = Scene(["TRC 9H 5D 7D", "KS 9S", "QS 8S"], "5C").lay("TRC").say(3).put("KS").put("QS")
    lost = "7D loses in 0 of 100 deals (otherwise 100) if the others put their highest down"
    assert told(at, "7D", "9H") == lost
    assert told(at, "7D", "5D") == ""
    assert "loses" not in told(at, "9H", "7D")


def test_what_is_put_down_for_good_fits_nothing_or_could_not_be_the_last() -> None:
    at = Scene(["PICKD 9H KS QS OM1", "KD 9S", "QD 8D"], "5D").lay("PICKD")
    assert told(at, "9H", "KS") == "no card that stays is of its suit or rank"
    assert told(at, "OM1", "9H").startswith("as the last card it would not win")
    assert told(at, "KS", "9H") == "9H stays: it can answer an attack"


def test_of_three_cards_before_another_player_more_could_not_be_the_last() -> None:
    at = Scene(["FMH KS QS OM1 AC 5D", "KD 9S", "QD 8D"], "5H").lay("FMH")
    assert "2 of them would not win as the last card" in told(at, "OM1 AC KS", "OM1 KS QS")
    assert "not win" not in told(at, "KS QS 5D", "OM1 KS QS")


def test_a_card_is_for_whoever_is_nearest_to_the_end() -> None:
    hands = ["10C KS QS", "KD 9S 5H", "QD 8D"]
    at = Scene(hands, "5C").lay("10C")
    assert told(at, C, B) == "of the others Cy is nearest to the end, with 2 cards"
    assert told(at, B, C) == ""
    at = Scene(["10C KS QS", "KD 9S 5H", "HDD 8D"], "5C").lay("10C")
    assert told(at, B, C) == "Bo can pass it on with an HD in only 0 of 100 deals"
    at = Scene(["SHAREH KS QS", "KD 9S 5D", "QD 8D"], "5H").lay("SHAREH")
    assert told(at, B, C) == "Bo is farther from the end, with 3 cards"
    assert told(at, C, B) == ""


def test_of_two_others_the_nearer_one_is_named_even_if_a_third_is_nearest() -> None:
    at = Scene(["10C KS QS", "KD 9S 5H", "QD 8D 7D 5D", "JD"], "5C").lay("10C")
    assert told(at, B, C) == "Bo is nearer to the end, with 3 cards"


def test_cards_of_the_piles_are_for_others() -> None:
    two = Scene(["1DOWNC KS QS", "KD 9S 5H"], "5C", stock="KC").lay("1DOWNC")
    assert told(two, B, A) == "a 1-UP can bring it into the hand of Bo"
    assert told(two, A, B) == ""
    at = Scene(["1UPC KS QS", "KD 9S 5H"], "5C", down=["9H", "7H"]).lay("1UPC")
    assert told(at, B, -1) == "Bo gets one more card"
    assert told(at, -1, A) == "otherwise a card of one's own pile comes into the hand"
    assert told(at, A, -1) == ""
    at = Scene(["1DOWNC 1UPH QS", "KD", "9S"], "5C", stock="9H").lay("1DOWNC").say(A)
    at.decline().decline().lay("1UPH")
    assert told(at, A, -1) == "9H is the top of one's own pile"


def test_a_sum_is_called_near_the_middle_and_not_far_from_what_others_called() -> None:
    at = Scene(["SPC KS QS", "KD 9S", "QD 8D"], "5C").lay("SPC").put("KD").put("QD").put("KS")
    assert told(at, 28, 9) == "in the middle of 100 deals the sum is 30"
    assert told(at, 9, 28) == ""
    at.say(28)
    assert told(at, 31, 9) == (
        "of the sums called it is the furthest off in only 0 of 100 deals,"
        " and in the middle of 100 deals the sum is 30"
    )


def test_last_card_is_said_and_whoever_forgot_it_is_caught() -> None:
    at = Scene(["5C KS", "9D 9S", "8D"], "KC", silent=True).lay("5C")
    assert told(at, "Last Card", "say nothing") == "who does not say it in time picks up a card"
    at = Scene(["5C KS", "9C 9S 9D", "5D 8D"], "KC", silent=True, last_card="catch").lay("5C")
    assert "caught" in told(at, "Last Card", "say nothing")
    at.say("say nothing")
    at.decide({A: PASS, B: at.slot(B, "9C"), C: PASS})
    caught = ("Caught!", A)
    assert told(at, caught, seat=B) == "Ann picks up a card for it"


def test_what_is_telling_comes_before_what_is_true_of_many_cards() -> None:
    at = Scene(["OM1 QC 9S", "QD 5D", "8D"], "KC")
    view = at.dealer.view(at.table, A, at.session.course)
    deals = [[*at.dealer.truth.cards] for _ in range(4)]
    slot = at.table.hands[B][0]
    for one in deals[1:]:
        other = next(place for place, card in enumerate(one) if card.name == "8C")
        one[slot], one[other] = one[other], one[slot]
    laid, instead = at.slot(A, "OM1"), at.slot(A, "QC")
    found = why(Decided(view, at.asked, laid, deals, [instead]))
    assert found == (("not last",), ("follows", B, 2, 25, 0))


def test_a_hint_names_what_is_best_and_not_what_is_true_of_all() -> None:
    at = Scene(["5C KH QH", "5D", "8D"], "KC")
    assert told(at, "KH").startswith("then Bo, with 1 card left, has nothing to lay")
    assert told(at, "5C") == ""
    at = Scene(["7C 9C QC 7H KH", "9C 9S", "8D"], "10C")
    assert told(at, "9C") == ""
    assert told(at, "7C") == "3 of the 4 cards that stay are of the suit or rank of 7C"


class Playing:
    """A game of level 7, in which what is said can be tried."""

    def __init__(self, seats: int, seed: int) -> None:
        self.rng = Random(seed)
        self.dealer = TrustedDealer(self.rng)
        self.session = Session(load("flaps"), seats, {"level": 7}, every=4)

    def turns(self) -> Iterator[tuple[View, Play]]:
        """Each turn in which there is something to lay."""
        while (asked := self.session.pending) is not None:
            if isinstance(asked, Play):
                view = self.dealer.view(self.session.table, asked.seat, self.session.course)
                if len(asked.decisions(view)) > 1:
                    yield view, asked
            self.answer(self.session, self.dealer, sensible_bot, {})

    def answer(self, session: Any, dealer: Any, bot: Any, first: dict[int, Any]) -> None:
        asked, views = session.pending, {}
        for seat in asked.deciders:
            views[seat] = dealer.view(session.table, seat, session.course)
        decided = {seat: bot(view, asked, self.rng) for seat, view in views.items()} | first
        session.answer(dealer.answer(session.table, asked, decided))

    def after(self, seat: int, decision: object) -> tuple[Any, TrustedDealer]:
        """The same game with this decision, until somebody is asked for a card again, or over."""
        twin, dealer = self.session.fork(), self.dealer.copy(Random(1))
        self.answer(twin, dealer, careful_bot, {seat: decision})
        while twin.pending is not None and not isinstance(twin.pending, Play):
            self.answer(twin, dealer, careful_bot, {})
        return twin, dealer


def is_true(playing: Playing, view: View, decided: object, reason: Reason) -> bool:
    """Whether it comes so if it is tried; of what cannot be tried, yes."""
    seat, before = view.seat, playing.session.table
    assert hasattr(before, "hands")
    match reason:
        case ("wins",):
            after, _ = playing.after(seat, decided)
            return bool(after.table.wins[seat])
        case ("spares", count) if decided is not PASS:
            after, _ = playing.after(seat, PASS)
            return bool(len(after.table.hands[seat]) == len(before.hands[seat]) + count)
        case ("misses", who, never) | ("follows", who, _, never, *_):
            pass
        case ("attacks", who, _, never, _, *_):
            pass
        case _:
            return True
    after, dealer = playing.after(seat, decided)
    asked = after.pending
    assert asked is not None
    can = asked.decisions(dealer.view(after.table, who))
    return asked.deciders == (who,) and (len(can) == 1) == (never == 100)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_said_of_a_turn_comes_so(seats: int, seed: int) -> None:
    playing, met = Playing(seats, seed), set[str]()
    for view, asked in playing.turns():
        deals = [playing.dealer.truth.cards]
        for one in asked.decisions(view)[:4]:
            rest = () if one is PASS else (PASS,)
            for reason in why(Decided(view, asked, one, deals, rest)):
                assert is_true(playing, view, one, reason), (seats, seed, view.table, one, reason)
                plain, wide = (
                    TEXT.describe_why([reason], NAMES, ascii=one) for one in (True, False)
                )
                assert plain.isascii()
                assert len(wide) <= len(plain) <= LONGEST
                met.add(reason[0])
    assert len(met) > 6
