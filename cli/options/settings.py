"""The options that every command takes, and what they ask of the output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from cli.failures import UserMistakeError, why_no_file
from cli.kit.flags import MANNER, is_dumb, letters_option, plain_option
from cli.kit.output import LETTERS, Styled, Whole, clean, guard, say_json

_SUIT_COLOURS = {"♣": "green", "♠": "cyan", "♥": "red", "♦": "bright_blue", "★": "yellow"}


@dataclass(frozen=True)
class Settings:
    """How to talk to this user: `plain` numbered lines, `ascii` letters only, colours.

    `pace` is the one with which a table begins (`cli.options.table_pace`).
    """

    plain: bool = False
    ascii: bool = False
    colour: bool = False
    pace: str = "off"

    def paint(self, line: str) -> str:
        """The line with its suit symbols coloured, or as letters; never by colour alone."""
        if isinstance(line, Whole):  # a path with another letter is another path
            return line
        shown = clean(line)
        if self.ascii:
            shown = shown.translate(LETTERS)
        elif self.colour:
            for symbol, colour in _SUIT_COLOURS.items():
                shown = shown.replace(symbol, click.style(symbol, fg=colour))
        return Styled(shown)

    def strong(self, line: str, label: str = "") -> Styled:
        """The line in bold, if the terminal has colours; the `label` before it is not bold."""
        shown = clean(line)
        return Styled(clean(label) + (click.style(shown, bold=True) if self.colour else shown))


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `-v`, `--log-file`, `--plain` and `--ascii`; the last two come as `settings`."""

    @click.option("-v", "--verbose", count=True, help="Say more on stderr; twice for everything.")
    @click.option("--log-file", metavar="PATH", help="Write all that -vv says there.")
    @plain_option
    @letters_option
    @wraps(command)
    def wrapped(
        *args: Any, verbose: int, log_file: str | None, plain: bool, letters: bool, **options: Any
    ) -> Any:
        guard()
        said = click.get_current_context().find_root().params  # nodealer --plain play ...
        settings = settings_of(
            plain=plain or said.get("plain", False), letters=letters or said.get("letters", False)
        )
        MANNER.choose(plain=settings.plain, letters=settings.ascii)
        with _logged(verbose, log_file):
            return command(*args, settings=settings, **options)

    return wrapped


def settings_of(*, plain: bool, letters: bool) -> Settings:
    """How to talk to the user of this command, on this terminal."""
    return Settings(plain, letters or not _speaks_unicode(), colour=not plain and _colours_wanted())


def _logged(verbose: int, log_file: str | None) -> AbstractContextManager[None]:
    """Set up the log; nothing is imported for a log that nobody asks for."""
    if not verbose and log_file is None:
        return nullcontext()
    from cli.kit.logs import logged, open_log  # noqa: PLC0415

    try:
        opened = None if log_file is None else open_log(Path(log_file))
    except (OSError, ValueError) as error:
        reason = why_no_file(error)
        raise UserMistakeError(
            f"The log file {log_file} cannot be written: {reason}; name another one."
        ) from error
    return logged(verbose, opened)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

ready_option = click.option("--yes", "ready", is_flag=True, help="Be ready without being asked.")


def print_json(answer: Mapping[str, object]) -> None:
    """Print the one JSON object of a command."""
    say_json(answer)


def at_a_terminal() -> bool:
    """Whether somebody can type here (design: without a terminal = stdin is not a TTY)."""
    return sys.stdin is not None and sys.stdin.isatty()


def has_screen() -> bool:
    """Whether a full screen can be drawn and keys can be read."""
    return at_a_terminal() and sys.stdout.isatty() and not is_dumb()


def _colours_wanted() -> bool:
    # https://no-color.org: any value that is not empty switches colours off.
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not is_dumb()


def _speaks_unicode() -> bool:
    try:
        "♣".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
