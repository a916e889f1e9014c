"""What the bots at a table are called."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from cli.options.asked_table import AskedTable
from engine.levels import LEVELS, NORMAL
from p2p.text.names import folded

NAMES: Final = ("Ada", "Bo", "Cleo", "Dara", "Eli", "Fay", "Gus", "Hana", "Ivo", "Juno")


def bot_names(levels: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """A name for a bot of each level, such that nobody in `taken` goes by it.

    It ends with the level, so that everybody at the table sees it, and so that a bot which comes
    back plays as well as before; without one the bot is a normal one.

    >>> bot_names(["normal", "hard", "easy"], taken=["Bo"])
    ['Ada', 'Cleo hard', 'Dara easy']
    """
    used = set(map(folded, taken))
    free = [name for name in NAMES if folded(name) not in used]
    return [named(name, level) for name, level in zip(free, levels, strict=False)]


def named(name: str, level: str) -> str:
    """What a bot of that level is called, of whom no level is known otherwise.

    >>> named("Ada", "hard"), named("Ada", "normal")
    ('Ada hard', 'Ada')
    """
    return name if level == NORMAL else f"{name} {level}"


def levels_of(asked: AskedTable, count: int) -> list[str]:
    """The level of each of so many bots: as asked, and normal where nothing was asked."""
    return [*asked.levels, *[NORMAL] * (count - len(asked.levels))]


def level_of(name: str) -> str:
    """The level of the bot of that name.

    >>> level_of("Ada"), level_of("Cleo hard")
    ('normal', 'hard')
    """
    last = name.rpartition(" ")[2]
    return last if last in LEVELS else NORMAL
