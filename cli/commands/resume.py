"""`nodealer resume`: sit down again at a table that you left or lost."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from cli.failures import UserMistakeError
from cli.home.folders import games_folder
from cli.options.settings import Settings, at_a_terminal, common, json_option
from cli.options.table_pace import table_pace
from cli.tables.place import Place, place_for


@click.command("resume", epilog="Example: nodealer resume")
@click.argument("log", required=False, type=click.Path(path_type=Path))
@click.option("--seed", type=int, hidden=True, help="Of the bot's choices.")
@json_option
@common
@table_pace
def command(log: Path | None, seed: int | None, as_json: bool, settings: Settings) -> int:
    """Sit down again at the table of LOG, or at the one you left last.

    Where there are several, you choose (without a terminal it is the newest).  The others
    have to be there still: a table waits for all its players.
    """
    person = at_a_terminal() and not as_json
    seat_file = _seat_file(log, choosing=person)
    title = "going back to your table"
    with place_for(settings, title) if person else nullcontext[Place | None]() as place:
        from cli.tables.network import resume_match  # noqa: PLC0415 (after the first picture)
        from cli.words.summary import conclude  # noqa: PLC0415

        summary = resume_match(seat_file, seed, place)
    return conclude(summary, as_json)


def _seat_file(log: Path | None, *, choosing: bool) -> Path:
    """The seat file beside a log; without a log, that of a chosen table, or the newest."""
    if log is None:
        from cli.home.unfinished import seat_to_go_back_to  # noqa: PLC0415 (imports the peers)

        return seat_to_go_back_to(games_folder(for_a_game=False), choosing=choosing)
    seat_file = log.with_suffix(".ndseat")
    if not seat_file.exists():
        raise UserMistakeError(f"{log} is no table that you could sit down at again.")
    return seat_file
