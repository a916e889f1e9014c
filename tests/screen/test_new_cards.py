"""A card that was drawn is marked until one decides again."""

from __future__ import annotations

import pytest

from cli.kit.canvas import plain_text
from cli.kit.glyphs import ASCII, UNICODE
from cli.screen.board import Board, CardShown, SeatShown
from cli.screen.layout import render
from cli.screen.new_cards import NewCards
from engine.question import PASS
from engine.sets import LaySet
from tests.screen.test_pace import Watched


def asked_to_lead(at: Watched) -> Board:
    """The table when it is one's own turn in Sneak."""
    while True:
        question = at.told.session.pending
        assert question is not None
        if question.deciders == (0,) and isinstance(question, LaySet):
            at.ask()
            at.clock.seconds += 60
            return at.model.board()
        at.told.step()


def cards(names: str) -> list[CardShown]:
    return [CardShown(name, 0) for name in names.split()]


def new_names(board: Board) -> list[str]:
    return [card.name for card in board.hand if card.new]


def test_in_sneak_the_card_that_was_drawn_is_marked_until_the_next_decision() -> None:
    at = Watched("sneak", 3)
    first = asked_to_lead(at)
    assert new_names(first) == [], "nothing was decided before"
    assert at.model.asking is not None
    at.model.decide(PASS)
    at.told.step()
    second = asked_to_lead(at)
    (name,) = new_names(second)
    assert sorted(card.name for card in second.hand) == sorted(
        [*(card.name for card in first.hand), name]
    )
    for columns, rows in ((80, 24), (120, 40), (60, 20)):
        for solid in (True, False):
            assert "new" in plain_text(render(second, columns, rows, solid=solid))
    at.model.decide(PASS)
    assert new_names(at.model.board()) == []


def test_of_a_hand_that_is_dealt_no_card_is_new() -> None:
    new = NewCards()
    assert not new.among(cards("2♣ 7♦"))
    new.see(cards("2♣ 7♦ 9♥"))
    new.decided()
    assert new.among(cards("2♣ 9♥ K♠")) == [2]
    assert not new.among(cards("7♣ 8♣ 9♣"))
    assert not new.among(())


def test_what_has_left_the_hand_is_new_when_it_comes_again() -> None:
    """In Flip Over the same cards are played again: all but the last one laid were marked."""
    new = NewCards()
    new.see(cards("2♣"))
    new.decided()
    new.see(())
    assert not new.among(cards("2♣ 7♦ 9♥"))
    new.see(cards("2♣ 7♦"))
    new.decided()
    new.see(cards("7♦"))
    assert new.among(cards("2♣ 7♦")) == [0]


def test_cards_are_known_by_their_faces_and_of_two_alike_the_later_is_new() -> None:
    """Somebody took a card, and "new" stood under one that was there from the deal."""
    new = NewCards()
    new.see(cards("7♣ 9♥"))
    new.decided()
    assert new.among(cards("7♣ 7♣ 9♥ K♠")) == [1, 3]


@pytest.mark.parametrize("size", [1, 3, 5, 8])
def test_the_mark_is_seen_beside_the_others(size: int) -> None:
    hand = (
        CardShown("7♣", 0, playable=True, new=True),
        CardShown("8♣", 0, new=True, playable=True, cursor=True),
        CardShown("K♥", 2, new=True),
        CardShown("9♥", 2, playable=True),
    )
    board = Board("x", seats=(SeatShown("Ann", you=True),), you=0, hand=hand)
    text = plain_text(render(board, 80, 40, card_size=size))
    solid = plain_text(render(board, 80, 40, card_size=size, solid=True))
    ascii_only = plain_text(render(board, 80, 40, card_size=size, ascii=True))
    sign = "new" if size > 1 else UNICODE.new
    assert text.count(sign) == solid.count(sign) == 3
    assert ascii_only.count("new" if size > 1 else ASCII.new) >= 3
    assert UNICODE.cursor in text or size == 1
