"""What the screen says: complete, in 80 columns, and nothing that the seat may not know."""

from __future__ import annotations

import re
from random import Random

import pytest

from engine import acts
from engine.dealer import TrustedDealer
from engine.games.sneak.cards import FACES
from engine.games.sneak.combos import AUTHOR, HOUSE, Kind
from engine.games.sneak.rules import GAME
from engine.games.sneak.text import TEXT
from engine.question import PASS
from engine.session import Session
from engine.sets import Lay, LaySet, LayTogether
from engine.view import SPECTATOR
from tests.engine.play import step
from tests.engine.sneak.scene import Scene, cards, playing

NAMES = ("Ann", "Bartholomew the Long-Winded", "Cy", "Di", "Ed", "Flo", "Gus")

REDUCED = " a straight flush counts as a {} here."


@pytest.mark.parametrize("seats", [2, 4, 7])
@pytest.mark.parametrize("ending", ["leftovers", "one-more-turn"])
@pytest.mark.parametrize("plain", [False, True])
def test_every_position_can_be_shown(seats: int, ending: str, plain: bool) -> None:
    session, table, dealer, rng = playing(seats, 7, ending=ending)
    names = NAMES[:seats]
    while not session.over and table.round < 4:
        asked = session.pending
        assert asked is not None
        for seat in (0, seats - 1, SPECTATOR):
            view = dealer.view(table, seat)
            lines = TEXT.table_lines(view, names, ascii=plain)
            assert all(len(line) <= 80 for line in lines)
            assert len(lines) <= 16
            assert TEXT.describe_question(view, asked, names, ascii=plain)
            if plain:
                assert all(line.isascii() for line in lines)
            if seat in asked.deciders:
                for decision in asked.decisions(view)[:5]:
                    assert TEXT.describe_decision(view, asked, decision, names, ascii=plain)
        step(session, dealer, rng)
    assert table.notes is not None
    said = [TEXT.describe_note(note, names, ascii=plain) for note in table.notes]
    assert said[0].startswith("Round 1: ")
    assert all(said)
    assert not plain or all(one.isascii() for one in said)


def test_the_end_of_a_game_is_told() -> None:
    session, table, dealer, rng = playing(2, 3)
    while not session.over:
        step(session, dealer, rng)
    assert table.notes is not None
    said = [TEXT.describe_note(note, NAMES[:2]) for note in table.notes]
    assert said[-1].startswith("The game is over: Ann ")
    assert said[-1].endswith(" wins!")
    assert any("alone has cards left, and wins them" in one for one in said)
    assert "game over" in TEXT.table_lines(dealer.view(table, 0), NAMES[:2])[0]


def test_a_sneak_is_shown_to_its_leader_only() -> None:
    scene = Scene(["4C 9H KS", "2S 3D", "7C 8C"]).sneak("4C 9H")
    for seat, laid in (
        (0, "9♥ 4♣, face down"),
        (1, "2 cards face down"),
        (SPECTATOR, "2 cards face down"),
    ):
        lines = TEXT.table_lines(scene.dealer.view(scene.table, seat), NAMES[:3])
        assert lines[3].endswith(laid)
    view, asked = scene.dealer.view(scene.table, 1), scene.session.pending
    assert asked is not None
    assert TEXT.describe_question(view, asked, NAMES) == (
        "Challenge Ann's sneak of 2 cards with 2 cards, or pass; all decide in secret."
    )
    own = TEXT.describe_question(scene.dealer.view(scene.table, 0), asked, NAMES)
    assert own == "Bartholomew the Long-Winded and Cy may challenge the sneak of 2 cards."


def test_a_sneak_lies_face_down_also_for_whoever_has_laid_it() -> None:
    """It lay there open, and one thought that it had been flaunted by mistake."""
    scene = Scene(["4C 9H KS", "2S 3D", "7C 8C"]).sneak("4C 9H")
    assert TEXT.laid is not None
    for seat, label in ((0, "9♥ 4♣"), (1, ""), (SPECTATOR, "")):
        laid = TEXT.laid(TEXT.scene(scene.dealer.view(scene.table, seat), NAMES[:3]))[-1]
        assert (list(laid.cards), laid.label, laid.seat) == ([None, None], label, 0)


def laid_by_ann(names: str, *, down: bool = False) -> str:
    """What is shown in her row when all these cards lie before her."""
    scene = Scene([names, "2S 3D", "7C 8C"])
    hand, laid = scene.table.hands[0], scene.table.played[0]
    laid.extend(hand)
    hand.clear()
    for slot in () if down else laid:
        scene.table.faces[slot] = scene.dealer.view(scene.table, 0).face(slot)
    shown = TEXT.table_lines(scene.dealer.view(scene.table, 0), NAMES[:3])[3]
    return shown.rpartition("   ")[2]


