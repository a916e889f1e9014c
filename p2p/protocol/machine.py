"""The one loop: question, step, entries, answer.

A `Machine` walks a program (genesis, or a whole game) along a chain of steps.  It does no I/O:
records come in through `receive`, decisions and results of computations through `decide` and
`finish`; only `carry_out` hands out what has to happen outside.  A peer that plays, a spectator
and an audit differ only in where records come from, whether a seat is played, and what they do
with each effect (links, a disk, a player, a thread for heavy work).

States of a step, for each seat that owes an entry:  missing -> received -> verified.  When all
are verified the step is done, the chain advances, and the program goes on.

This seat's own entry is signed, written (`Write`, answered by `wrote`), and only then part of
the step: whatever a machine can be asked for is on disk.  An own entry that comes back from a
peer is also written before the step is completed with it.

Order of checks on a record (protocol section 2): duplicate, signature, place in the chain,
shape, then it is passed on, then its proof.  A record that nobody signed is refused with an
exception (the link is to blame); for every later fault the seat that signed is to blame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.errors import LocalError, OutdatedError, PeerError
from p2p.protocol import step_kinds
from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.vote import Absent
from p2p.protocol.effects import (
    Act,
    Behind,
    Compute,
    Decide,
    Done,
    Effect,
    Ended,
    Fault,
    Forward,
    Out,
    Outdated,
    Send,
)
from p2p.protocol.entry import (
    Chain,
    Entry,
    Unread,
    check_place,
    decode_entry,
    sign_entry,
    signed_twice,
    unread,
)
from p2p.protocol.held import AHEAD, check_late
from p2p.protocol.outcome import Outcome, attempt
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.races.timing import Timing
from p2p.protocol.step import LEAVE, Kept, Parsed, Program, Step, Work
from p2p.protocol.walk import SAYS_NOTHING, GameSays, Walk


class Machine(Walk):
    """One machine's walk along the chain of a table.

    `program` is what it walks through, and `says` what that says of itself; the rest is `Walk`'s.
    """

    def __init__(
        self,
        chain: Chain,
        program: Program[Any],
        identities: Sequence[bytes],
        own: OwnSeat | None = None,
        *,
        says: GameSays = SAYS_NOTHING,
        kept: dict[int, bytes] | None = None,
        timing: Timing | None = None,
    ) -> None:
        super().__init__(chain, identities, own, timing or Timing(), says.who_votes)
        self.kept: Final[dict[int, bytes]] = {} if kept is None else kept
        self._state = says.state
        self._program = program
        self._asked_own = False
        self._digest = b""
        self._postponed: tuple[PeerError, tuple[bytes, ...]] | None = None

    # -- what comes in --------------------------------------------------------------------

    def start(self) -> None:
        """Run the program to its first step."""
        self.started = True
        self._resume(None)

    def receive(self, record: bytes) -> None:
        """Take a record from anywhere: an entry, or a vote about seats that are gone.

        PeerError only if no seat is guilty (blame the link).
        """
        if not self._held.has_taken(record):
            self.take(unread(record))

    def take(self, entry: Entry | Unread) -> None:
        """Take a record whose origin, at least, is read; the rest is read after its signature."""
        check_place(entry, self.chain.table, len(self.identities))
        if entry.kind == step_kinds.VOTE:
            self._hear(entry.read())
            return
        known = self._held.known_of(entry, self.records)
        if self.fault or self.ended or (known is not None and known.record == entry.record):
            return
        entry.check_signature(self.identities[entry.seat])
        self.accept(entry.read())

    def go_on_without(self, absent: Absent) -> None:
        """The person here says: go on without these seats; or, without any, wait for all."""
        poll = self.voting.current(make=True)
        if poll is not None and self.step is not None and not self.closing:
            poll.say(absent)
            self._look()

    def look_back(self, entry: Unread) -> None:
        """After the end, notice a seat that has signed two entries for one step; nothing else.

        PeerError as from `receive`.
        """
        if entry.kind == step_kinds.VOTE:
            return  # it contradicts no entry, and an audit would not take it for one
        known = self._held.known_of(entry, self.records)
        if self.fault is None and known is not None and known.record != entry.record:
            entry.check_signature(self.identities[entry.seat])
            self._contradicts(entry.read())

    def accept(self, entry: Entry) -> None:
        """Take an entry whose table, seat and signature are known to be right."""
        if entry.kind == step_kinds.VOTE:
            self._hear(entry)
            return
        if self._contradicts(entry):
            return
        if entry.step <= self.chain.step + AHEAD:
            self.timing.note(entry.step, entry.seat)
        step = self.step
        if entry.step > self.chain.step or step is None:
            self._hold(entry)
        else:
            self._guard(lambda: self._admit(step, entry), entry.seat, entry.record)

    def decide(self, decision: object) -> None:
        """Take this seat's decision for the current step, made now."""
        if self.seat is not None:
            self.timing.note(self.chain.step, self.seat)
        self._make(decision)

    def finish(self, job: int, run: Outcome[Any]) -> None:
        """Take the outcome of a `Compute`: `run` returns its result or raises what it raised."""
        then = self._agenda.computed(job)
        if self.fault is None:
            then(run)

    def wrote(self, number: int) -> None:
        """What the `Write` with this number asked for is on disk."""
        then = self._agenda.wrote(number)
        if self.fault is None:
            then()

    def allow_signing(self) -> None:
        """After a restart: the others have been asked for our own newest entries.

        What this seat saw of the current step it saw too late to be a witness.
        """
        if not self._may_sign:
            self.timing.live_from = self.chain.step + 1
        self._may_sign = True
        if self.step is not None:
            self._owe(self.step)
        self._look()

    def carry_out(self, *, only_at_once: bool = False) -> Iterator[Effect]:
        """All that has to happen outside, and what follows from that, each in its turn.

        The caller does its part before it takes the next effect; then light computing is done, and
        for a record that was sent the moment is noted.  A caller that gets a `Write` or a heavy
        `Compute` answers the machine itself, when it is done with it.  `only_at_once` leaves out
        what has to wait for its turn.
        """
        while (effect := self._agenda.take(only_at_once)) is not None:
            yield effect
            if isinstance(effect, Compute) and not effect.heavy:
                self.finish(effect.number, attempt(effect.job))
            elif isinstance(effect, Send):
                self.timing.leave(effect.step)

    # -- the program -----------------------------------------------------------------------

    def _resume(self, value: Any) -> None:
        try:
            asked = self._program.send(value)
        except StopIteration as end:
            self.ended, self.step = True, None
            self._agenda.in_order(Ended(end.value))
            return
        if isinstance(asked, Work):
            self.step = None
            done = lambda run: self._guard(lambda: self._resume(run()))  # noqa: E731
            self._agenda.compute(asked.run, done, True, now=False)
        else:
            self._begin(asked)

    def _begin(self, step: Step) -> None:
        self.step = step
        self.timing.begin(self.chain.step, automatic=step.question is None, kind=step.kind)
        self._digest = self._state()
        self._asked_own = False
        self._held.current.clear()
        self._parsed.clear()
        number = self.chain.step
        for seat in range(len(self.identities)):
            held = self._held.early.pop((number, seat), None)
            if held is not None and self.step is step and self.fault is None:
                self._guard(partial(self._admit, step, held, passed_on=True), seat, held.record)
        if self.step is step:
            self._owe(step)
        if self.step is step and not self.closing:
            for record in self.voting.begin():
                self._hear(decode_entry(record))
            self._look()

    def _owe(self, step: Step) -> None:
        """Start this seat's own entry, if it owes one and none of ours has come back."""
        if not self._owing() or not self._may_sign or self._asked_own:
            return
        written = self._own.signed_next(self.chain)
        if written is None and not self._is_new():
            return
        self._asked_own = True
        if written is not None:
            self._take_up(step, written)
        elif step.question is not None:
            asks = Decide(self.chain.step, step.question, step.window, step.may_leave)
            self._agenda.in_order(asks)
        else:
            self._make(None)

    def _take_up(self, step: Step, written: Entry) -> None:
        """Go on with an entry that was signed before a restart, as if it had come back."""
        self._agenda.at_once(Send(written.record, written.step))
        self._guard(partial(self._admit, step, written, passed_on=True), self.seat, written.record)

    def _make(self, decision: object) -> None:
        step, number = self.step, self.chain.step
        if step is None or step.make is None or self.seat in self._held.current:
            return
        make = step.make
        if decision is LEAVE:
            self._sign(step, LEAVE)
            return

        def made(run: Outcome[Any]) -> None:
            payload = run()  # our own faults are loud
            if self.step is step and self.chain.step == number:
                self._sign(step, payload)

        self._agenda.compute(lambda: make(decision), made, step.heavy, now=False)

    def _sign(self, step: Step, payload: object) -> None:
        if self.seat is None or self.identity is None:
            raise LocalError("a machine without a seat was to sign")
        if self.seat in self._held.current:
            return  # our own entry came back from a peer: nothing is signed twice
        secret = None
        if isinstance(payload, Kept):
            payload, secret = payload
            self.kept[self.chain.step] = secret
        leaves, seat = payload is LEAVE, self.seat
        kind, said = (step_kinds.LEAVE, None) if leaves else (step.kind, payload)
        entry = sign_entry(self.identity, self.chain, seat, str(kind), said, self._digest)
        parsed = LEAVE if leaves else step.parse(seat, payload)

        def on_disk() -> None:
            if self.step is not step or seat in self._held.current:
                return  # our own entry came back meanwhile: it counts, and this one never leaves
            self._held.admit(entry)
            self._agenda.at_once(Send(entry.record, entry.step))
            self._verify(step, entry, parsed, known=not step.judges_own)

        self._agenda.write("own", entry.record, secret, on_disk)

    # -- entries ---------------------------------------------------------------------------

    def _contradicts(self, entry: Entry) -> bool:
        """Whether a seat signed twice for one step: the only offence about chains.

        Two bodies count, and one body signed in two ways: Ed25519 as used here gives one
        signature (RFC 8032), and two would make the logs of the seats differ.
        """
        known = self._held.known_of(entry, self.records)
        if known is None and entry.step < self.chain.step:
            late = partial(check_late, entry, self.records)
            self._guard(late, entry.seat, entry.record, entry.step)
            return True
        if known is None:
            return False
        self._agenda.at_once(Forward(entry))
        self._fail(signed_twice(entry.seat, entry.step), (known.record, entry.record))
        return True

    def _hold(self, entry: Entry) -> None:
        """Keep an entry for a step that has not begun here yet."""
        if entry.step > self.chain.step + AHEAD:
            self._agenda.in_order(Behind(self.chain.step))
            return
        self._held.hold(entry)
        self._agenda.at_once(Forward(entry))
        self._see_whether_out()

    def _admit(self, step: Step, entry: Entry, passed_on: bool = False) -> None:
        if entry.previous != self.chain.head:
            # Another history: nobody is guilty of that until two bodies are shown.  It is
            # remembered and passed on, so that a second body proves guilt in whatever order.
            self._held.strays[entry.seat] = entry
            if not passed_on:
                self._agenda.at_once(Forward(entry))
            self._agenda.in_order(Behind(max(0, self.chain.step - 1)))
            self._see_whether_out()
            return
        owes = step.owes(entry.seat, entry.kind)
        checks.require("entry.owed", owes, "illegal-move", entry.unasked)
        checks.require(
            "entry.state",
            entry.state == self._digest,
            "state-mismatch",
            "the seat signed another state of the table",
        )
        parsed = step.read(entry.seat, entry.kind, entry.payload)
        self._held.admit(entry)
        if not passed_on:
            self._agenda.at_once(Forward(entry))
        if entry.seat == self.seat and not self._own.has(entry):
            self._write_again(step, entry, parsed)
        else:
            self._verify(step, entry, parsed)

    def _write_again(self, step: Step, entry: Entry, parsed: Any) -> None:
        """Write an own entry that our files lacked; the secret behind any other is void."""
        self.kept.pop(entry.step, None)
        self._agenda.write("own", entry.record, None, lambda: self._verify(step, entry, parsed))

    def _verify(self, step: Step, entry: Entry, parsed: Any, *, known: bool = False) -> None:
        """Judge an entry, unless it is `known` to be right."""
        verify, seat = step.verify, entry.seat
        if verify is None or parsed is LEAVE or known:
            self._verified(step, seat, parsed)
            return

        def checked(run: Outcome[Any]) -> None:
            def judge() -> None:
                run()
                self._verified(step, seat, parsed)

            if self.step is step:  # else the others have gone on without somebody
                self._guard(judge, seat, entry.record)

        self._agenda.compute(lambda: verify(seat, parsed), checked, step.heavy, now=not step.heavy)

    def _verified(self, step: Step, seat: Seat, parsed: Any) -> None:
        if self.step is not step:
            return
        self._parsed[seat] = parsed
        self._look()

    def _hear(self, entry: Entry) -> None:
        """Take a vote about seats that are gone."""
        closes = self.closing and entry.step == self.chain.step
        if self.fault or self.ended or closes:
            return
        vote = self.voting.read(entry.record)
        try:
            is_new = self.voting.receive(vote)
        except PeerError as error:
            self._fail(error.blame(entry.seat, entry.step), (*self.voting.all(), entry.record))
            return
        except OutdatedError as error:
            self._stand_aside(Outdated(error))
            return
        if is_new:
            self._agenda.at_once(Forward(entry))
            self._look()

    def _look(self) -> None:
        """Vote what is to be voted, and end the step if it can end: in one of two ways."""
        if self._may_sign:
            self.voting.speak(self._look)
        step, poll = self.step, self.voting.current()
        if step is None or self.fault is not None or self.ended:
            return
        if poll is not None and poll.decision is not None:
            decision = poll.decide()
            self._advance(decision.bodies, decision.records, decision)
        elif poll is not None and not poll.may_complete:
            self._see_whether_out()
        elif self._postponed is not None:
            self._fail(*self._postponed)
        elif all(owed in self._parsed for owed in step.owed):
            if poll is not None:
                poll.complete()
            self._complete(step)
        else:
            self._see_whether_out()

    def _see_whether_out(self) -> None:
        """Whether the others have decided to go on without this seat, and one has gone on."""
        for head, step in self.voting.without_me():
            if self._held.has_on(step + 1, head):
                self._stand_aside(Out(step))

    def _stand_aside(self, why: Out | Outdated) -> None:
        """Nothing is signed or judged any more."""
        self.ended = True
        self._agenda.in_order(why)

    def _complete(self, step: Step) -> None:
        entries = [self._held.current[seat] for seat in sorted(step.owed)]
        records = tuple(entry.record for entry in entries)
        parsed = {seat: self._parsed[seat] for seat in sorted(step.owed)}
        self._advance([entry.body for entry in entries], records, parsed)

    def _advance(
        self, bodies: Sequence[bytes], records: tuple[bytes, ...], value: Parsed | Decision
    ) -> None:
        """The step at hand is over, and consists of these."""
        number, step, self._postponed = self.chain.step, self.step, None
        asked = step and not isinstance(value, Decision) and step.question
        self.records.append(records)
        self._agenda.in_order(Done(number, records, asked or None))
        self.chain.advance(bodies)
        seat = step.owed[0] if step and len(step.owed) == 1 else None
        self._guard(lambda: self._resume(value), seat, step=number)

    # -- failing --------------------------------------------------------------------------

    def _guard(
        self,
        act: Act,
        seat: Seat | None = None,
        record: bytes | None = None,
        step: int | None = None,
    ) -> None:
        """Run `act`; a PeerError in it is a verdict on the seat that signed."""
        number = self.chain.step if step is None else step
        try:
            act()
        except PeerError as error:
            evidence = self.current()
            if record is not None and record not in evidence:
                evidence.append(record)
            said = error.blame(seat, number), tuple(evidence)
            poll = self.voting.current()
            if step is None and poll is not None and not poll.may_complete:
                self._postponed = said  # whether this step counts at all is not decided yet
            else:
                self._fail(*said)

    def _fail(self, error: PeerError, evidence: tuple[bytes, ...]) -> None:
        if self.fault is None:
            self.fault = error
            self._agenda.in_order(Fault(error, evidence))
