"""Sequential halving: tries go to what is good, and a habit is left for a reason only."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from engine.bots.trials import Trials


def never() -> bool:
    return False


def run(worth: list[float], habit: int, tries: int = 200, spread: float = 0.2) -> Trials:
    """Decisions of these worths, with luck that is the same for all on one deal."""
    trials = Trials(len(worth), habit)

    def attempt(number: int, deal: int) -> float:
        luck = Random(f"{deal}").gauss(0, 1) + Random(f"{deal}/{number}").gauss(0, spread)
        return worth[number] + luck

    trials.run(tries, attempt, never, never)
    return trials


def test_the_best_is_found_though_luck_is_larger_than_the_difference() -> None:
    assert run([0.1, 0.2, 0.5, 0.3], habit=0).best() == 2


def test_the_best_and_the_habit_are_tried_most() -> None:
    found = [len(one) for one in run([0.1, 0.2, 0.5, 0.3, 0.0, 0.1], habit=4).found]
    assert found[2] == found[4] == max(found)
    assert sum(found) <= 300
    assert min(found) >= 1


def test_of_equal_decisions_the_habit_is_taken() -> None:
    taken = [run([0.5, 0.5, 0.5 + seed / 1e9], habit=1, tries=60).best() for seed in range(20)]
    assert taken.count(1) >= 15


def test_who_has_to_be_surer_leaves_the_habit_later() -> None:
    """The other one is 0.1 better, with a standard error of 0.082."""
    ahead = [0.3, 0.1, -0.1, 0.1]

    def attempt(number: int, deal: int) -> float:
        return number * ahead[deal]

    for sure, best in (1.0, 1), (2.0, 0):
        trials = Trials(2, 0)
        trials.run(8, attempt, never, never)
        assert len(trials.found[0]) == 4
        assert trials.best(sure) == best


def test_what_is_a_standard_error_from_enough_is_in_doubt_however_seldom_it_was_tried() -> None:
    """A suit of Flaps was given up first of four, which is 3 of 100 games better."""
    ahead = [(0.0,) * 12, (0.5, 0.3) * 6, (0.05, -0.15) * 2, (-0.1, -0.5) * 2]

    def attempt(number: int, deal: int) -> float:
        return ahead[number][deal]

    trials = Trials(4, 0)
    trials.run(32, attempt, never, never)
    assert [len(one) for one in trials.found] == [12, 12, 4, 4]
    assert trials.error(2) == pytest.approx(0.0577, abs=0.0001)
    assert trials.in_doubt(0.007) == [1, 2]
    assert trials.in_doubt(0.008) == [1]


def test_one_deal_proves_nothing() -> None:
    trials = Trials(2, 0)
    trials.run(2, lambda number, deal: float(number), never, never)
    assert (trials.ahead(1), trials.error(1)) == (1.0, inf)
    assert trials.best() == 0


def test_trials_that_all_come_to_the_same_prove_no_more_than_one() -> None:
    """Their standard error is 0, however little the others are understood."""
    trials = Trials(2, 0)
    trials.run(8, lambda number, deal: 0.25 + number / 2, never, never)
    assert len(trials.found[0]) == 4
    assert trials.alike(0)
    assert trials.alike(1)
    trials.found[1].append(0.25)
    assert not trials.alike(1)
    once = Trials(2, 0)
    once.run(2, lambda number, deal: 0.5, never, never)
    assert not once.alike(0)


def test_a_spent_budget_ends_it_at_once() -> None:
    trials = Trials(3, 0)
    trials.run(1000, lambda number, deal: 0.0, lambda: True, never)
    assert [len(one) for one in trials.found] == [1, 1, 1]
    assert trials.best() == 0


def test_what_is_late_ends_in_the_middle_of_a_deal_which_counts_for_nothing() -> None:
    """With four decisions, and after ten looks at the clock: one deal is whole for sure."""
    for looks, whole in ((0, 1), (1, 1), (4, 2), (10, 3)):
        trials, late = Trials(4, 0), iter([*[False] * looks, True])
        trials.run(1000, lambda number, deal: deal / 10, never, late.__next__)
        assert [len(one) for one in trials.found] == [whole] * 4, looks
