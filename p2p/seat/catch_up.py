"""Frames by which peers fetch the records that they miss.

"I have everything up to step k" is answered with records from step k on (protocol section 7,
resume): with all of them, and then "that was all, and I am at step m"; or with a slice of them,
and then "there is more".
"""

from __future__ import annotations

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
from p2p.seat.fetch import ANSWER_SECONDS, MORE, SLICE_BYTES, Fetch, Take


class CatchingUp:
    """One peer's side of fetching, for the machines of its table (genesis and game).

    `told` are the peers that have sent the machine that runs now all they had.
    """

    def __init__(
        self, desk: Desk, others: Callable[[], Sequence[bytes]], asks_again: float, take: Take
    ) -> None:
        self.machines: Final[dict[bytes, Machine]] = {}
        self.told: Final[set[bytes]] = set()
        self.fetch: Final = Fetch(desk, others, asks_again, take)
        self._desk = desk
        self._running: Machine | None = None
        self._rests: Final[dict[tuple[bytes, bytes], float]] = {}
        """When each peer may be answered again: later after a long answer."""
        self._postponed: Final[dict[tuple[bytes, bytes], int]] = {}
        """Requests that came too soon after the last: from which step on."""
        self._asked_back: Final[set[tuple[bytes, bytes]]] = set()

    def begin(self, machine: Machine) -> None:
        """Ask for what this machine lacks, from now on."""
        self.told.clear()
        self._running = machine
        self.fetch.begin(machine)

    def stop(self) -> None:
        """Ask for nothing: the walk is over."""
        self.fetch.stop()

    def greet(self, peer: bytes) -> None:
        """Ask a peer that is newly linked: frames may have been lost."""
        for machine in self.machines.values():
            if machine is not self._running or machine.ended:
                self._desk.post(peer, _frame(HAVE, machine, machine.wanted))
        self.fetch.ask(peer)

    def answer(self, peer: bytes, payload: bytes) -> None:
        """A peer says how far it has come: send it what follows.

        A peer that asks again too soon is answered later: an answer costs more than a request.
        """
        machine, step = self._place(payload)
        if machine is None:
            return
        asked = peer, machine.chain.table
        due = self._rests.get(asked, float("-inf"))
        if asked in self._postponed:
            self._postponed[asked] = step
        elif self._desk.now() < due:
            self._postponed[asked] = step
            self._desk.at(due, partial(self._answer_late, peer, machine))
        else:
            self._send_slice(peer, machine, step)

    def _answer_late(self, peer: bytes, machine: Machine) -> None:
        self._send_slice(peer, machine, self._postponed.pop((peer, machine.chain.table)))

    def _send_slice(self, peer: bytes, machine: Machine, step: int) -> None:
        """Send records from a step on, and say whether there are more."""
        records, end = _slice(machine.records, max(0, step))
        is_all = end >= len(machine.records)
        records += machine.beyond() + machine.voting.all() if is_all else []
        self.send(peer, records)
        for ballot in machine.ballots.all() if is_all else ():
            self._desk.post(peer, BALLOT.make(ballot))
        self._desk.post(peer, _frame(TOLD, machine, machine.chain.step if is_all else MORE))
        LOG.debug("catching up: sent %s steps %d to %d", called(peer), step, end)
        rests = ANSWER_SECONDS * max(1.0, sum(map(len, records)) / SLICE_BYTES)
        self._rests[peer, machine.chain.table] = self._desk.now() + rests
        if is_all:
            self._ask_back(peer, machine)

    def _ask_back(self, peer: bytes, machine: Machine) -> None:
        """Ask a peer once more, as long as we wait for answers before we sign.

        A peer that asks has come to this machine; it had not when we asked, perhaps, and could not
        answer.
        """
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
        if machine is None or machine is not running or not self.fetch.told(peer, step):
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


def _slice(steps: Sequence[Sequence[bytes]], first: int) -> tuple[list[bytes], int]:
    """The records of whole steps from the first on, and the step after the last of them."""
    found, size, end = list[bytes](), 0, first
    while end < len(steps) and size < SLICE_BYTES:
        found += steps[end]
        size += sum(map(len, steps[end]))
        end += 1
    return found, end


def _frame(kind: FrameKind, machine: Machine, step: int) -> bytes:
    return kind.make({"table": machine.chain.table, "step": step})
