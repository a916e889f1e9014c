"""Frames by which peers fetch the records that they miss.

"I have everything up to step k" is answered with all records from step k on, and then with
"that was all, and I am at step m" (protocol section 7, resume).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from p2p.logs import LOG
from p2p.logs import peer as called
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.frame_kinds import BALLOT, HAVE, RECORD, TOLD, FrameKind
from p2p.protocol.machine import Machine
from p2p.seat.desk import Desk

ANSWER_SECONDS: Final = 0.2
"""A peer that asks for what it misses more often than this is not answered."""


class CatchingUp:
    """One peer's side of fetching, for the machines of its table (genesis and game).

    `told` are the peers that have sent the machine that runs now all they had.
    """

    def __init__(self, desk: Desk, asks_again: float) -> None:
        self.machines: Final[dict[bytes, Machine]] = {}
        self.told: Final[set[bytes]] = set()
        self._desk = desk
        self._pause = asks_again / 8
        self._asked_at = float("-inf")
        self._answered: dict[tuple[bytes, bytes], float] = {}
        self._asked_back: Final[set[tuple[bytes, bytes]]] = set()

    def ask_everybody(self, machine: Machine) -> None:
        """Ask all peers for what `machine` misses."""
        self._asked_at = self._desk.now()
        LOG.debug("catching up: asks all others from step %d on", machine.wanted)
        self._desk.flood(_frame(HAVE, machine, machine.wanted))

    def ask_soon(self, machine: Machine) -> None:
        """The same, but no more often than makes sense."""
        if self._desk.now() - self._asked_at >= self._pause:
            self.ask_everybody(machine)

    def greet(self, peer: bytes) -> None:
        """Ask a peer that is newly linked: frames may have been lost."""
        for machine in self.machines.values():
            self._desk.post(peer, _frame(HAVE, machine, machine.wanted))

    def answer(self, peer: bytes, payload: bytes) -> None:
        """A peer says how far it has come: send it the rest, then say how far we are.

        A peer that asks has come to this machine; it had not when we asked, perhaps, and could not
        answer.  So it is asked once more, as long as we wait for answers before we sign.
        """
        machine, step = self._place(payload)
        if machine is None or not self._may_answer(peer, machine):
            return
        for records in machine.records[max(0, step) :]:
            self.send(peer, records)
        self.send(peer, machine.beyond() + machine.voting.all())
        for ballot in machine.ballots.all():
            self._desk.post(peer, BALLOT.make(ballot))
        self._desk.post(peer, _frame(TOLD, machine, machine.chain.step))
        end = machine.chain.step
        LOG.debug("catching up: sent %s all from step %d to %d", called(peer), step, end)
        met = peer, machine.chain.table
        if not machine.may_sign and peer not in self.told and met not in self._asked_back:
            self._asked_back.add(met)
            self._desk.post(peer, _frame(HAVE, machine, machine.wanted))

    def note_told(self, peer: bytes, payload: bytes, running: Machine | None) -> bool:
        """A peer has sent all it had; whether that says something new about `running`.

        It counts only once we have come as far as the peer: before that, it may hold entries of
        ours that we would sign again.
        """
        machine, step = self._place(payload)
        if machine is None or machine is not running:
            return False
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

    def _may_answer(self, peer: bytes, machine: Machine) -> bool:
        """Whether the last answer to a peer is long enough ago: an answer may be a whole log."""
        now, asked = self._desk.now(), (peer, machine.chain.table)
        if now - self._answered.get(asked, float("-inf")) < ANSWER_SECONDS:
            return False
        self._answered[asked] = now
        return True


def decode_place(payload: bytes) -> tuple[bytes, int]:
    """How far a peer says that it has come: a table's id, and a step.  PeerError `malformed`."""
    fields = HAVE.read(payload)
    return wire.octets(fields["table"], HASH_BYTES, "a table id"), fields["step"]


def _frame(kind: FrameKind, machine: Machine, step: int) -> bytes:
    return kind.make({"table": machine.chain.table, "step": step})
