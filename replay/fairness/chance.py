"""How unusual a number is: p-values by simulation or from moments, and many tests at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import stats

from replay.fairness.samples import Array

TELLING: Final = 10
"""With fewer simulations in a tail, its p-value is read off a fitted curve instead."""
SAME: Final = 1e-9
"""Numbers with a smaller relative difference are equal: sums in another order."""


@dataclass(frozen=True, slots=True)
class Null:
    """What a statistic looks like if all is fair: its moments, or many simulated values."""

    mean: float
    deviation: float
    skew: float
    simulated: Array | None = None

    @classmethod
    def of(cls, simulated: Array) -> Null:
        """From simulated values alone."""
        mean, deviation = float(np.mean(simulated)), float(np.std(simulated))
        skew = float(stats.skew(simulated)) if deviation else 0.0
        return cls(mean, deviation, skew, simulated)

    def upper(self, value: float) -> float:
        """The probability of this value or a larger one."""
        return self._tail(value, 1)

    def two_sided(self, value: float) -> float:
        """The probability of a value as far out on either side."""
        return min(1.0, 2 * min(self._tail(value, 1), self._tail(value, -1)))

    def _tail(self, value: float, side: int) -> float:
        if self.simulated is not None:
            slack = SAME * max(1.0, abs(value))
            beyond = int(np.sum(side * self.simulated >= side * value - slack))
            if beyond >= TELLING or not self.deviation:
                return (beyond + 1) / (len(self.simulated) + 1)
        return self._fitted(value, side)

    def _fitted(self, value: float, side: int) -> float:
        """The tail of the Pearson III curve with these three moments: a shifted gamma, which
        is exact for chi-square and close for sums of Poisson-like counts."""
        far = side * (value - self.mean) / self.deviation
        return float(stats.pearson3.sf(far, side * self.skew))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for their number (Holm 1979): however the tests depend on each other, the
    chance that any fair one falls below alpha is at most alpha."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    adjusted, least = [1.0] * len(p_values), 0.0
    for place, at in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = least
    return adjusted
