"""`nodealer report`: what a bug report needs, shown before it is written."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import click

from cli.failures import UserMistakeError, why_no_file
from cli.home.folders import chosen_log, home, newest_log
from cli.kit.bar import bar_for
from cli.kit.output import Whole, ask_yes, say
from cli.options.settings import Settings, at_a_terminal, common
from cli.options.target import STDOUT, require_target
from cli.words.bug_report import bug_report

FILE: Final = "nodealer-report.txt"


@click.command("report", epilog="Example: nodealer report game.ndlog --log table.log")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--log", metavar="F", help="Add the last lines of this log file.")
@click.option("--names", is_flag=True, help="Include the names of the players.")
@click.option(
    "-o", "--output", metavar="F", default=FILE, show_default=True,
    help="Write into this file, a new one.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Write it without being asked.")
@common
def command(
    file: str | None, log: str | None, names: bool, output: str, yes: bool, settings: Settings
) -> int:
    """Collect what a bug report needs, show it, and write it when you agree.

    That is: versions, settings, the saved game FILE in outline (without FILE the
    newest, if there is one) with the verdict of its audit, and the last lines of
    a log file, as --log-file wrote it.  No key, no address, no path and no card,
    and no name unless you ask for it.  If its output goes elsewhere (> F, -o -),
    nothing is asked and no other file is written.
    """
    shown_only = output == STDOUT or (output == FILE and not yes and not sys.stdout.isatty())
    if not shown_only:
        _require_new(output)
    game = newest_log(home() / "games") if file is None else chosen_log(Path(file))
    with bar_for("entries") as advance:
        lines = bug_report(
            game, None if log is None else Path(log), settings, names=names, progress=advance
        )
    for line in lines:
        say(line)
    if shown_only:
        return 0
    say()
    if not yes and not _agreed(output):
        say("Nothing was written.")
        return 0
    _write(output, lines)
    say(Whole(f"written  {output}"))
    return 0


def _require_new(output: str) -> None:
    if os.path.lexists(output):
        raise UserMistakeError(f"{output} is there already; say another file with -o.")
    require_target(output)


def _agreed(output: str) -> bool:
    if not at_a_terminal():
        raise UserMistakeError("Nothing was written: say --yes where nobody can be asked.")
    return ask_yes(f"Write this into {output}?")


def _write(output: str, lines: list[str]) -> None:
    """Write a new file for its owner only; UserMistakeError if the disk refuses."""
    from p2p.disk.durable import write_new  # noqa: PLC0415 (not for a report that is only shown)

    text = "".join(f"{line}\n" for line in lines)
    try:
        write_new(Path(output), text.encode("utf-8", "replace"), 0o600)
    except (OSError, ValueError) as error:
        raise UserMistakeError(
            f"{output} cannot be written: {why_no_file(error)}; say another place with -o."
        ) from error
