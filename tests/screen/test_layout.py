"""The picture: golden screens, exact sizes, the floor, and what is never said by colour alone."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from prompt_toolkit.utils import get_cwidth

from cli.kit.canvas import clip, clip_sentences, length, plain_text, width, wrapped
from cli.kit.glyphs import UNICODE
from cli.screen.board import (
    Board,
    CardShown,
    ChoiceShown,
    NumberShown,
    Overlay,
    PileShown,
    SeatShown,
)
from cli.screen.cards import LIFT, SIZES
from cli.screen.layout import Scroll, WindowShown, floor, render, scrolled
from cli.screen.low_rows import HELD, IDLE, RACE
from cli.screen.piles import named
from cli.screen.plan import LEAST_COLUMNS, LEAST_ROWS, WIDEST, plan, sides
from cli.screen.player import AWAY
from cli.screen.question import foot
from cli.screen.seats import around
from tests.screen.boards import KEYS, POSITIONS, Position, crowded, position
from tests.screen.golden import FOLDER, screens

GOLDEN = sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_screens(name: str) -> None:
    """After a wanted change: python -m tests.screen.golden, and look at every difference."""
    assert (FOLDER / name).read_text("utf-8") == screens()[name]


def test_no_golden_screen_is_missing_or_left_over() -> None:
    assert sorted(screens()) == GOLDEN


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize(
    "size", [(80, 24), (120, 40), (72, 30), (200, 60), (60, 20), (45, 15), (20, 5), (1, 1)]
)
def test_a_picture_has_exactly_the_size_of_the_window(game: str, size: tuple[int, int]) -> None:
    for ascii_only, solid in ((False, False), (True, False), (False, True)):
        board = position(game).board(ascii=ascii_only)
        lines = render(board, *size, ascii=ascii_only, solid=solid)
        assert len(lines) == size[1]
        assert {length(line) for line in lines} == {size[0]}
        assert plain_text(lines).isascii() or not ascii_only


def test_the_worst_case_fits_80_x_24() -> None:
    """Eight Flaps players at the highest level, a hand of twenty cards."""
    board = crowded(20)
    assert floor(board, 80) <= 24
    text = plain_text(render(board, 80, 24))
    assert all(seat.name in text for seat in board.seats)
    assert text.count("10♦") + text.count("1DOWN♦") > 14
    assert "pick up" in text


@pytest.mark.parametrize("game", POSITIONS)
def test_every_game_fits_80_x_24(game: str) -> None:
    assert floor(position(game).board(), 80) <= 24


def test_below_the_floor_a_message_says_how_large_and_above_it_the_table_is_back() -> None:
    board = crowded(20)
    rows = floor(board, 45)
    small = plain_text(render(board, 45, rows - 1))
    assert f"Make it {LEAST_COLUMNS} x {rows}" in small
    assert "It is your turn!" in small
    assert "too small" in plain_text(render(board, LEAST_COLUMNS - 1, 60))
    assert "Bartholomew" in plain_text(render(board, 80, floor(board, 80)))
    assert "20 x 5: too" in plain_text(render(board, 20, 5))


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("size", [(60, 20), (45, 15)])
def test_a_phone_shows_the_hand_the_question_and_the_last_event(
    game: str, size: tuple[int, int]
) -> None:
    board = position(game).board()
    text = plain_text(render(board, *size))
    assert all(card.name in text for card in board.hand)
    said = " ".join(text.split())
    assert board.prompt in said
    assert " ".join(board.events[-1].split()) in said
    assert all(seat.name in text for seat in board.seats if not seat.you)
    assert LEAST_ROWS <= floor(board, 45) <= 15


@pytest.mark.parametrize("columns", [45, 60, 72, 80, 109, 110, 120, 200])
def test_no_word_of_an_event_is_lost(columns: int) -> None:
    words = ["*** Root 2 and Root 3 reach each other only through Root:", "漢字の名前" * 12]
    words.append("races depend on that, and it is found if he holds back more than 40 ms.")
    said = " ".join(words)
    for game in POSITIONS:
        rows = 40 if columns < 72 else 24
        board = replace(position(game).board(), events=("Before.", said))
        assert "".join(said.split()) in "".join(_story_of(board, columns, rows).split())


def _rows(board: Board, columns: int, rows: int, *, solid: bool = False) -> list[str]:
    return plain_text(render(board, columns, rows, solid=solid)).splitlines()


def _story_of(board: Board, columns: int, rows: int) -> str:
    """The part of the picture in which events are told."""
    table, story = sides(columns)
    return "".join(_from(line, table if story else 0) for line in _rows(board, columns, rows))


def _from(line: str, column: int) -> str:
    """The line from a column on."""
    while column > 0 and line:
        column -= get_cwidth(line[0])
        line = line[1:]
    return line


def test_the_story_stands_beside_the_table_of_a_wide_window() -> None:
    board = position("flip-over").board()
    assert sides(109) == (109, 0)
    for columns in (110, 120, 160, 200, 300):
        table, story = sides(columns)
        assert table + story == columns
        planned = plan(board, columns, 40)
        assert planned is not None
        assert planned.columns <= WIDEST
        assert "Story" in plain_text(render(board, columns, 40))
    assert "Story" not in plain_text(render(board, 109, 40))


def test_what_is_asked_and_what_enter_does_never_move() -> None:
    """Neither do they if there is more to say, and nor does the hand change its size."""
    board = replace(position("flip-over").board(), prompt="Asked?", preview="Enter: this.")
    long = replace(board, prompt="Asked? " + "words " * 25, middle=("Middle.",) * 3,
                   choices=tuple(ChoiceShown(f"choice {n}", n) for n in range(1, 30)),
                   events=("x " * 70,))  # fmt: skip
    none = replace(board, hand=(), piles=(), middle=(), prompt="Asked?", events=())
    for columns, rows in ((80, 24), (100, 30), (120, 40), (200, 60)):
        places, sizes = set(), set()
        for shown in (board, long, none):
            lines = _rows(shown, columns, rows)
            places.add(tuple(next(at for at, line in enumerate(lines) if said in line)
                             for said in ("Asked?", "Enter: this")))  # fmt: skip
            planned = plan(shown, columns, rows)
            assert planned is not None
            sizes.add((planned.size, planned.hand))
        assert len(places) == len(sizes) == 1, (columns, rows, places, sizes)


def test_the_largest_card_size_that_leaves_room_is_taken() -> None:
    board = position("sneak").board()
    sizes = [planned.size for rows in (17, 20, 24, 36) if (planned := plan(board, 80, rows))]
    assert sizes == [1, 3, 5, 8]
    asked = plan(board, 80, 24, card_size=1)
    assert asked is not None
    assert asked.size == 1


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("rows", [50, 60, 70])
def test_a_large_window_has_a_large_table(game: str, rows: int) -> None:
    """At 200 x 60 a third of the felt was empty, and no card was larger than at 120 x 40."""
    board = position(game).board()
    planned = plan(board, 200, rows)
    assert planned is not None
    assert planned.size == SIZES[-1]
    assert planned.columns > WIDEST
    for solid in (False, True):
        lines = _rows(board, 200, rows, solid=solid)
        used = [at for at, line in enumerate(lines[1:-1]) if line[: planned.columns].strip()]
        assert used[-1] - used[0] >= min(rows, 60) * 0.6
        assert planned.hand in (0, planned.size + LIFT)
    styled = render(board, 200, rows, solid=True)
    plates = [line for line in styled if any("class:plate" in style for style, _ in line)]
    assert len(plates) >= 4 + 4 + 3, "at the top, at the sides, and one's own"


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (150, 45), (200, 60)])
@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_sets_that_are_compared_are_drawn_in_every_window_that_has_a_table(
    size: tuple[int, int], count: int
) -> None:
    """Beside a story there was no row for them: a contest and a showdown were words only."""
    board = position("flop-a").board()
    under = (CardShown("6♣", 0), CardShown("J♥", 2))
    sets = tuple(
        PileShown(f"P{n} high 2{n}", None, "K♠", 1, lit=n == 1, under=under, owner=n)
        for n in range(count)
    )
    held = replace(board, sets=sets, held=True, prompt="So it is.", events=("So it is.",))
    for solid in (False, True):
        lines = _rows(held, *size, solid=solid)
        text = "\n".join(lines)
        assert all(f"P{n} high 2{n}" in text for n in range(count))
        assert text.count("6") >= text.count("J") >= count
        assert "So it is." in text
    if size[0] > 80:
        styled = render(held, *size, solid=True)
        lit = sum(any("class:lit" in style.split() for style, _ in line) for line in styled)
        assert lit >= (4 if count < 8 else 2), "cards, and not their names"


def test_who_sits_at_the_right_stands_at_the_edge_of_the_table() -> None:
    board = position("flip-over").board()
    for columns, rows in ((80, 24), (120, 40), (200, 60)):
        planned = plan(board, columns, rows)
        assert planned is not None
        part, _ = sides(columns)
        free = (part - planned.columns) // 2
        line = next(row for row in _rows(board, columns, rows, solid=True) if "Cleo" in row[:part])
        at = line[:part].rindex("▌")
        assert part - free - at <= 32
        assert free + planned.columns - at >= 22


def test_what_lies_on_the_table_of_flop_a_is_shown_once() -> None:
    board = position("flop-a").board()
    (flipped,) = [pile.top for pile in board.piles if pile.top]
    assert not board.middle
    assert not board.says
    for columns, rows in ((80, 24), (120, 40), (200, 60), (60, 20), (45, 15)):
        text = plain_text(render(replace(board, events=("Hm.",), hand=()), columns, rows))
        assert len(re.findall(flipped, text)) in (1, 2), "in both corners of an outline"
        assert "Table" not in text


def test_two_at_flop_a_have_cards_as_large_as_others_have() -> None:
    """What was said of the middle took two rows, and a card was three lines high."""
    board = Position("flop-a", 2, {}, 6).board()
    planned = plan(board, 80, 24)
    assert planned is not None
    assert planned.size == 5
    assert planned.events >= 3


def test_cards_that_cover_each_other_keep_their_names() -> None:
    hand = tuple(CardShown(f"{n % 10 + 1}♣", 0, playable=True) for n in range(17))
    board = Board("x", seats=(SeatShown("Ann", you=True),), you=0, hand=hand)
    text = plain_text(render(board, 80, 24))
    assert all(text.count(f"{n + 1}♣") >= 1 for n in range(10))
    planned = plan(board, 80, 24)
    assert planned is not None
    assert planned.size == 5


def test_what_may_be_played_and_the_cursor_are_seen_without_colour() -> None:
    hand = (
        CardShown("7♣", 0, playable=True),
        CardShown("8♣", 0),
        CardShown("9♣", 0, playable=True, cursor=True),
        CardShown("K♥", 2, playable=True, picked=1),
    )
    board = Board("x", seats=(SeatShown("Ann", you=True),), you=0, hand=hand)
    in_a_line = plain_text(render(board, 80, 24, card_size=1))
    assert "•7♣    8♣   [9♣]  +K♥" in in_a_line
    refused = replace(board, hand=(CardShown("8♣", 0, cursor=True),))
    assert "(8♣)" in plain_text(render(refused, 80, 24, card_size=1))
    boxes = plain_text(render(board, 80, 24, card_size=3)).splitlines()
    low = next(row for row in boxes if "│8♣ │" in row)
    assert "7♣" not in low, "a card that may be played stands higher"
    assert any("▲" in row for row in boxes)
    assert any("╭1──╮" in row for row in boxes)


def test_a_title_gives_its_words_up_last() -> None:
    lines = tuple(f"line {n}" for n in range(100))
    title = "You Fink!: 3 of 4 seated, 3 ready"
    assert f"{title}   1-22 of 100" in _rows(Board("x", overlay=Overlay(title, lines)), 80, 24)[0]
    assert f"{title}  1-12/100" in _rows(Board("x", overlay=Overlay(title, lines)), 45, 15)[0]


def test_a_page_scrolls_and_never_past_its_end() -> None:
    lines = tuple(f"line {n}" for n in range(100))
    page = Board("x", overlay=Overlay("Help", lines, 1000))
    text = plain_text(render(page, 80, 24))
    assert "line 99" in text
    assert "79-100 of 100" in text
    assert len(text.splitlines()) == 24


@pytest.mark.parametrize("others", range(9))
def test_everybody_has_a_place_around_the_table(others: int) -> None:
    left, above, right = around(others)
    assert left + above + right == others
    assert left == right or others == 1


@pytest.mark.parametrize("seats", range(4, 9))
@pytest.mark.parametrize("solid", [False, True])
def test_no_number_of_a_seat_is_cut(seats: int, solid: bool) -> None:
    """Flop-A says the most of each seat: cards, bet, tally, and one's own hand what it counts."""
    board = Position("flop-a", seats, {}, 6).board()
    high = {"bet": "14", "tally": "-156"}
    board = replace(
        board,
        hand_note="(counts 24/14)",
        seats=tuple(
            replace(
                seat,
                numbers=tuple(replace(n, value=high.get(n.heading, "3")) for n in seat.numbers),
            )
            for seat in board.seats
        ),
    )
    rows = plain_text(render(board, 80, 24, solid=solid)).replace("●", "").splitlines()
    text = "\n".join(rows)
    assert len(re.findall(r"3 cards +bet 14\b", text)) == seats
    assert len(re.findall(r"tally -156\b", text)) == seats, "no figure without what it is"
    assert "cds" not in text
    assert "(counts 24/14)" in text


