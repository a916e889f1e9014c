"""`nodealer audit`: the verdict on saved games, without any secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from cli.failures import FALSE, WRONG_USE
from cli.kit.bar import Bar, bar_for
from cli.options.settings import Settings, common, json_option
from cli.words.audit import Printer, logs_of
from cli.words.states import compare_states
from replay.audit import Report, UnreadableError, audit
from replay.batch import audit_each, audit_on_cluster, audit_readable


@click.command("audit", epilog="Example: nodealer audit games/ --jobs 2")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--jobs", type=click.IntRange(1), default=1, metavar="N", help="Processes to use.")
@click.option("--cluster", metavar="ADDRESS", help="Use the Dask cluster of this scheduler.")
@click.option("--states", is_flag=True, help="Compare two states (.txt) of a table.")
@json_option
@common
def command(
    paths: Sequence[str],
    jobs: int,
    cluster: str | None,
    states: bool,
    as_json: bool,
    settings: Settings,
) -> int:
    """Check saved games: every shuffle, share, oath, signature and move.

    PATH is a log (.ndlog), an evidence file, or a folder, in which every log is
    checked. One log is told about in full, and several of one table are
    compared. The exit code is 0 when all are fair and finished and no table has
    two histories, 2 when a file cannot be read; with --states, 0 when they are
    equal.
    """
    if states:
        return compare_states(paths, as_json)
    logs = [log for path in paths for log in logs_of(Path(path))]
    printer = Printer(settings, as_json, alone=len(logs) == 1)
    alone = len(logs) == 1 and cluster is None
    with bar_for("entries" if alone else "logs") as bar:
        for report in _reports(logs, jobs, cluster, bar):
            with bar.apart():
                printer.take(report)
    printer.end()
    if printer.unreadable:
        return WRONG_USE
    return 0 if printer.verified else FALSE


def _reports(logs: Sequence[Path], jobs: int, cluster: str | None, bar: Bar) -> Iterator[Report]:
    """The reports in the order of the logs, each as soon as it is known."""
    if cluster is not None:
        yield from _counted(logs, audit_on_cluster(logs, cluster), bar)
    elif len(logs) == 1:
        yield _one(logs[0], bar)
    else:
        yield from _counted(logs, audit_each(logs, min(jobs, len(logs))), bar)


def _one(log: Path, bar: Bar) -> Report:
    """Audit one log, with a bar that counts its entries."""
    try:
        return audit(log, progress=bar)
    except UnreadableError:
        return audit_readable(log)


def _counted(logs: Sequence[Path], reports: Iterable[Report], bar: Bar) -> Iterator[Report]:
    """Audit many logs, with a bar that counts logs."""
    bar(0, len(logs))
    for number, report in enumerate(reports, 1):
        yield report
        bar(number, len(logs))
