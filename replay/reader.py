"""Reads a log without checking a proof: fast enough to open a long game at once.

The programs of the protocol walk the log as they do in play and in an audit, but nothing is
verified: no signature, share, oath or shuffle.  The result is the game as the log tells it; the
audit says whether it is true (`replay.audit`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from engine.errors import EngineError, IllegalAnswer
from engine.question import Question
from engine.session import Session
from engine.zone import Seat
from p2p.crypto.group import POINT_BYTES
from p2p.errors import LocalError, PeerError
from p2p.protocol import step_kinds, wire
from p2p.protocol.absence.decision import Decision, read_decision
from p2p.protocol.absence.vote import decode_vote, place_of
from p2p.protocol.absence.voting import voters_of
from p2p.protocol.acts.shuffling import Permuted
from p2p.protocol.ballot import is_ballot
from p2p.protocol.context import Keys
from p2p.protocol.dealer import play_match
from p2p.protocol.entry import Chain, Entry, decode_entry
from p2p.protocol.genesis import Header
from p2p.protocol.races.book import RaceReport, Races
from p2p.protocol.step import LEAVE, Parsed, Program, Step, Work
from p2p.protocol.step_kinds import Asked, StepKind, asks
from p2p.protocol.table import key_shares
from p2p.text.names import REASON_MAX, cut
from replay.audit import Progress, unwatched
from replay.faces import Faces, ReadCards, Sight

MARK_EVERY: Final = 4
"""Turns between two marks: going to a step takes a copy of a mark and the answers since."""
_GARBLED: Final = (
    *(PeerError, LocalError, EngineError, IllegalAnswer),
    *(ValueError, LookupError, AssertionError),
)
"""The errors that a log that nobody has verified may cause while it is read."""


_UNASKED: Final = {
    *(step_kinds.FAREWELL, step_kinds.MEND, step_kinds.RELOCK, step_kinds.STRIP),
}
"""Steps in which a key is taken out of the cards: no question of the rules asks for them."""


@dataclass(frozen=True, slots=True)
class SavedStep:
    """One step of a saved game.

    `before` and `after` count the answers that the rules had then, so `after > before` if this step
    answered the question or told the rules that a seat is lost; `question` is None in the close
    step, and where a key is taken out of the cards.  `leavers` are the seats that leave for good
    here instead of deciding, `absent` those that all others vote out: either makes the question
    void, unless it is a race that seats leave, or a coin or witnesses settle it.  `notes` are the
    engine's, `race` is the outcome of a race that was decided here, `records` are the signed
    entries.
    """

    number: int
    kind: StepKind
    seats: tuple[Seat, ...]
    question: Question[Any] | None
    before: int
    after: int
    notes: tuple[tuple[object, ...], ...]
    race: RaceReport | None
    records: tuple[bytes, ...]
    head: bytes
    leavers: tuple[Seat, ...] = ()
    absent: tuple[Seat, ...] = ()

    @property
    def answers(self) -> bool:
        """Whether the rules got an answer in this step."""
        return self.question is not None and not self.absent and self.after > self.before

    @property
    def entries(self) -> list[Entry]:
        """The entries of this step in seat order."""
        return [decode_entry(record) for record in self.records]


@dataclass(slots=True)
class Reading:
    """The result: the steps, the session at the end, the faces that became known.

    `trouble` says in a sentence why the log cannot be read beyond the last step, "" if it was read
    to its end; `ballots` says whether votes about a missing signature end it; `begun` are the seats
    with an entry in a last step that is not whole.
    """

    session: Session
    faces: Faces
    steps: list[SavedStep]
    closed: bool = False
    ballots: bool = False
    begun: tuple[Seat, ...] = ()
    trouble: str = ""
    began: tuple[tuple[object, ...], ...] = ()


def read_log(
    header: Header,
    records: Sequence[bytes],
    own: Seat | None = None,
    sight: Sight | None = None,
    progress: Progress = unwatched,
) -> Reading:
    """The game in these records; `sight` tells what the seat `own` saw."""
    return _Reader(header, own, sight).read(records, progress)


class _Reader:
    def __init__(self, header: Header, own: Seat | None, sight: Sight | None) -> None:
        proposal = header.proposal
        seats = len(proposal.seats)
        self._session = Session(
            proposal.game, seats, proposal.terms.options, every=MARK_EVERY, notes=True
        )
        self._chain = Chain(header.table)
        faces = Faces(self._chain)
        keys = Keys(header.publics, _no_entropy, shares=key_shares(header))
        races = Races(
            seats,
            header.race_cap_us,
            proposal.terms.race.hold_us,
            header.one_way,
            pairs=header.unlinked,
        )
        table = self._session.table
        self._cards = ReadCards(self._chain, keys, table, races=races, slots=faces)
        self._cards.faces, self._cards.own, self._cards.sight = faces, own, sight
        self._program: Program[Any] = play_match(self._session, self._cards)
        self._reading = Reading(self._session, faces, [])
        self._asked: Step | None = None
        self._identities = proposal.identities

    def read(self, records: Sequence[bytes], progress: Progress) -> Reading:
        reading, done = self._reading, 0
        try:
            self._go_on(None)
            reading.began = self._session.take_notes()
            for _, entries in groupby(self._entries(records), lambda entry: entry.step):
                taken = list(entries)
                self._take(taken)
                progress(done := done + len(taken), len(records))
        except _GARBLED as error:
            reading.trouble = cut(str(error), REASON_MAX) or type(error).__name__
        self._program.close()
        return reading

    def _entries(self, records: Sequence[bytes]) -> Iterator[Entry]:
        for record in records:
            entry = _entry(record)
            if entry is None:
                self._reading.ballots = True
                return
            yield entry

    def _go_on(self, value: Any) -> None:
        """Run the program up to its next step; long computations are left out."""
        try:
            asked = self._program.send(value)
            while isinstance(asked, Work):
                asked = self._program.send(None)
        except StopIteration:
            self._asked, self._reading.closed = None, True
        else:
            self._asked = asked

    def _take(self, entries: list[Entry]) -> None:
        step, session, number = self._asked, self._session, self._chain.step
        if step is None or entries[0].step != number:
            raise ValueError("the next entries answer no step of this game")
        value = self._value(step, entries)
        if value is None:
            self._reading.begun = tuple(entry.seat for entry in entries)
            return  # the last step was never complete
        question = session.pending if self._is_asked(step) else None
        before = len(session.journal)
        reports = self._cards.races.reports
        decided = len(reports)
        self._chain.advance([entry.body for entry in entries])
        head = self._chain.head
        self._go_on(value)
        decision = value if isinstance(value, Decision) else None
        said = {} if isinstance(value, Decision) else value
        self._reading.steps.append(
            SavedStep(
                number,
                step_kinds.VOTE if decision else step.kind,
                tuple(entry.seat for entry in entries),
                question,
                before,
                len(session.journal),
                self._session.take_notes(),
                reports[-1] if len(reports) > decided else None,
                tuple(entry.record for entry in entries),
                head,
                tuple([seat for seat, parsed in said.items() if parsed is LEAVE]),
                tuple(sorted(decision.absent)) if decision else (),
            )
        )

    def _value(self, step: Step, entries: list[Entry]) -> Parsed | Decision | None:
        """What the program is told; None if the step is not complete."""
        seats, owed = [entry.seat for entry in entries], sorted(step.owed)
        voters = voters_of(self._cards.keys)
        if entries[0].kind == step_kinds.VOTE and voters is not None:
            records = [entry.record for entry in entries]
            absent = decode_vote(records[0], self._identities).absent
            if set(seats) < set(voters.others(absent)):
                return None
            return read_decision(records, place_of(self._chain), voters, self._identities)
        if seats != owed:
            if set(seats) < set(owed):
                return None
            raise ValueError("entries of seats that were not asked")
        return {entry.seat: _parse(step, entry) for entry in entries}

    def _is_asked(self, step: Step) -> bool:
        """Whether the rules ask for this step; for the last step of a mend they do not."""
        steps = self._reading.steps
        mended = step.kind == step_kinds.CONFIRM and steps and steps[-1].kind == step_kinds.MEND
        return step.kind not in _UNASKED and not mended


def _entry(record: bytes) -> Entry | None:
    """The entry of a record; None for a ballot."""
    try:
        return decode_entry(record)
    except PeerError:
        if is_ballot(record):
            return None
        raise


def _parse(step: Step, entry: Entry) -> Any:
    if not step.owes(entry.seat, entry.kind):
        raise ValueError("an entry of another kind than the step asks for")
    if asks(step.kind, Asked.SHUFFLES):
        return _glance(entry.payload)
    return step.read(entry.seat, entry.kind, entry.payload)


def _glance(payload: Any) -> Permuted:
    """Read a shuffle without decoding its points and proof, which are most of a log."""
    fields = wire.take(payload, {"deck": bytes, "proof": bytes})
    points = [
        fields["deck"][at : at + POINT_BYTES] for at in range(0, len(fields["deck"]), POINT_BYTES)
    ]
    unread: Any = _Unread(fields["proof"][:POINT_BYTES])
    return Permuted(list(zip(points[::2], points[1::2], strict=True)), unread)


class _Unread(NamedTuple):
    """The only part needed of a shuffle proof that is not read: the name of its offline part."""

    commitment: bytes


def _no_entropy(_: int) -> bytes:
    raise LocalError("reading a log needs no randomness")
