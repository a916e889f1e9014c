"""How much would have been found: small biases, and how many deals show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from scipy import stats

from replay.fairness.judging import ALPHA, Judgement
from replay.fairness.samples import Sample

SHARE: Final = 0.02
"""The bias of which it is said after how many deals it shows: in 2 of 100 deals."""
POWER: Final = 0.9


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
    n, known = sample.cards, sample.known
    either = float(stats.norm.isf(alpha / 2) + stats.norm.ppf(POWER))
    cell = float(stats.norm.isf(alpha / n**2) + stats.norm.ppf(POWER))
    # A deck left as it was keeps n cards in place instead of one; variance one a shuffle.
    yield _power(sample, "the deck is left as it was", either / (known * (n - 1)))
    # A card comes to its place once in n deals; the variance of that is about 1 / n.
    yield _power(sample, "one card stays where it was", cell / (known * n**0.5))
    dealt = sample.seats[0] >= 0
    if dealt.any():
        best = known * _strongest(sample)
        if best > 0:
            yield _power(sample, "one seat gets the strongest cards", either / best)


def _strongest(sample: Sample) -> float:
    """How many deviations above its mean the strongest hand is."""
    n, values = sample.cards, np.sort(sample.values)
    hand = int(np.sum(sample.seats[0] == 0))
    mean, spread = float(values.mean()), float(values.var())
    deviation = (hand * (n - hand) / (n - 1) * spread) ** 0.5
    return (float(values[n - hand :].sum()) - hand * mean) / deviation if deviation else 0.0


def _power(sample: Sample, bias: str, one_deal: float) -> Power:
    """`one_deal` is the share that a single deal would show, were the normal law to hold."""
    deals = ceil((one_deal / SHARE) ** 2)
    return Power(sample.name, bias, deals, min(1.0, one_deal / sample.shuffles**0.5))
