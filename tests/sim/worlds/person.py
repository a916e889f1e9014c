"""The player at one program of a seat: what they decide, and when they leave for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.bots import random_bot
from engine.session import Session
from engine.zone import Seat
from p2p.protocol.step import LEAVE
from p2p.seat.desk import Ask

if TYPE_CHECKING:
    from tests.sim.worlds.process import Process


class Person:
    """The decisions of one program, by chance."""

    def __init__(self, process: Process) -> None:
        self._process: Final = process
        self._leaves: Final = process.world.plan.rng("leaves", process.seat, process.number)

    def decide(self, ask: Ask) -> object:
        """Decide as a bot does, or leave for good."""
        world = self._process.world
        bot = world.bot if world.plan.sensible else random_bot
        decision = bot(ask.view, ask.question, self._process.rng)
        return LEAVE if self._leaves.random() < self._likely_to_leave() else decision

    def _likely_to_leave(self) -> float:
        process, plan = self._process, self._process.world.plan
        table = process.table
        if not plan.ahead or table is None or not leads(table.session, process.seat):
            return plan.leaves
        process.world.counts["asked while leading"] += 1
        return plan.ahead


def leads(session: Session, seat: Seat) -> bool:
    """Return whether a seat has more points than every other seat that is left."""
    points, table = session.game.returns(session.table), session.table
    return all(points[seat] > points[other] for other in table.present() if other != seat)
