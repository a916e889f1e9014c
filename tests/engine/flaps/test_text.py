"""What the screen says: complete, in 80 columns, and nothing that the seat may not know."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import engine.games.flaps
from engine.bots import random_bot
from engine.dealer import TrustedDealer
from engine.games.flaps.bot import sensible_bot
from engine.games.flaps.cards import BY_NAME
from engine.games.flaps.duties import DOOFER
from engine.games.flaps.rules import GAME
from engine.games.flaps.text import _INVITES, TEXT
from engine.memory import Among
from engine.question import PASS
from engine.session import Session
from engine.view import SPECTATOR, View
from tests.engine.flaps.scene import Scene

NAMES = ("Ann", "Bartholomew", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
A, B, C = range(3)


def said(session: Session, dealer: TrustedDealer, names: tuple[str, ...], plain: bool) -> list[str]:
    """Everything that could be shown in this position."""
    asked, lines = session.pending, []
    assert asked is not None
    for seat in (0, len(names) - 1, SPECTATOR):
        view = dealer.view(session.table, seat)
        lines += TEXT.table_lines(view, names, ascii=plain)
        lines.append(TEXT.describe_question(view, asked, names, ascii=plain))
    for seat in asked.deciders:
        view = dealer.view(session.table, seat)
        for decision in asked.decisions(view)[:50]:
            lines.append(TEXT.describe_decision(view, asked, decision, names, ascii=plain))
    return lines


def test_of_a_full_monty_no_number_stands_for_another_card_than_before() -> None:
    """Who had pointed at card 2 was offered "card 1", which was that one, and "card 2"."""
    at = Scene(["FMH 9S 9H 8C", "9D 9S", "8D"], "5H").lay("FMH").put("9S", "9H", "8C").say(C)
    three = at.asked.options
    words = [TEXT.describe_decision(at.view(C), at.asked, n, NAMES, ascii=True) for n in range(3)]
    assert words == ["card 1", "card 2", "card 3"]
    at.say(three[1])
    words = [TEXT.describe_decision(at.view(A), at.asked, n, NAMES, ascii=True) for n in range(2)]
    assert words == ["card 1: 9S", "card 3: 8C"]
    at.say(three[0])
    words = [TEXT.describe_decision(at.view(C), at.asked, n, NAMES, ascii=True) for n in range(2)]
    assert words == ["card pointed at", "other card"]
    assert at.asked.options == [three[1], three[2]]


def test_which_card_was_pointed_at_and_why_a_full_monty_does_nothing_is_told() -> None:
    """Whoever looked up while it was played could not tell what was taken, or why nothing was."""
    at = Scene(["FMH 9S 9H 8C", "9D 9S", "8D"], "5H").lay("FMH").put("9S", "9H", "8C").say(C)
    at.say(at.asked.options[1])
    assert _told(at)[-1] == "Cy points at card 2."
    at = Scene(["FMH 9S 9H", "9D 9S", "8D"], "5H").lay("FMH")
    assert _told(at)[-1] == "Ann holds fewer than three cards: the FULL MONTY does nothing."


def _told(at: Scene) -> list[str]:
    return [TEXT.describe_note(note, NAMES, ascii=True) for note in at.table.notes or []]


def test_whoever_lays_nothing_on_an_ace_and_lay_is_told_that_a_suit_is_called() -> None:
    """It said "or pick up", and only then that a suit is called."""
    at = Scene(["ALS 9H 2S", "9D 9S", "8D"], "5C").lay("ALS")
    asked = TEXT.describe_question(at.view(A), at.asked, NAMES, ascii=True)
    assert asked == ("Your turn: lay one more black card or an Ace, or pick up, call a suit.")
    passed = TEXT.describe_decision(at.view(A), at.asked, PASS, NAMES, ascii=True)
    assert passed == "pick up, call a suit"


def test_what_a_player_looks_at_is_told_to_that_player_alone() -> None:
    """Who laid a 1-DOWN was asked where to place a card that the screen did not show."""
    at = Scene(["1DOWNC 9H", "9D 9S", "8D"], "5C", stock="KC").lay("1DOWNC")
    asked = [TEXT.describe_question(at.view(one), at.asked, NAMES, ascii=True) for one in (A, B)]
    assert asked == ["You: on whose pile does KC go?", "Ann: on whose pile does the card go?"]


def test_what_a_player_has_seen_in_the_mystery_pile_is_told_to_that_player_alone() -> None:
    at = Scene(["GUESSS 9H 9S", "9D 9S", "8D"], "5C", stock="KC").lay("GUESSS")
    told = [TEXT.table_lines(at.view(one), NAMES[:3], ascii=True) for one in (A, B, SPECTATOR)]
    seen = [[line for line in lines if "have seen" in line] for lines in told]
    assert seen == [["You have seen in the Mystery Pile: KC"], [], []]


def test_cards_that_a_player_has_seen_in_other_hands_are_told_to_that_player() -> None:
    """A bot that looks ahead remembers them, and people wrote them down."""
    at = Scene(["5H 9H 9S", "9D 9S", "8D QD"], "5C")
    seen, hands = at.view(A), at.table.hands
    known = [Among(BY_NAME["9D"], frozenset(hands[B]))]
    known.append(Among(BY_NAME["8D"], frozenset(hands[C][:1])))
    known.append(Among(BY_NAME["KC"], frozenset((*hands[B], *hands[C]))))  # in which of both?
    at.table.faces[hands[C][1]] = BY_NAME["QD"]  # turned up at a TRUMPS, then taken
    view = View(seen.table, A, seen.face, seen.recall, among=lambda: known)
    lines = TEXT.table_lines(view, NAMES[:3], ascii=True)
    assert "You have seen in Bartholomew's hand: 9D, in Cy's hand: QD 8D" in lines


def test_a_hand_is_shown_while_somebody_looks_into_it() -> None:
    """The table of B could not be drawn then.  Its card is still known, but to a saved game."""
    scene = Scene(["1LOOKC 9H 9S", "9D 9S"], "5C").lay("1LOOKC")
    (slot,) = scene.say(B).asked.options
    read = scene.dealer.truth.cards.__getitem__
    assert TEXT.hand_line(View(scene.table, B, read, read), ascii=True) == "9S 9D"
    (other,) = {"9D", "9S"} - {scene.view(A).face(slot).name}
    assert TEXT.hand_line(scene.view(B), ascii=True) == f"{other} ?"


@pytest.mark.parametrize(("seats", "level"), [(2, 1), (4, 4), (3, 5), (2, 6), (8, 7)])
@pytest.mark.parametrize("plain", [False, True])
def test_every_position_can_be_shown(seats: int, level: int, plain: bool) -> None:
    options: dict[str, Any] = {"level": level, "turn-limit": 120, "last-card": "catch"}
    rng, names = Random(level), NAMES[:seats]
    session = Session(GAME, seats, options, check=True, notes=True)
    dealer, bots = TrustedDealer(rng), (random_bot, sensible_bot)
    while session.pending is not None:
        lines = said(session, dealer, names, plain)
        assert all(0 < len(line) <= 80 or line == "" for line in lines)
        assert not plain or all(line.isascii() for line in lines)
        asked = session.pending
        decisions = {
            seat: bots[seat % 2](dealer.view(session.table, seat), asked, rng)
            for seat in asked.deciders
        }
        session.answer(dealer.answer(session.table, asked, decisions))
    notes = [TEXT.describe_note(note, names, ascii=plain) for note in session.table.notes or []]
    assert "deals 7 cards" in notes[0]
    assert notes[-1].startswith("The session is over. Wins: Ann ")
    assert all(notes)
    assert not plain or all(note.isascii() for note in notes)


def test_the_table_says_what_has_to_be_followed() -> None:
    scene = Scene(["2C 5H 4D", "9H 9S"], "5C", stock="8D").lay("2C")
    lines = TEXT.table_lines(scene.view(B), NAMES[:2])
    assert lines[0].startswith("Flaps   level 7   clockwise   stock ")
    assert lines[1] == "Top: 2♣   attack: 2 to pick up"
    assert lines[4].split() == ["Ann", "2", "0"]
    assert lines[5].split() == [">", "Bartholom.", "(you)", "2", "0"]
    assert lines[-1] == "Your hand: 9♠ 9♥"
    view, asked = scene.view(B), scene.asked
    assert TEXT.describe_question(view, asked, NAMES).endswith("or pick up 2.")
    assert TEXT.describe_decision(view, asked, None, NAMES) == "pick up 2"


def test_an_attack_fits_into_a_line_also_while_others_may_call() -> None:
    hands = ["5C 9H", "2C 8D 8H", "QUACK 9D"]
    scene = Scene(hands, "5D", silent=True, last_card="catch").lay("5C").say("say nothing")
    scene.flap(B, "2C")
    assert scene.asked.kind == "race"
    told = TEXT.describe_question(scene.view(SPECTATOR), scene.asked, ("Al", "Bo", NAMES[1]))
    assert told == f"{NAMES[1]}'s turn: lay another 2, a 3, 7 or 9 of ♣, or a QUACK, or pick up 2."
    assert len(told) <= 80


def test_whatever_may_follow_is_named() -> None:
    """A Jack after an ACE-JACK, an OL' MAID on a court card, in the words of the refusal."""
    scene = Scene(["AJ 5H 4D", "9H 9S 3C"], "5C").lay("AJ").say(2)
    told = TEXT.describe_question(scene.view(B), scene.asked, NAMES)
    assert told == "Your turn: lay a \u2665, a Jack, an OL' MAID or an Ace, or pick up."
    assert "a \u2665, a Jack, an OL' MAID or an Ace" in scene.refused("3C")
    assert TEXT.table_lines(scene.view(B), NAMES[:2])[1].endswith("a Jack, an OL' MAID or an Ace")
    scene = Scene(["QC 5H 4D", "9H 9S"], "5C", level=1).lay("QC")
    told = TEXT.describe_question(scene.view(B), scene.asked, NAMES)
    assert told == "Your turn: lay a \u2663, a Q or an Ace, or pick up."


