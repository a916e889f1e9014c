"""The audit: a saved game is the proof, and this checks it without any secret.

First the frame, the chain and the signatures, so that garbage costs nothing; then every key,
shuffle, share, oath, rule and the result, by the same machine that players run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.protocol.ballot import is_ballot
from p2p.protocol.effects import Done, Ended
from p2p.protocol.entry import Chain, Entry, decode_entry
from p2p.protocol.genesis import Header, decode_header, watch_genesis
from p2p.protocol.logfile import (
    LOG_MAX,
    Log,
    is_evidence,
    is_genesis_evidence,
    split_evidence,
    split_genesis_evidence,
    split_log,
)
from p2p.protocol.machine import Machine, run_inline
from p2p.protocol.proposal import Proposal, decode_proposal
from p2p.protocol.table import GameTable, open_table
from replay.proofs import Tally

COMPLETE: Final = "complete"
CLOSED_WITHOUT: Final = "closed-without"
UNFINISHED: Final = "unfinished"
Progress = Callable[[int, int], None]
"""Called with how many entries are checked, and how many there are."""


def unwatched(done: int, of: int) -> None:
    """Nobody looks at the progress."""


class UnreadableError(ValueError):
    """A file that cannot be opened or is far too large: the user's affair, exit 2."""


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one log.

    `verified` means: no fault, and a complete close step (or one closed without seats whose
    absence all others signed).  `step` and `seat` are where a fault fell, if on anybody.
    `race_cap_us` (microseconds) is the most delay credited in a race of this table; `tally`
    counts what was checked, up to the fault where there is one.
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
    names: tuple[str, ...] = ()
    returns: tuple[int, ...] | None = None
    race_cap_us: int | None = None
    tally: Tally = field(default_factory=Tally)
    table: str = ""


def audit(path: Path, entropy: Entropy = os.urandom, progress: Progress = unwatched) -> Report:
    """The verdict on a log or an evidence file.  UnreadableError if it cannot be read at all."""
    return audit_bytes(read_file(path), str(path), entropy, progress)


def read_file(path: Path) -> bytes:
    """The bytes of a log or an evidence file; UnreadableError with one sentence."""
    try:
        if path.stat().st_size > LOG_MAX:
            raise UnreadableError(f"{path} is too large to be a log")
        return path.read_bytes()
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
    case = _Case(entropy, progress)
    try:
        case.examine(data)
        verdict, reason, step, seat = case.conclude()
    except PeerError as error:
        verdict, reason, step, seat = error.verdict, error.reason, error.step, error.seat
    return case.report(name, verdict, reason, step, seat, time.perf_counter() - began)


