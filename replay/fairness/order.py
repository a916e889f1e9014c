"""Statistics of single permutations: which cards stayed, and which lie side by side.

Each counts something in every shuffle; mean and variance over all permutations are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from replay.fairness.samples import Array, Sample


@dataclass(frozen=True, slots=True)
class Count:
    """A count in each shuffle: `of(origins, sample)`; `moments(sample)` are mean and variance."""

    name: str
    of: Callable[[Array, Sample], Array]
    moments: Callable[[Sample], tuple[float, float]]


def stayed(origins: Array, _: Sample) -> Array:
    """How many cards lie where they lay before."""
    found: Array = np.sum(origins == np.arange(origins.shape[1]), axis=1)
    return found


def stayed_moments(_: Sample) -> tuple[float, float]:
    return 1.0, 1.0


def neighbours(origins: Array, _: Sample) -> Array:
    """Neighbours that were neighbours before."""
    found: Array = np.sum(np.abs(np.diff(origins, axis=1)) == 1, axis=1)
    return found


def neighbours_moments(sample: Sample) -> tuple[float, float]:
    """Pairs that follow each other upwards and downwards: the same law, and never both at once."""
    n = sample.cards
    mean = (n - 1) / n
    variance = mean + (n - 2) / n - mean**2
    both = (n - 2) * (n - 3) / (n * (n - 1)) - mean**2
    return 2 * mean, 2 * variance + 2 * both


def same_suit(origins: Array, sample: Sample) -> Array:
    """Neighbours of one suit: many short runs or few long ones."""
    return _equal(sample.suits[origins])


def same_rank(origins: Array, sample: Sample) -> Array:
    """Neighbours of one rank."""
    return _equal(sample.ranks[origins])


def _equal(classes: Array) -> Array:
    found: Array = np.sum(classes[:, 1:] == classes[:, :-1], axis=1)
    return found


def equal_moments(classes: Array) -> tuple[float, float]:
    """Joins of equal classes along a line (Cliff and Ord 1981, section 2.3, non-free sampling)."""
    n, sizes = len(classes), np.bincount(classes).astype(float)
    two = sizes * (sizes - 1)
    pair = two.sum() / (n * (n - 1))
    three = (two * (sizes - 2)).sum() / (n * (n - 1) * (n - 2))
    four = (two * (sizes - 2) * (sizes - 3)).sum() + two.sum() ** 2 - (two**2).sum()
    apart = four / (n * (n - 1) * (n - 2) * (n - 3))
    mean = (n - 1) * pair
    variance = mean + 2 * (n - 2) * three + (n - 2) * (n - 3) * apart - mean**2
    return float(mean), float(variance)


COUNTS: Final = (
    Count("cards left in their place", stayed, stayed_moments),
    Count("neighbours from before", neighbours, neighbours_moments),
    Count("neighbours of one suit", same_suit, lambda sample: equal_moments(sample.suits)),
    Count("neighbours of one rank", same_rank, lambda sample: equal_moments(sample.ranks)),
)
