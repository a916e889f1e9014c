"""`--seat`: from where a saved game is looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cli.failures import UserMistakeError
from engine.view import SPECTATOR
from engine.zone import Seat
from replay.game import SavedGame

Command = Callable[..., Any]


def seat_option(command: Command) -> Command:
    """Add `--seat`; the command receives a number as `seat`, or None."""
    said = "From this seat; the first is 0."
    return click.option("--seat", type=int, metavar="S", help=said)(command)


def seen_from(game: SavedGame, seat: int | None) -> Seat:
    """The seat whose view is shown; by default the reader's own, if the log is the reader's."""
    if seat is None:
        return SPECTATOR if game.own is None else game.own
    if not 0 <= seat < len(game.names):
        raise UserMistakeError(f"The seats are 0 to {len(game.names) - 1}, not {seat}.")
    return seat
