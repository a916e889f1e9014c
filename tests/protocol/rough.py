"""One seat of `tests.protocol.walked`: a machine, its disk, and what it waits for."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from p2p.crypto.keys import TableSecret
from p2p.errors import LocalError
from p2p.identity.keys import Identity
from p2p.protocol.ballot import is_ballot
from p2p.protocol.effects import Cast, Compute, Decide, Done, Effect, Fault, Forward, Send, Write
from p2p.protocol.entry import Chain, unread
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import attempt
from p2p.protocol.own_seat import OwnPast, OwnSeat, own_past
from p2p.protocol.races.timing import Clock, Timing
from p2p.protocol.walk import GameSays
from tests.protocol.kit import seeded
from tests.protocol.plain_steps import PlainGame
from tests.protocol.stable_text import tell

TABLE: Final = hashlib.sha256(b"a table of plain steps").digest()
Told = tuple[str, str, bytes | None]
"""What a machine asks for: its name, all of it, and the record if one leaves."""


class RoughSeat:
    """Whatever is asked of the world outside waits here until `answer`; `place` is its seat."""

    def __init__(
        self, seed: int, place: int | None, people: Sequence[Identity], least: int, clock: Clock
    ) -> None:
        self.place: Final = place
        self.inbox: Final[list[bytes]] = []
        self._seed: Final = seed
        self._people: Final = people
        self._least: Final = least
        self._log: list[tuple[bytes, ...]] = []
        self._disk: Final[list[Write]] = []
        self._sit(clock, None)

    def _sit(self, clock: Clock, past: OwnPast | None) -> None:
        place, seats = self.place, len(self._people)
        timing = Timing(clock, lambda seat: 300 * seat or None)
        self.game = PlainGame(self._seed, seats, self._least, place, timing)
        self._waits: deque[Write | Compute] = deque()
        self._asked: Decide | None = None
        own = None
        if place is not None:
            secret = TableSecret.generate(seeded(("plain", place)))
            own = OwnSeat(place, self._people[place], secret, past)
        self.machine = Machine(
            Chain(TABLE),
            self.game.program(),
            [one.public for one in self._people],
            own,
            says=GameSays(self.game.state, self.game.voters),
            kept=dict(past.kept) if past else None,
            timing=timing,
        )

    # -- what a machine asks for -------------------------------------------------------------

    def carry_out(self, *, only_at_once: bool) -> Iterator[Told]:
        """All that it asks for now."""
        for effect in self.machine.carry_out(only_at_once=only_at_once):
            if isinstance(effect, Write) or (isinstance(effect, Compute) and effect.heavy):
                self._waits.append(effect)
            elif isinstance(effect, Decide):
                self._asked = effect
            elif isinstance(effect, Done):
                self._log.append(effect.records)
            leaves = isinstance(effect, Send | Cast | Forward)
            yield type(effect).__name__, _told(effect), effect.record if leaves else None

    def answer(self) -> object:
        """Disk and computations answer in the order in which they were asked."""
        if not self._waits:
            return None
        due = self._waits.popleft()
        if isinstance(due, Write):
            self._disk.append(due)
            self.machine.wrote(due.number)
        else:
            self.machine.finish(due.number, attempt(due.job))
        return due.number

    def decide(self, decision: object) -> object:
        """The person here decides, if that was asked."""
        asked, machine = self._asked, self.machine
        if asked is None or asked.step != machine.chain.step or machine.fault is not None:
            return None
        self._asked = None
        machine.decide(decision if asked.may_leave or isinstance(decision, int) else 4)
        return decision

    def say(self, absent: frozenset[int]) -> None:
        """The person here gives some up; a set that nobody may name is refused."""
        try:
            self.machine.go_on_without(absent)
        except LocalError:
            return

    def hear(self, record: bytes) -> object:
        """A record arrives."""
        if is_ballot(record):
            return self.machine.ballots.receive(record)
        return self.machine.receive(record)

    # -- starting again ----------------------------------------------------------------------

    def start_again(self, clock: Clock, *, knows: bool) -> object:
        """With what is on disk, and its log; whatever waited is lost, as is what was not read.

        If it does not know how far it was, it lacks its newest entry, too.
        """
        own = [one for one in self._disk if one.kind == "own"]
        records = [one.record for one in own]
        kept = {unread(one.record).step: one.secret for one in own if one.secret is not None}
        votes = [one.record for one in self._disk if one.kind == "vote"]
        chain, until = Chain(TABLE), -1
        if not knows and records:
            until = max(own_past(chain, records).written)
            records = records[:-1]
        self._sit(clock, own_past(chain, records, until, kept, votes))
        log, self._log = self._log, []
        self.machine.start()
        for record in [record for step in log for record in step]:
            self._settle()
            self.hear(record)
        again, self._log = self._log, max(log, self._log, key=len)
        return len(again), len(log)

    def _settle(self) -> None:
        """Whatever would be sent is lost."""
        while [*self.carry_out(only_at_once=False)] or self._waits:
            self.answer()

    # -- what a machine says of itself -------------------------------------------------------

    def seen(self) -> str:
        """Whatever others ask it, but nothing of how it keeps that."""
        machine, voting = self.machine, self.machine.voting
        return tell(
            [
                *(machine.chain.step, machine.chain.head, [len(one) for one in machine.records]),
                *(machine.current(), machine.beyond(), machine.missing(), machine.closed_without()),
                *(machine.wanted, machine.may_sign, machine.lacks_own, machine.closing),
                *(machine.ended, machine.kept, str(machine.fault)),
                *(voting.all(), voting.standing, machine.ballots.all()),
            ]
        )


def _told(effect: Effect) -> str:
    error = str(effect.error) if isinstance(effect, Fault) else ""
    return f"{tell(effect)} {error}"
