"""Cards are turned over in a fifth of a second; nothing waits for it, and nothing is hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prompt_toolkit.input import create_pipe_input

from cli.kit.canvas import plain_text
from cli.options.settings import Settings
from cli.screen.app import Screen
from cli.screen.board import Board, CardShown, PileShown
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.motion import SECONDS, Motion, Moves, frame, moves
from tests.screen.boards import POSITIONS, position
from tests.screen.test_app import Window

IN_HAND = (CardShown("7♣", 0), CardShown("7♣", 0), CardShown("K♥", 2))


def picture(board: Board, rows: int = 24) -> str:
    return plain_text(render(board, 80, rows))


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("rows", [18, 24, 40])
def test_a_card_that_is_turned_has_its_name_at_once(game: str, rows: int) -> None:
    board = position(game).board()
    moved = moves(replace(board, piles=()), board)
    turned = frame(board, moved, 0.0)
    assert picture(frame(board, moved, SECONDS), rows) == picture(board, rows)
    before, after = picture(turned, rows).splitlines(), picture(board, rows).splitlines()
    assert len(before) == len(after)
    for pile in board.piles:
        assert any(pile.top in line for line in before)
    tops = any(pile.top for pile in board.piles)
    assert (before != after) is tops
    assert SECONDS <= 0.3


def test_what_moves_is_what_is_new() -> None:
    discard, trick = PileShown("discard", 3, "7♣", 0), PileShown("Ada", None, "2♠", 1)
    before = Board("x", piles=(discard, trick), hand=IN_HAND[:1])
    again = replace(discard, count=4)
    taken = replace(discard, count=2)
    assert moves(before, before) == Moves()
    assert moves(before, replace(before, piles=(again, trick))) == Moves(frozenset({0}))
    assert not moves(before, replace(before, piles=(trick, taken)))
    assert moves(before, replace(before, piles=(discard, replace(trick, top="3♠")))).piles == {1}
    assert moves(before, replace(before, hand=IN_HAND)).hand == {1, 2}


def test_cards_are_dealt_face_down_unless_something_is_asked() -> None:
    before = Board("x", hand=())
    dealt = replace(before, hand=IN_HAND)
    moved = moves(before, dealt)
    assert all(card.down for card in frame(dealt, moved, 0.0).hand)
    assert "7♣" not in picture(frame(dealt, moved, 0.0))
    asked = replace(dealt, yours=True)
    assert picture(frame(asked, moved, 0.0)) == picture(asked)


def test_the_motion_ends_by_itself_or_by_a_key() -> None:
    before, after = Board("x"), Board("x", hand=IN_HAND)
    motion = Motion()
    motion.picture(before, 1.0)
    assert motion.picture(after, 2.0) != after
    assert motion.moving
    assert motion.picture(after, 2.0 + SECONDS) == after
    assert not motion.moving
    motion.picture(before, 3.0)
    motion.picture(after, 3.1)
    motion.stop()
    assert motion.picture(after, 3.1) == after
    still = Motion(on=False)
    still.picture(before, 4.0)
    assert still.picture(after, 4.0) == after


@pytest.mark.parametrize("wish", ["", "1"])
def test_the_screen_moves_cards_until_a_key_or_not_at_all(
    wish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_MOTION", wish)
    at = position("flip-over")
    with create_pipe_input() as pipe:
        model = Model("test", lambda: 0.0)
        with Screen(model, Settings(), 8, source=pipe, output=Window()) as screen:
            model.presenter, model.view = at.presenter, at.view
            first = plain_text(screen.lines(80, 24))
            screen.press("x")
            after = plain_text(screen.lines(80, 24))
    assert ("▚" in first) is (not wish)
    assert "▚" not in after
