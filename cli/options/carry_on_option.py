"""`--carry-on`: a table goes on without somebody who is lost, if enough are left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

from cli.options.asked_table import AskedTable, players
from p2p.protocol.policy import WAIT, carry_on, check_policy

Command = Callable[..., Any]
ALL_BUT_ONE: Final = "all but one"
"""What `--carry-on` means without a number."""


def carry_on_option(command: Command) -> Command:
    """Add `--carry-on`; the command receives how many have to be left as `carry_on`: 0 for all but
    one, None if the table waits.
    """
    return click.option(
        "--carry-on",
        is_flag=False,
        flag_value=ALL_BUT_ONE,
        metavar="[T]",
        callback=_number,
        help="Go on without lost players while T are left.",
    )(command)


def _number(context: click.Context, parameter: click.Parameter, said: str | None) -> int | None:
    """UserMistakeError for what is no number."""
    if said is None or said == ALL_BUT_ONE:
        return None if said is None else 0
    return players("--carry-on", said)


def policy_for(asked: AskedTable, least: int | None) -> str:
    """The policy that was asked for.  UsageError, with what is allowed, if it cannot be."""
    policy = WAIT if least is None else carry_on(least or asked.seats - 1)
    check_policy(asked.game, asked.seats, policy)
    return policy
