"""A spectator: the game from what the seats signed, every proof checked, no hidden card.

It runs the machine that players run, without a seat and without a key.  It can therefore know
no more than the log says, and believes nobody: a fault is named as at the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import trio

from engine.cards import Card
from engine.view import SPECTATOR, View
from engine.zone import Slot
from p2p.checks import Entropy
from p2p.player.events import Event
from p2p.player.news import News, stopped
from p2p.protocol.effects import Behind, Compute, Done, Ended, Fault
from p2p.protocol.genesis import Header
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import attempt
from p2p.spectators.shown import Shown


class Spectator:
    """One table as a spectator follows it; `tell` gets the same news as a player.

    `on_step` gets the records of each whole step, in seat order; `behind` says that records
    are missing; `returns` is the result once the game is closed.
    """

    def __init__(
        self,
        header: Header,
        tell: Callable[[Event], None],
        entropy: Entropy,
        on_step: Callable[[tuple[bytes, ...]], None] = lambda records: None,
    ) -> None:
        self._shown: Final = Shown(header, entropy)
        self.table: Final = self._shown.table
        self.machine: Final = self.table.machine
        self.returns: tuple[int, ...] | None = None
        self.behind = False
        self._on_step = on_step
        self._tell = tell
        self._news: Final = News(self.table, tell)

    def view(self) -> View:
        """What everybody may know."""
        return View(self.table.session.table, SPECTATOR, _nothing)

    async def start(self) -> None:
        """Begin with the first question of the rules."""
        self._news.open(self.view())
        self.machine.start()
        await self.settle()

    async def receive(self, record: bytes) -> None:
        """One signed record, from anywhere.

        PeerError with the verdict if a seat is to blame; if nobody signed it, the error names no
        seat.
        """
        machine = self._shown.take(record)
        if machine is not self.machine:
            self._look_at_genesis(machine)
        await self.settle()

    def _look_at_genesis(self, machine: Machine) -> None:
        for effect in machine.carry_out():
            if isinstance(effect, Fault):
                self._accuse(effect)

    def _accuse(self, fault: Fault) -> None:
        self._tell(stopped(self.table.header.proposal.names, fault.error))
        raise fault.error

    async def settle(self) -> None:
        """Do what follows from the records that have arrived; proofs are checked in a thread."""
        for effect in self.machine.carry_out():
            self._news.tell()
            match effect:
                case Compute(heavy=True):
                    work = partial(attempt, effect.job)
                    self.machine.finish(effect.number, await trio.to_thread.run_sync(work))
                case Done():
                    self._on_step(tuple(effect.records))
                case Behind():
                    self.behind = True
                case Ended():
                    self.returns = self.table.session.returns
                case Fault():
                    self._accuse(effect)
        self._news.tell()

    @property
    def closed_without(self) -> bool:
        """Whether all others signed by ballot that the missing seats of the close are gone."""
        return bool(self.machine.closed_without())


def _nothing(slot: Slot) -> Card:
    raise KeyError(f"a spectator does not know slot {slot}")
