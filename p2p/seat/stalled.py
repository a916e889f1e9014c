"""What a seat does when nothing comes: it asks again, and at the close has ballots cast.

Ballots stand for a signature that is missing from the close, and for nothing else (protocol section
5); whoever is gone before that can be voted out, if the table agreed to that (`p2p.seat.going_on`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from engine.zone import Seat
from p2p.protocol.machine import Machine
from p2p.protocol.proposal import Proposal
from p2p.seat.catch_up import CatchingUp
from p2p.seat.desk import Desk
from p2p.seat.returning import Patience, Returning
from p2p.seat.timer import Timer


class Stalled:
    """One seat's patience with a table that stands still; `then` something may have to be done."""

    def __init__(
        self,
        desk: Desk,
        proposal: Proposal,
        seat: Seat,
        patience: Patience,
        catching_up: CatchingUp,
        returning: Returning,
        then: Callable[[], None],
    ) -> None:
        self._desk: Final = desk
        self._proposal: Final = proposal
        self._seat: Final = seat
        self._patience: Final = patience
        self._catching_up: Final = catching_up
        self._returning: Final = returning
        self._then: Final = then
        self._timer: Final = Timer(desk)

    def watch(self, machine: Machine, stuck: int = -1, waited: float = 0.0) -> None:
        """Later, ask for what does not come by then."""
        self._timer.after(self._patience.asks_again, partial(self._insist, machine, stuck, waited))

    def stop(self) -> None:
        """The walk is over."""
        self._timer.stop()

    def _insist(self, machine: Machine, stuck: int, waited: float) -> None:
        """Ask for what does not come; at the close, say by ballot who is gone."""
        step = machine.chain.step
        waited = waited + self._patience.asks_again if step == stuck else 0.0
        self.watch(machine, step, waited)
        if waited:
            self._catching_up.ask_everybody(machine)
            self._returning.give_up_on_silence(machine, waited)
        if machine.closing and waited >= self._patience.for_a_close:
            self._cast_ballots(machine)
        self._then()

    def _cast_ballots(self, machine: Machine) -> None:
        """Cast ballots about seats that sign no close and cannot be reached over any link."""
        for absent in machine.missing():
            linked = self._desk.links.is_linked(self._proposal.identities[absent])
            if absent != self._seat and not linked:
                machine.ballots.sign(absent)
