"""`--leave` and `--lose`: how many bots of a demonstration leave for good, or vanish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import click

from cli.failures import UserMistakeError
from cli.options.asked_table import AskedTable
from cli.options.gathered import gathered
from cli.options.terms import CARRY_ON, Said
from p2p.protocol.policy import allowed

Command = Callable[..., Any]
STAY: Final = 2
"""So many play on to the end: alone nobody plays."""


@dataclass(frozen=True, slots=True)
class AskedDepartures:
    """How many leave for good, and how many are lost without a word."""

    leave: int
    lose: int

    def said_for(self, asked: AskedTable) -> Said:
        """The terms by which the others go on; UserMistakeError if they could not."""
        if not self.leave and not self.lose:
            return {}
        title, seats = asked.game.title, asked.seats
        if asked.game.lose is None:
            raise UserMistakeError(
                f"{title} cannot go on without a player: leave out --leave and --lose."
            )
        together = range(STAY, seats) if not self.lose else allowed(seats)
        least = seats - self.leave - self.lose
        if least not in together:
            raise UserMistakeError(_too_many(seats, together, self))
        return {CARRY_ON.name: str(least)} if self.lose else {}


def _too_many(seats: int, together: range, asked: AskedDepartures) -> str:
    """Why so many cannot go, and how many can."""
    if not together:
        return f"A table of {seats} cannot go on without a player: take --seats 3 or more."
    gone = asked.leave + asked.lose
    what = "--leave and --lose" if asked.leave and asked.lose else "--lose"
    why = "have to go on together where a player is lost"
    if not asked.lose:
        what, why = "--leave", "have to play on"
    most = seats - together[0]
    return f"Of {seats} players {together[0]} {why}: {what} can be {most} at most, not {gone}."


def departures_option(command: Command) -> Command:
    """Add `--leave` and `--lose`; the command receives both as `departures`."""
    gathers = gathered("departures", AskedDepartures)
    lose = _number("--lose", "How many vanish; the others vote, and go on.")
    return _number("--leave", "How many bots leave for good.")(lose(gathers(command)))


def _number(name: str, text: str) -> Callable[[Command], Command]:
    return click.option(
        name, type=click.IntRange(0), default=0, show_default=True, metavar="N", help=text
    )
