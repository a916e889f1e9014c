"""What a card does, for a player who asks."""

from __future__ import annotations

import re

import pytest

from cli.kit.canvas import plain_text
from cli.line.about import about
from cli.screen.board import Board
from cli.screen.question import preview
from engine.cards import Card
from engine.games import load_text
from engine.games.flaps.about import ABOUT
from engine.games.flaps.about import about as about_card
from engine.games.flaps.cards import CARDS, DECKS, ROWS
from engine.games.flaps.table import FlapsTable
from engine.games.flip_over.cards import DECKS as FLIP_DECKS
from engine.table import Table
from engine.view import SPECTATOR, View
from tests.engine.flaps.scene import Scene


def watched(table: Table) -> View:
    return View(table, SPECTATOR, CARDS.__getitem__)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("9h", "9\u2665: Ends an attack."),
        ("solvec", "SOLVE\u2663 SOLVE THE MYSTERY: Take the whole Mystery Pile"),
        ("quack", "QUACK: Only under attack"),
        ("5c", "5\u2663: Does nothing"),
        ("solve", "SOLVE\u2663 SOLVE THE MYSTERY: Take the whole Mystery Pile"),
        ("hoofers", "HD\u2663 HOOFERS-DOOFERS: "),
        ("ace'n'e", "AE\u2660 ACE'N'END: "),
        ("up", "UJ\u2663 UP-JACKS: "),
        ("1", "That could be 10\u2663, 10\u2660, 10\u2665, 10\u2666, 1DOWN\u2663"),
        ("frog", "No card has that name."),
    ],
)
def test_a_card_of_flaps(typed: str, told: str) -> None:
    table = FlapsTable(2, deck=DECKS[7])
    assert about(typed, watched(table), load_text("flaps"), ascii=False).startswith(told)


@pytest.mark.parametrize(
    ("typed", "told"),
    [("solve", "SOLVE♦ "), ("tr", "TR♥ "), ("hoofers", "HD♣ "), ("solvec", "SOLVE♣ ")],
)
def test_of_cards_that_do_the_same_one_in_the_hand_is_shown(typed: str, told: str) -> None:
    """It was the first of the deck, which somebody else may hold."""
    view = Scene(["SOLVED TRH 9S", "SOLVEC TRC HDD"], "5H").view(0)
    assert about(typed, view, load_text("flaps"), ascii=False).startswith(told)


def test_a_card_that_is_not_of_this_level() -> None:
    table = FlapsTable(2, deck=DECKS[1])
    assert about("quack", watched(table), load_text("flaps"), ascii=False).startswith("No card")


def test_a_game_whose_cards_do_nothing_names_the_card() -> None:
    table = Table(4, deck=FLIP_DECKS[4])
    assert about("7h", watched(table), load_text("flip-over"), ascii=True) == "7H"


def test_every_sentence_is_about_a_card_there_is() -> None:
    kinds = {row.kind for row in ROWS}
    assert set(ABOUT) <= kinds
    assert kinds - set(ABOUT) == {"5", "queen", "king"}


@pytest.mark.parametrize("card", {card.kind: card for card in CARDS}.values(), ids=str)
def test_of_what_a_card_does_a_whole_sentence_fits(card: Card) -> None:
    """Eighty columns show what the card does, and not the half of it."""
    said = f"Enter: {load_text('flaps').describe_card(card)}.   {about_card(card)}"
    shown = plain_text(preview(Board("x", preview=said), 80, 1))
    assert shown.strip() == said or re.search(r"[.;] … \(\? says all\)$", shown.rstrip())
