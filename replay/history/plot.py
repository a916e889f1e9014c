"""Somebody's own games as a picture: how often they were won, against whom, and how quickly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from engine.wording import counted
from replay.history.history import History, Score
from replay.picture import save

MOST: Final = 12
"""How many games or opponents are drawn, the most frequent ones."""
NAME_MAX: Final = 24
BARS: Final = 24
US: Final = 1000.0


def draw(history: History, path: Path) -> None:
    """Write the picture; its format follows from the name.  ValueError for an unknown one."""
    figure = Figure(figsize=(12, 8.5), layout="constrained")
    whole = history.whole()
    figure.suptitle(f"{counted(whole.games, 'game')}, {whole.won} won ({whole.share:.0%})")
    panels = figure.subplots(2, 2)
    _shares(panels[0, 0], history.by_game(), "Share of the games won (bars: 95 % intervals)")
    _course(panels[0, 1], history)
    _against(panels[1, 0], history.by_opponent())
    _quickness(panels[1, 1], history)
    save(figure, path)


def _shares(axes: Any, scores: Sequence[Score], title: str) -> None:
    """The share of each game, the most frequent one on top."""
    drawn = list(reversed(scores[:MOST]))
    for place, score in enumerate(drawn):
        low, high = score.interval
        reach = [[max(0.0, score.share - low)], [max(0.0, high - score.share)]]
        axes.errorbar(score.share, place, xerr=reach, fmt="o", capsize=3, color="tab:blue")
    axes.set_yticks(range(len(drawn)), [f"{_short(one.name)} ({one.games})" for one in drawn])
    axes.set_ylim(-0.5, len(drawn) - 0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_title(title)


def _course(axes: Any, history: History) -> None:
    """How many games were won, from the first to the last."""
    won = [0, *accumulate(history.won())]
    axes.step(range(len(won)), won, where="post", color="tab:blue")
    axes.set_xlabel("games, the oldest first")
    axes.set_ylabel("won until then")
    axes.set_xlim(left=0)
    axes.set_ylim(0, 1.05 * max(1, won[-1]))
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(integer=True)
    streaks = history.streaks()
    axes.set_title(f"Longest run of wins {streaks.wins}, without a win {streaks.without}")


def _against(axes: Any, scores: Sequence[Score]) -> None:
    """Of the games with each opponent, how many each of the two won."""
    drawn = list(reversed(scores[:MOST]))
    places = range(len(drawn))
    axes.barh([at + 0.2 for at in places], [one.won for one in drawn], 0.4, label="you won")
    axes.barh([at - 0.2 for at in places], [one.lost for one in drawn], 0.4, label="they won")
    axes.set_yticks(places, [f"{_short(one.name)} ({one.games})" for one in drawn])
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("games")
    _legend(axes)
    axes.set_title("With whom you played", loc="left")


def _quickness(axes: Any, history: History) -> None:
    """The agreed times of claims in races, the player's own beside those of the others."""
    contests = [one for record in history.games for one in record.contests]
    own = [one.own / US for one in contests if one.own is not None]
    others = [time / US for one in contests for time in one.others]
    found = history.reactions()
    if not own and not others:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "No race in which you and others claimed", ha="center", va="center")
        return
    both = [times for times in (own, others) if times]
    names = [name for name, times in (("you", own), ("others", others)) if times]
    axes.hist(both, bins=BARS, density=True, label=names)
    axes.set_xlabel("ms from the card to the claim, as the table agreed")
    axes.set_ylabel("density")
    _legend(axes)
    axes.set_title(f"First in {found.first} of {counted(found.races, 'race')}", loc="left")


def _legend(axes: Any) -> None:
    """Which colour is whose, above the panel: inside it would hide bars."""
    axes.legend(fontsize=8, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))


def _short(name: str) -> str:
    # matplotlib reads what stands between two dollar signs as mathematics.
    cut = name if len(name) <= NAME_MAX else f"{name[: NAME_MAX - 1]}…"
    return cut.replace("$", r"\$")
