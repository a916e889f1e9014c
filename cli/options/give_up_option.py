"""`--give-up`: after how long the person here is asked whether to go on without somebody.

It is each seat's own.  The table need not agree on it: whoever is asked early only says early what
all who are left have to say, and nobody could check the clock of another machine.

The numbers are repeated here (a test compares them): importing the peers would delay the first
picture of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from cli.failures import UserMistakeError

if TYPE_CHECKING:
    from p2p.seat.returning import Patience

Command = Callable[..., Any]
GIVES_UP: Final = 60
SHORTEST: Final = 15
"""So long may a seat be away that is on its way back: nobody dials it for a pause (6.25 s at most),
the dial may take 6 s, and before it could be dialled its program was started and read its log (1.5
s, measured with Flaps at level 7)."""
LONGEST: Final = 3600


def patience(give_up: int) -> Patience:
    """The same in the seat's terms."""
    from p2p.seat.returning import Patience  # noqa: PLC0415 (after the first picture)

    return Patience(gives_up=float(give_up))


def give_up_option(needs: str = "", default: int = GIVES_UP) -> Callable[[Command], Command]:
    """Add `--give-up`; the command receives it as `give_up`, in seconds.

    `needs` is the option (as a parameter) without which the table of this command waits for the
    lost.  UserMistakeError if `--give-up` is said without it.
    """
    option = click.option(
        "--give-up",
        type=int,
        default=default,
        show_default=True,
        metavar="S",
        callback=_checked,
        help="Seconds until you are asked about a lost player.",
    )

    def decorate(command: Command) -> Command:
        @option
        @wraps(command)
        def wrapped(*args: Any, **options: Any) -> Any:
            if needs and _is_said("give_up") and not _is_said(needs):
                other = needs.replace("_", "-")
                raise UserMistakeError(
                    f"--give-up needs --{other}: without it a table waits for whoever is lost."
                )
            return command(*args, **options)

        return wrapped

    return decorate


def _is_said(name: str) -> bool:
    """Whether the person has said this option."""
    said = click.get_current_context().get_parameter_source(name)
    return said is not ParameterSource.DEFAULT


def _checked(context: click.Context, parameter: click.Parameter, seconds: int) -> int:
    """UserMistakeError for less than a seat needs to come back, or too long."""
    if not SHORTEST <= seconds <= LONGEST:
        raise UserMistakeError(
            f"--give-up is {SHORTEST} to {LONGEST} seconds (not {seconds}): whoever is cut off may "
            f"need {SHORTEST} to be back."
        )
    return seconds
