"""A trick that was won slides to its winner; nothing waits for it, and nothing is hidden by it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from prompt_toolkit.input import create_pipe_input

from cli.kit.canvas import Line, laid_over, length, plain_text
from cli.options.settings import Settings
from cli.options.table_pace import TablePace
from cli.screen.app import Screen
from cli.screen.board import Board, PileShown
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.motion import PICTURES, SECONDS, Motion, frame, moves
from cli.screen.seats import side_of
from tests.screen.boards import position
from tests.screen.test_app import Window

SIZES = [(80, 24), (120, 40), (200, 60), (72, 30), (60, 20), (45, 15)]
ROOMY = [*product(range(4), SIZES[1:3]), (1, SIZES[0]), (3, SIZES[0])]
"""Where there is way to go: the middle of 80 x 24 is hardly higher than a card."""
TIMES = [SECONDS * (at + 0.5) / PICTURES for at in range(PICTURES)]
LED = PileShown("Ada", None, "K♣", 0, lit=True, owner=1)


def won_by(number: int) -> tuple[Board, Board]:
    """A table with a trick that this player has won, and the same when the next is led to."""
    board = position("flip-over").board()
    trick = [replace(pile, lit=pile.owner == number, past=True) for pile in board.piles]
    assert sum(pile.lit for pile in trick) == 1
    return replace(board, piles=tuple(trick)), replace(board, piles=(LED,))


def cells(lines: list[Line]) -> list[list[tuple[str, str]]]:
    return [[(style, letter) for style, text in line for letter in text] for line in lines]


def centre(board: Board, plain: Board, size: tuple[int, int]) -> tuple[float, float]:
    """The middle of all that is drawn in addition."""
    more = zip(cells(render(board, *size)), cells(render(plain, *size)), strict=True)
    found = [(x, y) for y, rows in enumerate(more)
             for x, (one, other) in enumerate(zip(*rows, strict=True)) if one != other]  # fmt: skip
    assert found
    xs, ys = zip(*found, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


@pytest.mark.parametrize("solid", [True, False])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("winner", range(4))
def test_nothing_is_hidden_by_it(winner: int, size: tuple[int, int], solid: bool) -> None:
    before, after = won_by(winner)
    moved = moves(before, after)
    assert moved.trick is not None
    assert len(moved.trick.under) == 3
    for elapsed in TIMES:
        board = frame(after, moved, elapsed)
        lines = render(board, *size, solid=solid)
        plain = render(replace(board, sliding=None), *size, solid=solid)
        assert {length(line) for line in lines} == {size[0]}
        for drawn, there in zip(cells(lines), cells(plain), strict=True):
            assert all(drawn[at] == cell for at, cell in enumerate(there) if cell[1] != " ")
    assert frame(after, moved, SECONDS) == after


@pytest.mark.parametrize(("winner", "size"), ROOMY)
def test_it_goes_to_where_the_winner_sits_in_three_pictures(
    winner: int, size: tuple[int, int]
) -> None:
    before, after = won_by(winner)
    moved, plain = moves(before, after), frame(after, moves(before, before), 0.0)
    empty = replace(plain, piles=())
    boards = [replace(frame(after, moved, at), piles=()) for at in TIMES]
    (x0, y0), *_, (x1, y1) = places = [centre(board, empty, size) for board in boards]
    assert len(set(places)) == PICTURES
    side = side_of(after, winner)
    assert side == [(0, 1), (-1, 0), (0, -1), (1, 0)][winner]
    assert ((x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)) == side


def test_only_a_trick_that_was_won_and_lies_there_no_more_is_taken() -> None:
    before, after = won_by(1)
    assert moves(before, before).trick is None
    assert moves(before, replace(after, piles=(*before.piles[:1], LED))).trick is None
    lit = tuple(replace(pile, lit=False) for pile in before.piles)
    assert moves(replace(before, piles=lit), after).trick is None
    assert moves(replace(before, piles=before.piles[:1]), after).trick is None
    assert moves(before, replace(after, piles=())).trick is not None


@pytest.mark.parametrize(("wish", "pace", "slides"), [
    ("", "normal", True), ("", "fast", True), ("", "off", False), ("1", "normal", False),
])  # fmt: skip
def test_it_is_off_where_nothing_moves_or_stays(
    wish: str, pace: str, slides: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_MOTION", wish)
    before, after = won_by(1)
    shown, typed = [before], list[str]()
    with create_pipe_input() as pipe:
        model = Model("test", lambda: 0.0, pace=TablePace(pace))
        monkeypatch.setattr(model, "board", lambda: shown[-1])
        with Screen(model, Settings(), 8, source=pipe, output=Window()) as screen:
            screen.lines(80, 24)
            shown.append(after)
            moving = plain_text(screen.lines(80, 24))
            model.remember = lambda one, value: typed.append(value)
            screen.press("f4")
            still = plain_text(screen.lines(80, 24))
    resting = plain_text(render(after, 80, 24, solid=True))
    assert still == resting, "any key ends it"
    assert typed, "and is obeyed"
    others = {pile.top[:-1] for pile in before.piles if not pile.lit}
    assert all(rank in added(moving, resting) for rank in others) is slides


def added(picture: str, plain: str) -> str:
    """What is drawn where the other picture has nothing."""
    pairs = zip(picture.splitlines(), plain.splitlines(), strict=True)
    return "".join(one for row, rest in pairs
                   for at, one in enumerate(row) if not rest[at : at + 1].strip())  # fmt: skip


def test_a_race_stops_it_at_once() -> None:
    before, after = won_by(1)
    motion = Motion()
    motion.picture(before, 1.0)
    assert motion.picture(after, 2.0).sliding is not None
    assert motion.picture(after, 2.0 + SECONDS / 2, calm=False).sliding is None
    assert motion.picture(after, 2.0 + SECONDS / 2).sliding is None
    motion.picture(before, 3.0)
    assert motion.picture(after, 4.0, calm=False).sliding is None


@pytest.mark.parametrize(("game", "calm"), [("flip-over", True), ("you-fink", False)])
def test_a_table_at_which_anybody_may_be_first_is_not_calm(game: str, calm: bool) -> None:
    at, model = position(game), Model("test", lambda: 0.0, pace=TablePace("normal"))
    model.waits_for = lambda: at.session.pending
    assert model.calm_table is calm


def test_lines_over_each_other_keep_wide_letters_whole() -> None:
    above: Line = [("", " "), ("x", "漢"), ("", "  "), ("y", "z")]
    assert plain_text([laid_over(above, [("class:face", "abcdef")])]) == "a漢dez"
