"""The options that describe a table's races: the cap on credited delay, and the hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

from p2p.bots import FAST, PEOPLE
from p2p.protocol.race_terms import CAPS_US, HOLDS_US, RaceTerms

Command = Callable[..., Any]
DEFAULT: Final = RaceTerms()
AMONG_BOTS: Final = RaceTerms(hold_us=0)
"""Bots have nothing to hide behind a pause."""


def cap_option(text: str) -> Callable[[Command], Command]:
    """`--race-cap MS`; the command receives it as `race_cap`."""
    return click.option(
        "--race-cap",
        type=click.IntRange(_ms(CAPS_US[0]), _ms(CAPS_US[-1])),
        default=_ms(DEFAULT.cap_us),
        show_default=True,
        metavar="MS",
        help=text,
    )


def race_options(command: Command) -> Command:
    """Add `--race-cap` and `--hold`; the command receives both as `race`."""

    @cap_option("Most delay credited in a race.")
    @click.option(
        "--hold",
        type=click.IntRange(_ms(HOLDS_US[0]), _ms(HOLDS_US[-1])),
        default=_ms(DEFAULT.hold_us),
        show_default=True,
        metavar="MS",
        help="When passes leave, after a question.",
    )
    @wraps(command)
    def wrapped(*args: Any, race_cap: int, hold: int, **others: Any) -> Any:
        return command(*args, race=RaceTerms(1_000 * race_cap, 1_000 * hold), **others)

    return wrapped


def pace_option(command: Command) -> Command:
    """Add `--fast-bots`; the command receives `pace`."""

    @click.option("--fast-bots", is_flag=True, help="Bots react in 0.3 to 0.6 s, not 0.35 to 1.2.")
    @wraps(command)
    def wrapped(*args: Any, fast_bots: bool, **others: Any) -> Any:
        return command(*args, pace=FAST if fast_bots else PEOPLE, **others)

    return wrapped


def _ms(microseconds: int) -> int:
    return microseconds // 1_000
