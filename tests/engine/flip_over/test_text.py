"""What the screen says: complete, in 80 columns, and nothing that the seat may not know."""

from __future__ import annotations

import pytest

from engine import acts
from engine import question as ask
from engine.games.flip_over.cards import DECKS
from engine.games.flip_over.text import TEXT
from engine.view import SPECTATOR, View
from engine.wording.layout import fit
from tests.engine.flip_over.scene import Scene, playing
from tests.engine.play import step

NAMES = ("Ann", "Bartholomew", "Cy", "Di", "Ed")


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("teams", [False, True])
@pytest.mark.parametrize("plain", [False, True])
def test_every_position_can_be_shown(seats: int, teams: bool, plain: bool) -> None:
    session, table, dealer, rng = playing(seats, 7, teams=teams and seats == 4)
    table.notes = []
    names = NAMES[:seats]
    while not session.over:
        assert session.pending is not None
        for seat in (0, seats - 1, SPECTATOR):
            view = dealer.view(table, seat)
            lines = TEXT.table_lines(view, names, ascii=plain)
            lines += fit(TEXT.describe_question(view, session.pending, names, ascii=plain))
            assert all(len(line) <= 80 for line in lines)
            assert len(lines) <= 17
            if plain:
                assert all(line.isascii() for line in lines)
        step(session, dealer, rng)
    said = [TEXT.describe_note(note, names, ascii=plain) for note in table.notes]
    assert said[0].endswith("leads to the first trick.")
    assert "The game is over" in said[-1]
    assert all(said)
    assert "game over" in TEXT.table_lines(dealer.view(table, 0), names)[0]


def test_the_table_says_who_laid_what_for_which_disc() -> None:
    scene = Scene(["7H 2C", "8H 10C", "2H 3C", "5S 4D"], disc=3, blue="BRRBRBRBBR")
    scene.lay("7H", "8H")
    view = scene.dealer.view(scene.table, 2)
    lines = TEXT.table_lines(view, NAMES[:4])
    assert lines[0] == "Flip Over   round 1 of 2   trick 3 of 10   trumps: every 3"
    assert " ".join(lines[1].split()) == "Discs +1 -2 [-3] +4 -5 +6 -7 +8 +9 -10"
    assert lines[2].split() == ["taken", "Di", "Di"]
    assert lines[5].split() == ["Ann", "1", "+0", "+0", "7♥", "led"]
    assert lines[7].split() == [">", "Cy", "(you)", "2", "+0", "+0"]
    assert lines[-1] == "Your hand: 3♣  2♥"
    asked = scene.session.pending
    assert asked is not None
    said = TEXT.describe_question(view, asked, NAMES)
    assert said == "You follow suit (♥) if possible, for disc -3."
    other = View(scene.table, 0, scene.dealer.view(scene.table, 0).face)
    assert TEXT.describe_question(other, asked, NAMES).startswith("Cy follows suit")


def test_a_hand_is_sorted_and_only_its_own() -> None:
    scene = Scene(["7H 2C 8C 1H", "8H", "3H"], disc=3)
    assert TEXT.hand_line(scene.dealer.view(scene.table, 0)) == "2♣ 8♣  1♥ 7♥"
    assert TEXT.hand_line(scene.dealer.view(scene.table, 0), ascii=True) == "2C 8C  1H 7H"


def test_the_choices_of_an_exchange_are_told() -> None:
    session, table, dealer, rng = playing(4, 2, teams=True)
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    view = dealer.view(table, 1)
    said = TEXT.describe_decision(view, session.pending, 0, NAMES, ascii=True)
    cards = [view.face(slot).name for slot in table.hands[1][:3]]
    assert said == f"{cards[0]} to Cy, {cards[1]} to Di, {cards[2]} to Ann"


def test_an_exchange_with_the_partner_is_told() -> None:
    session, table, dealer, rng = playing(4, 2, teams=True, exchange="partner")
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    view, asked = dealer.view(table, 1), session.pending
    assert TEXT.describe_question(view, asked, NAMES) == (
        "Give a card to Di; all choose before any is seen."
    )
    said = TEXT.describe_decision(view, asked, 0, NAMES, ascii=True)
    assert said == f"{view.face(table.hands[1][0]).name} to Di"
    assert TEXT.describe_note(("exchange", "partner"), NAMES) == (
        "Everybody has given one card to the partner."
    )


def test_the_fifth_suit_is_a_star() -> None:
    assert TEXT.describe_card(DECKS[5].faces[-1]) == "12★"
    assert TEXT.describe_card(DECKS[5].faces[-1], ascii=True) == "12T"


def test_why_discs_are_turned_before_a_round_is_told() -> None:
    """ "Turned in setting up the discs: 5 9." said neither what nor why."""
    row = (True, False) * 5
    told = [TEXT.describe_note(("set-up", row, turned), NAMES) for turned in ((), (4,), (5, 9))]
    assert told == [
        "The discs lie well as they fell.",
        "So that plus and minus are mixed, disc 4 is turned.",
        "So that plus and minus are mixed, discs 5 and 9 are turned.",
    ]


def test_what_chance_decides_is_told() -> None:
    session, table, dealer, rng = playing(4, 7)
    told = set()
    while table.round < 1 or isinstance(session.pending, acts.Flip):
        if isinstance(session.pending, acts.Flip):
            question = TEXT.describe_question(dealer.view(table, 0), session.pending, NAMES[:4])
            told.add((session.pending.sides == 2, question))
        step(session, dealer, rng)
    assert told == {(True, "The discs are being thrown."), (False, "Chance decides who leads.")}