def test_the_colour_of_an_ace_n_lay_is_named() -> None:
    scene = Scene(["ALH 9C 9S", "9H 9S"], "5C").lay("ALH").decline()
    told = TEXT.describe_question(scene.view(A), scene.asked, NAMES)
    assert told == "You: call a red suit, the colour of the ACE'N'LAY."


def test_a_card_put_aside_stays_visible_to_its_owner() -> None:
    scene = Scene(["TRC 5H 4D", "9H 9S"], "5C").lay("TRC").say(2).put("9H")
    assert scene.asked.deciders == (A,)
    view = scene.view(B)
    assert TEXT.hand_line(view, ascii=True) == "9S   (aside: 9H)"
    assert TEXT.hand_note(TEXT.scene(view, NAMES[:2], ascii=True)) == "(aside: 9H)"
    assert TEXT.hand_note(TEXT.scene(view, NAMES[:2])) == "(aside: 9♥)"
    assert TEXT.own_side_lines(view, NAMES[:2], ascii=True) == ["9H"]
    assert TEXT.hand_note(TEXT.scene(scene.view(A), NAMES[:2])) == ""


def test_all_who_pick_up_at_up_jacks_are_told_of_at_once() -> None:
    """And whoever gets nothing, since the stock is gone, after that."""
    hands = ["UJD 5C 5D", "9D", "9H", "9S"]
    scene = Scene(hands, "5D", stock="KC", discard="2C", dry=True).lay("UJD")
    told = _told(scene)
    assert told == [
        "Ann lays UJD UP-JACKS.",
        "Bartholomew, Cy and Di pick up a card each.",
        "The discards (2) go under the stock, in order.",
    ]
    scene = Scene(hands[:2], "5D", stock="KC", discard="2C", dry=True).lay("UJD")
    note = next(note for note in scene.table.notes or [] if note[0] == "draw each")
    assert TEXT.describe_note(note, NAMES) == "Bartholomew picks up a card."


