"""`--clock`: how long a person may take for a decision, until their own program decides.

The numbers are repeated here (a test compares them): importing the protocol would delay the first
picture of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from cli.failures import UserMistakeError

Command = Callable[..., Any]
NO_CLOCK: Final = 0
SHORTEST: Final = 5
LONGEST: Final = 3600


def clock_option(command: Command) -> Command:
    """Add `--clock`; the command receives seconds as `clock`, 0 for none."""
    return click.option(
        "--clock",
        type=int,
        default=NO_CLOCK,
        show_default=True,
        metavar="S",
        callback=_checked,
        help="Seconds for a decision; 0: no limit.",
    )(command)


def _checked(context: click.Context, parameter: click.Parameter, seconds: int) -> int:
    """UserMistakeError for a clock that no table has."""
    if seconds != NO_CLOCK and not SHORTEST <= seconds <= LONGEST:
        raise UserMistakeError(
            f"--clock is {SHORTEST} to {LONGEST} seconds, or 0 for no limit (not {seconds})."
        )
    return seconds
