"""`nodealer simulate`: many games with the trusted dealer, for numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from cli.failures import FALSE
from cli.kit.bar import bar_for
from cli.kit.output import say
from cli.options.crew import Crew, crew_options
from cli.options.gathered import gathered
from cli.options.plot import drawn, plot_option, require_plot
from cli.options.settings import Settings, common, json_option, print_json
from cli.options.swept import Grid, grid_options
from cli.options.target import STDOUT, require_target, write_target
from cli.words.studies import Pace, as_text, stopped, told_as_json
from engine.study import Study
from engine.totals import Totals
from replay.studies.kept import StudyFile
from replay.studies.playing import play
from replay.studies.rows import Outcome, table


@dataclass(frozen=True, slots=True)
class Plan:
    """How the games of every setting are played."""

    games: int
    bots: str
    seed: int
    leave: float

    def study(self, grid: Grid) -> Study:
        """The study; UsageError if it cannot be played."""
        study = Study(
            grid.game.name, grid.settings, self.games, self.seed, self.bots, self.leave, grid.swept
        )
        study.check()
        return study


@dataclass(frozen=True, slots=True)
class Files:
    """Where a study is kept while it is played, and where its outcome goes."""

    resume: str | None
    csv: str | None
    plot: str | None

    def require(self) -> None:
        """UserMistakeError if one of them cannot be written: before the games, not after."""
        require_plot(self.plot)
        given = [file for file in (self.resume, self.csv, self.plot) if file is not None]
        for number, file in enumerate(given):
            if file != STDOUT:
                require_target(file, *given[:number])

    def write(self, outcome: Outcome) -> None:
        """Write the outcome; UserMistakeError if the disk refuses."""
        if self.csv is not None:
            write_target(self.csv, (table(outcome).encode(),))
        drawn(_drawing, outcome, self.plot)


@click.command(
    "simulate", epilog="Example: nodealer simulate flaps --sweep level=1,4,7 --plot levels.png"
)
@grid_options
@click.option(
    "--games",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Games of each setting.",
)
@click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="NAMES",
    help="random, easy, normal or hard; or one for each seat: hard,normal.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the cards and bots.")
@click.option(
    "--leave",
    type=float,
    default=0.0,
    show_default=True,
    metavar="P",
    help="Probability, 0 to 1, that a decision is a farewell: its player leaves for good.",
)
@gathered("plan", Plan)
@crew_options
@click.option(
    "--resume", metavar="F", help="Keep what is played in this file, and go on from what it has."
)
@click.option("--csv", metavar="F", help="Write the numbers into this file, a line for each seat.")
@plot_option
@gathered("files", Files)
@click.option("--no-times", is_flag=True, help="Print no times: equal games, equal output.")
@json_option
@common
def command(
    grid: Grid,
    plan: Plan,
    crew: Crew,
    files: Files,
    no_times: bool,
    as_json: bool,
    settings: Settings,
) -> int:
    """Play GAME many times with a trusted dealer: no peers and no keys.

    The same seed plays the same games, with any number of processes. Ctrl-C stops
    and tells about the games that were played; the exit code is then 1.
    """
    study = plan.study(grid)
    files.require()
    running = Running(study, files.resume)
    with running.stopped_by_ctrl_c():
        running.run(crew)
    outcome = Outcome(study, tuple(running.totals))
    files.write(outcome)
    pace = None if no_times else running.pace()
    if as_json:
        print_json(told_as_json(outcome, pace))
    else:
        for line in as_text(outcome, pace):
            say(line)
    if outcome.whole:
        return 0
    say(f"nodealer: {stopped(outcome, files.resume)}", err=True)
    return FALSE


class Running:
    """A study while it is played; `totals` are those of each setting so far."""

    def __init__(self, study: Study, resume: str | None) -> None:
        self._study = study
        self._kept = None if resume is None else StudyFile(Path(resume), study)
        nothing = [Totals.none(setting.seats) for setting in study.settings]
        self.totals = nothing if self._kept is None else self._kept.read()
        self._before = Outcome(study, tuple(self.totals))
        self._begun = self._ended = time.perf_counter()

    def run(self, crew: Crew) -> None:
        """Play what is left of it, with a bar."""
        left = self._study.total - self._before.games
        with crew.at_most(left) as workers, bar_for("games", "Playing") as bar:
            done = self._before.games
            bar(done, self._study.total)
            for played in play(self._study, workers, [one.games for one in self.totals]):
                setting = played.piece.setting
                self.totals[setting] = self.totals[setting] + played.totals
                done += played.totals.games
                bar(done, self._study.total)
                if self._kept is not None:
                    self._kept.keep(self.totals)

    @contextmanager
    def stopped_by_ctrl_c(self) -> Iterator[None]:
        """Ctrl-C ends the games, not the program; whatever ends them, the file has all of them."""
        try:
            yield
        except KeyboardInterrupt:
            if not any(one.games for one in self.totals):
                raise
        finally:
            self._ended = time.perf_counter()
            if self._kept is not None:
                self._kept.keep(self.totals, now=True)

    def pace(self) -> Pace:
        """How fast it went, without what the file had already."""
        after = Outcome(self._study, tuple(self.totals))
        return Pace(
            self._ended - self._begun,
            after.games - self._before.games,
            after.steps - self._before.steps,
        )


def _drawing(outcome: Outcome, path: Path) -> None:
    from replay.studies.plot import draw  # noqa: PLC0415 (matplotlib may not be there)

    draw(outcome, path)
