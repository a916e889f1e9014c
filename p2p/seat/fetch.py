"""A seat that is far behind asks for the log, slice by slice: which peer it asks next.

Peers take turns, one slice each, so that none decides alone how fast this goes.  The next slice is
asked for before the last is used up.  A peer that is silent, that leaves records out, or that has
no more, is passed over; once all are, the seat asks everybody again when nothing comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from p2p.logs import LOG
from p2p.logs import peer as called
from p2p.protocol.held import AHEAD
from p2p.protocol.machine import Machine
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer

SLICE_STEPS: Final = AHEAD // 2
"""How many steps an answer holds at most: two of them can be held at once."""

Ask = Callable[[bytes, Machine, int], None]


class Fetch:
    """The slices that one seat asks for; it waits `patience` seconds for each."""

    def __init__(
        self, desk: Desk, others: Callable[[], Sequence[bytes]], patience: float, ask: Ask
    ) -> None:
        self._desk: Final = desk
        self._others: Final = others
        self._patience: Final = patience
        self._ask: Final = ask
        self._turns: Final[deque[bytes]] = deque()
        """The peers that are asked, the next one first; empty while nothing is fetched."""
        self._awaited: bytes | None = None
        """The peer that has not answered yet."""
        self._next = 0
        """The step with which the next slice begins."""
        self._slices: Final[deque[tuple[int, bytes]]] = deque()
        """The slices that are not used up: where each ends, and who sent it."""
        self._timer: Final = Timer(desk)

    @property
    def runs(self) -> bool:
        """Whether slices are being fetched."""
        return bool(self._turns)

    def stop(self) -> None:
        """Ask for nothing."""
        self._turns.clear()
        self._slices.clear()
        self._awaited = None
        self._timer.stop()

    def more(self, peer: bytes, machine: Machine, end: int) -> None:
        """A peer has sent the steps before `end`, and has more."""
        if not self._turns:
            self._begin(peer, machine)
        if self._next < end <= self._next + SLICE_STEPS:
            self._awaited, self._next = None, end
            self._slices.append((end, peer))
        self.go_on(machine)

    def _begin(self, peer: bytes, machine: Machine) -> None:
        """Take the first slice, which all were asked for, from this peer."""
        others = [key for key in self._others() if self._desk.links.is_linked(key)]
        at = others.index(peer) + 1 if peer in others else 0
        self._turns.extend(others[at:] + others[:at])
        self._next = machine.wanted

    def all_sent(self, peer: bytes, machine: Machine) -> None:
        """A peer has no more."""
        self._pass_over(peer)
        self.go_on(machine)

    def go_on(self, machine: Machine) -> None:
        """Ask for the next slice, if there is room for it."""
        step = machine.chain.step
        while self._slices and self._slices[0][0] <= step:
            self._slices.popleft()
        if self._turns and self._awaited is None and self._next <= step + SLICE_STEPS:
            self._awaited = self._turns[0]
            self._turns.rotate(-1)
            self._wait(machine)
            self._ask(self._awaited, machine, self._next)

    def _wait(self, machine: Machine) -> None:
        self._timer.after(self._patience, partial(self._look, machine, machine.chain.step))

    def _look(self, machine: Machine, since: int) -> None:
        """Pass over whoever was silent, or sent a slice with which no step was completed."""
        step = machine.chain.step
        if self._slices and step == since and machine.missing():
            self._pass_over(self._slices[0][1])
            self._slices.clear()
            self._awaited, self._next = None, step
        elif self._awaited is not None:
            self._pass_over(self._awaited)
        if self._turns:
            self._wait(machine)
            self.go_on(machine)

    def _pass_over(self, peer: bytes) -> None:
        """Ask this peer no more."""
        if peer == self._awaited:
            self._awaited = None
        if peer in self._turns:
            LOG.debug("catching up: %s is not asked again", called(peer))
            self._turns.remove(peer)
