"""What would have been found: small biases, and how many deals show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from scipy import stats

from replay.fairness.judging import ALPHA, Judgement
from replay.fairness.samples import Sample

SHARE: Final = 0.02
"""The bias for which the needed number of deals is told: in 2 of 100 deals."""
POWER: Final = 0.9
STEPS: Final = 30
"""Halvings when a share is sought."""


@dataclass(frozen=True, slots=True)
class Power:
    """`deals` show a bias of SHARE with probability POWER; those at hand show one of `finds`."""

    deck: str
    bias: str
    deals: int
    finds: float


def powers(judgement: Judgement) -> Iterator[Power]:
    """For the largest sample of each game, three ways to cheat in some share of the deals."""
    told = set()
    for sample in judgement.samples:
        if sample.game not in told:
            told.add(sample.game)
            yield from _of(sample, ALPHA / max(1, len(judgement.results)))


def _of(sample: Sample, alpha: float) -> Iterator[Power]:
    n = sample.cards
    # A deck left as it was keeps n cards in place instead of one; the variance is one per shuffle.
    yield _power(sample, "the deck is left as it was", n - 1, alpha / 2)
    # A card comes to its place once in n deals; the variance of that is about 1 / n.
    yield _power(sample, "one card stays where it was", n**0.5, alpha / n**2)
    if (sample.seats[0] >= 0).any():
        jump = _strongest(sample)
        if jump > 0:
            yield _power(sample, "one seat gets the strongest cards", jump, alpha / 2)


def _strongest(sample: Sample) -> float:
    """How many deviations above its mean the strongest hand is."""
    n, values = sample.cards, np.sort(sample.values)
    hand = int(np.sum(sample.seats[0] == 0))
    mean, spread = float(values.mean()), float(values.var())
    deviation = (hand * (n - hand) / (n - 1) * spread) ** 0.5
    return (float(values[n - hand :].sum()) - hand * mean) / deviation if deviation else 0.0


def _power(sample: Sample, bias: str, jump: float, alpha: float) -> Power:
    """`jump`: by how many deviations a deal with that bias moves the statistic of one deal."""

    def deals(share: float) -> float:
        """How many deals are enough (normal law; those with the bias spread the statistic too)."""
        part = share * sample.known
        spread = (1 + part * jump**2) ** 0.5
        far = float(stats.norm.isf(alpha)) + float(stats.norm.ppf(POWER)) * spread
        return float((far / (part * jump)) ** 2)

    return Power(sample.name, bias, ceil(deals(SHARE)), _share(deals, sample.shuffles))


def _share(deals: Callable[[float], float], at_hand: int) -> float:
    """The share of deals at which `at_hand` deals are enough, 1 if they never are."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if deals(middle) <= at_hand else (middle, high)
    return high