def test_a_set_too_wide_for_its_column_is_cut_between_two_cards() -> None:
    courts = " ".join(f"{rank}{suit}" for rank in ("J", "Q") for suit in "CDHS")
    told = laid_by_ann(f"{courts} 10C 10D 10H 10S")
    assert told.startswith("Q")
    assert told.endswith(" ...")
    assert 38 - len(" 10♣") <= len(told) <= 38
    just = laid_by_ann(f"{courts} 9C 10C 10D 10H")
    assert (len(just), just.count(" ")) == (38, 11), "it fits, and is shown whole"
    sneaked = laid_by_ann(f"{courts} 9C 10C 10D 10H", down=True)
    assert sneaked.endswith(" ..., face down")
    assert len(sneaked) <= 38


def test_a_flaunt_and_its_challenges_are_told() -> None:
    scene = Scene(["5S 6D KC", "6C 7C 2H", "4C"]).flaunt("5S 6D")
    asked, view = scene.session.pending, scene.dealer.view(scene.table, 1)
    assert isinstance(asked, LayTogether)
    said = TEXT.describe_question(view, asked, NAMES, ascii=True)
    assert said.startswith("Challenge Ann's flaunt of 6D 5S (straight) with 2 cards")
    choices = [TEXT.describe_decision(view, asked, one, NAMES) for one in asked.decisions(view)]
    assert choices == ["pass", "challenge 7♣ 6♣"]
    scene.challenge(B="6C 7C")
    told = [TEXT.describe_note(note, NAMES, ascii=True) for note in scene.notes]
    assert told == [
        "Ann flaunts 6D 5S (straight).",
        "Bartholomew the Long-Winded challenges with 7C 6C (straight flush).",
        "Bartholomew the Long-Winded wins the contest: 4 cards, both straight, 7 above 6;"
        + REDUCED.format("straight"),
    ]


@pytest.mark.parametrize(
    ("led", "flaunted", "against", "told"),
    [
        ("AC", True, "AS", ", equal to the best and last in turn"),
        ("7C", True, "KD", ", K above 7"),
        ("4C 9D", False, "2S 3H", ", a straight beats nothing"),
        ("AH KH", False, "2C 2D", ", a match beats a straight flush"),
        ("AH KH", True, "2C 2D", "; only a straight flush beats a flaunted one"),
        ("9C 4C", True, "9D 7D", ", both flush, 7 above 4"),
        ("2S 9S", True, "7H 8H", f", both flush, 9 above 8;{REDUCED.format('flush')}"),
        ("2S 9S", True, "5C 6D", ", a straight beats a flush"),
        ("5S 6D", True, "4H 4C", ", a match beats a straight"),
    ],
)
def test_who_wins_a_contest_is_told_with_why(
    led: str, flaunted: bool, against: str, told: str
) -> None:
    """Scenarios 3, 5 to 9 and 21 of section 10, as the screen tells them."""
    scene = Scene([f"{led} 10C 10D", f"{against} 10H", "3C"])
    (scene.flaunt if flaunted else scene.sneak)(led)
    scene.challenge(B=against)
    said = TEXT.describe_note(scene.notes[-1], NAMES, ascii=True)
    assert (
        said.partition(" wins the contest: ")[2]
        == f"{2 * len(led.split())} cards{told.rstrip('.')}."
    )


def test_of_two_equal_sets_that_lost_the_leaders_is_told() -> None:
    """One of them counts as less than it is, which says nothing of why they lost."""
    scene = Scene(["5S 6D 10C", "5H 6H 10H", "6C 7D 10D"]).flaunt("5S 6D")
    scene.challenge(B="5H 6H", C="6C 7D")
    said = TEXT.describe_note(scene.notes[-1], NAMES, ascii=True)
    assert said.partition(" wins the contest: ")[2] == "6 cards, both straight, 7 above 6."


def test_who_cannot_challenge_is_told_why() -> None:
    scene = Scene(["5S 6D KC", "6C 7C 2H", "4C"]).sneak("5S 6D")
    asked = scene.session.pending
    assert asked is not None
    said = [
        TEXT.describe_question(scene.dealer.view(scene.table, seat), asked, ("Ann", "Bo", "Cy"))
        for seat in (0, 2, SPECTATOR)
    ]
    may = "Bo may challenge the sneak of 2 cards."
    assert said == [may, f"{may} You hold too few cards.", may]


