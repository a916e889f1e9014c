"""`nodealer replay`: step through a saved game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from cli.failures import UserMistakeError
from cli.home.folders import chosen_log, logs_in, named_or_own, no_log
from cli.kit.bar import bar_for
from cli.kit.choice import choose
from cli.kit.output import Whole, say
from cli.options.crew import jobs_option
from cli.options.seat_option import seat_option, seen_from
from cli.options.settings import (
    Settings,
    at_a_terminal,
    common,
    has_screen,
    json_option,
    print_json,
)
from cli.words.saved import saved_games
from engine.view import SPECTATOR
from engine.zone import Seat
from p2p.installation import command_line, program
from replay.game import SavedGame, open_game
from replay.plain import step_lines
from replay.review import refused, review, review_by
from replay.reviewed import WORST, Review, review_json, review_lines
from replay.story import story_lines
from replay.workers import workers

LISTED: Final = 20
"""The most games that are offered; the menu has more."""
UNVERIFIED: Final = "Nothing of this was verified here: {program} audit does that."


@click.command("replay", epilog="Example: nodealer replay game.ndlog --step 40 --seat 1")
@click.argument("log", required=False, metavar="[LOG]")
@click.option("--step", type=int, metavar="K", help="Begin with this step; the first is 0.")
@seat_option
@click.option("--review", "reviewed", is_flag=True, help="Tell where the seat decided badly.")
@jobs_option
@json_option
@common
def command(
    log: str | None,
    step: int | None,
    seat: int | None,
    reviewed: bool,
    jobs: int,
    as_json: bool,
    settings: Settings,
) -> int:
    """Step through a saved game, from a seat or as a spectator.

    LOG may be a folder: its newest log. Without LOG you choose one of your
    games; without a terminal it is the newest.
    Your own log shows your own cards. Without a terminal, or with --plain, the
    step is printed; without --step, all of them in short. With --review the
    hard bot looks at every decision of the seat, from what that seat knew, and
    says where another one was better; several --jobs do it in less time.
    """
    if as_json and not reviewed:
        raise UserMistakeError("--json prints a review: add --review.")
    path = _chosen() if log is None and at_a_terminal() else chosen_log(named_or_own(log))
    with bar_for("entries", "Reading") as bar:
        game = open_game(path, bar)
    chosen = seen_from(game, seat)
    if step is not None and not 0 <= step < len(game.steps):
        raise UserMistakeError(f"The game has the steps 0 to {len(game.steps) - 1}, not {step}.")
    if reviewed:
        _review(game, path, chosen, jobs, as_json, settings)
        return 0
    if settings.plain or not has_screen():
        _print(game, step, chosen, settings)
        return 0
    from cli.viewer.app import view_game  # noqa: PLC0415 (prompt_toolkit, only at a terminal)

    return view_game(game, path, step or 0, chosen, settings)


def _chosen() -> Path:
    """The one of one's own games that is chosen from the newest; UserMistakeError without any."""
    folder = named_or_own(None)
    logs = logs_in(folder)
    if not logs:
        raise no_log(folder)
    games = saved_games(logs, LISTED)
    lines = [f"{one.title}   {one.about}" for one in games]
    return games[choose(lines, "Which game")].log


def _review(
    game: SavedGame, log: Path, seat: Seat, jobs: int, as_json: bool, settings: Settings
) -> None:
    if seat == SPECTATOR:
        raise UserMistakeError(f"Whose decisions? --seat 0 to {len(game.names) - 1} says it.")
    if why := refused(game):
        raise UserMistakeError(why)
    found = _found(game, log, seat, jobs, settings)
    if as_json:
        print_json(review_json(game, found))
        return
    lines = review_lines(game, found)
    if told := [*found.wrong[:WORST], *found.late[:WORST]]:
        step = told[0].step
        shown = command_line("replay", str(log), "--step", str(step - 1), "--seat", str(seat))
        lines.append(Whole(f"What lay on the table before step {step}: {shown}"))
    if len(found.mistakes) > len(told):
        lines.append(f"All {len(found.mistakes)}: add --json.")
    for line in lines:
        say(settings.paint(line))


def _found(game: SavedGame, log: Path, seat: Seat, jobs: int, settings: Settings) -> Review:
    if jobs == 1:
        with bar_for("steps", "Reviewing") as bar:
            return review(game, seat, bar, ascii=settings.ascii)
    with workers(jobs) as crowd, bar_for("steps", "Reviewing") as bar:
        return review_by(crowd, log, seat, bar, ascii=settings.ascii)


def _print(game: SavedGame, step: int | None, seat: Seat, settings: Settings) -> None:
    if step is None:
        lines = list(story_lines(game, ascii=settings.ascii))
    else:
        lines = step_lines(game, step, seat, ascii=settings.ascii)
    for line in [*lines, "", UNVERIFIED.format(program=program())]:
        say(settings.paint(line))