@pytest.mark.parametrize("columns", [45, 60])
def test_a_headline_in_two_rows_is_broken_between_its_parts(columns: int) -> None:
    """ "betting round 2 of / 6" and "Mystery Pile / 2" were read twice."""
    for game in POSITIONS:
        board = position(game).board()
        rows = [line.strip() for line in _rows(board, columns, 20)[:2]]
        if width(board.headline) > columns - 2:
            assert "   ".join(rows) == board.headline
        else:
            assert rows[0] == board.headline


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (45, 15)])
def test_a_sentence_below_a_page_is_told_to_its_end(columns: int, rows: int) -> None:
    lines = tuple(f"line {n}" for n in range(40))
    page = Overlay("Lobby", lines, whole=True, foot=AWAY, longer=AWAY)
    for top in range(0, 40, 5):
        said = _rows(Board("x", overlay=replace(page, top=top)), columns, rows)
        assert len(said) == rows
        assert AWAY in " ".join(line.strip() for line in said)
    window = WindowShown(columns, rows, solid=False)
    assert "line 39" in plain_text(
        render(Board("x", overlay=scrolled(page, Scroll(rows=100), window)), columns, rows)
    )


def test_the_trick_lies_in_the_middle_with_who_laid_each_card() -> None:
    board = position("flip-over").board()
    assert [(pile.label, pile.top) for pile in board.piles] == [
        *(("Bartholomew", "6♣"), ("Cleo", "9♣"), ("Zoe", "6♠"), ("Ada", "2♣"))
    ]
    assert all(pile.past for pile in board.piles), "nobody has led to the next trick"
    following = Position("flip-over", 5, {}, 3).board()
    assert not any(pile.past for pile in following.piles)
    text = plain_text(render(following, 80, 24))
    assert all(f"[{pile.top}] {pile.label}" in text for pile in following.piles)