def test_a_card_with_a_name_is_told_from_a_plain_one() -> None:
    """A plain Queen was taken for a HOOFERS-DOOFERS, since that is "a Queen"."""
    said = TEXT.about(BY_NAME["HDC"])
    assert "a Queen that says HD: other Queens do nothing" in said
    assert TEXT.about(BY_NAME["QC"]).startswith("Does nothing")
    assert "HOOFERS-DOOFERS (HD)" in _INVITES[DOOFER.why]


def test_what_a_card_adds_to_an_attack_is_said_first() -> None:
    """With an attack of 11, "the next player picks up 2" was wrong by 11."""
    assert TEXT.about(BY_NAME["2C"]).startswith("The next player picks up 2; 2s and 3s add up.")


def test_the_page_has_the_levels_in_order() -> None:
    page = (Path(engine.games.flaps.__file__).parent / "README.md").read_text("utf-8")
    assert re.findall(r"^8\.(\d) Level (\d)", page, re.MULTILINE) == [
        (str(number), str(number + 1)) for number in range(1, 7)
    ]


def test_choices_are_told_in_words() -> None:
    scene = Scene(["AC 5H 4D", "9H 9S", "9C"], "5C").lay("AC")
    assert TEXT.describe_decision(scene.view(A), scene.asked, 2, NAMES) == "hearts"
    scene = Scene(["10C 5H 4D", "9H 9S", "9C"], "5C").lay("10C")
    assert TEXT.describe_decision(scene.view(A), scene.asked, 0, NAMES) == "Bartholomew"
    scene = Scene(["1UPC 5H 4D", "9H 9S"], "5C", down=["", "KC"]).lay("1UPC")
    assert TEXT.describe_decision(scene.view(A), scene.asked, 0, NAMES) == "nobody"
    assert TEXT.describe_decision(scene.view(A), scene.asked, 1, NAMES) == "Bartholomew"
    scene = Scene(["1OVERH 5H 4D", "9H 9S"], "5H", down=["", "KC KD"]).lay("1OVERH")
    told = TEXT.describe_decision(scene.view(A), scene.asked, 0, NAMES)
    assert told == "Bartholomew, place 1: ?"


