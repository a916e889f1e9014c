"""Machines of a whole table in one process, timed as if each had a processor of its own.

Each machine has a clock: the processor time of its own work, and the wait for what it needs.  A
record reaches all others at the moment at which its sender has made it; links and disks take no
time here.  So a moment on these clocks is the critical path in processor time, whatever else the
machine is doing.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Final

from cli.bench.timing import PROCESSOR
from p2p.protocol.effects import Cast, Compute, Decide, Effect, Ended, Fault, Forward, Send, Write
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import attempt


class Apart:
    """The machines of a table, by seat; those in `gone` hear and say nothing.

    All times are in ms: `clocks` count work and waiting, `computed` work alone.
    """

    def __init__(self, machines: Sequence[Machine]) -> None:
        self.machines: Final = machines
        self.clocks: Final = [0.0] * len(machines)
        self.computed: Final = [0.0] * len(machines)
        self.cast: Final[list[float]] = []
        """When votes left."""
        self.asked: Final[dict[int, float]] = {}
        """When the player of a seat was asked, the last time."""
        self.results: Final[dict[int, object]] = {}
        self.gone: Final[set[int]] = set()
        self._wire: Final[list[tuple[float, int, int, bytes]]] = []
        self._order: Final = count()

    def run(self, act: Callable[[Machine], None]) -> None:
        """Let each machine do this at its own time, and then all that follows."""
        for seat in self._there():
            self._do(seat, act)
        while self._wire:
            at, _, seat, record = heapq.heappop(self._wire)
            if seat not in self.gone:
                self.clocks[seat] = max(self.clocks[seat], at)
                self._do(seat, partial(_hear, record))

    def _there(self) -> list[int]:
        return [seat for seat in range(len(self.machines)) if seat not in self.gone]

    def _do(self, seat: int, act: Callable[[Machine], None]) -> None:
        machine, begun = self.machines[seat], PROCESSOR()
        act(machine)
        for effect in machine.carry_out():
            match effect:
                case Write():
                    machine.wrote(effect.number)
                case Compute(heavy=True):
                    machine.finish(effect.number, attempt(effect.job))
                case _:
                    begun = self._pass(seat, begun)
                    self._effect(seat, effect)
        self._pass(seat, begun)

    def _pass(self, seat: int, begun: float) -> float:
        now = PROCESSOR()
        self.clocks[seat] += 1000 * (now - begun)
        self.computed[seat] += 1000 * (now - begun)
        return PROCESSOR()

    def _effect(self, seat: int, effect: Effect) -> None:
        match effect:
            case Send() | Cast() | Forward():
                if isinstance(effect, Cast):
                    self.cast.append(self.clocks[seat])
                for other in self._there():
                    if other != seat:
                        at = self.clocks[seat], next(self._order)
                        heapq.heappush(self._wire, (*at, other, effect.record))
            case Decide():
                self.asked[seat] = self.clocks[seat]
            case Ended():
                self.results[seat] = effect.result
            case Fault():
                raise effect.error


def _hear(record: bytes, machine: Machine) -> None:
    machine.receive(record)
