"""A picture is drawn for every key: what is as it was before is not drawn again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from cli.screen.board import Board
from cli.screen.layout import render
from tests.screen.boards import POSITIONS, position

MOST = 2000
"""Calls for a picture in which only the cursor has moved; each took 2,200 to 21,500 once."""


def calls(draw: Callable[[], object]) -> int:
    """How many functions, of Python and of C, are called while it is drawn."""
    seen = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal seen
        seen += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        draw()
    finally:
        sys.setprofile(before)
    return seen


def with_cursor(board: Board, at: int) -> Board:
    hand = [replace(card, cursor=place == at) for place, card in enumerate(board.hand)]
    return replace(board, hand=tuple(hand))


@pytest.mark.parametrize("solid", [True, False])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (45, 15)])
@pytest.mark.parametrize("game", POSITIONS)
def test_moving_the_cursor_draws_little_again(
    game: str, size: tuple[int, int], solid: bool
) -> None:
    board = position(game).board()
    for at in range(2):
        render(with_cursor(board, at), *size, solid=solid)
    assert calls(lambda: render(with_cursor(board, 0), *size, solid=solid)) < MOST


@pytest.mark.parametrize("game", POSITIONS)
def test_what_was_drawn_before_changes_nothing(game: str) -> None:
    """Pictures share what they have in common, and none is changed by the next."""
    board = position(game).board()
    first = render(board, 120, 40, solid=True)
    kept = [list(line) for line in first]
    for at in range(3):
        render(with_cursor(board, at), 120, 40, solid=True)
        render(replace(board, events=(), piles=board.piles[:1]), 80, 24, solid=True)
    assert first == kept == render(board, 120, 40, solid=True)