class _Case:
    """One log under examination: what is known of it so far."""

    def __init__(self, entropy: Entropy, progress: Progress) -> None:
        self._entropy = entropy
        self._progress = progress
        self._tally = Tally()
        self._fed: list[Entry] = []
        self._proposal: Proposal | None = None
        self._header: Header | None = None
        self._machine: Machine | None = None
        self._table: GameTable | None = None
        self._without: tuple[Seat, ...] = ()
        self._result: Any = None

    def examine(self, data: bytes) -> None:
        """Check everything; PeerError with the first fault."""
        if is_genesis_evidence(data):
            self._examine_genesis(data)
            return
        evidence: Sequence[bytes] = ()
        if is_evidence(data):
            log, evidence = split_evidence(data)
        else:
            log = split_log(data)
        header = self._header = decode_header(log.header)
        self._proposal = header.proposal
        entries, ballots = read_chain(header, log)
        table = self._table = open_table(header, self._entropy)
        machine = self._machine = table.machine
        machine.start()
        self._drain()
        for number, entry in enumerate(entries):
            self._feed(entry)
            self._progress(number + 1, len(entries))
        for record in ballots:
            _blamed(lambda r=record: machine.ballots.receive(r), _last(machine))  # type: ignore[misc]
        self._without = _closed_without(table, ballots)
        self._receive(machine, evidence)

    def _examine_genesis(self, data: bytes) -> None:
        """Evidence of a table that never began: there is no log, only what was signed."""
        proposed, records = split_genesis_evidence(data)
        proposal = self._proposal = decode_proposal(proposed)
        machine = self._machine = Machine(
            Chain(proposal.id), watch_genesis(proposal), proposal.identities
        )
        machine.start()
        self._receive(machine, records)

    def _receive(self, machine: Machine, records: Sequence[bytes]) -> None:
        for record in records:
            machine.receive(record)
            self._drain()

    def _feed(self, entry: Entry) -> None:
        assert self._machine is not None
        machine = self._machine
        beyond = machine.chain.step if machine.ended else machine.chain.step + 1
        # An entry of a step that is complete already is refused by the machine: nobody owed it.
        _require("audit.order", entry.step < beyond, "a step before lacks entries", _last(machine))
        self._fed.append(entry)
        machine.accept(entry)
        self._drain()

    def _drain(self) -> None:
        assert self._machine is not None
        machine = self._machine
        for effect in run_inline(machine):
            if isinstance(effect, Done) and self._fed:
                self._tally.add_step(self._fed)
                self._fed = []
            if isinstance(effect, Ended) and self._table is not None:
                self._result = effect.result
        if machine.fault is not None:
            raise machine.fault

    def conclude(self) -> tuple[str, str, int | None, Seat | None]:
        """The verdict on a log without a fault."""
        assert self._machine is not None
        assert self._proposal is not None
        machine, names = self._machine, self._proposal.names
        if self._table is None:
            step = machine.chain.step
            return UNFINISHED, f"the table never began; valid up to step {step}", step, None
        if machine.ended:
            return COMPLETE, "every shuffle, share, oath, move and signature is right", None, None
        if self._without:
            gone = ", ".join(names[seat] for seat in self._without)
            return CLOSED_WITHOUT, f"all is right; the close lacks {gone}", None, None
        step = machine.chain.step
        return UNFINISHED, f"valid up to step {step}", step, None

    def report(
        self, name: str, verdict: str, reason: str, step: int | None, seat: Seat | None, took: float
    ) -> Report:
        header, table, proposal = self._header, self._table, self._proposal
        if table is not None:
            races = table.cards.races
            self._tally.contested, self._tally.disputes = len(races.reports), races.disputes
        return Report(
            path=name,
            verdict=verdict,
            verified=verdict in (COMPLETE, CLOSED_WITHOUT),
            game=proposal.game.name if proposal else None,
            steps=self._machine.chain.step if self._machine else 0,
            shuffles=table.cards.shuffles if table else 0,
            seats=len(proposal.seats) if proposal else 0,
            seconds=took,
            reason=reason,
            step=step,
            seat=seat,
            names=proposal.names if proposal else (),
            returns=self._result.returns if self._result else None,
            race_cap_us=header.race_cap_us if header else None,
            tally=self._tally,
            table=header.table.hex() if header else "",
        )


def read_chain(header: Header, log: Log) -> tuple[list[Entry], list[bytes]]:
    """The entries of a log and the ballots at its end, in order, signed and chained.

    PeerError for a gap, a repeat, another order, a foreign table or a signature that fails.
    """
    chain = Chain(header.table)
    entries: list[Entry] = []
    bodies: list[bytes] = []
    last_seat = -1
    records = iter(log.records)
    for record in records:
        if _blamed(lambda r=record: is_ballot(r), chain.step):  # type: ignore[misc]
            return entries, [record, *records]
        entry = _blamed(lambda r=record: decode_entry(r), chain.step)  # type: ignore[misc]
        if bodies and entry.step == chain.step + 1:
            chain.advance(bodies)
            bodies, last_seat = [], -1
        ordered = entry.step == chain.step and last_seat < entry.seat < len(header.keys)
        _require("audit.sequence", ordered, "entries are out of order", chain.step)
        linked = entry.table == header.table and entry.previous == chain.head
        _require("audit.link", linked, "an entry does not follow from what is before", chain.step)
        identity = header.proposal.identities[entry.seat]
        # On nobody: whoever holds the file can spoil a signature in it.
        _blamed(lambda e=entry, i=identity: e.check_signature(i), entry.step)  # type: ignore[misc]
        entries.append(entry)
        bodies.append(entry.body)
        last_seat = entry.seat
    return entries, []


def _require(check: str, ok: bool, reason: str, step: int) -> None:
    _blamed(lambda: checks.require(check, ok, "broken-chain", reason), step)


def _blamed(act: Callable[[], Any], step: int) -> Any:
    try:
        return act()
    except PeerError as error:
        raise error.blame(step=step) from None


def _last(machine: Machine) -> int:
    """The step that goes on, or the close step behind which nothing follows."""
    return machine.chain.step - machine.ended


def _closed_without(table: GameTable, ballots: Sequence[bytes]) -> tuple[Seat, ...]:
    """The seats whose missing close signature all others confirmed by ballot."""
    machine = table.machine
    missing = machine.missing()
    if not ballots:
        return ()
    complete = machine.closing and machine.ballots.unanimous(missing) == tuple(ballots)
    _require("audit.ballots", complete, "the ballots are not one a seat", _last(machine))
    return missing
