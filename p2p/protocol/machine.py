"""The one loop: question, step, entries, answer.

A `Machine` walks a program (genesis, or a whole game) along a chain of steps.  It does no I/O:
records come in through `receive`, decisions and results of computations through `decide` and
`finish`; only `next_effect` hands out what has to happen outside.  A peer that plays, a
spectator and an audit differ only in where records come from and whether a seat is played;
`interpreter` carries effects out for all of them.

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

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.errors import LocalError, PeerError
from p2p.protocol import step_kinds
from p2p.protocol.ballot import Ballots, sign_ballot
from p2p.protocol.effects import (
    Agenda,
    Behind,
    Cast,
    Compute,
    Decide,
    Done,
    Effect,
    Ended,
    Fault,
    Forward,
    Send,
    Write,
)
from p2p.protocol.entry import (
    Chain,
    Entry,
    Unread,
    check_place,
    decode_entry,
    no_state,
    sign_entry,
    signed_twice,
    unread,
)
from p2p.protocol.held import Held
from p2p.protocol.outcome import Outcome
from p2p.protocol.own_seat import NOTHING, OwnPast, OwnSeat
from p2p.protocol.races.timing import Timing
from p2p.protocol.step import LEAVE, Kept, Program, Step, Work

Act = Callable[[], None]
AHEAD: Final = 8
"""For this many steps ahead, one entry is held for each seat.

