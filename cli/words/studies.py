"""What is printed of a study (`nodealer simulate`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.games import load
from engine.totals import Totals
from engine.wording import counted
from replay.studies.rows import Outcome


class Pace(NamedTuple):
    """How long it took to play so much."""

    seconds: float
    games: int
    steps: int

    @property
    def games_per_s(self) -> float:
        """Games a second; 0 if the clock stood still."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def steps_per_s(self) -> float:
        """Answered questions a second, the dealer's acts included."""
        return self.steps / self.seconds if self.seconds else 0.0

    def told(self) -> str:
        """The same in words."""
        speed = f"{self.games_per_s:,.0f} games/s, {self.steps_per_s:,.0f} steps/s"
        return f", {self.seconds:.2f} s ({speed})"


def as_text(outcome: Outcome, pace: Pace | None) -> Iterator[str]:
    """The outcome in lines: each setting with its seats."""
    study, time = outcome.study, "" if pace is None else pace.told()
    if not study.swept:
        totals = outcome.totals[0]
        yield f"{_games(outcome)}, {study.settings[0].seats} seats{time}"
        yield from _seats(totals)
        return
    yield f"{_games(outcome)}, {counted(len(study.settings), 'setting')}{time}"
    for number, totals in enumerate(outcome.totals):
        half = f", half of them within {totals.length(0.5):,} steps" if totals.games else ""
        yield f"{study.label(number)}: {counted(totals.games, 'game')}{half}"
        yield from _seats(totals)


def _games(outcome: Outcome) -> str:
    return f"{outcome.games:,} games of {load(outcome.study.game).title}"


def _seats(totals: Totals) -> Iterator[str]:
    if not totals.games:
        return
    rows = zip(totals.means(), totals.shares(), totals.intervals(), strict=True)
    for seat, (mean, share, within) in enumerate(rows):
        wins = f"wins {share:.1%} ({within.low:.1%} to {within.high:.1%})"
        yield f"  seat {seat}: {mean:+8.2f} points a game, {wins}"
    if totals.left:
        yield f"  {counted(totals.left, 'player')} left for good"


def told_as_json(outcome: Outcome, pace: Pace | None) -> dict[str, Any]:
    """One object: what was asked for, then the numbers, of each setting if some are swept."""
    study = outcome.study
    told: dict[str, Any] = {
        "game": study.game,
        "wanted": study.total,
        "seed": study.seed,
        "bots": study.bots,
        "leave": study.leave,
        "games": outcome.games,
    }
    if pace is not None:
        told["seconds"] = round(pace.seconds, 6)
        told["games_per_s"] = round(pace.games_per_s, 1)
        told["steps_per_s"] = round(pace.steps_per_s, 1)
    rows = list(outcome.rows())
    return {**told, "settings": rows} if study.swept else {**told, **rows[0]}


def stopped(outcome: Outcome, resume: str | None) -> str:
    """That games are missing, and how to go on."""
    on = (
        ""
        if resume is None
        else f" They are kept in {resume}: the same command goes on from there."
    )
    return f"stopped after {outcome.games:,} of {outcome.study.total:,} games.{on}"