def test_who_loses_trumps_can_be_seen_from_what_is_said() -> None:
    """By the screen alone: what a HOOFERS-DOOFERS counts, that an Ace is 1, what trumps beat."""
    scene = Scene(["TRC 5H 4D", "9H 9S"], "5C").lay("TRC")
    said = TEXT.describe_decision(scene.view(A), scene.asked, 2, NAMES)
    assert said == "hearts"
    scene.say(2)
    told = TEXT.describe_question(scene.view(B), scene.asked, NAMES)
    assert told == ("You: put a card face down: the lowest picks all up (Ace 1, trumps high).")
    doofers, ace, four = (BY_NAME[name] for name in ("HDD", "AH", "4H"))
    for note, words in (
        (
            ("trumps", A, 2),
            "Ann declares hearts trumps: they are above every other suit, OL' MAIDS above all.",
        ),
        (
            ("aside up", ((A, doofers), (B, four))),
            "Turned up: Ann HD♦ HOOFERS-DOOFERS (Q), Bartholomew 4♥ FLAPS.",
        ),
        (
            ("cut", ((A, ace), (B, four))),
            (
                "A tie: who cuts lowest takes them (Ace 1, trumps highest): "
                "Ann A♥, Bartholomew 4♥ FLAPS."
            ),
        ),
    ):
        assert TEXT.describe_note(note, NAMES) == words
    won = [TEXT.describe_note(("win", A, count, four), NAMES) for count in (1, 2)]
    assert won == [
        "Ann goes out with 4♥ FLAPS, and wins!",
        "Ann goes out with 4♥ FLAPS, and wins twice!",
    ]
    cut = TEXT.shows["cut"](((A, ace),))
    assert [one.said for one in cut] == ["cut"], "what is cut is told from what was laid"


