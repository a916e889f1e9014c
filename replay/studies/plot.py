"""A study as a picture: who wins, with how many points, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure

from engine.games import load
from engine.totals import Z95, Totals
from engine.wording import counted
from replay.picture import save
from replay.studies.rows import Outcome

WIDTH: Final = 12.0
WIDEST: Final = 60.0
"""Inches; a wider picture is opened by hardly any program."""
EACH: Final = 0.11
"""Inches for a seat of a setting."""
GROUP: Final = 0.8
"""How much of the room of a setting its seats take."""
LENGTH: Final = "answered questions in a game"
BARS: Final = 30
ROOM: Final = 60
"""How many letters find room side by side under a panel; if there are more, labels are turned."""


def draw(outcome: Outcome, path: Path) -> None:
    """Write the picture; its format follows from the name.  ValueError for an unknown one."""
    groups = [*_groups(outcome)]
    points = sum(one.totals.seats for one in groups)
    figure = Figure(figsize=(min(WIDEST, max(WIDTH, EACH * points)), 9), layout="constrained")
    figure.suptitle(_title(outcome))
    panels = figure.subplot_mosaic([["wins", "wins"], ["points", "length"]])
    _wins(panels["wins"], groups)
    _points(panels["points"], groups)
    _length(panels["length"], groups)
    marks, names = panels["wins"].get_legend_handles_labels()
    figure.legend(marks, names, loc="outside lower center", ncols=9, fontsize=9)
    save(figure, path)


class _Group(NamedTuple):
    """The seats of one setting, side by side."""

    place: int
    label: str
    totals: Totals

    def places(self) -> list[float]:
        """Where each seat stands."""
        width = GROUP / self.totals.seats
        return [self.place + width * (k + 0.5) - GROUP / 2 for k in range(self.totals.seats)]


def _groups(outcome: Outcome) -> Iterator[_Group]:
    """The settings that have a game."""
    played = [k for k, one in enumerate(outcome.totals) if one.games]
    for place, number in enumerate(played):
        yield _Group(place, outcome.study.label(number), outcome.totals[number])


def _title(outcome: Outcome) -> str:
    study = outcome.study
    so_far = "" if outcome.whole else f" of {study.total:,}, stopped"
    left = f", leaving {study.leave:g}" if study.leave else ""
    return (
        f"{load(study.game).title}: {counted(outcome.games, 'game')}{so_far}, "
        f"{study.bots} bots{left}, seed {study.seed}"
    )


def _wins(axes: Any, groups: Sequence[_Group]) -> None:
    """The share of the games that each seat won, with its interval, beside what is even."""
    for group in groups:
        totals, places = group.totals, group.places()
        even = 1 / totals.seats
        ends = [group.place - GROUP / 2, group.place + GROUP / 2]
        label = "an even share" if group is groups[0] else None
        axes.plot(ends, [even, even], color="black", linestyle="--", linewidth=1, label=label)
        for seat, share in enumerate(totals.shares()):
            low, high = totals.intervals()[seat]
            # Where every game is won or lost, rounding may put the share beyond its interval.
            reach = [[max(0.0, share - low)], [max(0.0, high - share)]]
            _mark(axes, places[seat], share, reach, seat)
    axes.set_ylim(0, 1.05 * axes.get_ylim()[1])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_ylabel("share of the games won")
    axes.set_title("Wins by seat (bars: 95 % intervals)")
    _named(axes, groups)


def _points(axes: Any, groups: Sequence[_Group]) -> None:
    """The mean result of each seat."""
    for group in groups:
        pairs = zip(group.totals.means(), group.totals.errors(), strict=True)
        for seat, (mean, error) in enumerate(pairs):
            _mark(axes, group.places()[seat], mean, [[Z95 * error], [Z95 * error]], seat)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel("points a game")
    axes.set_title("Mean result by seat (bars: 95 % intervals)")
    _named(axes, groups)


def _mark(axes: Any, place: float, value: float, reach: list[list[float]], seat: int) -> None:
    # Ten strong colours, then the same ten lighter.
    colour = mpl.colormaps["tab20"](2 * (seat % 10) + (seat >= 10))
    # One label for each seat: the first setting that has it stands for all.
    known = axes.get_legend_handles_labels()[1]
    name = f"seat {seat}"
    axes.errorbar(
        place, value, yerr=reach, fmt="o", markersize=4, capsize=2, color=colour,
        label=None if name in known else name,
    )  # fmt: skip


def _length(axes: Any, groups: Sequence[_Group]) -> None:
    """How many questions a game took: all games of one setting, or a box for each of several."""
    if len(groups) == 1:
        lengths = groups[0].totals.lengths
        axes.hist(list(lengths), bins=BARS, weights=list(lengths.values()), color="tab:blue")
        axes.set_xlabel(LENGTH)
        axes.set_ylabel("games")
        axes.yaxis.get_major_locator().set_params(integer=True)
        axes.set_title(f"Length of a game (median {groups[0].totals.length(0.5):,})")
        return
    boxes = [_box(group.totals) for group in groups]
    axes.bxp(boxes, positions=[group.place for group in groups], showfliers=False)
    axes.set_ylim(bottom=0)
    axes.set_ylabel(LENGTH)
    axes.set_title("Length of a game (box: half of all; whiskers: 90 %)")
    _named(axes, groups)


def _box(totals: Totals) -> dict[str, float]:
    marks = {"whislo": 0.05, "q1": 0.25, "med": 0.5, "q3": 0.75, "whishi": 0.95}
    return {name: totals.length(fraction) for name, fraction in marks.items()}


def _named(axes: Any, groups: Sequence[_Group]) -> None:
    """Name the settings below, or the seats if there is only one setting."""
    if len(groups) == 1:
        places = groups[0].places()
        names = [f"seat {seat}" for seat in range(len(places))]
    else:
        places = [*map(float, (group.place for group in groups))]
        names = [group.label for group in groups]
    turned = len("".join(names)) > ROOM
    axes.set_xticks(places, names, rotation=35 * turned, ha="right" if turned else "center")
    axes.set_xlim(-0.5, len(groups) - 0.5)
