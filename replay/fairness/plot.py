"""What was found, as a picture: four panels that can be read without the numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure

from replay.fairness.judging import ALPHA, Judgement
from replay.fairness.order import neighbours, neighbours_moments
from replay.fairness.samples import REST, Array, Sample
from replay.picture import save

ABOVE_CHANCE: Final = "standard deviations above chance"
WIDE: Final = 4.0
"""The number of standard deviations beyond which the colours do not change any more."""
SHORTEST: Final = 1e-6
"""Smaller p-values are drawn like this one."""


def draw(judgement: Judgement, path: Path) -> None:
    """Write the picture; its format follows from the name.  ValueError for an unknown one."""
    figure = Figure(figsize=(12, 8.5), layout="constrained")
    figure.suptitle(
        f"{judgement.cards} known cards in {judgement.shuffles} shuffles: "
        + (
            f"{len(judgement.flagged)} tests stand out"
            if judgement.flagged
            else "nothing stands out"
        )
    )
    panels = figure.subplots(2, 2)
    _tests(panels[0, 0], judgement)
    if judgement.samples:
        sample = judgement.samples[0]
        _by_place(figure, panels[0, 1], sample)
        _by_seat(panels[1, 0], sample)
        _neighbours(panels[1, 1], sample)
    save(figure, path)


def _tests(axes: Any, judgement: Judgement) -> None:
    """All tests, the most unusual one on top."""
    results = sorted(judgement.results, key=lambda result: -result.adjusted)[-24:]
    lengths = [-np.log10(max(result.adjusted, SHORTEST)) for result in results]
    colours = ["tab:orange" if result.flagged else "tab:blue" for result in results]
    places = range(len(results))
    axes.barh(places, lengths, color=colours)
    # Also where all is well: what each test gives by itself, and how that is meant.
    alone = [-np.log10(max(result.p_value, SHORTEST)) for result in results]
    axes.plot(alone, places, "o", color="tab:gray", markersize=4, label="by itself")
    axes.legend(loc="lower right", fontsize=8)
    axes.set_yticks(places, [f"{'! ' * r.flagged}{r.name}" for r in results], fontsize=8)
    axes.axvline(-np.log10(ALPHA), color="black", linestyle="--")
    ticks = [0, 2, 4, 6]
    axes.set_xticks(ticks, ["1", "0.01", "0.0001", "0.000001"])
    axes.set_xlim(0, -np.log10(SHORTEST))
    axes.set_xlabel("chance of this if all is fair, corrected for all tests")
    axes.set_title(_tests_title(judgement))


def _tests_title(judgement: Judgement) -> str:
    """What the bars say, in a sentence."""
    count = len(judgement.results)
    if judgement.flagged:
        return f"{len(judgement.flagged)} of {count} tests are beyond the dashed line"
    least = min((result.adjusted for result in judgement.results), default=1.0)
    return f"All {count} tests stay left of the dashed line (the least likely: {least:.2g})"


def _counts(groups: Array, classes: Array) -> Array:
    rows, columns = groups.max() + 1, classes.max() + 1
    seen = np.bincount((groups * columns + classes).ravel(), minlength=rows * columns)
    counts: Array = seen.reshape(rows, columns)
    return counts


def _deviations(counts: Array, sample: Sample) -> Array:
    """Each count minus its expected value, in standard deviations."""
    n, sizes = sample.cards, counts.sum(axis=1, keepdims=True)
    classes = counts.sum(axis=0, keepdims=True)
    total = sample.shuffles * n
    share = (1 - sizes / total) * (1 - classes / total) * n / (n - 1)
    expected = sizes * classes / total
    deviations: Array = (counts - expected) / np.sqrt(np.maximum(expected * share, 1e-12))
    return deviations


def _by_place(figure: Any, axes: Any, sample: Sample) -> None:
    """Where the cards of each suit lie, from the bottom to the top of the deck."""
    places = np.broadcast_to(np.arange(sample.cards), sample.origins.shape)
    seen = _deviations(_counts(places, sample.suits[sample.origins]), sample)
    image = axes.imshow(seen.T, aspect="auto", cmap="RdBu_r", vmin=-WIDE, vmax=WIDE)
    axes.set_yticks(range(seen.shape[1]), sample.printed)
    axes.set_xlabel("place in the deck after the shuffle (0 is the bottom)")
    axes.set_title(f"{sample.name}: suits by place")
    figure.colorbar(image, ax=axes, label=ABOVE_CHANCE)


def _by_seat(axes: Any, sample: Sample) -> None:
    """How many cards of each suit each seat got, compared with chance."""
    labels, groups = np.unique(sample.seats, return_inverse=True)
    counts = _counts(groups.reshape(sample.seats.shape), sample.suits[sample.origins])
    seen = _deviations(counts, sample)
    width = 0.8 / seen.shape[1]
    for suit, name in enumerate(sample.printed):
        axes.bar(np.arange(len(labels)) + suit * width, seen[:, suit], width, label=name)
    names = ["not dealt" if label == REST else f"seat {label}" for label in labels]
    axes.set_xticks(np.arange(len(labels)) + 0.4 - width / 2, names)
    for limit in (-WIDE, WIDE):
        axes.axhline(limit, color="black", linestyle="--", linewidth=0.8)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylim(min(-5, seen.min() - 1), max(5, seen.max() + 1))
    axes.set_ylabel(ABOVE_CHANCE)
    axes.legend(ncols=seen.shape[1], fontsize=8, loc="upper right")
    axes.set_title(f"{sample.name}: suits by seat")


def _neighbours(axes: Any, sample: Sample) -> None:
    """In how many shuffles each number of cards lie beside one they lay beside before."""
    seen = np.bincount(neighbours(sample.origins, sample), minlength=8)
    mean, _ = neighbours_moments(sample)
    places = np.arange(len(seen))
    # Close to Poisson: such pairs are rare and hardly depend on each other.
    chance = np.exp(-mean) * np.cumprod(np.concatenate([[1.0], mean / places[1:]]))
    axes.bar(places, seen / sample.shuffles, color="tab:blue", label="seen")
    axes.plot(places, chance, "ko--", label="by chance")
    axes.set_xlabel("neighbours that were neighbours before the shuffle")
    axes.set_ylabel("share of the shuffles")
    axes.legend()
    axes.set_title(f"{sample.name}: what a shuffle left together")