def test_how_high_a_sum_can_be_is_said_where_it_is_called() -> None:
    """The screen lists none of so many numbers."""
    scene = Scene(["SPC 5H 4D", "9H 9S"], "5C", level=4).lay("SPC").put("9H").put("5H")
    seat = scene.asked.deciders[0]
    told = TEXT.describe_question(scene.view(seat), scene.asked, NAMES)
    rule = "the furthest takes all"
    assert told == f"You: call the sum, 0 to 40: {rule} (maid 20, court 10, Ace 1)."
    (other,) = {A, B} - {seat}
    told = TEXT.describe_question(scene.view(other), scene.asked, NAMES)
    assert told.endswith(f": call the sum, 0 to 40: {rule}.")
    assert TEXT.describe_note(("sum", 31), NAMES) == f"The sum is 31: {rule}."
    scene = Scene(["SPC 5H 4D", "9H 9S"], "5C", level=4).lay("SPC")
    put = TEXT.describe_question(scene.view(A), scene.asked, NAMES)
    assert put.endswith("all call the sum: the furthest takes all.")


def _holds(at: Scene, seat: int = A) -> str:
    """What the line of the top card says besides the card."""
    return TEXT.table_lines(at.view(seat), NAMES[: at.table.seats], ascii=True)[1].split("   ")[1]


def test_what_follows_is_not_said_before_a_suit_is_called() -> None:
    """It named the suit of the Ace, which nobody has to follow."""
    for ace, said in (
        ("AS", "a suit is called next"),
        ("AJ", "a suit is called next"),
        ("ALS", "a card is laid on it, or a suit called"),
    ):
        at = Scene([f"{ace} 9H 2S", "9D 9S"], "5C").lay(ace)
        assert _holds(at) == said
    at = Scene(["AS 9H 2S", "9D 9S"], "5C").lay("AS").say(2)
    assert _holds(at) == "follow with a H or an Ace"


def test_an_ace_that_is_turned_up_is_followed() -> None:
    """Nobody calls a suit then."""
    assert _holds(Scene(["9H 2S", "9D 9S"], "AS")).startswith("follow with a S")


def test_what_holds_during_trumps_and_spoof_is_said_in_place_of_what_follows() -> None:
    at = Scene(["TRC 5H 4D 9C", "9H 9S 8S"], "5C").lay("TRC")
    assert _holds(at) == "a suit is declared trumps next"
    at.say(2)
    assert _holds(at) == "hearts are trumps: the lowest takes all"
    at.put("9H").put("4D")
    assert _holds(at).startswith("follow with a C")
    at = Scene(["SPC 5H 4D 9C", "9H 9S 8S"], "5C").lay("SPC").put("9H")
    assert _holds(at) == "the furthest takes all"


def test_of_what_somebody_takes_all_it_is_said_of_which_contest() -> None:
    """How a game went named cards that were taken, and nobody knew of which TRUMPS or SPOOF."""
    told = [
        TEXT.describe_note(("takes all", A, count, contest), NAMES)
        for count, contest in ((1, "SPOOF"), (2, "TRUMPS"), (3, "SPOOF"))
    ]
    assert told == [
        "Ann takes the only card of SPOOF back.",
        "Ann takes both cards of TRUMPS.",
        "Ann takes all 3 cards of SPOOF.",
    ]
    at = Scene(["TRC 5H 4D 9C", "9H 9S 8S"], "5C").lay("TRC").say(2).put("9H").put("4D")
    assert "Ann takes both cards of TRUMPS." in _told(at)


def test_which_end_of_a_pile_the_first_place_is() -> None:
    at = Scene(["1OVERH 9H 9S", "9D 9S"], "5H", down=["", "4H 7S"]).lay("1OVERH")
    asked = TEXT.describe_question(at.view(A), at.asked, NAMES)
    assert asked == ("You: which 1-DOWN card is turned face up? Place 1 is the bottom of a pile.")
    words = [TEXT.describe_decision(at.view(A), at.asked, n, NAMES, ascii=True) for n in range(2)]
    assert words == ["Bartholomew, place 1: ?", "Bartholomew, place 2: ?"]
    at.say(at.asked.options[1])
    assert _told(at)[-1].startswith("Ann turns 7S face up")
