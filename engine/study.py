"""A study: games of one kind at several settings of the table, to compare them.

Game i of every setting is played with the seed `game_seed(seed, i)`, so a study can be played in
pieces, by anybody and in any order, and comes to the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from engine.errors import UsageError
from engine.game import Game, Value, spell
from engine.games import load
from engine.simulate import check_bots, check_games, check_leave, each_game
from engine.totals import Totals
from engine.wording import counted

SEATS: Final = "seats"
"""What is swept under this name is the number of players, and no option."""
SETTINGS_MAX: Final = 256
"""More than anybody compares by eye; a product of sweeps comes to more by mistake."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A table of a study: its seats, and all its options."""

    seats: int
    options: Mapping[str, Value]

    def told(self) -> dict[str, str]:
        """All that describes it, as people type it."""
        return {SEATS: str(self.seats), **{k: spell(v) for k, v in self.options.items()}}

    def label(self, swept: Sequence[str]) -> str:
        """What distinguishes it in a study that varies these.

        >>> Setting(4, {"level": 7, "teams": True}).label(["level", "seats"])
        'level 7, 4 seats'
        """
        told = self.told()
        return ", ".join(
            counted(self.seats, "seat") if name == SEATS else f"{name} {told[name]}"
            for name in swept
        )


@dataclass(frozen=True, slots=True)
class Study:
    """What is to be played: `games` games of each setting.

    `swept` names what the settings vary; `bots` and `leave` are those of `each_game`.
    """

    game: str
    settings: tuple[Setting, ...]
    games: int
    seed: int = 0
    bots: str = "random"
    leave: float = 0.0
    swept: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many games it has in all."""
        return self.games * len(self.settings)

    def check(self) -> None:
        """Refuse what cannot be played, before anything is (UsageError, one sentence)."""
        game = load(self.game)
        check_games(self.games)
        check_bots(self.bots)
        check_leave(game, self.leave)
        for setting in self.settings:
            check_setting(game, setting, self.swept)

    def label(self, number: int) -> str:
        """What distinguishes one of its settings; "" if there is only one."""
        return self.settings[number].label(self.swept)

    def played(self, number: int, games: range) -> Totals:
        """Play these games of one setting."""
        setting = self.settings[number]
        each = each_game(
            load(self.game), setting.seats, setting.options, games, self.seed, self.bots,
            leave=self.leave,
        )  # fmt: skip
        return Totals.of(setting.seats, each)


def check_setting(game: Game, setting: Setting, swept: Sequence[str]) -> None:
    """UsageError if the rules do not provide for it; it says which setting that is."""
    try:
        game.check(setting.seats, setting.options)
    except UsageError as error:
        label = setting.label(swept)
        raise UsageError(f"{label}: {error}" if label else str(error)) from error


def settings(base: Setting, sweeps: Mapping[str, Sequence[Value]]) -> tuple[Setting, ...]:
    """The base with each combination of these values, the last one varying fastest.

    UsageError if they are too many.
    """
    count = prod(map(len, sweeps.values()))
    if count > SETTINGS_MAX:
        raise UsageError(f"a study has at most {SETTINGS_MAX} settings, not {count}")
    return tuple(_with(base, sweeps, values) for values in product(*sweeps.values()))


def _with(base: Setting, names: Iterable[str], values: Iterable[Value]) -> Setting:
    chosen = dict(zip(names, values, strict=True))
    seats = chosen.pop(SEATS, base.seats)
    return Setting(int(seats), {**base.options, **chosen})
