"""Bots that do not stay to the end of a demonstration: which, when, and how they go."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import trio

from cli.options.asked_table import AskedTable
from cli.options.departures_option import AskedDepartures
from cli.options.terms import Said
from cli.tables.loopback import VanishedError
from engine.bots import Bot, sensible
from engine.question import Question
from engine.simulate import play_game
from engine.view import View
from engine.zone import Seat
from p2p.peer import Player
from p2p.player.events import Event
from p2p.protocol.step import LEAVE
from p2p.seat.returning import Patience

STAYS: Final = 0
"""This seat stays: its log is the one that is audited."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A seat that goes when it is asked for its decision number `at` (from 1).

    `lost`: it vanishes, and does not say so.
    """

    at: int
    lost: bool


@dataclass(frozen=True, slots=True)
class Departures:
    """The seats that go at a table of bots, and the terms on which the others continue."""

    said: Said = field(default_factory=dict)
    patience: Patience = field(default_factory=Patience)
    seats: Mapping[Seat, Departure] = field(default_factory=dict)

    def is_lost(self, seat: Seat) -> bool:
        """Whether this seat vanishes."""
        return seat in self.seats and self.seats[seat].lost

    def of(self, seat: Seat, player: Player) -> Player:
        """The player of this seat, who plays in a process with others."""
        one = self.seats.get(seat)
        if one is None:
            return player
        return Departing(player, one.at, vanishes if one.lost else leaves)


STAYING: Final = Departures()
"""Nobody goes."""


def drawn(
    asked: AskedTable, seed: int | None, departures: AskedDepartures, patience: Patience
) -> Departures:
    """Who goes, and at which decision: any of the first half of those that the seat had in a game
    with the trusted dealer, so that it comes to pass in nearly every game.

    UserMistakeError if so many cannot go.
    """
    said, count = departures.said_for(asked), departures.leave + departures.lose
    if not count:
        return STAYING
    rng = Random(None if seed is None else f"{seed}/departures")
    seats = rng.sample(range(STAYS + 1, asked.seats), count)
    decisions = _decisions(asked, rng.getrandbits(32))
    gone = {
        seat: Departure(rng.randint(1, max(1, decisions[seat] // 2)), number >= departures.leave)
        for number, seat in enumerate(seats)
    }
    return Departures(said, patience, gone)


def _decisions(asked: AskedTable, seed: int) -> list[int]:
    """How many decisions each seat makes in one game of bots."""
    made, bot = [0] * asked.seats, sensible(asked.game.name)

    def counting(seat: Seat) -> Bot:
        def decide(view: View, question: Question[Any], rng: Random) -> object:
            made[seat] += 1
            return bot(view, question, rng)

        return decide

    play_game(asked.game, asked.seats, asked.options, seed, [*map(counting, range(asked.seats))])
    return made


Goes = Callable[[], Awaitable[object]]


class Departing:
    """A `Player` (p2p.peer): `player` decides, until it `goes` at its decision number `at`."""

    def __init__(self, player: Player, at: int, goes: Goes) -> None:
        self._player: Final = player
        self._at: Final = at
        self._goes: Final = goes
        self._asked = 0

    async def decide(self, view: View, question: Question[Any]) -> object:
        """What the player decides; from its last decision on, it is gone."""
        self._asked += 1
        if self._asked >= self._at:
            return await self._goes()
        return await self._player.decide(view, question)

    def tell(self, event: Event) -> None:
        """The player hears all that is told."""
        self._player.tell(event)


async def leaves() -> object:
    """The seat leaves for good, and says so."""
    return LEAVE


async def dies() -> object:
    """This process is killed, as if by somebody else."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    return await trio.sleep_forever()


async def vanishes() -> object:
    """The seat is gone, and this process plays on with its other seats."""
    raise VanishedError
