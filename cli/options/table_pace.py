"""`--pace`: how long pictures of the table stay, and how long its bots think."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from math import log2
from typing import Any, Final

import click

from cli.home.preferences import PACE, setting
from cli.options.settings import Settings

Command = Callable[..., Any]
PACES: Final[Mapping[str, float]] = dict(zip(PACE.values, (1.6, 1.0, 0.5, 0.0), strict=True))
"""By how much everything is stretched; with `off` nothing is held and bots answer at once."""
NAMES: Final = PACE.values
QUICKEST: Final = 0.4
SLOWEST: Final = 1.2
"""How many seconds a bot thinks over one thing to choose from, and over MUCH of it."""
MUCH: Final = 16


class TablePace:
    """The pace at one table, shared by its screen and its bots: a key changes it for both."""

    def __init__(self, name: str = PACE.default) -> None:
        self.name = name

    def follow(self) -> None:
        """Switch to the next pace."""
        self.name = NAMES[(NAMES.index(self.name) + 1) % len(NAMES)]

    def stretched(self, seconds: float) -> float:
        """So many seconds at the usual pace, at this one."""
        return seconds * PACES[self.name]

    def reads(self, seconds: float) -> float:
        """The same for what takes so long to read: nobody reads quicker at a quick pace.

        >>> [TablePace(name).reads(1.2) for name in ("normal", "fast", "off")]
        [1.2, 1.2, 0.0]
        """
        return seconds * max(PACES[self.name], 1.0) if PACES[self.name] else 0.0

    def thinks(self, size: int) -> float:
        """How many seconds a bot takes for a decision among `size` things.

        >>> pace = TablePace("normal")
        >>> [pace.thinks(size) for size in (0, 1, 4, 16, 100)]
        [0.4, 0.4, 0.8, 1.2, 1.2]
        """
        much = log2(min(max(size, 1), MUCH)) / log2(MUCH)
        return self.stretched(round(QUICKEST + (SLOWEST - QUICKEST) * much, 3))


def table_pace(command: Command) -> Command:
    """Add `--pace`, which the command receives in its `settings`: it stands below `common`.

    If nobody says, it is the one that this person has chosen (`cli.home.preferences`).
    """

    @click.option(
        "--pace",
        "pace_name",
        type=click.Choice(NAMES),
        metavar="PACE",
        help="How long pictures stay, bots think: slow, normal, fast, off.",
    )
    @wraps(command)
    def wrapped(*args: Any, pace_name: str | None, settings: Settings, **others: Any) -> Any:
        return command(*args, settings=replace(settings, pace=pace_name or setting(PACE)), **others)

    return wrapped
