"""Links between programs in virtual time.

A link carries frames in order, in each direction at its own pace, until it ends; what is under way
then is lost.  A direction may die before anybody notices.  In some worlds all that is sent is cut
into pieces anywhere, as packets are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from p2p.net.frames import FrameDecoder, encode_frame
from p2p.net.mesh import LinkState
from tests.sim.worlds.plan import Cut, Split

if TYPE_CHECKING:
    from tests.sim.worlds.process import Process
    from tests.sim.worlds.world import World

SILENCE: Final = 6.0
"""After so many seconds without a heartbeat a link is ended (`p2p.net.limits`)."""
REST: Final = 10.0
"""A link that was dropped for garbage rests so long."""
Pair = tuple[int, int]


class Wire:
    """One connection of two programs."""

    def __init__(self, net: Network, one: Process, other: Process) -> None:
        self.ends: Final = (one, other)
        self._net: Final = net
        self._free: Final = {one: 0.0, other: 0.0}
        """When the last frame of each has arrived."""
        self._decoders: Final = {one: FrameDecoder(), other: FrameDecoder()}
        """What has arrived from each, in worlds of pieces."""
        self._mute: Final[set[Process]] = set()
        self._closed: Final[set[Process]] = set()

    def other(self, end: Process) -> Process:
        return self.ends[1] if end is self.ends[0] else self.ends[0]

    def end_of(self, seat: int) -> Process:
        """The program of this seat."""
        return next(end for end in self.ends if end.seat == seat)

    def send(self, source: Process, frame: bytes) -> None:
        """Queue a frame."""
        if source in self._closed:
            return
        if not self._net.world.plan.pieces:
            self._carry(source, len(frame), partial(self._arrive, source, frame))
            return
        for piece in self._net.pieces(encode_frame(frame)):
            self._carry(source, len(piece), partial(self._join, source, piece))

    def close(self, source: Process) -> None:
        """This end is closed: the other one learns it after what was sent before."""
        if source not in self._closed:
            self._closed.add(source)
            to = self.other(source)
            if source in self._mute:
                self._net.world.after(SILENCE, partial(self._end, to))
            else:
                self._carry(source, 0, partial(self._end, to))

    def mute(self, source: Process, notice: float) -> None:
        """Nothing arrives from here any more, which the other end notices later."""
        self._mute.add(source)
        self._net.world.after(notice, partial(self._end, self.other(source)))

    def _carry(self, source: Process, size: int, act: partial[None]) -> None:
        net, to = self._net, self.other(source)
        when = net.world.now + net.delay(source.seat, to.seat) + size / net.world.plan.bandwidth
        self._free[source] = when = max(when, self._free[source] + 1e-6)
        net.world.at(when, act)

    def _join(self, source: Process, piece: bytes) -> None:
        decoder = self._decoders[source]
        decoder.receive_data(piece)
        while (frame := decoder.next_frame()) is not None:
            self._arrive(source, frame)

    def _arrive(self, source: Process, frame: bytes) -> None:
        to = self.other(source)
        if to not in self._closed and source not in self._mute:
            to.linked(self)
            to.take(source.key, frame)

    def _end(self, end: Process) -> None:
        if end not in self._closed:
            self.close(end)
            end.unlinked(self)


class Network:
    """Who can reach whom, and how fast."""

    def __init__(self, world: World) -> None:
        self.world: Final = world
        self._rng: Final[Random] = world.plan.rng("network")
        self._cuts: Final[Random] = world.plan.rng("pieces")
        self._blocked: Final[dict[Pair, int]] = dict.fromkeys(world.plan.never, 1)
        self._dialling: Final[set[tuple[Process, Process]]] = set()
        factor = world.plan.rng("places")
        self._factor: Final = [0.5 + factor.random() for _ in range(world.plan.seats)]

    def one_way(self, source: int, to: int) -> float:
        """The least time of a frame between two seats, in seconds."""
        return self.world.plan.latency * (self._factor[source] + self._factor[to]) / 2

    def delay(self, source: int, to: int) -> float:
        return self.one_way(source, to) + self.world.plan.jitter * self._rng.random() ** 4

    def pieces(self, data: bytes) -> list[bytes]:
        """The same bytes, cut anywhere."""
        rng = self._cuts
        places = sorted(rng.randrange(len(data) + 1) for _ in range(rng.choice((0, 1, 1, 2, 4))))
        ends = [*places, len(data)]
        return [data[at:end] for at, end in zip([0, *places], ends, strict=True)]

    def can_reach(self, one: int, other: int) -> bool:
        """Whether these seats can link just now."""
        return self._blocked.get((min(one, other), max(one, other)), 0) == 0

    def dial(self, one: Process, other: Process, pause: float | None = None) -> None:
        """Link these two soon, or as soon as they can be."""
        if (one, other) in self._dialling or (other, one) in self._dialling:
            return
        self._dialling.add((one, other))
        soon = 0.2 * self._rng.random() if pause is None else pause
        self.world.after(soon, partial(self._try, one, other))

    def _try(self, one: Process, other: Process) -> None:
        self._dialling.discard((one, other))
        if not (one.runs and other.runs) or (one.is_linked(other) and other.is_linked(one)):
            return
        if not self.can_reach(one.seat, other.seat):
            self.dial(one, other, 0.5 + 4.5 * self._rng.random())
            return
        wire = Wire(self, one, other)
        least = self.one_way(one.seat, other.seat)
        for end in wire.ends:
            self.world.after(least * self._rng.random(), partial(end.linked, wire))

    # -- faults ----------------------------------------------------------------------------

    def cut(self, fault: Cut) -> None:
        """A link ends."""
        one, other = sorted(fault.pair)
        self._block((one, other), fault.back)
        for wire in self._between(one, other):
            if fault.one_way:
                wire.mute(wire.end_of(fault.pair[0]), SILENCE)
                continue
            for end, notice in zip(wire.ends, fault.notice, strict=True):
                wire.mute(end, notice)

    def split(self, fault: Split) -> None:
        """Two groups of seats lose each other."""
        seats = range(self.world.plan.seats)
        pairs = [(a, b) for a in seats for b in seats if a < b]
        for one, other in pairs:
            if (one in fault.seats) != (other in fault.seats):
                self._block((one, other), fault.heals)
                for wire in self._between(one, other):
                    for end in wire.ends:
                        wire.mute(end, SILENCE * self._rng.random())

    def _block(self, pair: Pair, seconds: float | None) -> None:
        self._blocked[pair] = self._blocked.get(pair, 0) + 1
        if seconds is not None:
            self.world.after(seconds, lambda: self._unblock(pair))

    def _unblock(self, pair: Pair) -> None:
        self._blocked[pair] -= 1

    def _between(self, one: int, other: int) -> list[Wire]:
        found = []
        for process in self.world.running(one):
            for wire in process.wires.values():
                if wire.other(process).seat == other:
                    found.append(wire)
        return found


class Ports:
    """The links of one program, as its desk sees them."""

    def __init__(self, process: Process) -> None:
        self._process: Final = process

    def is_linked(self, key: bytes) -> bool:
        return key in self._process.wires

    def links(self) -> Mapping[bytes, LinkState]:
        process = self._process
        states = {}
        for key in process.world.proposal.identities:
            if key != process.key:
                trip = self.round_trip_us(key)
                ms = None if trip is None else trip / 1000
                states[key] = LinkState(key in process.wires, rtt_ms=ms, rtt_min_ms=ms)
        return states

    def source(self, key: bytes) -> str:
        """Who watches comes from nowhere else."""
        return key.hex()

    def round_trip_us(self, key: bytes) -> int | None:
        process = self._process
        if key not in process.met:
            return None
        there = process.world.proposal.identities.index(key)
        net = process.world.network
        seconds = net.one_way(process.seat, there) + net.one_way(there, process.seat)
        return max(1, round(1e6 * seconds))
