"""The options that describe a table's races: the cap on credited delay, and the hold.

Their numbers are repeated here (a test compares them): importing the protocol would delay the first
picture of a table by more than a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from engine.bots.pace import Pace
    from p2p.protocol.races.terms import RaceTerms

Command = Callable[..., Any]
CAPS_MS: Final = (1, 250)
HOLDS_MS: Final = (0, 5000)
CAP_MS: Final = 80
HOLD_MS: Final = 600


@dataclass(frozen=True, slots=True)
class AskedRaces:
    """What the user asked for, in milliseconds."""

    cap_ms: int
    hold_ms: int

    def terms(self) -> RaceTerms:
        """The same in the protocol's terms."""
        from p2p.protocol.races.terms import RaceTerms  # noqa: PLC0415

        return RaceTerms(1_000 * self.cap_ms, 1_000 * self.hold_ms)


@dataclass(frozen=True, slots=True)
class AskedPace:
    """Whether bots should be as fast as people can be."""

    fast: bool

    def pace(self) -> Pace | None:
        """The same in the bots' terms; None: each as its level is."""
        from engine.bots.pace import FAST  # noqa: PLC0415

        return FAST if self.fast else None


def cap_option(text: str) -> Callable[[Command], Command]:
    """`--race-cap MS`; the command receives it as `race_cap`."""
    return click.option(
        "--race-cap",
        type=click.IntRange(*CAPS_MS),
        default=CAP_MS,
        show_default=True,
        metavar="MS",
        help=text,
    )


def race_options(command: Command) -> Command:
    """Add `--race-cap` and `--hold`; the command receives both as `race`."""

    @cap_option("Largest delay credited in a race.")
    @click.option(
        "--hold",
        type=click.IntRange(*HOLDS_MS),
        default=HOLD_MS,
        show_default=True,
        metavar="MS",
        help="How long passes are held in a race.",
    )
    @wraps(command)
    def wrapped(*args: Any, race_cap: int, hold: int, **others: Any) -> Any:
        return command(*args, race=AskedRaces(race_cap, hold), **others)

    return wrapped


def pace_option(command: Command) -> Command:
    """Add `--fast-bots`; the command receives `pace`."""

    @click.option("--fast-bots", is_flag=True, help="Bots react in about 0.36 s at any level.")
    @wraps(command)
    def wrapped(*args: Any, fast_bots: bool, **others: Any) -> Any:
        return command(*args, pace=AskedPace(fast_bots), **others)

    return wrapped
