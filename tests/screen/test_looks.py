"""Where colours allow, things look like what they are: cards, sets, tokens, chips, piles."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cli.kit.canvas import Line, length, plain_text
from cli.kit.faces import Face, back, face, thick, title_rows
from cli.kit.glyphs import solid
from cli.kit.tokens import STACK, Token, stack, stack_width, token_lines
from cli.screen.board import Board, CardShown, PileShown, SeatShown
from cli.screen.cards import face_width, hand_lines
from cli.screen.chapters import Chapters, Heading
from cli.screen.layout import render
from cli.screen.piles import middle
from tests.screen.boards import POSITIONS, Position, position


def picture(board: Board, columns: int = 120, rows: int = 40) -> list[Line]:
    return render(board, columns, rows, solid=True)


def texts(lines: list[Line], style: str) -> str:
    """All that is drawn in a style."""
    return "|".join(text for line in lines for found, text in line if style in found.split())


@pytest.mark.parametrize("size", [3, 5, 8, 12])
@pytest.mark.parametrize("name", ["7♣", "10♦", "A♠", "K♥", "Minion", "1DOWN♣"])
def test_a_face_has_its_size_and_its_name(name: str, size: int) -> None:
    card = Face(name, "♣♠♥♦".find(name[-1]))
    columns = face_width(6, size)
    lines = face(card, size, columns)
    assert len(lines) == size
    assert {length(line) for line in lines} == {columns}
    drawn = plain_text(lines)
    assert card.rank in drawn
    assert card.symbol in drawn
    assert {length(line) for line in back(size, 10, "▚")} == {10}


def test_a_big_card_has_its_pips() -> None:
    for rank in range(1, 11):
        card = Face(f"{rank}♥", 2)
        assert plain_text(face(card, 8, face_width(2, 8))).count("♥") == rank
        assert plain_text(face(card, 12, face_width(2, 12))).count("♥") == rank + 2, (
            "in corners too"
        )


@pytest.mark.parametrize("size", [8, 12])
def test_of_a_card_that_is_covered_its_pips_are_seen_or_left_out(size: int) -> None:
    """Half of its pips would be those of another card."""
    wide, card = face_width(2, size), Face("8♥", 2)
    whole = plain_text(face(card, size, wide)).count("♥")
    for seen in range(3, wide):
        drawn = [text[:seen] for text in plain_text(face(card, size, wide, seen=seen)).splitlines()]
        assert "".join(drawn).count("♥") in (1, whole, whole - 1)
        assert drawn[0].strip().startswith("8")


def test_piles_are_thicker_the_more_cards_they_have() -> None:
    seen = [plain_text(thick(back(5, 7, "▚"), count)) for count in (1, 2, 20, 60)]
    assert len(set(seen)) == 4


def test_a_stack_grows_with_its_chips() -> None:
    heights = [plain_text(stack(chips, 5)).count("▄") for chips in (0, 1, 20, 60, 10_000)]
    assert heights == sorted(heights)
    assert heights[0] == 0
    assert {length(line) for line in stack(60, 5)} == {STACK}
    assert {length(line) for line in stack(60, 12)} == {stack_width(12)}
    assert stack_width(12) > STACK


@pytest.mark.parametrize("columns", [45, 60, 80])
def test_tokens_say_who_took_them_and_which_is_played_for(columns: int) -> None:
    tokens = [Token("+1", True, owner="Ada", number=1), Token("-2", False, current=True)]
    tokens += [Token(f"+{n}", True) for n in range(3, 11)]
    tall = token_lines(tokens, columns, tall=True)
    assert {length(line) for line in tall} == {columns}
    assert len(texts(tall, "class:tokenbad")) > 2 * len(texts(tall[1:2], "class:tokenbad"))
    lines = token_lines(tokens, columns)
    assert {length(line) for line in lines} == {columns}
    assert texts(lines, "class:taken").strip() == "+1"
    assert texts(lines, "class:player1").strip() == "Ada"
    assert texts(lines, "class:tokenbad").strip() == "-2"
    assert texts(lines, "class:turn") == "▲"
    assert all(token.label in plain_text(lines) for token in tokens)


def test_the_card_that_wins_is_lit_and_so_is_the_marked_one() -> None:
    board = position("flip-over").board()
    assert [pile.top for pile in board.piles if pile.lit] == ["6♠"]
    lit = texts(picture(replace(board, hand=())), "class:lit")
    assert lit.count("♠") == 6
    marked = next(card for card in board.hand if card.cursor)
    assert marked.name[:-1] in texts(picture(replace(board, piles=())), "class:lit")


@pytest.mark.parametrize("size", [3, 5, 8])
def test_the_cursor_does_not_hide_that_a_card_may_be_played(size: int) -> None:
    """On felt the card under the cursor was lit, whether it could be laid or not."""
    held = [CardShown("7♣", 0, playable=playable) for playable in (True, False)]
    below = []
    for place in range(2):
        hand = [replace(card, cursor=at == place) for at, card in enumerate(held)]
        row = plain_text(hand_lines(hand, size, 40, solid("felt"))).splitlines()[-1]
        below.append([part for part in re.split("[ ▀]+", row) if part])
    assert below == [["▲•"], ["•", "▲"]]


@pytest.mark.parametrize(("columns", "size"), [(34, 3), (84, 8)])
def test_the_row_of_flop_a_stays_where_it_begins(columns: int, size: int) -> None:
    """With each flip it moved two columns to the left."""
    at, begins = Position("flop-a", 4, {"hands": "1"}, 1), list[int]()
    while "flips 4" not in (board := at.presenter.board(at.view, question=at.question)).headline:
        lines = middle(board, columns, 9, solid(board.cloth), size)
        row = next(row for row in plain_text(lines).splitlines() if "▀" in row)
        begins.append(len(row) - len(row.lstrip()))
        at.step()
    assert len(set(begins)) == 1, begins


def test_what_is_laid_face_down_is_drawn_as_backs_and_open_sets_as_cards() -> None:
    board = position("sneak").board()
    hidden = next(pile for pile in board.piles if pile.label == "Ada")
    assert (hidden.top, len(hidden.under), hidden.under[0].down) == ("", 1, True)
    said = "laid" in plain_text(picture(board))
    assert not said, "it is drawn"
    shown = PileShown("Ada", None, "9♥", 2, under=(CardShown("K♥", 2),), owner=1)
    faces = texts(picture(replace(board, piles=(shown,), hand=())), "class:ink2")
    assert "9" in faces
    assert "K" in faces


def test_the_cards_of_a_rank_and_the_pot_lie_in_the_middle() -> None:
    board = Position("flop-a", 4, {}, 20).board()
    assert [(len(pile.under), pile.top) for pile in board.piles] == [(1, "7♣"), (2, ""), (0, "")]
    lines = picture(board)
    assert "▄" in texts(lines, "class:chip")
    assert "pot 36" in plain_text(lines)
    assert "●7" in texts(lines, "class:gold")
    assert "pot 36" not in plain_text(render(replace(board, headline="x"), 120, 40))


def test_an_arrow_says_which_way_turns_go() -> None:
    board = position("flaps").board()
    assert board.direction == -1
    assert "◀ ───" in plain_text(picture(board))
    assert "─── ▶" in plain_text(picture(replace(board, direction=1)))
    assert position("sneak").board().direction == 0


@pytest.mark.parametrize("game", POSITIONS)
def test_everybody_is_named_in_the_same_colour_everywhere(game: str) -> None:
    board = position(game).board()
    quiet = [replace(seat, turn=False) for seat in board.seats]
    board = replace(board, seats=tuple(quiet), events=("Ada lays 7♣, and so does Zoe; Adam too.",))
    lines = picture(board)
    for seat in board.seats:
        assert seat.name in texts(lines, f"class:player{seat.number}")
    assert "Adam" not in texts(lines, "class:player1")
    assert texts(lines, "class:player0").count("Zoe") >= 2


def test_a_name_that_nobody_would_choose_colours_nothing() -> None:
    board = Board("x", seats=(SeatShown("(?!"), SeatShown(".*", number=1)), events=("a .* b",))
    assert texts(picture(board), "class:player1").count(".*") == 2


def test_the_story_has_a_heading_for_each_trick() -> None:
    """What ends a trick is told below its heading, and the next one begins another."""
    at = Position("flip-over", 4, {}, 1)
    chapters, told = Chapters(), list[str]()
    names, text = at.presenter.names, at.presenter.text
    notes = at.session.table.notes
    assert notes is not None
    seen = len(notes)
    for _ in range(60):
        at.step()
        for note in notes[seen:]:
            said = [text.describe_note(note, names)]
            told += chapters.headed(said, str(note[0]), text, at.view, names)
        seen = len(notes)
    heads = [line for line in told if isinstance(line, Heading)]
    assert [head.partition(",")[0] for head in heads[:3]] == ["Trick 1", "Trick 2", "Trick 3"]
    first, second = told.index(heads[1]), told.index(heads[2])
    assert second - first == 6, "four cards, and who takes the disc"
    assert "takes disc" in told[second - 1]
    board = replace(position("flip-over").board(), events=tuple(told))
    shown = texts(picture(board), "class:heading")
    assert heads[-1] in shown
    assert heads[-1] not in texts(picture(board, 80, 24), "class:event")


def test_that_all_proofs_check_is_said_once() -> None:
    board = position("flip-over").board()
    assert plain_text(picture(board)).count("proofs check") == 1
    seats = [replace(seat, proof="caught") if seat.number == 2 else seat for seat in board.seats]
    caught = plain_text(picture(replace(board, seats=tuple(seats))))
    assert "proofs check" not in caught
    assert "caught" in caught


def test_titles_are_cut_between_their_words() -> None:
    assert title_rows("UP-JACKS", 5, 3) == ["UP-", "JACKS"]
    assert title_rows("ACE'N'LAY", 5, 3) == ["ACE'", "N'LAY"]
    assert title_rows("START GUESSING", 5, 2) == ["START", "GUES…"]
    assert title_rows("A B C D E F", 3, 2) == ["A B", "C…"]
    assert title_rows("UP-JACKS", 5, 1) == [], "its beginning says nothing"
    assert title_rows("FLAPS", 5, 1) == ["FLAPS"]
