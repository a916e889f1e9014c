"""The audit: a saved game is the proof, and this checks it without any secret.

First the frame, the chain and the signatures, so that garbage costs nothing; then every key,
shuffle, share, oath, rule and the result, by the same machine that players run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.lost import Lost
from engine.totals import winners_of
from engine.wording import empty_chairs
from engine.zone import Seat
from p2p import checks
from p2p.checks import Entropy
from p2p.disk.outside import LOG_MAX, read_outside
from p2p.errors import PeerError
from p2p.logs import logger
from p2p.protocol import step_kinds
from p2p.protocol.effects import Done, Ended
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.genesis import Header, decode_header, signed_revision
from p2p.protocol.inline import run_inline
from p2p.protocol.logfile import (
    Log,
    is_genesis_evidence,
    split_genesis_evidence,
    split_saved,
    split_sound,
)
from p2p.protocol.machine import Machine
from p2p.protocol.proposal import Proposal, decode_proposal, revision_in
from p2p.protocol.races.relays import Pair
from p2p.protocol.table import GameTable, open_genesis, open_table
from p2p.version import why_other_revision, why_unread
from replay.beyond import is_closed, place_of, refuse_two, said_in, signed
from replay.chain import at_step, chained
from replay.confirmed import confirmed_to, word_of_the_rest
from replay.tally import Count, LeftSeat, LostSeat, Tally

LOG: Final = logger("replay")
COMPLETE: Final = "complete"
CLOSED_WITHOUT: Final = "closed-without"
UNFINISHED: Final = "unfinished"
UNREADABLE: Final = "unreadable"
"""A file that cannot be read, or not be judged by this program; the reason says why."""
Progress = Callable[[int, int], None]
"""Called with how many entries are done, and how many there are."""


def unwatched(done: int, of: int) -> None:
    """Ignore the progress."""


class UnreadableError(ValueError):
    """A file that cannot be opened or is far too large: for the user to mend, exit 2."""


class Finding(NamedTuple):
    """The outcome of an examination; see `Report`."""

    verdict: str
    reason: str
    step: int | None = None
    seat: Seat | None = None
    proven_to: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one log.

    `verified` means: no fault, and all seats that were left signed the result.  `proven_to` is the
    first step that not every seat has confirmed, so that everything from there on is the word of
    only some of them; None if a fault was found, or no table began. `step` and `seat` say where a
    fault is, and whose, if anybody's. `steps` are whole, `returns` is the result that all signed,
    and `winners` are the seats that won by it.
    `race_cap_us` (microseconds) is the most delay credited in a race of this table, `unlinked` are
    the pairs that got each other's records only through others; `tally` counts what was checked, up
    to the fault if there is one.  `left` are the seats that left for good, `lost` those that were
    gone, so that the others went on without them; both in that order.  `revision` is that of the
    programs that wrote it: only those can say what is wrong in it.
    """

    path: str
    verdict: str
    verified: bool
    game: str | None
    steps: int
    shuffles: int
    seats: int
    seconds: float
    reason: str
    step: int | None = None
    seat: Seat | None = None
    proven_to: int | None = None
    names: tuple[str, ...] = ()
    bots: frozenset[Seat] = frozenset()
    returns: tuple[int, ...] | None = None
    winners: tuple[Seat, ...] = ()
    race_cap_us: int | None = None
    unlinked: tuple[Pair, ...] = ()
    tally: Tally = field(default_factory=Tally)
    table: str = ""
    revision: bytes = b""
    left: tuple[LeftSeat, ...] = ()
    lost: tuple[LostSeat, ...] = ()

    @property
    def gone(self) -> list[tuple[int, Seat]]:
        """The same seats, each after the step in which it went."""
        left = [(one.step, one.seat) for one in self.left]
        return [*left, *[(one.step, one.seat) for one in self.lost]]

    @property
    def empty(self) -> dict[Seat, str]:
        """The seats whose chairs are empty at the end, and why."""
        return empty_chairs([one.seat for one in self.left], [one.seat for one in self.lost])


def audit(path: Path, entropy: Entropy = os.urandom, progress: Progress = unwatched) -> Report:
    """The verdict on a log or an evidence file.  UnreadableError if it cannot be read at all."""
    return audit_bytes(read_file(path), str(path), entropy, progress)


def read_file(path: Path) -> bytes:
    """The bytes of a log or an evidence file; UnreadableError with one sentence.

    One of another version is right for the program that wrote it: no audit here says that it is
    at fault.
    """
    data = read_any(path)
    why = why_unread(data)
    if why is not None:
        raise UnreadableError(f"{path} cannot be read: {why}")
    return data


def read_any(path: Path) -> bytes:
    """The bytes of a saved game, whatever they are; UnreadableError with one sentence."""
    try:
        return read_outside(path, LOG_MAX)
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}") from error


