"""The lowest rows: the question, the choices, the answer to a key, and one's own line."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cli.kit.canvas import length, plain_text
from cli.kit.glyphs import UNICODE
from cli.screen.board import Board, CardShown, ChoiceShown, SeatShown
from cli.screen.cards import hand_lines
from cli.screen.layout import render
from cli.screen.plan import sides
from cli.screen.question import choice_rows
from cli.screen.seats import own_line
from tests.screen.boards import POSITIONS, position


def test_many_choices_take_the_rows_there_are_and_the_cursor_is_seen() -> None:
    choices = tuple(ChoiceShown(f"raise by {n}", n, n == 19) for n in range(1, 25))
    board = Board("x", seats=(SeatShown("Ann", you=True),), you=0, choices=choices)
    text = plain_text(render(board, 80, 24))
    assert "[19) raise by 19]" in text
    assert "rows" in text


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (45, 15), (45, 20)])
@pytest.mark.parametrize("size", [10, 24])
def test_choices_take_free_rows_of_a_small_window(columns: int, rows: int, size: int) -> None:
    """None is hidden while there is room for it, and how many rows are hidden is said."""
    choices = tuple(ChoiceShown(f"choice {n}", n, n == 1) for n in range(1, size + 1))
    board = replace(position("you-fink").board(), choices=choices, events=("It begins.",))
    text = plain_text(render(board, columns, rows))
    seen = sum(bool(re.search(rf" \[?{one.number}\) {one.label}\b", text)) for one in choices)
    hidden = re.search(r"\+(1 row|\d rows)$", text, re.M)
    assert seen == size or hidden
    assert size in (seen, 24), text
    assert "It begins." in text
    assert all(seat.name in text for seat in board.seats)


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("window", [(45, 20), (60, 20), (80, 24), (120, 40), (200, 60)])
def test_a_long_answer_to_a_key_is_told_to_its_end(game: str, window: tuple[int, int]) -> None:
    """A hint for instance: nothing else moves, and no row is missing."""
    board = replace(position(game).board(), prompt="Asked?")
    said = "Hint: 9C: it follows suit. It wins the game in 64 of 100 games, " + "4D in fewer. " * 4
    table, _ = sides(window[0])
    shown = (plain_text(render(one, *window)) for one in (board, replace(board, notice=said)))
    plain, told = ([row[:table] for row in one.splitlines()] for one in shown)
    assert " ".join(said.split()) in " ".join(" ".join(told).split())
    asked = [next(at for at, row in enumerate(one) if "Asked?" in row) for one in (plain, told)]
    assert asked[0] == asked[1] or window[0] < 72
    assert len(told) == len(plain)


def test_on_a_phone_ones_own_line_and_the_choices_lose_no_word() -> None:
    """One's own line gives up its gaps, and that it is one's own, before what its cards count."""
    board = replace(position("flop-a").board(), hand_note="(counts 29/17)")
    for columns in (45, 60, 80):
        for solid in (False, True):
            own = plain_text([own_line(board, columns, replace(UNICODE, solid=solid))])
            own = own.replace("\u25cf", "")
            told = [one.said(shorter=False) for one in board.seats[0].numbers
                    if columns > 45 or not one.counted]  # fmt: skip
            assert all(number in own for number in told)
            assert "(counts 29/17)" in own
            assert "\u2026" not in own
    labels = ["fold", "call 12", "raise by 1", "high (1 chip)", "low (2 chips)", "both (3 chips)"]
    offered = [ChoiceShown(label, at) for at, label in enumerate(labels, 1)]
    for cursor in range(len(labels)):
        shown = [one._replace(cursor=at == cursor) for at, one in enumerate(offered)]
        (row,) = choice_rows(replace(board, choices=tuple(shown)), 45, 1)
        said = plain_text([row])
        assert f"[{cursor + 1}) {labels[cursor]}]" in said
        assert length(row) <= 45
        assert "\u2026" not in said
        assert re.search(r"\+(1 row|\d rows)$", said)


def test_cards_in_a_line_stay_in_place_when_the_last_ten_goes() -> None:
    """At 45 x 15 all of them moved to the left."""
    names = ["7♣", "K♦", "10♠"]
    lines = [
        plain_text(hand_lines([CardShown(name, 0) for name in held], 1, 45, UNICODE))
        for held in (names, names[:2])
    ]
    assert lines[0].startswith(lines[1].rstrip())
    assert lines[1].index("K♦") == lines[0].index("K♦")
