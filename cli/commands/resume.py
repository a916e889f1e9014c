"""`nodealer resume`: sit down again at a table that you left or lost."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from cli.failures import UserMistakeError
from cli.home.folders import games_folder
from cli.kit.output import ask_yes, say
from cli.options.bot_levels import AskedPace, pace_option
from cli.options.give_up_option import give_up_option
from cli.options.settings import Settings, at_a_terminal, common, json_option, print_json
from cli.options.table_pace import table_pace
from cli.tables.place import Place, place_for
from p2p.installation import program


@click.command("resume", epilog="Example: nodealer resume")
@click.argument("log", required=False, type=click.Path(path_type=Path))
@click.option("--forget", is_flag=True, help="Give up LOG, or all that cannot go on.")
@give_up_option()
@pace_option
@click.option("--seed", type=int, hidden=True, help="Of the bots' choices.")
@json_option
@common
@table_pace
def command(
    log: Path | None,
    forget: bool,
    give_up: int,
    pace: AskedPace,
    seed: int | None,
    as_json: bool,
    settings: Settings,
) -> int:
    """Sit down again at the table of LOG, or at the one you left last.

    Where there are several, you choose (without a terminal it is the newest).  Your bots come
    back with you; other people have to come back too: a table waits for all its players.  With
    --forget nobody sits down: the secrets of your seats there are overwritten, and logs stay.
    """
    person = at_a_terminal() and not as_json
    if forget:
        return _forget(log, asking=person, as_json=as_json)
    seat_file = _seat_file(log, choosing=person)
    title = "going back to your table"
    with place_for(settings, title) if person else nullcontext[Place | None]() as place:
        from cli.tables.coming_back import resume_match  # noqa: PLC0415 (after the first picture)
        from cli.words.summary import conclude  # noqa: PLC0415

        summary = resume_match(seat_file, seed, pace.pace(), place, give_up)
    return conclude(summary, as_json)


def _seat_file(log: Path | None, *, choosing: bool) -> Path:
    """The seat file beside a log; without a log, that of a chosen table, or the newest."""
    if log is None:
        from cli.home.unfinished import seat_to_go_back_to  # noqa: PLC0415 (imports the peers)

        return seat_to_go_back_to(games_folder(for_a_game=False), choosing=choosing)
    return _beside(log)


def _beside(log: Path) -> Path:
    seat_file = log.with_suffix(".ndseat")
    if not seat_file.exists():
        raise UserMistakeError(
            f"{log} is no table that you could sit down at again; "
            f"{program()} resume, without a log, offers those that there are."
        )
    return seat_file


def _forget(log: Path | None, *, asking: bool, as_json: bool) -> int:
    """Give up the table of a log, or without one all that cannot go on; the exit code."""
    from cli.home.unfinished import forget, left_table, left_tables  # noqa: PLC0415

    if log is not None:
        found = [left_table(_beside(log))]
    else:
        left = left_tables(games_folder(for_a_game=False))
        found = [one for one in left if one.is_stuck]
        for table in left if not as_json else ():
            if table.elsewhere:
                say(f"Kept: {table.why_not}.")
    gone = []
    for table in found:
        if table.goes_on and asking and not ask_yes(f"{table.about}: strike it off for good?"):
            continue
        forget(table)
        gone.append(table)
        if not as_json:
            say(f"Struck off: {table.about}.")
    if as_json:
        print_json({"forgotten": [str(table.seat_file.with_suffix(".ndlog")) for table in gone]})
    elif not found:
        say("There is no table that cannot go on.")
    return 0