def test_long_titles_stand_in_two_rows_of_a_card() -> None:
    hand = (CardShown("KL♣", 0, "KING'N'LAY"), CardShown("4♦", 3, "FLAPS"))
    board = Board("x", seats=(SeatShown("Ann", you=True),), you=0, hand=hand)
    text = plain_text(render(board, 80, 24, card_size=5))
    assert "│KING'││FLAPS│" in text
    assert "│N'LAY││   4♦│" in text


def test_texts_are_cut_by_the_columns_they_take() -> None:
    assert clip("Bartholomew", 6) == "Barth…"
    assert get_cwidth(clip("漢字漢字", 5)) <= 5
    assert clip_sentences("Lay a card. Then say so.", 20) == "Lay a card. …"
    assert clip_sentences("Lay a card of that rank.", 20) == "Lay a card of …"
    assert wrapped("one two three four", 9, 2) == ["one two", "three ..."]
    assert wrapped("█  █", 9, 2) == ["█  █"]


def test_names_of_any_script_leave_the_lines_as_long_as_they_are() -> None:
    names = ("漢字の名前", "Zoë", "e\u0301te\u0301", "🂡🂢", "ع" * 30)
    seats = tuple(SeatShown(name, turn=True, link="via 漢字") for name in names)
    board = Board("x", seats=seats, you=0, events=("漢字 lays 7♣.",))
    for ascii_only in (False, True):
        for columns in (72, 80, 81):
            lines = render(board, columns, 24, ascii=ascii_only)
            assert {length(line) for line in lines} == {columns}


