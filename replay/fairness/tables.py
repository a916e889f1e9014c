"""Statistics of many shuffles of one shape: which cards lie where, and who gets which.

Over all permutations the counts in such a table have the covariance of two projections, divided by
n - 1; so the sum of squares below has mean (rows - 1) (columns - 1) exactly, and tends to
chi-square with that many degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import stats

from replay.fairness.samples import Array, Sample


@dataclass(frozen=True, slots=True)
class Table:
    """A statistic of a whole sample: `of(origins, sample)`, large if something is wrong.

    `tail(sample, value)` is its p-value for many shuffles; `fits(sample)` says whether there is
    anything to see.
    """

    name: str
    of: Callable[[Array, Sample], float]
    tail: Callable[[Sample, float], float]
    fits: Callable[[Sample], bool]


def spread(groups: Array, classes: Array) -> float:
    """How unevenly classes of cards are spread over groups of places, in all shuffles."""
    shuffles, n = groups.shape
    rows, columns = groups.max() + 1, classes.max() + 1
    counts = np.bincount((groups * columns + classes).ravel(), minlength=rows * columns)
    seen = counts.reshape(rows, columns)
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / (shuffles * n)
    return float((n - 1) / n * np.sum((seen - expected) ** 2 / expected))


def _places(origins: Array) -> Array:
    return np.broadcast_to(np.arange(origins.shape[1]), origins.shape)


def _hands(sample: Sample) -> Array:
    """Groups of places: those of each seat, and the rest."""
    groups: Array = np.unique(sample.seats, return_inverse=True)[1].reshape(sample.seats.shape)
    return groups


def _strength(origins: Array, sample: Sample) -> float:
    """How unevenly the ranks are spread over the seats: squares of sums of ranks."""
    hands, n = _hands(sample), sample.cards
    values = sample.values - sample.values.mean()
    sums = np.bincount(hands.ravel(), weights=values[origins].ravel())
    sizes = np.bincount(hands.ravel()) / sample.shuffles
    each = float(np.sum(values**2))
    return float((n - 1) / (sample.shuffles * each) * np.sum(sums**2 / sizes))


def _most(origins: Array, _: Sample) -> float:
    """How often the most faithful card came to its favourite place."""
    n = origins.shape[1]
    return float(np.bincount((_places(origins) * n + origins).ravel()).max())


def _tail(degrees: Callable[[Sample], int]) -> Callable[[Sample, float], float]:
    def tail(sample: Sample, value: float) -> float:
        return float(stats.chi2.sf(value, degrees(sample)))

    return tail


def _largest_cell(sample: Sample, value: float) -> float:
    """Each cell is binomial; of n x n tails the sum bounds the chance of any (Bonferroni)."""
    n = sample.cards
    return min(1.0, n * n * float(stats.binom.sf(value - 1, sample.shuffles, 1 / n)))


def _kinds(classes: Array) -> int:
    return int(classes.max()) + 1


def _in_places(classes: Callable[[Sample], Array]) -> Callable[[Array, Sample], float]:
    return lambda origins, sample: spread(_places(origins), classes(sample)[origins])


def _in_hands(classes: Callable[[Sample], Array]) -> Callable[[Array, Sample], float]:
    return lambda origins, sample: spread(_hands(sample), classes(sample)[origins])


def _suits(sample: Sample) -> Array:
    return sample.suits


def _ranks(sample: Sample) -> Array:
    return sample.ranks


def _cards(sample: Sample) -> Array:
    return np.arange(sample.cards)


def _dealt(sample: Sample) -> bool:
    return _kinds(_hands(sample)) > 1


TABLES: Final = (
    Table(
        "suits by place",
        _in_places(_suits),
        _tail(lambda one: (one.cards - 1) * (_kinds(one.suits) - 1)),
        lambda one: _kinds(one.suits) > 1,
    ),
    Table(
        "ranks by place",
        _in_places(_ranks),
        _tail(lambda one: (one.cards - 1) * (_kinds(one.ranks) - 1)),
        lambda one: _kinds(one.ranks) > 1,
    ),
    Table(
        "cards by place",
        _in_places(_cards),
        _tail(lambda one: (one.cards - 1) ** 2),
        lambda one: True,
    ),
    Table("a card's favourite place", _most, _largest_cell, lambda one: True),
    Table(
        "suits by seat",
        _in_hands(_suits),
        _tail(lambda one: (_kinds(_hands(one)) - 1) * (_kinds(one.suits) - 1)),
        lambda one: _dealt(one) and _kinds(one.suits) > 1,
    ),
    Table(
        "strength by seat",
        _strength,
        _tail(lambda one: _kinds(_hands(one)) - 1),
        lambda one: _dealt(one) and _kinds(one.ranks) > 1,
    ),
)
