"""The statistics have the stated moments, over all permutations."""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest
from scipy import stats

from replay.fairness.chance import Null, holm
from replay.fairness.order import COUNTS, Count
from replay.fairness.samples import Sample, gather
from replay.fairness.tables import TABLES, spread
from tests.fairness.decks import cards, dealt, fair


def sample_of_all(suits: int, ranks: int, seats: int) -> Sample:
    """Every order of a few cards, once."""
    deck = cards(suits, ranks)
    every = [dealt(order, deck, seats) for order in permutations(range(len(deck)))]
    (sample,) = gather(every, np.random.default_rng(1))
    return sample


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.name)
@pytest.mark.parametrize(("suits", "ranks"), [(2, 3), (3, 2), (1, 6), (2, 2)])
def test_the_moments_of_counts_are_exact(count: Count, suits: int, ranks: int) -> None:
    sample = sample_of_all(suits, ranks, 2)
    found = count.of(sample.origins, sample)
    assert count.moments(sample) == pytest.approx((found.mean(), found.var()))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_single_shuffle_has_the_mean_of_chi_square(seats: int) -> None:
    """Over all orders the mean of each sum of squares is its degrees of freedom."""
    sample = sample_of_all(3, 2, seats)
    groups, classes = sample.seats, sample.suits[sample.origins]
    each = [spread(groups[i : i + 1], classes[i : i + 1]) for i in range(sample.shuffles)]
    assert np.mean(each) == pytest.approx((seats - 1) * 2)


def test_tables_tend_to_chi_square() -> None:
    """Their p-values in large samples are those of simulated decks."""
    rng = np.random.default_rng(3)
    (sample,) = gather(fair(400, "limit"), rng)
    for table in TABLES:
        fairs = [rng.permuted(sample.origins, axis=1) for _ in range(300)]
        tails = np.array([table.tail(sample, table.of(one, sample)) for one in fairs])
        if table.name == "a card's favourite place":
            assert np.mean(tails < 0.1) <= 0.13, "the bound is one"
        else:
            assert stats.kstest(tails, "uniform").pvalue > 0.001, table.name


def test_holm() -> None:
    """The worked example of Holm 1979: 0.01 x 4, 0.013 x 3, ..., never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.6, 0.7]) == [1.0, 1.0]


def test_p_values_of_simulations_count_the_value_itself() -> None:
    null = Null.of(np.arange(100.0))
    assert null.upper(50) == pytest.approx(51 / 101)
    assert null.upper(-1) == 1
    assert null.two_sided(49.5) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("degrees", [3, 40])
def test_far_tails_follow_the_fitted_curve(degrees: int) -> None:
    """Of a chi-square law it is exact."""
    null = Null(degrees, (2 * degrees) ** 0.5, (8 / degrees) ** 0.5)
    for far in (1.5, 3.0, 6.0):
        value = degrees + far * null.deviation
        assert null.upper(value) == pytest.approx(stats.chi2.sf(value, degrees), rel=1e-6)


def test_unknown_places_are_filled_with_the_cards_that_are_left() -> None:
    deck = cards()
    half = [origin if place % 2 else None for place, origin in enumerate(range(24))]
    (sample,) = gather([dealt(half, deck)] * 200, np.random.default_rng(1))
    assert sample.known == 0.5
    assert (np.sort(sample.origins, axis=1) == np.arange(24)).all()
    assert (sample.origins[:, 1::2] == np.arange(1, 24, 2)).all()
    even = np.bincount(sample.origins[:, 0], minlength=24)[::2]
    assert even.min() > 0


def test_copies_of_one_face_are_mixed() -> None:
    """Nobody can see which of two equal cards came first."""
    deck = cards()[:5]
    twins = (deck[0], *deck)
    (sample,) = gather([dealt(range(6), twins)] * 100, np.random.default_rng(1))
    assert set(sample.origins[:, 0].tolist()) == {0, 1}
    assert (sample.origins[:, 2:] == np.arange(2, 6)).all()


def test_samples_are_of_one_shape() -> None:
    """Other decks and other numbers of seats are counted apart."""
    some = fair(3, 1) + fair(2, 2, cards(4, 5))
    some += [dealt(Random(1).sample(range(24), 24), cards(), seats=3)]
    found = gather(some, np.random.default_rng(1))
    assert [(one.shuffles, one.cards) for one in found] == [(3, 24), (2, 20), (1, 24)]