def audit_bytes(
    data: bytes,
    name: str = "",
    entropy: Entropy = os.urandom,
    progress: Progress = unwatched,
) -> Report:
    """The verdict on the bytes of a log or an evidence file."""
    began = time.perf_counter()
    LOG.info("audit: begun, %d bytes", len(data))
    case = _Case(entropy, progress)
    try:
        found = case.examine(data)
    except PeerError as error:
        why = _why_not_judged(data)
        if why is not None:
            return Report(name, UNREADABLE, False, None, 0, 0, 0, 0.0, f"{name} {why}")
        found = Finding(error.verdict, error.reason, error.step, error.seat)
    took = time.perf_counter() - began
    LOG.info("audit: %s%s, %.3f s", found.verdict, _where(found), took)
    return case.report(name, found, took)


def _why_not_judged(data: bytes) -> str | None:
    """Explain why a fault may be none for the programs that wrote this file; None for our own.

    The revision counts if all seats have signed it: others can write any into a file.  In evidence
    of a genesis, whoever is at fault signed for the proposal that names it.
    """
    try:
        if is_genesis_evidence(data):
            revision = revision_in(split_genesis_evidence(data)[0])
        else:
            revision = signed_revision(split_saved(data)[0].header)
    except PeerError:
        return None
    why = why_other_revision(revision)
    return None if why is None else f"cannot be judged: {why}"


def _where(found: Finding) -> str:
    """Without the reason, which may name people."""
    step = "" if found.step is None else f", step {found.step}"
    return step if found.seat is None else f"{step}, seat {found.seat}"


