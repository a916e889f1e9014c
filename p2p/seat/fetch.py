"""Which peer is asked for the records that a seat lacks, and the records that wait for their step.

One peer is asked at a time, until one has said that there is no more: then the others are asked at
once, since their answers are short.  An answer holds a slice of the log (`p2p.seat.catch_up`), and
the next slice is asked for before the last is used up.  A peer that does not answer, that sends
less than it says, or that is slow is asked after the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from p2p.errors import PeerError
from p2p.logs import LOG
from p2p.logs import peer as called
from p2p.protocol.entry import Unread
from p2p.protocol.frame_kinds import HAVE
from p2p.protocol.held import AHEAD
from p2p.protocol.machine import Machine
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer

SLICE_BYTES: Final = 64 * 1024
"""How much of a log one answer holds, and the rest of the step with which that is reached."""
STOCK_BYTES: Final = 2 * SLICE_BYTES
"""How much is kept for later steps; what is beyond is asked for again."""
ANSWER_SECONDS: Final = 0.2
"""A peer is asked, and answered, no more often than this."""
MORE: Final = 2**53
"""The step of a `told` after a slice: no seat gets there, so that none takes it for the end."""
PATIENT: Final = 2
"""How often a peer that did not answer is given twice the time."""

Take = Callable[[bytes, Unread, Machine], None]


class Stock:
    """Records for steps that are too far ahead for a machine, with the peer that sent each."""

    def __init__(self) -> None:
        self.size = 0
        self._steps: Final[dict[int, list[tuple[bytes, Unread]]]] = {}

    def put(self, peer: bytes, record: Unread) -> bool:
        """Keep a record, if there is room; whether there was."""
        if self.size + len(record.record) > STOCK_BYTES:
            return False
        self.size += len(record.record)
        self._steps.setdefault(record.step, []).append((peer, record))
        return True

    def take(self, until: int) -> list[tuple[bytes, Unread]]:
        """Remove and return the records of all steps up to this one, in order."""
        steps = sorted(step for step in self._steps if step <= until)
        found = [pair for step in steps for pair in self._steps.pop(step)]
        self.size -= sum(len(record.record) for _, record in found)
        return found

    def clear(self) -> None:
        """Drop everything."""
        self._steps.clear()
        self.size = 0


@dataclass(slots=True)
class _Asked:
    """The request that one peer has not answered to the end, and how far its answer has come."""

    peer: bytes
    start: int
    last: int
    """The last step of which the answer holds a record."""
    at: float
    heard: float
    first: int | None = None
    """The step with which the answer that comes now begins; an older request began earlier."""
    size: int = 0
    full: bool = False
    """Whether part of the answer found no room."""


class Fetch:
    """One seat's requests for the machine that runs; `take` gets each record at its step."""

    def __init__(
        self, desk: Desk, others: Callable[[], Sequence[bytes]], asks_again: float, take: Take
    ) -> None:
        self._desk: Final = desk
        self._others: Final = others
        self._asks_again: Final = asks_again
        self._take: Final = take
        self._machine: Machine | None = None
        self._source: _Asked | None = None
        self._due: Final[dict[bytes, None]] = {}
        """Peers to be asked once one has said that there is no more."""
        self._abreast: bytes | None = None
        """The peer that has said so; None while this seat may be behind."""
        self._best: bytes | None = None
        self._failed: Final[Counter[bytes]] = Counter()
        self._asked_at: Final[dict[bytes, float]] = {}
        self._missed: Final[set[bytes]] = set()
        """Peers that have sent records for which there was no room since they were asked."""
        self._next = 0
        """The step from which the next slice is asked for."""
        self._back = 1
        self._all_here = False
        """Whether the last answer went to the end."""
        self._stock: Final = Stock()
        self._timer: Final = Timer(desk)
        self._feeds: Final = Timer(desk)

    # -- what is to be asked -----------------------------------------------------------------

    def begin(self, machine: Machine) -> None:
        """Ask for what this machine lacks, from now on."""
        self.stop()
        self._machine, self._next, self._back, self._abreast = machine, 0, 1, None
        self._failed.clear()
        self._asked_at.clear()
        self.ask_all()

    def stop(self) -> None:
        """Ask for nothing."""
        self._machine = self._source = None
        self._due.clear()
        self._missed.clear()
        self._stock.clear()
        self._timer.stop()
        self._feeds.stop()

    def ask(self, peer: bytes) -> None:
        """Ask a peer that is newly linked: frames may have been lost."""
        self._due[peer] = None
        self._go_on()

    def ask_all(self) -> None:
        """Ask all peers."""
        machine = self._machine
        if machine is not None and machine.wanted < machine.chain.step:
            self._abreast = None
        self._due.update(dict.fromkeys(self._linked()))
        self._go_on()

    def fall_behind(self) -> None:
        """Ask a peer: a record came that is too far ahead, or of another history."""
        self._abreast = None
        self._go_on()

    def lose(self, peer: bytes) -> None:
        """A peer's last link has ended: what was asked of it will not come."""
        self._due.pop(peer, None)
        self._missed.discard(peer)
        self._asked_at.pop(peer, None)
        self._abreast = None
        if self._source is not None and self._source.peer == peer:
            self._give_up(self._source)
        self._go_on()

    # -- what comes --------------------------------------------------------------------------

    def keeps(self, peer: bytes, record: Unread, machine: Machine) -> bool:
        """Note a record; whether it is kept, or dropped, until the machine comes to its step."""
        if machine is not self._machine:
            return False
        is_far = record.step > machine.chain.step + AHEAD
        source = self._source
        if source is None or source.peer != peer or (record.step > source.last + 1):
            self._missed.update({peer} if is_far else ())
            return is_far and source is not None and source.peer == peer and source.full
        source.heard = self._desk.now()
        source.first = record.step if source.first is None else source.first
        source.size += len(record.record)
        if is_far and (source.full or not self._stock.put(peer, record)):
            source.last, source.full = min(source.last, record.step - 1), True
            self._missed.add(peer)
        elif not source.full:
            source.last = max(source.last, record.step)
        return is_far

    def expects(self, peer: bytes) -> bool:
        """Whether a peer sends what it was asked for, and not too much of it."""
        source = self._source
        return source is not None and source.peer == peer and source.size <= STOCK_BYTES

    def told(self, peer: bytes, step: int) -> bool:
        """A peer has answered to the end; whether it has nothing that this seat lacks."""
        machine = self._machine
        if machine is None:
            return False
        missed = peer in self._missed or self._stock.size > 0
        self._missed.discard(peer)
        is_ahead = step > machine.chain.step
        if is_ahead or missed:
            self._due[peer] = None
        source = self._source
        if source is not None and source.peer == peer:
            if is_ahead and source.first != source.start:  # it answers an older request
                source.first = None
            else:
                self._close(source, machine, step)
        elif is_ahead or missed:
            self._failed.update([] if self._abreast in (None, peer) else [self._abreast])
            self._abreast, self._best = None, peer if is_ahead else self._best
        self._go_on()
        return not is_ahead and not missed

    def advance(self) -> None:
        """A step is complete: give the machine what has waited for that, but not within this call.

        Other work of the seat comes in between.
        """
        if self._machine is None:
            return
        self._back = 1
        if self._source is None:
            self._timer.stop()
        if self._stock.size:
            self._feeds.at(self._desk.now(), self._feed)
        else:
            self._go_on()

    def _feed(self) -> None:
        machine = self._machine
        if machine is None:
            return
        for peer, record in self._stock.take(machine.chain.step + AHEAD):
            try:
                self._take(peer, record, machine)
            except PeerError as error:
                self._desk.drop(peer, str(error))
                self._failed[peer] += 1
                self._start_over()
        self._go_on()

    # -- one request after the other -----------------------------------------------------------

    def _go_on(self) -> None:
        """Ask for what is lacking, unless that is on its way or there is enough to do."""
        machine = self._machine
        if machine is None or machine.ended or self._source is not None:
            return
        if self._abreast is not None:
            for peer in list(self._due):
                self._post(peer, machine, machine.wanted)
            self._due.clear()
        elif self._has_enough(machine):
            if self._timer.due == math.inf:
                self._timer.after(self._asks_again, self._stand_still)
        else:
            self._ask_the_best(machine)

    def _has_enough(self, machine: Machine) -> bool:
        uses = machine.chain.step < self._next
        return uses and (self._all_here or self._stock.size > SLICE_BYTES // 2)

    def _ask_the_best(self, machine: Machine) -> None:
        """Ask one peer for a slice, once it may be asked again."""
        linked = self._linked()
        if not linked:
            return
        peer = min(linked, key=lambda key: (self._failed[key], key != self._best))
        now, due = self._desk.now(), self._asked_at.get(peer, float("-inf")) + ANSWER_SECONDS
        if now < due:
            self._timer.at(due, self._go_on)
            return
        self._due.pop(peer, None)
        start = self._first_wanted(machine)
        self._source = _Asked(peer, start, start - 1, now, now)
        LOG.debug("catching up: asks %s from step %d on", called(peer), start)
        self._timer.after(self._patience(peer), self._look_at_answer)
        self._post(peer, machine, start)

    def _first_wanted(self, machine: Machine) -> int:
        """The step from which on records are asked for.

        If a seat has signed on another history, the two differ at an earlier step: further and
        further back is asked for, until a seat is found that signed both.
        """
        step = machine.chain.step
        if machine.wanted == step:
            return max(step, self._next)
        if not step - self._back // 2 <= self._next < step:
            self._next = max(0, step - self._back)
            self._back = 1 if self._next == 0 else 2 * self._back
        return self._next

    def _post(self, peer: bytes, machine: Machine, start: int) -> None:
        self._asked_at[peer] = self._desk.now()
        self._missed.discard(peer)
        self._desk.post(peer, HAVE.make({"table": machine.chain.table, "step": start}))

    def _linked(self) -> list[bytes]:
        return [key for key in self._others() if self._desk.links.is_linked(key)]

    def _patience(self, peer: bytes) -> float:
        """How long a peer may be silent."""
        return self._asks_again / 4 * float(2 ** min(PATIENT, self._failed[peer]))

    def _look_at_answer(self) -> None:
        """Ask another peer if this one is silent, or takes too long."""
        source, now = self._source, self._desk.now()
        if source is None:
            return
        ends = min(source.heard + self._patience(source.peer), source.at + self._asks_again)
        if now < ends:
            self._timer.at(ends, self._look_at_answer)
            return
        LOG.debug("catching up: %s does not answer to the end", called(source.peer))
        self._due[source.peer] = None
        self._failed[source.peer] += 1
        self._give_up(source)
        self._go_on()

    def _give_up(self, source: _Asked) -> None:
        """Use what has come, and ask for its last step again: it may not be whole."""
        self._source, self._next, self._all_here = None, max(0, source.last), False
        self._timer.stop()

    def _close(self, source: _Asked, machine: Machine, step: int) -> None:
        """A peer has answered to the end, and says that it is at this step, or has `MORE`."""
        self._source = None
        self._timer.stop()
        self._next = min(source.last + 1, step)
        self._all_here = step != MORE and not source.full
        short = source.size < SLICE_BYTES // 2 if step == MORE else self._next < step
        slow = self._desk.now() - source.at > self._asks_again / 4
        astray = machine.wanted < machine.chain.step
        if (short and not source.full) or slow or astray:
            self._failed[source.peer] += 1
        else:
            self._best = source.peer
        if self._all_here and step <= machine.chain.step and not self._stock.size:
            self._abreast = source.peer

    def _stand_still(self) -> None:
        """The machine lacks records that it was sent or promised: ask another peer for them."""
        machine = self._machine
        if machine is None:
            return
        if machine.missing():
            self._failed.update([] if self._best is None else [self._best])
            self._start_over()
        self._go_on()

    def _start_over(self) -> None:
        self._stock.clear()
        self._next, self._all_here, self._abreast = 0, False, None
