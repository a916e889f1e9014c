"""How many bots sit down, how well each of them plays, and how fast: `--bots hard,easy`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from engine.levels import LEVELS, NORMAL

if TYPE_CHECKING:
    from engine.bots.pace import Pace

OUT: Final = "out"
"""In the lobby, beside the levels: no bot of this name sits there."""
Command = Callable[..., Any]
ALLOWED: Final = f"a number, or levels with commas between them: {', '.join(LEVELS)}"


class LobbyBots(Protocol):
    """The bots of a host whose table has not begun."""

    def offered(self) -> dict[str, str]:
        """The level of each bot by its name, `OUT` for those that could sit down yet."""

    def change(self, levels: Mapping[str, str]) -> None:
        """Want these levels of these bots; the others stay as they are."""


@dataclass(frozen=True, slots=True)
class AskedLevels:
    """The level of each bot, in the order of their seats; `named` if levels were typed."""

    levels: tuple[str, ...] = ()
    named: bool = False

    def for_bots(self, count: int | None) -> tuple[str, ...]:
        """The same, but one level that was typed alone is that of all bots, of so many."""
        if self.named and len(self.levels) == 1 and count is not None:
            return self.levels * count
        return self.levels


def bots_option(least: int, default: str | None, text: str) -> Callable[[Command], Command]:
    """`--bots N|LEVELS`, at least `least` of them; the command receives AskedLevels as `bots`.

    A usage error, in a sentence, for what is neither.
    """

    def read(ctx: click.Context, param: click.Parameter, typed: str | None) -> AskedLevels | None:
        return None if typed is None else _asked(typed, least)

    return click.option("--bots", callback=read, default=default, metavar="N|LEVELS", help=text)


def _asked(typed: str, least: int) -> AskedLevels:
    if typed.isascii() and typed.isdecimal() and len(typed) < 4:
        if int(typed) < least:
            raise click.BadParameter(f"at least {least} bot has to play, not {typed}.")
        return AskedLevels((NORMAL,) * int(typed))
    levels = tuple(one.strip().lower() for one in typed.split(","))
    if not set(levels) <= set(LEVELS):
        raise click.BadParameter(f"bots are {ALLOWED} (not {typed!r}).")
    return AskedLevels(levels, named=True)


@dataclass(frozen=True, slots=True)
class AskedPace:
    """Whether bots should be as fast as people can be."""

    fast: bool

    def pace(self) -> Pace | None:
        """The same in the bots' terms; None: each as its level is."""
        from engine.bots.pace import FAST  # noqa: PLC0415 (after the first picture)

        return FAST if self.fast else None


def pace_option(command: Command) -> Command:
    """Add `--fast-bots`; the command receives `pace`."""

    @click.option("--fast-bots", is_flag=True, help="Bots react in about 0.36 s at any level.")
    @wraps(command)
    def wrapped(*args: Any, fast_bots: bool, **others: Any) -> Any:
        return command(*args, pace=AskedPace(fast_bots), **others)

    return wrapped
