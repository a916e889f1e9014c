"""Empty chairs: who has left, and who was lost, on the table of every size, and in lines."""

from __future__ import annotations

import pytest

from cli.kit.canvas import length, plain_text
from cli.kit.glyphs import ASCII, UNICODE
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.screen.board import SeatShown
from cli.screen.layout import render
from cli.screen.seats import clockwise, seat_box
from engine.table_state import GONE, LEAVES
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import LinkNews, Noted, Seated
from p2p.protocol.terms import Terms
from tests.screen.boards import NAMES, POSITIONS, Position


def deserted(game: str) -> Position:
    """A table at which seat 1 has left, and seat 2 was lost."""
    seats, options, turn = POSITIONS[game]
    found = Position(game, seats, options, turn)
    found.session.table.leave(1)
    found.session.table.leave(2, gone=True)
    return found


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (60, 20), (45, 15)])
@pytest.mark.parametrize(("ascii_only", "solid"), [(False, False), (True, False), (False, True)])
def test_the_table_says_why_a_chair_is_empty(
    game: str, size: tuple[int, int], ascii_only: bool, solid: bool
) -> None:
    board = deserted(game).board(ascii=ascii_only)
    assert [seat.empty for seat in board.seats[:4]] == ["", "left", "lost", ""]
    text = plain_text(render(board, *size, ascii=ascii_only, solid=solid))
    rows = text.splitlines()
    assert any("left" in row and NAMES[1] in row for row in rows)
    assert any("lost" in row and NAMES[2][:8] in row for row in rows)
    chairs = text.count(UNICODE.chair[1])
    assert chairs == (2 if size[0] >= 80 and not ascii_only else 0)


def test_an_empty_chair_takes_the_room_of_a_plate() -> None:
    board = deserted("flop-a").board()
    for seat in clockwise(board):
        for glyphs in (UNICODE, ASCII):
            for columns in (23, 40):
                lines = seat_box(seat, columns, 3, glyphs)
                assert len(lines) == 3
                assert max(map(length, lines)) <= columns


def test_where_a_heading_has_no_room_what_it_heads_is_shown() -> None:
    """Of a pile of Flaps only the first card was seen, at a table for three."""
    pile = "(AL♥) ? ? 9♦ ?"
    said = [
        plain_text(seat_box(SeatShown("Bo", text=f"1-DOWN: {pile}"), columns, 3, UNICODE)).strip()
        for columns in (23, 40)
    ]
    assert [one.splitlines()[-1].strip() for one in said] == [pile, f"1-DOWN: {pile}"]


def test_a_copy_of_the_table_knows_why_and_the_digest_does_not() -> None:
    table = deserted("sneak").session.table
    assert (table.lost, table.voted_out) == ([1, 2], [2])
    twin = table.copy()
    twin.voted_out.clear()
    assert (table.voted_out, table.copy().voted_out) == ([2], [2])
    assert twin.digest() == table.digest()


def test_who_in_lines_tells_of_empty_chairs() -> None:
    teller = Teller(Settings())
    names = ("Ana", "Bo", "Cy", "Di")
    teller.news(Seated(names, ("a", "b", "c", "d"), 0, Terms.of("sneak"), 3_000, frozenset({1})))
    teller.news(LinkNews(tuple(SeatLink(at, names[at], Way.DIRECT, "", 12) for at in (1, 2, 3))))
    teller.news(Noted((LEAVES, 1)))
    teller.news(Noted((GONE, 3)))
    teller.news(LinkNews((SeatLink(2, "Cy", Way.DIRECT, "", 12),)))
    assert teller.who() == ["  Bo (bot)  left", "  Cy        direct, 12 ms", "  Di        lost"]