A seat that owes several steps in a row sends them at once, and a peer that is still verifying
the first must not lose the others; anything beyond is fetched by catching up.
"""


class Machine:
    """One machine's walk along the chain of a table.

    `identities` are the seats' identity keys; `own` is given if this machine plays a seat.
    `records[k]` are the records of step k, in seat order.
    """

    def __init__(
        self,
        chain: Chain,
        program: Program[Any],
        identities: Sequence[bytes],
        own: OwnSeat | None = None,
        *,
        state: Callable[[], bytes] = no_state,
        kept: dict[int, bytes] | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.chain: Final = chain
        self.timing: Final = timing or Timing()
        self.identities: Final = tuple(identities)
        self.seat: Final = None if own is None else own.seat
        self.records: list[tuple[bytes, ...]] = []
        self.step: Step | None = None
        self.fault: PeerError | None = None
        self.started = False
        self.ended = False
        self.ballots: Final = Ballots(chain, self.identities)
        self.kept: Final[dict[int, bytes]] = {} if kept is None else kept
        self.identity: Final = None if own is None else own.identity
        self._state = state
        self._program = program
        self._may_sign = own is None or own.past is None
        self._own: OwnPast = (own and own.past) or NOTHING
        self._asked_own = False
        self._digest = b""
        self._held = Held()
        self._agenda: Final = Agenda()
        self._parsed: dict[Seat, Any] = {}
        self._jobs: dict[int, Callable[[Outcome[Any]], None]] = {}
        self._writes: dict[int, Act] = {}
        self._numbers = count()

    # -- what comes in --------------------------------------------------------------------

    def start(self) -> None:
        """Run the program to its first step."""
        self.started = True
        self._resume(None)

    def receive(self, record: bytes) -> None:
        """Take a record from anywhere.  PeerError only if no seat is guilty (blame the link)."""
        if record not in self._held.taken:
            self.take(unread(record))

    def take(self, entry: Entry | Unread) -> None:
        """Take a record whose origin, at least, is read; the rest is read after its signature."""
        check_place(entry, self.chain.table, len(self.identities))
        known = self._known(entry)
        if self.fault or self.ended or (known is not None and known.record == entry.record):
            return
        entry.check_signature(self.identities[entry.seat])
        self.accept(entry.read())

    def look_back(self, entry: Unread) -> None:
        """After the end, notice a seat that has signed two entries for one step; nothing else.

        PeerError as from `receive`.
        """
        known = self._known(entry)
        if self.fault is None and known is not None and known.record != entry.record:
            entry.check_signature(self.identities[entry.seat])
            self._contradicts(entry.read())

    def accept(self, entry: Entry) -> None:
        """Take an entry whose table, seat and signature are known to be right."""
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
        then = self._jobs.pop(job)
        if self.fault is None:
            then(run)

    def wrote(self, number: int) -> None:
        """What the `Write` with this number asked for is on disk."""
        then = self._writes.pop(number)
        if self.fault is None:
            then()

    def vote(self, absent: Seat) -> None:
        """Cast this seat's ballot about a seat whose entry cannot be had, once for each step."""
        if self.identity is None or self.seat is None:
            raise LocalError("a machine without a seat was to vote")
        ballot = sign_ballot(self.identity, self.chain, self.seat, absent)

        def cast() -> None:
            if self.ballots.cast(ballot):
                self._agenda.at_once(Cast(ballot.record))

        if not self.ballots.has(ballot):
            self._write("ballot", ballot.record, None, cast)

    def allow_signing(self) -> None:
        """After a restart: the others have been asked for our own newest entries.

        What this seat saw of the current step it saw too late to be a witness.
        """
        if not self._may_sign:
            self.timing.live_from = self.chain.step + 1
        self._may_sign = True
        if self.step is not None:
            self._owe(self.step)

    def next_effect(self, *, only_at_once: bool = False) -> Effect | None:
        """What has to happen next; None if nothing has to until more comes in."""
        return self._agenda.take(only_at_once)

    def current(self) -> list[bytes]:
        """The records of the unfinished step that are here, in seat order."""
        return self._held.now()

    def beyond(self) -> list[bytes]:
        """All records here that are beyond the finished steps, for peers that lack them.

        They include those held for steps that have not begun here: a seat that restarts may
        have signed one of them, and must not sign another.
        """
        return self.current() + self._held.later()

    def missing(self) -> tuple[Seat, ...]:
        """The seats whose entry for the current step is not here."""
        step = self.step
        return () if step is None else tuple(s for s in step.owed if s not in self._held.current)

    def closed_without(self) -> tuple[bytes, ...]:
        """The ballots that stand for the missing signatures of the close; empty until complete."""
        step = self.step
        if step is None or not self.closing:
            return ()
        return self.ballots.unanimous(sorted(step.owed), self.missing())

    @property
    def wanted(self) -> int:
        """The step from which on to ask the others for records.

        If somebody has signed on another history, it is the step before: there the two
        differ, and the seat that signed two bodies there has to be found.
        """
        strays = self._held.strayed(self.chain.step)
        return max(0, self.chain.step - 1) if strays else self.chain.step

    @property
    def may_sign(self) -> bool:
        """Whether this seat may sign: after a restart, others are asked first."""
        return self._may_sign

    @property
    def lacks_own(self) -> bool:
        """Whether this seat may already have signed the current step, and nobody has shown it."""
        return self._may_sign and self._owing() and not self._is_new()

    @property
    def closing(self) -> bool:
        """Whether nothing but the signatures of the close step is missing."""
        return self.step is not None and self.step.kind == step_kinds.CLOSE

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
            work = self._job(asked.run, lambda run: self._guard(lambda: self._resume(run())), True)
            self._agenda.in_order(work)
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

    def _owing(self) -> bool:
        """Whether this seat owes an entry for the current step that is not here."""
        step = self.step
        owed = step is not None and step.make is not None and self.seat in step.owed
        return owed and self.seat not in self._held.current

    def _is_new(self) -> bool:
        """Whether this seat cannot already have signed the current step, on any history."""
        elsewhere = self.seat in self._held.strayed(self.chain.step)
        return self.chain.step > self._own.until and not elsewhere

    def _owe(self, step: Step) -> None:
        """Start this seat's own entry, if it owes one and none of ours has come back."""
        if not self._owing() or not self._may_sign or self._asked_own:
            return
        written = self._own.written.get(self.chain.step)
        if written is not None and written.previous != self.chain.head:
            written = None
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

        self._agenda.in_order(self._job(lambda: make(decision), made, step.heavy))

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

        self._write("own", entry.record, secret, on_disk)

    def _write(self, kind: str, record: bytes, secret: bytes | None, then: Act) -> None:
        number = next(self._numbers)
        self._writes[number] = then
        self._agenda.in_order(Write(number, kind, record, secret))

    # -- entries ---------------------------------------------------------------------------

    def _known(self, entry: Entry | Unread) -> Entry | None:
        """Our entry of the same seat and step, whatever it says."""
        held = self._held.known(entry.seat, entry.step)
        if held is None and 0 <= entry.step < self.chain.step:
            mine = (decode_entry(record) for record in self.records[entry.step])
            held = next((known for known in mine if known.seat == entry.seat), None)
        return held

    def _contradicts(self, entry: Entry) -> bool:
        """Whether a seat signed twice for one step: the only offence about chains.

        Two bodies count, and one body signed in two ways: Ed25519 as used here gives one
        signature (RFC 8032), and two would make the logs of the seats differ.
        """
        known = self._known(entry)
        if known is None and entry.step < self.chain.step:
            self._guard(lambda: self._refuse_late(entry), entry.seat, entry.record, entry.step)
            return True
        if known is None:
            return False
        self._agenda.at_once(Forward(entry))
        self._fail(signed_twice(entry.seat, entry.step), (known.record, entry.record))
        return True

    def _refuse_late(self, entry: Entry) -> None:
        """Refuse an entry of a seat that owed none, even past its step.

        Otherwise some machines would stop at it while others played on without them.
        """
        past = self.records[entry.step] if entry.step >= 0 else ()
        asked = decode_entry(past[0]).previous if past else b""
        checks.require("entry.late", entry.previous != asked, "illegal-move", entry.unasked)

    def _hold(self, entry: Entry) -> None:
        """Keep an entry for a step that has not begun here yet."""
        if entry.step > self.chain.step + AHEAD:
            self._agenda.in_order(Behind(self.chain.step))
            return
        self._held.hold(entry)
        self._agenda.at_once(Forward(entry))

    def _admit(self, step: Step, entry: Entry, passed_on: bool = False) -> None:
        if entry.previous != self.chain.head:
            # Another history: nobody is guilty of that until two bodies are shown.  It is
            # remembered and passed on, so that a second body proves guilt in whatever order.
            self._held.strays[entry.seat] = entry
            if not passed_on:
                self._agenda.at_once(Forward(entry))
            self._agenda.in_order(Behind(max(0, self.chain.step - 1)))
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
        self._write("own", entry.record, None, lambda: self._verify(step, entry, parsed))

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

            self._guard(judge, seat, entry.record)

        asks = self._agenda.in_order if step.heavy else self._agenda.at_once
        asks(self._job(lambda: verify(seat, parsed), checked, step.heavy))

    def _verified(self, step: Step, seat: Seat, parsed: Any) -> None:
        if self.step is not step:
            return
        self._parsed[seat] = parsed
        if all(owed in self._parsed for owed in step.owed):
            self._complete(step)

    def _complete(self, step: Step) -> None:
        entries = [self._held.current[seat] for seat in sorted(step.owed)]
        records = tuple(entry.record for entry in entries)
        number = self.chain.step
        self.records.append(records)
        self._agenda.in_order(Done(number, records, step.question))
        self.chain.advance([entry.body for entry in entries])
        parsed = {seat: self._parsed[seat] for seat in sorted(step.owed)}
        seat = step.owed[0] if len(step.owed) == 1 else None
        self._guard(lambda: self._resume(parsed), seat, step=number)

    # -- computing and failing -------------------------------------------------------------

    def _job(self, job: Outcome[Any], then: Callable[[Outcome[Any]], None], heavy: bool) -> Compute:
        number = next(self._numbers)
        self._jobs[number] = then
        return Compute(number, job, heavy)

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
            self._fail(error.blame(seat, number), tuple(evidence))

    def _fail(self, error: PeerError, evidence: tuple[bytes, ...]) -> None:
        if self.fault is None:
            self.fault = error
            self._agenda.in_order(Fault(error, evidence))
