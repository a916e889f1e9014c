"""`nodealer audit`: the verdict on saved games, without any secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from cli.failures import FALSE, UserMistakeError
from cli.settings import Settings, common, json_option, print_json
from cli.states import compare_states
from replay.audit import Report, audit


@click.command("audit", epilog="Example: nodealer audit games/ --jobs 2")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--jobs", type=click.IntRange(1), default=1, metavar="N", help="Processes to use.")
@click.option("--states", is_flag=True, help="Compare two states (.txt) of a table.")
@json_option
@common
def command(
    paths: Sequence[str], jobs: int, states: bool, as_json: bool, settings: Settings
) -> int:
    """Check saved games: every shuffle, share, oath, signature and move.

    PATH is a log (.ndlog), an evidence file, or a folder, in which every log is checked.
    The exit code is 0 when all are fair and finished; with --states, when they are equal.
    """
    if states:
        return compare_states(paths, as_json)
    logs = [log for path in paths for log in _logs(Path(path))]
    reports = []
    for report in _audit_all(logs, jobs):
        reports.append(report)
        if not as_json:
            click.echo(settings.paint(_line(report)))
    verified = all(report.verified for report in reports)
    if as_json:
        print_json({"logs": [_as_json(report) for report in reports], "verified": verified})
    elif len(reports) > 1:
        right = sum(report.verified for report in reports)
        click.echo(f"{right} of {len(reports)} logs verified")
    return 0 if verified else FALSE


def _logs(path: Path) -> list[Path]:
    """The logs that a path names; UserMistakeError when there are none."""
    if not path.is_dir():
        return [path]
    found = sorted(path.rglob("*.ndlog"))
    if not found:
        raise UserMistakeError(f"There is no log (.ndlog) in the folder {path}.")
    return found


def _audit_all(logs: Sequence[Path], jobs: int) -> Iterator[Report]:
    """The reports in the order of the logs, each as soon as it is known."""
    if jobs == 1 or len(logs) == 1:
        yield from map(audit, logs)
        return
    with ProcessPoolExecutor(min(jobs, len(logs))) as pool:
        yield from pool.map(audit, logs)


def _line(report: Report) -> str:
    sign = "ok  " if report.verified else "FAIL"
    game = f"{report.game}, {report.seats} seats, {report.steps} steps, " if report.game else ""
    where = _where(report)
    return (
        f"{sign} {report.path}\n"
        f"     {report.verdict}{where}: {report.reason}\n"
        f"     {game}{report.shuffles} shuffles, checked in {report.seconds:.2f} s"
    )


def _where(report: Report) -> str:
    """Where a fault fell, if on anybody."""
    step = "" if report.step is None else f", step {report.step}"
    if report.seat is None:
        return step
    known = report.seat < len(report.names)
    return f"{step}, seat {report.seat}{f' ({report.names[report.seat]})' if known else ''}"


def _as_json(report: Report) -> dict[str, object]:
    """One log in the JSON output (keys fixed by design: interface)."""
    return {
        "path": report.path,
        "verdict": report.verdict,
        "verified": report.verified,
        "game": report.game,
        "steps": report.steps,
        "shuffles": report.shuffles,
        "seats": report.seats,
        "seconds": round(report.seconds, 4),
        "reason": report.reason,
        "step": report.step,
        "seat": report.seat,
        "race_cap_ms": None if report.race_cap_us is None else report.race_cap_us / 1_000,
    }