class _Case:
    """One log under examination: what is known about it so far."""

    def __init__(self, entropy: Entropy, progress: Progress) -> None:
        self._entropy = entropy
        self._progress = progress
        self._count = Count()
        self._fed: dict[bytes, Entry] = {}
        """Entries of steps that are not whole yet, so that none is decoded twice."""
        self._beyond: list[Entry] = []
        """What was signed beyond the log."""
        self._proposal: Proposal | None = None
        self._header: Header | None = None
        self._table: GameTable | None = None
        self._without: tuple[Seat, ...] = ()
        self._result: Any = None

    def examine(self, data: bytes) -> Finding:
        """Check everything: the verdict where there is no fault, PeerError with the first one."""
        if is_genesis_evidence(data):
            return self._examine_genesis(data)
        log, evidence = self._split(data)
        header = self._open(log)
        entries, ballots = self._read(header, log)
        self._read_evidence(header, log, entries, list(evidence))
        table = self._table = open_table(header, self._entropy)
        machine = table.machine
        machine.start()
        self._drain(machine)
        for number in range(entries):
            self._feed(machine, decode_entry(log.records[number]))
            self._progress(number + 1, entries)
        self._close_without(table, ballots)
        unfinished = not (machine.ended or ballots)
        checks.require("audit.torn", unfinished or not log.torn, "malformed", "zeros after the end")
        self._judge_beyond(machine)
        return self._conclude(table, header.proposal.names)

    def _split(self, data: bytes) -> tuple[Log, Sequence[bytes]]:
        """The frames of the file; of one that is cut, the header still says what it is of."""
        try:
            return split_saved(data)
        except PeerError:
            with suppress(PeerError):
                self._open(split_sound(data)[0])
            raise

    def _open(self, log: Log) -> Header:
        header = self._header = decode_header(log.header)
        self._proposal = header.proposal
        return header

    def _read(self, header: Header, log: Log) -> tuple[int, list[bytes]]:
        """The chain: all that can be checked without the rules.

        The number of entries, and the ballots.  Entries are decoded again later: kept, they could
        take sixty times as much memory as the file.
        """
        tally = self._count.tally
        tally.keys = tally.signatures = len(header.keys)
        entries = 0
        chain = chained(header, log)
        while True:
            try:
                next(chain)
            except StopIteration as end:
                return entries, end.value
            entries += 1
            tally.signatures += 1

    def _examine_genesis(self, data: bytes) -> Finding:
        """Evidence of a table that never began: there is no log, only what was signed."""
        proposed, records = split_genesis_evidence(data)
        proposal = self._proposal = decode_proposal(proposed)
        self._read_beyond(proposal.id, proposal.identities, list(records), ())
        machine = open_genesis(proposal)
        self._judge_beyond(machine)
        step = machine.chain.step
        return Finding(UNFINISHED, f"the table never began; valid up to step {step}", step)

    def _read_evidence(self, header: Header, log: Log, count: int, records: list[bytes]) -> None:
        """What was signed beyond the entries of a log; nothing counts after its end."""
        identities = header.proposal.identities
        if records and not is_closed(log.records, count, len(identities)):
            entries = islice(log.records, count)
            self._read_beyond(header.table, identities, records, entries)

    def _read_beyond(
        self, table: bytes, identities: Sequence[bytes], records: list[bytes], log: Iterable[bytes]
    ) -> None:
        entries = signed(table, identities, records)
        said = said_in(log, entries)
        self._beyond = [one for one in entries if said.get(place_of(one)) != one.record]
        self._count.tally.beyond = len(self._beyond)
        refuse_two(self._beyond, said)

    def _judge_beyond(self, machine: Machine) -> None:
        """Judge what was signed beyond a log; anything after its end is ignored."""
        for entry in self._beyond:
            if machine.ended:
                return
            machine.accept(entry)
            self._drain(machine)

    def _feed(self, machine: Machine, entry: Entry) -> None:
        beyond = machine.chain.step if machine.ended else machine.chain.step + 1
        # The machine refuses an entry of a step that is complete already: nobody owes it.
        _require("audit.order", entry.step < beyond, "a step before lacks entries", _last(machine))
        self._fed[entry.record] = entry
        if entry.kind == step_kinds.VOTE:
            self._feed_vote(machine, entry)
        else:
            machine.accept(entry)
        self._drain(machine)

    def _feed_vote(self, machine: Machine, entry: Entry) -> None:
        """A vote of another shape falls on nobody, as at a table."""
        vote = at_step(entry.step, lambda: machine.voting.read(entry.record))
        machine.accept(entry)
        counts = machine.fault is not None or machine.voting.known(vote) is not None
        _require("audit.vote", counts, "a vote where nobody can be voted out", entry.step)

    def _drain(self, machine: Machine) -> None:
        table = self._table
        effects = run_inline(machine)
        if machine.fault is not None:
            raise machine.fault
        for effect in effects:
            if isinstance(effect, Ended) and table is not None:
                self._result = effect.result
        done = [self._whole(effect) for effect in effects if isinstance(effect, Done)]
        self._count.passed(machine, table.cards if table else None, done)

    def _whole(self, done: Done) -> list[Entry]:
        """The entries of a step that has just been completed."""
        fed = self._fed
        return [fed.pop(one) if one in fed else decode_entry(one) for one in done.records]

    def _close_without(self, table: GameTable, ballots: Sequence[bytes]) -> None:
        """Note the seats whose missing close signature all others confirmed by ballot."""
        machine = table.machine
        if not ballots:
            return
        step, missing = _last(machine), machine.missing()
        for record in ballots:
            at_step(step, lambda r=record: machine.ballots.receive(r))  # type: ignore[misc]
        complete = machine.closed_without() == tuple(ballots)
        _require("audit.ballots", complete, "the ballots are not one a seat", step)
        self._count.tally.ballots = len(ballots)
        self._without = missing

    def _conclude(self, table: GameTable, names: Sequence[str]) -> Finding:
        """The verdict on a log without a fault."""
        machine = table.machine
        step, last = machine.chain.step, self._count.last()
        if machine.ended:
            right = "every shuffle, share, oath, move and signature is right"
            return Finding(COMPLETE, right, proven_to=step)
        proven_to = confirmed_to(last, table.cards.keys.seats)
        if self._without:
            reason = word_of_the_rest(names, self._without, last)
            return Finding(CLOSED_WITHOUT, reason, proven_to=proven_to)
        return Finding(UNFINISHED, f"valid up to step {step}", step, proven_to=proven_to)

    def report(self, name: str, found: Finding, took: float) -> Report:
        header, proposal = self._header, self._proposal
        tally = self._count.total(genesis=self._table is None)
        return Report(
            path=name,
            verdict=found.verdict,
            verified=found.verdict == COMPLETE,
            game=proposal.game.name if proposal else None,
            steps=tally.steps,
            shuffles=tally.shuffles,
            seats=len(proposal.seats) if proposal else 0,
            seconds=took,
            reason=found.reason,
            step=found.step,
            seat=found.seat,
            proven_to=found.proven_to,
            names=proposal.names if proposal else (),
            bots=proposal.bots if proposal else frozenset(),
            returns=self._result.returns if found.verdict == COMPLETE else None,
            winners=self._winners(found),
            race_cap_us=header.race_cap_us if header else None,
            unlinked=header.unlinked if header else (),
            tally=tally,
            table=header.table.hex() if header else "",
            revision=proposal.revision if proposal else b"",
            left=self._left(),
            lost=tuple(self._count.lost),
        )

    def _winners(self, found: Finding) -> tuple[Seat, ...]:
        """Return the winners by the result that all signed."""
        if self._table is None or found.verdict != COMPLETE:
            return ()
        return winners_of(self._table.session)

    def _left(self) -> tuple[LeftSeat, ...]:
        """Who has left for good, and said so."""
        journal = self._table.session.journal if self._table else []
        seats = [one.seat for one in journal if isinstance(one, Lost) and not one.gone]
        return tuple([LeftSeat(seat, self._count.leaving[seat]) for seat in seats])


def _require(check: str, ok: bool, reason: str, step: int) -> None:
    at_step(step, lambda: checks.require(check, ok, "broken-chain", reason))


def _last(machine: Machine) -> int:
    """The current step, or the close step, after which nothing follows."""
    return machine.chain.step - machine.ended
