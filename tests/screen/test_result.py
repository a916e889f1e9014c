"""The page that ends a game: who won, how it went, how the evening stands, and its keys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli.kit.canvas import length, plain_text
from cli.screen.afterwards import STORY_KEY
from cli.screen.board import Board, RankShown, ResultShown, SeatShown
from cli.screen.finished import shown
from cli.screen.layout import render
from cli.screen.presenter import SeatState
from cli.screen.result import HOW
from cli.words.played import Played, evening_lines, standings
from engine.totals import winners
from tests.screen.boards import NAMES
from tests.screen.test_keys import table

SIZES = [(45, 15), (80, 24), (200, 60)]


def game(*result: int, names: tuple[str, ...] = NAMES, moments: tuple[str, ...] = ()) -> Played:
    seated = names[: len(result)]
    return Played("Whist", seated, seated, result, winners(result), 0, moments, Path("a.ndlog"))


def board(*games: Played) -> Board:
    result = shown(games)
    seats = tuple(SeatShown(name, number) for number, name in enumerate(games[-1].names))
    return Board("Whist", seats=seats, prompt="The game is over.", keys="r again", result=result)


@pytest.mark.parametrize("solid", [True, False])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("seats", [2, 8])
def test_everybody_stands_on_the_page_the_best_first(
    seats: int, columns: int, rows: int, *, solid: bool
) -> None:
    result = tuple(range(-3, seats - 3))
    told = tuple(f"{NAMES[1]} takes trick {number}." for number in range(6))
    lines = render(board(game(*result, moments=told)), columns, rows, solid=solid)
    assert [length(line) for line in lines] == [columns] * rows
    text = plain_text(lines)
    places = [text.index(f"{place}  {NAMES[seats - place]}") for place in range(1, seats + 1)]
    assert places == sorted(places)
    assert f"{NAMES[seats - 1]} wins" in text
    assert text.splitlines()[-1] == " r again"
    style = f"class:player{seats - 1}"
    assert any(style in one and NAMES[seats - 1] in part for line in lines for one, part in line)
    if seats == 2 or rows > 15:
        assert "trick 5." in text
    assert plain_text(render(board(game(*result)), columns, rows, ascii=True)).isascii()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_whoever_is_gone_is_marked_however_long_the_name_is(columns: int, rows: int) -> None:
    names = tuple(f"{name} {'x' * 40}"[:32] for name in NAMES[:8])
    last = replace(game(*range(8), names=names), empty={1: "lost", 4: "left"}, bots=frozenset({4}))
    for games in ((last,), (last, last)):
        text = plain_text(render(board(*games), columns, rows)).splitlines()
        rows_of = {name: next(row for row in text if name[:6] in row) for name in names}
        assert [name for name, row in rows_of.items() if "(lost)" in row] == [names[1]]
        assert [name for name, row in rows_of.items() if "(left)" in row] == [names[4]]


def test_a_page_over_the_result_is_seen_first_and_a_notice_too() -> None:
    at = table("flip-over")
    at.model.afterwards.result = ResultShown("Whist", "Zoe wins", (RankShown("Zoe", 0, 3, "3"),))
    assert at.model.board().result is None
    at.model.ended = "The game is over."
    at.press("f2")
    assert "Zoe wins" not in plain_text(render(at.model.board(), 80, 24))
    at.press("escape")
    assert "Zoe wins" in plain_text(render(at.model.board(), 80, 24))
    at.press("/", *"hail", "enter")
    assert "would hear you" in plain_text(render(at.model.board(), 80, 24))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_what_people_say_after_the_game_is_seen_on_its_page(columns: int, rows: int) -> None:
    """Whoever pressed h saw nothing at all, and nobody saw that they were hailed."""
    at = table("flip-over")
    after = at.model.afterwards
    after.result = ResultShown("Whist", "Zoe wins", (RankShown("Zoe", 0, 3, "3"),))
    at.model.ended = "The game is over."
    after.listen(["<Ada> " + "well " * 30 + "played", "<Zoe> Hail!"])
    text = plain_text(render(at.model.board(), columns, rows))
    assert "<Zoe> Hail!" in text
    assert "Zoe wins" in text
    after.clear()
    assert after.talk == ()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_it_is_said_how_many_moments_are_not_told_and_which_key_tells_all(
    columns: int, rows: int
) -> None:
    """Six stood there of a game of forty, as if that were all."""
    told = tuple(f"{NAMES[1]} takes trick {number}." for number in range(6))
    last = replace(game(*range(8), moments=told), untold=34)
    text = plain_text(render(board(last), columns, rows))
    seen = sum(one in text for one in told)
    assert f"{HOW} ({40 - seen} more: s)" in text or rows < 16
    after = table("flip-over").model.afterwards
    after.story = lambda: None
    assert f"{STORY_KEY} story" in after.keys(watching=False)


def test_nothing_is_said_of_more_moments_where_all_are_told() -> None:
    text = plain_text(render(board(game(3, 4, moments=("Ada takes the trick.",))), 80, 24))
    assert HOW in text
    assert f"{HOW} (" not in text
    assert HOW not in plain_text(render(board(game(3, 4)), 80, 24))


@pytest.mark.parametrize("several", [1, 2])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_points_have_a_heading_that_ends_where_they_do(
    columns: int, rows: int, several: int
) -> None:
    """You Fink! ended with "+43": cards, piles, or points?"""
    last = replace(game(43, 9), scored="cards")
    lines = plain_text(render(board(*[last] * several), columns, rows)).splitlines()
    heading = next(line for line in lines if line.strip() == "cards")
    first = next(line for line in lines if "43" in line)
    assert heading.index("cards") + len("cards") == first.index("43") + len("43")


def test_v_looks_back_s_tells_the_story_and_x_exports_if_that_is_possible() -> None:
    at, done = table("flip-over"), list[str]()
    at.model.ended = "The game is over."
    at.settle()
    at.press("r", "v")
    assert "v replay" not in at.model.board().keys
    after = at.model.afterwards
    after.story, after.look_back = lambda: done.append("story"), lambda: done.append("back")
    after.export = lambda: done.append("page")
    keys = "v replay, review  s story  x html  F2 events  F3 chat  /hail  F8 who  q leave"
    assert at.model.board().keys == keys
    at.press("v", "s", "x")
    assert done == ["back", "story", "page"]
    after.clear()
    at.press("v", "s", "x")
    assert done == ["back", "story", "page"]


def test_the_evening_adds_up_by_key_whatever_the_seats_are() -> None:
    first, second = game(5, -5), game(3, -3, names=("Ada", "Zoe"))
    assert [(one.name, one.total, one.wins) for one in standings([first, second])] == [
        ("Ada", -2, 1),
        ("Zoe", 2, 1),
    ]
    assert evening_lines([first]) == []
    told = evening_lines([first, second])
    assert told[1:] == ["This evening, 2 games:", "  Zoe    +2  won 1", "  Ada    -2  won 1"]
    result = shown([first, second])
    assert result.title == "Whist, game 2 of this evening"
    assert [one.total for one in result.ranks] == ["evening -2, won 1", "evening +2, won 1"]
    assert [one.total for one in shown([first]).ranks] == ["", ""]
    assert [one.you for one in result.ranks] == [True, False]


def test_wins_are_counted_where_the_games_differ() -> None:
    """Points of Sneak and of Flip Over are no sum."""
    games = [game(50, 20), replace(game(-3, 4), title="Bridge"), game(1, 2)]
    told = evening_lines(games)
    assert told[1:] == ["This evening, 3 games:", "  Ada  won 2", "  Zoe  won 1"]
    result = shown(games)
    assert [(one.name, one.total) for one in result.ranks] == [
        *(("Ada", "won 2 of 3"), ("Zoe", "won 1 of 3")),
    ]


def test_who_share_the_best_result_win_together() -> None:
    assert game(4, 4, 1).verdict == "Zoe and Ada win"
    assert [one.first for one in standings([game(4, 4, 1)])] == [True, True, False]


@pytest.mark.parametrize(
    ("result", "places"), [((4, 4, 1), "113"), ((5, 2, 2), "122"), ((3, 3, 3), "111")]
)
def test_equal_points_share_a_place(result: tuple[int, ...], places: str) -> None:
    text = plain_text(render(board(game(*result)), 80, 24))
    best_first = sorted(range(3), key=lambda seat: -result[seat])
    for seat, place in zip(best_first, places, strict=True):
        assert f" {place}  {NAMES[seat]}" in text


def test_a_name_gives_way_last_where_there_is_little_room() -> None:
    games = [game(5, -5), game(7, 0)]
    whole, short = (plain_text(render(board(*games), columns, 20)) for columns in (60, 45))
    assert "Zoe (you)  wins" in whole
    assert "evening +12, won 2" in whole
    assert "Zoe (you)  wins" in short
    assert "evening +12" in short


def test_our_own_bots_are_marked_and_nobody_else() -> None:
    last = replace(game(1, 2, 3), bots=frozenset({2}))
    text = plain_text(render(board(last), 80, 24))
    assert "Bartholomew (bot)  wins" in text
    assert text.count("(bot)") == 1
    at = table("flip-over")
    assert "(bot)" not in plain_text(render(at.model.board(), 80, 24))
    at.model.states[1] = SeatState(bot=True)
    for columns in (45, 80):
        assert "Ada (bot)" in plain_text(render(at.model.board(), columns, 24))