def test_nobody_is_said_to_watch_before_there_is_a_table() -> None:
    """It stood there for two seconds, while the own table was being set."""
    assert "You watch" not in plain_text(render(Board("Sneak, 4 seats"), 80, 24))
    watched = replace(position("sneak").board(), you=None, hand=())
    assert "You watch; nobody's hand is shown." in plain_text(render(watched, 80, 24))


@pytest.mark.parametrize(
    ("columns", "keys", "shown"),
    [
        (80, IDLE, IDLE),
        (60, IDLE, "? help  F2 events  F3 chat  F8 who  Ctrl-C leave"),
        (45, IDLE, "? help  F2 events  F3 chat  Ctrl-C leave"),
        (45, KEYS, "Enter plays  ? help  Ctrl-C leave"),
        (
            54,
            f"Space: slap  f forehead  {RACE}  ? help  Ctrl-C leave",
            "Space: slap  f forehead  ? help  Ctrl-C leave",
        ),
        (52, f"{HELD} (2 more)   F5 pace  F2 events  ? help", f"{HELD} (2 more)   ? help"),
        (45, f"{HELD} (2 more, then you decide)   F5 pace  F2 events  ? help", HELD),
    ],
)
def test_how_to_leave_and_where_help_is_stand_in_every_window(
    columns: int, keys: str, shown: str
) -> None:
    board = replace(position("sneak").board(), keys=keys)
    line = plain_text([foot(board, columns)]).strip()
    assert line == shown or (shown == HELD and line.startswith(HELD))


