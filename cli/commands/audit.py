"""`nodealer audit`: the verdict on saved games, without any secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from cli.failures import FALSE, WRONG_USE
from cli.kit.bar import Bar, bar_for
from cli.options.crew import Crew, crew_options
from cli.options.settings import Settings, common, json_option
from cli.words.audit import Printer, logs_of_all
from cli.words.states import compare_states
from replay.audit import Report, UnreadableError, audit
from replay.batch import audit_each, audit_readable
from replay.workers import Workers


@click.command("audit", epilog="Example: nodealer audit games/ --jobs 2")
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@crew_options
@click.option("--states", is_flag=True, help="Compare two states (.txt) of a table.")
@json_option
@common
def command(
    paths: Sequence[str],
    crew: Crew,
    states: bool,
    as_json: bool,
    settings: Settings,
) -> int:
    """Check saved games: every shuffle, share, oath, signature and move.

    PATH is a log (.ndlog), an evidence file, or a folder, in which every log is
    checked; without PATH, your own games are. One log gets a full report,
    and several of one table are compared. The exit code is 0 when all are fair
    and finished and no table has two histories, 2 when a file cannot be read;
    with --states, 0 when the two are equal.
    """
    if states:
        return compare_states(paths, as_json)
    logs = logs_of_all(paths)
    printer = Printer(settings, as_json, alone=len(logs) == 1)
    alone = len(logs) == 1 and crew.cluster is None
    with crew.at_most(len(logs)) as crowd, bar_for("entries" if alone else "logs") as bar:
        for report in [_one(logs[0], bar)] if alone else _counted(logs, crowd, bar):
            with bar.apart():
                printer.take(report)
    printer.end()
    if printer.unreadable:
        return WRONG_USE
    return 0 if printer.verified else FALSE


def _one(log: Path, bar: Bar) -> Report:
    """Audit one log, with a bar that counts its entries."""
    try:
        return audit(log, progress=bar)
    except UnreadableError:
        return audit_readable(log)


def _counted(logs: Sequence[Path], workers: Workers, bar: Bar) -> Iterator[Report]:
    """Audit many logs in their order, with a bar that counts logs."""
    bar(0, len(logs))
    for number, report in enumerate(audit_each(logs, workers), 1):
        yield report
        bar(number, len(logs))
