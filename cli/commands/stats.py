"""`nodealer stats`: one's own games, added up."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cli.failures import UserMistakeError
from cli.home.folders import home, named_or_own, no_log
from cli.home.person_identity import own_key
from cli.kit.bar import bar_for
from cli.kit.output import say
from cli.options.crew import Crew, jobs_option
from cli.options.plot import drawn, plot_option, require_plot
from cli.options.settings import Settings, common, json_option, print_json
from cli.words.audit import logs_of
from cli.words.history import as_json as told_as_json
from cli.words.history import as_text
from p2p.installation import program
from replay.history.history import History, history_of


@click.command("stats", epilog="Example: nodealer stats --plot evenings.png")
@click.argument("folder", required=False, metavar="[FOLDER]")
@jobs_option
@plot_option
@json_option
@common
def command(
    folder: str | None, jobs: int, plot: str | None, as_json: bool, settings: Settings
) -> None:
    """Statistics of your games: wins by game and opponent, streaks, and races.

    FOLDER holds saved games; without it, those of this program are read. Which
    player you are is told by your identity key, whatever your name was. No proof
    is checked (nodealer audit does that). What cannot be read is counted.
    """
    require_plot(plot)
    key = own_key()
    if key is None:
        raise UserMistakeError(
            f"There is no identity in {home()}, so no game is yours: {program()} play begins one."
        )
    place = named_or_own(folder)
    if not os.path.exists(place):
        raise no_log(place)
    logs = logs_of(place)
    with Crew(jobs).at_most(len(logs)) as workers, bar_for("logs", "Reading") as bar:
        bar(0, len(logs))
        history = history_of(logs, key, workers, bar)
    if plot is not None and not history.games:
        raise UserMistakeError(
            "There is nothing to draw: no finished game of yours is here; name another folder."
        )
    drawn(_drawing, history, plot)
    if as_json:
        print_json(told_as_json(history))
        return
    for line in as_text(history):
        say(line)


def _drawing(history: History, path: Path) -> None:
    from replay.history.plot import draw  # noqa: PLC0415 (matplotlib may not be there)

    draw(history, path)
