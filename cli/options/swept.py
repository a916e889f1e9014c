"""`--sweep`: several settings of a table at once, for studies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from cli.failures import UserMistakeError
from cli.options.asked_table import Said, said_options, split_pairs, usual_seats
from engine.game import Game, Value
from engine.games import load
from engine.study import SEATS, Setting, settings


@dataclass(frozen=True)
class Grid:
    """The settings that somebody asked for, and the names of what they vary."""

    game: Game
    settings: tuple[Setting, ...]
    swept: tuple[str, ...]


def grid_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a table and `--sweep`; the command receives `grid`.

    The rules have not been asked yet whether they provide for every setting (`Study.check`).
    """

    @said_options()
    @click.option(
        "--sweep", "sweeps", multiple=True, metavar="K=A,B,C",
        help="Try each of these for a house rule, level or seats; repeatable: all combinations.",
    )  # fmt: skip
    @wraps(command)
    def wrapped(*args: Any, said: Said, sweeps: Sequence[str], **others: Any) -> Any:
        return command(*args, grid=_grid(said, sweeps), **others)

    return wrapped


def _grid(said: Said, sweeps: Sequence[str]) -> Grid:
    game = load(said.game)
    fixed = split_pairs(said.pairs)
    swept = {
        name: _values(game, name, written)
        for name, written in split_pairs(sweeps, "--sweep").items()
    }
    twice = [
        *(fixed.keys() & swept),
        *([SEATS] if said.seats is not None and SEATS in swept else []),
    ]
    if twice:
        raise UserMistakeError(
            f"{min(twice)} is swept: it cannot have one value too, leave that out."
        )
    seats = usual_seats(game) if said.seats is None else said.seats
    base = Setting(seats, game.parse_options(fixed))
    return Grid(game, settings(base, swept), tuple(swept))


def _values(game: Game, name: str, written: str) -> list[Value]:
    """The values of one sweep; UsageError for what the game does not have."""
    parts = [part.strip() for part in written.split(",")]
    if not all(parts):
        raise UserMistakeError(f"--sweep wants NAME=A,B,C, such as {name}=1,2, not {written!r}.")
    values = [_seats(part) if name == SEATS else _parsed(game, name, part) for part in parts]
    repeated = [part for part, value in zip(parts, values, strict=True) if values.count(value) > 1]
    if repeated:
        raise UserMistakeError(f"{name} is swept over {repeated[0]} twice: say it once.")
    return values


def _parsed(game: Game, name: str, written: str) -> Value:
    return game.parse_options({name: written})[name]


def _seats(written: str) -> int:
    if not (written.isascii() and written.isdigit()):
        raise UserMistakeError(f"seats are numbers, not {written!r}.")
    return int(written)
