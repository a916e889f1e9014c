"""All tests over all shuffles, and what follows from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from replay.fairness.chance import Null, holm
from replay.fairness.observed import Shuffled
from replay.fairness.order import COUNTS, Count
from replay.fairness.samples import Array, Sample, gather
from replay.fairness.tables import TABLES, Table

ALPHA: Final = 1e-4
"""How seldom anything is flagged if all is fair, however many tests there are."""
FEW: Final = 300
"""With fewer shuffles p-values come from simulation, otherwise from the known limits."""
SIMULATIONS: Final = 999
SHAPES: Final = 4000
"""How many random permutations are used to find how skewed a count is."""
LEAST: Final = 10
"""How many shuffles of one shape a table needs: with fewer there is nothing to see in it."""
SEED: Final = 1
"""The seed: two runs over the same logs say the same."""


@dataclass(frozen=True, slots=True)
class Result:
    """One test.  `adjusted` is its p-value corrected for the number of tests (Holm)."""

    name: str
    statistic: float
    p_value: float
    adjusted: float = 1.0

    @property
    def flagged(self) -> bool:
        return self.adjusted < ALPHA


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was tested, and on how much: `cards` are the known places in all `shuffles`."""

    results: tuple[Result, ...]
    samples: tuple[Sample, ...]
    cards: int
    shuffles: int

    @property
    def flagged(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.flagged)


def judge(shuffles: Iterable[Shuffled], seed: int = SEED) -> Judgement:
    """All tests for which these shuffles are enough."""
    seen = list(shuffles)
    rng = np.random.default_rng(seed)
    samples = gather(seen, rng)
    results: list[Result] = []
    for game, group in _by_game(samples).items():
        results += [_counted(game, group, count, rng) for count in COUNTS]
    for sample in samples:
        if sample.shuffles >= LEAST:
            results += _tabled(sample, rng)
    adjusted = holm([result.p_value for result in results])
    final = [replace(one, adjusted=value) for one, value in zip(results, adjusted, strict=True)]
    known = sum(one.known for one in seen)
    return Judgement(tuple(final), tuple(samples), known, len(seen))


def _by_game(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    games: defaultdict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        games[sample.game].append(sample)
    return dict(sorted(games.items()))


def _counted(
    game: str, samples: Sequence[Sample], count: Count, rng: np.random.Generator
) -> Result:
    """One count over all shuffles of a game, in deviations from its mean."""
    moments = [count.moments(sample) for sample in samples]
    sizes = [sample.shuffles for sample in samples]
    mean = sum(size * one for size, (one, _) in zip(sizes, moments, strict=True))
    deviation = sum(size * one for size, (_, one) in zip(sizes, moments, strict=True)) ** 0.5
    total = sum(int(count.of(sample.origins, sample).sum()) for sample in samples)
    name = f"{game}: {count.name}"
    if deviation == 0:
        return Result(name, 0.0, 1.0)
    if sum(sizes) < FEW:
        simulated = np.sum([_simulated_counts(one, count, rng) for one in samples], axis=0)
        null = Null(mean, deviation, float(_skew(simulated)), simulated)
    else:
        third = sum(sample.shuffles * _third(sample, count, rng) for sample in samples)
        null = Null(mean, deviation, third / deviation**3)
    return Result(name, (total - mean) / deviation, null.two_sided(total))


def _simulated_counts(sample: Sample, count: Count, rng: np.random.Generator) -> Array:
    """The sum of a count over a sample, in each of many fair samples."""
    n, size = sample.cards, sample.shuffles
    sums = np.zeros(SIMULATIONS)
    for _ in range(size):
        sums += count.of(_permutations(SIMULATIONS, n, rng), sample)
    return sums


def _third(sample: Sample, count: Count, rng: np.random.Generator) -> float:
    """The third central moment of a count in one fair shuffle."""
    found = count.of(_permutations(SHAPES, sample.cards, rng), sample)
    return float(np.mean((found - found.mean()) ** 3))


def _skew(values: Array) -> float:
    deviation = float(values.std())
    return float(np.mean((values - values.mean()) ** 3)) / deviation**3 if deviation else 0.0


def _tabled(sample: Sample, rng: np.random.Generator) -> list[Result]:
    tables = [table for table in TABLES if table.fits(sample)]
    seen = [table.of(sample.origins, sample) for table in tables]
    if sample.shuffles >= FEW:
        tails = [table.tail(sample, value) for table, value in zip(tables, seen, strict=True)]
    else:
        nulls = _simulated_tables(sample, tables, rng)
        tails = [null.upper(value) for null, value in zip(nulls, seen, strict=True)]
    return [
        Result(f"{sample.name}: {table.name}", value, tail)
        for table, value, tail in zip(tables, seen, tails, strict=True)
    ]


def _simulated_tables(
    sample: Sample, tables: Sequence[Table], rng: np.random.Generator
) -> list[Null]:
    rounds = []
    for _ in range(SIMULATIONS):
        fair = _permutations(sample.shuffles, sample.cards, rng)
        rounds.append([table.of(fair, sample) for table in tables])
    return [Null.of(np.array(column)) for column in zip(*rounds, strict=True)]


def _permutations(count: int, cards: int, rng: np.random.Generator) -> Array:
    """Fair shuffles."""
    fair: Array = rng.permuted(np.tile(np.arange(cards), (count, 1)), axis=1)
    return fair
