"""Sums of games: in any order the same, and what is told of them is right."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from statistics import mean, stdev

import pytest

from engine.game import Sides
from engine.totals import Played, Totals, parts_of_win, wilson, winners

SEATS = 3
RNG = Random(5)
PLAYED = [
    Played(RNG.randrange(9, 30), tuple(RNG.randrange(-2, 3) for _ in range(SEATS)))
    for game in range(60)
]
WHOLE = Totals.of(SEATS, PLAYED)


@pytest.mark.parametrize("cuts", [(0, 60), (1, 2), (20, 20), (7, 44)])
def test_parts_add_up_in_any_order(cuts: tuple[int, int]) -> None:
    first, second = cuts
    parts = [PLAYED[:first], PLAYED[first:second], PLAYED[second:]]
    one, two, three = (Totals.of(SEATS, part) for part in parts)
    assert one + two + three == three + (one + two) == WHOLE
    assert WHOLE + Totals.none(SEATS) == WHOLE


def test_each_winner_of_a_shared_win_gets_a_part() -> None:
    assert Totals.of(2, [Played(5, (3, 3)), Played(6, (1, 4))]).shares() == (0.25, 0.75)
    parts = [
        sum(
            (Fraction(1, one.returns.count(max(one.returns))))
            for one in PLAYED
            if one.returns[seat] == max(one.returns)
        )
        for seat in range(SEATS)
    ]
    assert WHOLE.shares() == pytest.approx([float(part / len(PLAYED)) for part in parts])
    assert sum(parts) == len(PLAYED)


TEAMS = ((0, 2), (1, 3))


@pytest.mark.parametrize(
    ("returns", "lost", "sides", "won"),
    [
        ((3, 5, 5), [], (), (1, 2)),
        ((4, 4), [], (), ()),
        ((9, 5, 7), [0], (), (2,)),
        ((9, 5, 5), [0], (), ()),
        ((9, -5), [0], (), (1,)),
        ((9, 5, 9, 5), [], TEAMS, (0, 2)),
        ((9, 5, 9, 5), [2], TEAMS, (1, 3)),
        ((0, 0, 0, 0), [2], TEAMS, (1, 3)),
        ((9, 5, 9, 5), [2, 1], TEAMS, ()),
        ((5, 5, 5, 5), [], TEAMS, ()),
    ],
)
def test_lost_seat_never_wins_and_last_side_wins(
    returns: tuple[int, ...], lost: list[int], sides: Sides, won: tuple[int, ...]
) -> None:
    assert winners(returns, lost, sides) == won
    parts = parts_of_win(returns, lost, sides)
    assert all(parts[seat] == 0 for seat in lost)
    assert not won or parts == tuple((seat in won) / len(won) for seat in range(len(returns)))
    shares = Totals.of(len(returns), [Played(1, returns, tuple(lost), sides)]).shares()
    assert shares == pytest.approx(parts)


def test_all_that_are_left_share_an_even_game() -> None:
    assert parts_of_win((9, 5, 5), [0]) == (0, 0.5, 0.5)
    assert parts_of_win((9, 5, 9, 5), [2, 1], TEAMS) == (0, 0, 0, 0)


def test_means_have_the_errors_of_the_textbook() -> None:
    columns = list(zip(*(one.returns for one in PLAYED), strict=True))
    assert WHOLE.means() == pytest.approx([mean(column) for column in columns])
    wanted = [stdev(column) / len(PLAYED) ** 0.5 for column in columns]
    assert WHOLE.errors() == pytest.approx(wanted)
    assert Totals.of(2, [Played(1, (4, 9))]).errors() == (0.0, 0.0)


def test_large_results_lose_nothing() -> None:
    far = 10**12
    near = Totals.of(1, [Played(1, (far + point,)) for point in (0, 1, 2)])
    assert near.errors() == pytest.approx([1 / 3**0.5])


@pytest.mark.parametrize(
    ("share", "games", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [
        (81 / 263, 263, 0.2553, 0.3662),
        (15 / 148, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1 / 29, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval(share: float, games: int, low: float, high: float) -> None:
    assert wilson(share, games) == pytest.approx((low, high), abs=5e-5)
    assert wilson(1 - share, games) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_lengths() -> None:
    totals = Totals.of(1, [Played(steps, (0,)) for steps in (9, 3, 5, 5, 7)])
    assert [totals.length(one) for one in (0.2, 0.5, 0.6, 0.8, 1)] == [3, 5, 5, 7, 9]
    assert totals.steps == 29
    with pytest.raises(ValueError, match="no game"):
        Totals.none(2).length(0.5)