def test_before_the_first_round_nothing_is_said_to_be_gone() -> None:
    session, table, dealer, _ = playing(2, 3)
    assert not session.over
    headline = TEXT.table_lines(dealer.view(table, 0), NAMES[:2])[0]
    assert headline == "Sneak   to 100, one pack"


def test_the_help_says_which_set_is_best() -> None:
    """In the order of the rules: a screen that does not say it leaves the winner a guess."""
    brief = re.sub(r" \(.*?\)", "", TEXT.brief.replace("\n", " "))
    for heading, order in (("Sets from the best: ", AUTHOR), ("in the house ranking: ", HOUSE)):
        told = brief.partition(heading)[2].replace(";", ".").partition(".")[0]
        kinds = sorted((kind for kind in Kind if kind is not Kind.SINGLE), key=order.__getitem__)
        assert told.split(", ") == [kind.value for kind in reversed(kinds)]


def test_the_choices_of_a_lead() -> None:
    scene = Scene(["KC 2H", "6C"])
    view, asked = scene.dealer.view(scene.table, 0), scene.session.pending
    assert isinstance(asked, LaySet)
    said = [TEXT.describe_decision(view, asked, one, NAMES) for one in asked.decisions(view)]
    assert said == ["draw", "sneak K♣", "sneak 2♥", "flaunt K♣", "flaunt 2♥"]
    assert (
        TEXT.describe_question(view, asked, NAMES)
        == "Your turn: draw, sneak or flaunt (at most 1 card: nobody else holds more)."
    )
    other = scene.dealer.view(scene.table, 1)
    assert TEXT.describe_question(other, asked, NAMES) == "Ann is to draw, sneak or flaunt."
    larger = Scene(["KC 2H 5H", "6C 7C"])
    assert larger.session.pending is not None
    wider = larger.dealer.view(larger.table, 0)
    said = TEXT.describe_question(wider, larger.session.pending, NAMES)
    assert said.endswith("(at most 2 cards: nobody else holds more).")
    own = Scene(["KC", "6C 7C"])
    said = TEXT.describe_question(own.dealer.view(own.table, 0), own.session.pending, NAMES)
    assert said.endswith("(at most 1 card)."), "that one holds no more needs no word"
    assert TEXT.describe_decision(view, asked, PASS, NAMES) == "draw"
    assert (
        TEXT.describe_decision(view, asked, Lay((asked.zone[1],)), NAMES, ascii=True) == "flaunt 2H"
    )


def test_the_turns_that_are_left_are_counted() -> None:
    scene = Scene(["KC 2H", "6C 9S", "7D"], stock=1, ending="one-more-turn").draw()
    headline = TEXT.table_lines(scene.dealer.view(scene.table, 0), NAMES[:3])[0]
    assert "stock gone: flaunts only   3 turns left" in headline


def test_a_long_set_is_cut_and_a_long_hand_is_wrapped() -> None:
    run = " ".join(f"{rank}C" for rank in ("A", "K", "Q", "J", 10, 9, 8, 7, 6, 5, 4, 3, 2))
    other = run.replace("C", "H")
    scene = Scene([run, f"{other} {run.replace('C', 'S')}"]).flaunt(run)
    lines = TEXT.table_lines(scene.dealer.view(scene.table, 1), NAMES[:2])
    assert lines[3].endswith("...")
    assert lines[-2].startswith("Your hand: A")
    assert all(len(line) <= 80 for line in lines)


def test_cards_have_their_usual_names() -> None:
    assert TEXT.describe_card(FACES[-1]) == "A♦"
    assert TEXT.describe_card(FACES[-1], ascii=True) == "AD"
    scene = Scene(["2C 4C 3C", "6C"])
    assert TEXT.hand_line(scene.dealer.view(scene.table, 0)) == "4♣ 3♣ 2♣"


def test_a_set_that_is_shown_says_what_it_is_and_one_card_needs_no_word() -> None:
    assert TEXT.shows.keys() == {"flaunt", "turned up", "challenge"}
    for shows in TEXT.shows.values():
        said = {names: [one.said for one in shows(1, cards(names))] for names in ("7H", "7C 7H")}
        assert said == {"7H": [""], "7C 7H": [Kind.MATCH.value]}


def test_the_draw_of_all_is_told() -> None:
    session, dealer = Session(GAME, 2, {}), TrustedDealer(Random(1))
    while not isinstance(asked := session.pending, acts.Deal):
        assert asked is not None
        session.answer(dealer.act(session.table, asked))
    view = dealer.view(session.table, 0)
    assert TEXT.describe_question(view, asked, NAMES[:2]) == "Everybody draws a card."
