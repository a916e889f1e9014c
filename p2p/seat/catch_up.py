"""Frames by which peers fetch the records that they miss.

"I have everything up to step k" is answered with records from step k on, and then with "that was
all, and I am at step m", or with "that was all before step e, and there is more" (protocol section
7, resume).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from p2p.logs import LOG
from p2p.logs import peer as called
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.frame_kinds import BALLOT, HAVE, RECORD, TOLD, FrameKind
from p2p.protocol.machine import Machine
from p2p.seat.desk import Desk
from p2p.seat.fetch import SLICE_STEPS, Fetch
from p2p.seat.timer import Timer

ANSWER_SECONDS: Final = 0.2
"""A peer that asks for the same again within this time is not answered."""
SLICE_BYTES: Final = 64 * 1024
"""An answer ends with the step in which it comes to this size."""
MORE: Final = 2**53
"""A `told` with this number added to its step means: the slice ends there, and there is more.

No game has so many steps, so a program that knows of no slices asks again.
"""


class CatchingUp:
    """One peer's side of fetching, for the machines of its table (genesis and game).

    `told` are the peers that have sent the machine that runs now all they had.
    """

    def __init__(
        self, desk: Desk, others: Callable[[], Sequence[bytes]], asks_again: float
    ) -> None:
        self.machines: Final[dict[bytes, Machine]] = {}
        self.told: Final[set[bytes]] = set()
        self._desk = desk
        self._pause = asks_again / 8
        self._asked_at = float("-inf")
        self._soon: Final = Timer(desk)
        self._fetch: Final = Fetch(desk, others, asks_again / 2, self._ask)
        self._answered: dict[tuple[bytes, bytes], tuple[float, int | None]] = {}
        """When each peer was answered, and where its slice ended if there was more."""
        self._asked_back: Final[set[tuple[bytes, bytes]]] = set()

    def begin(self, machine: Machine) -> None:
        """This machine runs from now on: ask all peers for what it misses."""
        self.stop()
        self.told.clear()
        self.ask_everybody(machine)

    def stop(self) -> None:
        """Ask for nothing more."""
        self._soon.stop()
        self._fetch.stop()

    def ask_everybody(self, machine: Machine) -> None:
        """Ask all peers for what `machine` misses."""
        self._soon.stop()
        self._asked_at = self._desk.now()
        LOG.debug("catching up: asks all others from step %d on", machine.wanted)
        self._desk.flood(_frame(HAVE, machine, machine.wanted))

    def ask_soon(self, machine: Machine) -> None:
        """The same, but no more often than makes sense, and not while slices are on their way."""
        if self._fetch.runs:
            return
        if self._desk.now() - self._asked_at >= self._pause:
            self.ask_everybody(machine)
        elif self._soon.due == math.inf:
            self._soon.at(self._asked_at + self._pause, partial(self.ask_everybody, machine))

    def go_on(self, machine: Machine) -> None:
        """A step is complete: there may be room for another slice."""
        self._fetch.go_on(machine)

    def _ask(self, peer: bytes, machine: Machine, step: int) -> None:
        LOG.debug("catching up: asks %s from step %d on", called(peer), step)
        self._desk.post(peer, _frame(HAVE, machine, step))

    def greet(self, peer: bytes) -> None:
        """Ask a peer that is newly linked: frames may have been lost."""
        for machine in self.machines.values():
            self._ask(peer, machine, machine.wanted)

    def answer(self, peer: bytes, payload: bytes) -> None:
        """A peer says how far it has come: send it a slice of the rest, then say how far that goes.

        A peer that asks has come to this machine; it had not when we asked, perhaps, and could not
        answer.  So it is asked once more, as long as we wait for answers before we sign.
        """
        machine, step = self._place(payload)
        if machine is None or not self._may_answer(peer, machine, step):
            return
        end = self._send_slice(peer, machine, max(0, step))
        is_all = end >= len(machine.records)
        if is_all:
            self._send_rest(peer, machine)
        self._desk.post(peer, _frame(TOLD, machine, machine.chain.step if is_all else MORE + end))
        LOG.debug("catching up: sent %s steps %d to %d", called(peer), step, end)
        met = peer, machine.chain.table
        self._answered[met] = self._desk.now(), None if is_all else end
        if not machine.may_sign and peer not in self.told and met not in self._asked_back:
            self._asked_back.add(met)
            self._ask(peer, machine, machine.wanted)

    def _may_answer(self, peer: bytes, machine: Machine, step: int) -> bool:
        """Whether a peer asks for what follows its last slice, or was answered long enough ago.

        So it gets the whole log once within `ANSWER_SECONDS`, and no more.
        """
        last, end = self._answered.get((peer, machine.chain.table), (float("-inf"), None))
        return self._desk.now() - last >= ANSWER_SECONDS or (end is not None and step >= end)

    def _send_slice(self, peer: bytes, machine: Machine, first: int) -> int:
        """Send the records of whole steps from the first on; the step after the last of them."""
        size, end = 0, first
        for records in machine.records[first : first + SLICE_STEPS]:
            if size >= SLICE_BYTES:
                break
            self.send(peer, records)
            size, end = size + sum(map(len, records)), end + 1
        return end

    def _send_rest(self, peer: bytes, machine: Machine) -> None:
        """Send what is known of steps that are not complete."""
        self.send(peer, machine.beyond() + machine.voting.all())
        for ballot in machine.ballots.all():
            self._desk.post(peer, BALLOT.make(ballot))

    def note_told(self, peer: bytes, payload: bytes, running: Machine | None) -> bool:
        """A peer has sent all it had; whether that says something new about `running`.

        It counts only once we have come as far as the peer: before that, it may hold entries of
        ours that we would sign again.
        """
        machine, step = self._place(payload)
        if machine is None or machine is not running:
            return False
        if step >= MORE:
            self._fetch.more(peer, machine, step - MORE)
            return False
        self._fetch.all_sent(peer, machine)
        if step > machine.chain.step:
            LOG.debug("catching up: %s is at step %d already", called(peer), step)
            self.ask_soon(machine)
            return False
        LOG.debug("catching up: %s has told all that it has", called(peer))
        self.told.add(peer)
        return True

    def send(self, peer: bytes, records: Iterable[bytes]) -> None:
        for record in records:
            self._desk.post(peer, RECORD.make(record))

    def _place(self, payload: bytes) -> tuple[Machine | None, int]:
        table, step = decode_place(payload)
        return self.machines.get(table), step


def decode_place(payload: bytes) -> tuple[bytes, int]:
    """How far a peer says that it has come: a table's id, and a step.  PeerError `malformed`."""
    fields = HAVE.read(payload)
    return wire.octets(fields["table"], HASH_BYTES, "a table id"), fields["step"]


def _frame(kind: FrameKind, machine: Machine, step: int) -> bytes:
    return kind.make({"table": machine.chain.table, "step": step})