def test_the_cards_of_a_trick_stay_drawn_and_the_seats_where_they_are() -> None:
    """In round 2 the cards turned into words, and the table moved by a column: "9 cds", "1 cd"."""
    board = position("flip-over").board()
    trick = tuple(
        PileShown(seat.name, None, "10♦", 2, lit=seat.number == 1, owner=seat.number)
        for seat in board.seats
    )
    for solid in (False, True):
        places = set()
        for cards, scored in (("10", "+0"), ("1", "-7"), ("0", "+12")):
            values = (cards, scored, "-15")
            seats = tuple(
                replace(seat, numbers=tuple(map(_with_value, seat.numbers, values)), link="")
                for seat in board.seats
            )
            shown = replace(board, seats=seats, piles=trick)
            rows = plain_text(render(shown, 80, 24, solid=solid)).splitlines()
            assert rows[3 if solid else 4].count("10♦") == len(trick), "drawn, not named"
            assert sum(row.count(f"{scored} total -15") for row in rows) == 2
            places.add((rows[1].index("Bartholomew"), rows[4].rindex("Cleo")))
        assert len(places) == 1


def test_where_cards_have_no_room_the_one_that_wins_is_marked_too() -> None:
    piles = [PileShown("Ada", None, "9♥", 1), PileShown("Bo", None, "10♥", 1, lit=True)]
    (row,) = named(piles, 40, 1, UNICODE)
    assert plain_text([row]).split() == ["[9♥]", "Ada", "[10♥]", "Bo▲"]


def _with_value(number: NumberShown, value: str) -> NumberShown:
    return replace(number, value=value)
