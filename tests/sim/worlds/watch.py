"""What is looked at after every event of a world; at its end see `tests.sim.worlds.ends`.

A seat is *honest* unless it is modified or doubtful (its user started it twice from a copy).
Whatever else happens to it, nobody may ever accuse it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.table_state import OPEN
from p2p.errors import LobbyError, OutdatedError, PeerError, StorageError
from p2p.files.seat_memory import SeatMemory
from p2p.player.events import Stopped
from p2p.protocol import step_kinds
from p2p.protocol.ballot import decode_ballot
from p2p.protocol.entry import SIGNATURE_BYTES, Entry, decode_entry
from p2p.protocol.frame_kinds import BALLOT, RECORD, TOLD, payload_of
from p2p.protocol.held import AHEAD
from p2p.protocol.machine import Machine
from p2p.protocol.table import GameTable
from p2p.seat.catch_up import decode_place
from replay.audit import Report, audit_bytes
from tests.sim.worlds.entry_order import EntryOrder
from tests.sim.worlds.plan import BAD_SHUFFLES, Jump, Restore, SlowDisk, Talk

if TYPE_CHECKING:
    from tests.sim.worlds.process import Process
    from tests.sim.worlds.world import World

GIVEN_UP: Final = "does not send what it says that it has"
"""Why an honest seat may be dropped: the link, not the seat, is slow."""


class FailedError(BaseException):
    """A check failed.  No code of a seat may catch it."""

    def __init__(self, check: str, why: str) -> None:
        super().__init__(f"{check}: {why}")
        self.check: Final = check
        self.why: Final = why


def require(check: str, holds: object, why: str) -> None:
    """FailedError unless it holds."""
    if not holds:
        raise FailedError(check, why)


Place = tuple[bytes, int, int, int]
"""A table, a step, a seat, and the round of a vote (-1 for an entry)."""


def place_of(entry: Entry) -> Place:
    """For what a seat signs once."""
    number = entry.payload["round"] if entry.kind == step_kinds.VOTE else -1
    return entry.table, entry.step, entry.seat, number


def gone_by(records: tuple[bytes, ...]) -> frozenset[int]:
    """The seats that a step says are gone."""
    first = decode_entry(records[0])
    return frozenset(first.payload["absent"] if first.kind == step_kinds.VOTE else ())


class Moment(NamedTuple):
    """A seat's new entry leaves it, the `number`-th of them, or its person is asked (`ASKED`).

    `orders` and `writes` are how many its programs have carried out by then.
    """

    at: float
    seat: int
    kind: str
    number: int
    orders: int
    writes: int


ASKED: Final = "asked"


class Watch:
    """All that one world has seen."""

    def __init__(self, world: World) -> None:
        self.world: Final = world
        self.doubtful: Final[set[int]] = set()
        self._signed: Final[dict[Place, bytes]] = {}
        self.moments: Final[list[Moment]] = []
        self._entered: Final[Counter[int]] = Counter()
        """How many entries of each seat are among them."""
        self._entries: Final[dict[bytes, Entry]] = {}
        """Records that were read."""
        self.order: Final = EntryOrder(self._entry)
        self._left: Final[set[bytes]] = set()
        """Frames that have left and need not be looked at again."""
        self._steps: Final[dict[tuple[bytes, int], tuple[bytes, ...]]] = {}
        self._seen_by: Final[dict[tuple[bytes, int], set[int]]] = {}
        """The seats that have each step so."""
        self.out: Final[set[int]] = set()
        """The seats that signed on where the others had gone on without them."""
        self._forked: Final[set[bytes]] = set()
        self._cards: Final[dict[tuple[bytes, int], dict[int, int]]] = {}
        self.audited: Final[dict[bytes, Report]] = {}
        """What the audit says of each log and evidence."""
        self.by_log: Final[dict[str, set[int]]] = {"left": set(), "lost": set()}
        """Who was gone from the tables that were closed, and how."""

    def is_honest(self, seat: int) -> bool:
        """Whether nobody may accuse this seat."""
        return seat not in self.doubtful and seat != (self.world.plan.modified or (None,))[0]

    # -- after every event -----------------------------------------------------------------

    def leaves(self, process: Process, frame: bytes) -> None:
        """A frame leaves a seat: is it on the disk, and the only one for its step?"""
        if frame in self._left or not self.is_honest(process.seat):
            return
        if frame[0] == RECORD.number:
            entry = self._entry(frame[1:])
            if entry.seat != process.seat:
                return
            place = place_of(entry)
            before = self._signed.setdefault(place, entry.body)
            twice = f"seat {entry.seat} signed two bodies for step {entry.step}"
            require("one body", before == entry.body, twice)
            self._require_order(process, entry)
            self.note(process.seat, entry.kind)
        elif frame[0] != BALLOT.number or not self._is_own_ballot(process, frame[1:]):
            return
        self._left.add(frame)
        written = process.drive.has(process.files.seat, frame[1:])
        require("durable", written, f"seat {process.seat} shows what is not on its disk")

    def _require_order(self, process: Process, entry: Entry) -> None:
        """FailedError if the steps before it forbid this entry."""
        machine, order = process.machine, self.order
        if machine is None or entry.table != machine.chain.table:
            return
        order.note(entry)
        before = machine.records[: entry.step]
        said = f"seat {entry.seat} signs {entry.kind} in step {entry.step}"
        require("coins first", not order.coin_is_open(entry, before), f"{said}, beside a coin")
        false = order.false_deck_before(entry, before)
        require("no false shuffle", false is None, f"{said}, after the false shuffle {false}")

    def _entry(self, record: bytes) -> Entry:
        """What a record says; PeerError `malformed`."""
        entry = self._entries.get(record)
        if entry is None:
            entry = self._entries[record] = decode_entry(record)
        return entry

    def note(self, seat: int, kind: str) -> None:
        """A moment at which a fault may be aimed, in another run of the same plan."""
        world = self.world
        number = self._entered[seat]
        self._entered[seat] += kind != ASKED
        counts = world.orders[seat], world.writes[seat]
        self.moments.append(Moment(world.now, seat, kind, number, *counts))

    def _is_own_ballot(self, process: Process, record: bytes) -> bool:
        machine = process.machine
        if machine is None:
            return False
        return decode_ballot(record, machine.identities).seat == process.seat

    def stepped(self, process: Process) -> None:
        """A seat did something."""
        machine = process.machine
        if machine is None or not self.is_honest(process.seat):
            return
        table = machine.chain.table
        if process.checked > len(machine.records) or process.walked is not machine:
            process.checked, process.walked = 0, machine
        for step in range(process.checked, len(machine.records)):
            self.compare(table, step, machine.records[step], process.seat)
        if process.checked < len(machine.records):
            process.checked = len(machine.records)
            self.world.moved()
            self._look_at_cards(process, machine)

    def compare(self, table: bytes, step: int, records: tuple[bytes, ...], seat: int) -> None:
        """These are the records of a step, as a seat or its spectator has them."""
        if table in self._forked or seat in self.out:
            return
        known = self._steps.setdefault((table, step), records)
        seen = self._seen_by.setdefault((table, step), set())
        if known == records:
            seen.add(seat)
            return
        if seat in gone_by(known):
            self.out.add(seat)
            return
        if seen and seen <= gone_by(records):
            self.out |= seen
            self._forget_from(table, step)
            self.compare(table, step, records, seat)
            return
        mine = {decode_entry(record).seat: record for record in records}
        theirs = {decode_entry(record).seat: record for record in known}
        liars = [s for s in {**mine, **theirs} if mine.get(s) != theirs.get(s)]
        honest = [s for s in liars if self.is_honest(s)]
        require("one log", not honest, f"seat {seat} has another step {step} than others")
        self._forked.add(table)

    def _forget_from(self, table: bytes, step: int) -> None:
        """What was seen of this step and later ones, by seats that others went on without."""
        for known in (self._steps, self._seen_by, self._cards):
            for place in [place for place in known if place[0] == table and place[1] >= step]:
                del known[place]  # type: ignore[attr-defined]

    def _look_at_cards(self, process: Process, machine: Machine) -> None:
        """No slot holds two faces, no face is there too often, and who reads one has its lock."""
        table = process.table
        if table is None or table.machine is not machine or machine.step is None:
            return
        if process.seat in self.out:
            return
        forced = self.world.plan.modified or self.doubtful or self.world.plan.of(Restore)
        require("no secret lost", forced or not table.cards.forfeits, "a choice was not opened")
        slots, locks = table.cards.slots, table.session.table.locks
        if slots.deck is None or machine.chain.table in self._forked:
            return
        if len(locks) != len(slots.numbers):
            return  # fewer players have another deck, and nobody has shuffled it yet
        for slot in slots.own:
            theirs = locks[slot] in (process.seat, OPEN)
            require("no peeking", theirs, f"seat {process.seat} reads slot {slot} of others")
        shown = {slot: number for slot, number in enumerate(slots.numbers) if number is not None}
        found = self._cards.setdefault((machine.chain.table, machine.chain.step), {})
        for slot, number in {**shown, **slots.own}.items():
            same = found.setdefault(slot, number) == number
            require("one face", same, f"seat {process.seat} sees another card at slot {slot}")
        few = Counter(found.values()) <= Counter(slots.deck.lowest)
        require("no card doubled", few, f"a card lies twice at step {machine.chain.step}")

    def heard(self, process: Process, frame: bytes) -> None:
        """A seat was shown a record: if it is the second one for a step, somebody is caught."""
        machine = process.machine
        if frame[0] != RECORD.number or machine is None or not self.is_honest(process.seat):
            return
        try:
            entry = self._entry(frame[1:])
            entry.check_signature(machine.identities[entry.seat])
        except (PeerError, IndexError):
            return
        ahead = entry.step - machine.chain.step
        if entry.table != machine.chain.table or machine.ended or not 0 <= ahead <= AHEAD:
            return
        body = process.heard.setdefault(place_of(entry), entry.body)
        caught = body == entry.body or machine.fault is not None
        why = f"seat {process.seat} was shown two bodies of seat {entry.seat}, step {entry.step}"
        require("a liar is caught", caught, why)

    def counts(self, process: Process, frame: bytes) -> None:
        """A seat counts a peer that told it all: it has come as far (protocol section 7)."""
        machine, honest = process.machine, self.is_honest(process.seat)
        if machine is not None and honest and frame[0] == TOLD.number:
            _, step = decode_place(payload_of(frame))
            behind = f"seat {process.seat} counts a peer at step {step} as one that told it all"
            require("no early count", step <= machine.chain.step, behind)

    def drops(self, process: Process, peer: bytes, reason: str) -> None:
        """A link is dropped for what came over it."""
        seat = self.world.proposal.identities.index(peer)
        right = not (self.is_honest(process.seat) and self.is_honest(seat))
        why = f"seat {process.seat} drops its link with {seat}: {reason}"
        require("links of the honest", right or GIVEN_UP in reason, why)

    def stopped(self, process: Process, event: Stopped) -> None:
        """A seat says that somebody cheated: it is not an honest one, and the evidence shows it."""
        if not self.is_honest(process.seat):
            return
        said = f"seat {process.seat} says: {event.verdict}, seat {event.seat}: {event.reason}"
        guilty = event.seat is not None and not self.is_honest(event.seat)
        require("no false accusation", guilty, said)
        require("verdict", self._is_right(event), said)
        require("evidence", event.evidence is not None, f"{said}, without evidence")
        assert event.evidence is not None
        report = self._audit(event.evidence)
        same = (report.verdict, report.seat) == (event.verdict, event.seat)
        require("evidence", same, f"{said}; the audit says {report.verdict}: {report.reason}")

    def _is_right(self, event: Stopped) -> bool:
        """Return whether the verdict fits what the modified seat does, where only one does."""
        behaviour = (self.world.plan.modified or (None, ""))[1]
        shuffles = behaviour in BAD_SHUFFLES and event.seat not in self.doubtful
        return event.verdict == "bad-shuffle" or not shuffles

    def _audit(self, path: Path) -> Report:
        data = path.read_bytes()
        if data not in self.audited:
            self.audited[data] = audit_bytes(data, "", self.world.plan.rng("audit").randbytes)
        return self.audited[data]

    def locked(self, process: Process) -> None:
        """A second program on the same folder is refused."""
        twin = process.store.files(process.files.seat.stem)
        try:
            twin.resume()
        except StorageError:
            return
        raise FailedError("lock", f"seat {process.seat} sits twice on one folder")

    # -- ends ------------------------------------------------------------------------------

    def came_back(self, process: Process, memory: SeatMemory) -> None:
        """A program reads its files again: all that ever left this seat is in them."""
        seat = process.seat
        if not self.is_honest(seat) or self.world.plan.of(Restore, seat):
            return
        bodies = {record[:-SIGNATURE_BYTES] for record in (*memory.own, *memory.votes)}
        lacks = [
            step
            for (_, step, signer, _), body in self._signed.items()
            if signer == seat and body not in bodies
        ]
        require("durable", not lacks, f"the files of seat {seat} lack what it sent: {lacks}")

    def ended(self, process: Process) -> None:
        """A program came to its end by itself: did it have a reason?"""
        if not self.is_honest(process.seat):
            return
        outcome, seat = process.outcome, process.seat
        match outcome:
            case GameTable():
                self._closed(process, outcome)
            case PeerError():
                self._caught(seat, outcome)
            case LobbyError():
                require("a table begins", self.is_disturbed(), f"seat {seat} gives up: {outcome}")
            case OutdatedError():
                older = self.world.plan.of(Restore, seat)
                require("files", older, f"seat {seat} lacks what it signed: {outcome}")
            case LookupError() if self.has_left(seat):
                self._left_for_good(process)
            case LookupError() if self._was_through(seat):
                self._whole(process.files.log)
            case LookupError():
                signed = any(signer == seat for _, _, signer, _ in self._signed)
                needs = signed and not self._gave_up(seat)
                lost = f"seat {seat} has lost its files: {outcome}"
                require("files", self.world.plan.of(Restore, seat) or not needs, lost)
            case _:
                raise FailedError("no crash", f"seat {seat}: {outcome!r}") from outcome

    def _caught(self, seat: int, error: PeerError) -> None:
        guilty = error.seat is not None and not self.is_honest(error.seat)
        require("no false accusation", guilty, f"seat {seat} stops: {error}")

    def _closed(self, process: Process, table: GameTable) -> None:
        if table.has_left:
            self._left_for_good(process)
            return
        report = self._whole(process.files.log)
        why = f"the log of seat {process.seat}: {report.verdict}, {report.reason}"
        if report.verdict == "closed-without":
            require("whole logs", self.is_disturbed(), why)
            self.world.counts["closed without a seat"] += 1
        else:
            returns = report.returns == table.session.returns
            require("whole logs", returns, "the audit knows another result")
        self.by_log["left"].update(one.seat for one in report.left)
        self.by_log["lost"].update(one.seat for one in report.lost)
        lost = {one.seat for one in (*report.left, *report.lost)}
        won = lost & {*report.winners}
        require("a lost seat does not win", not won, f"the seats {sorted(won)} left, and win")

    def _left_for_good(self, process: Process) -> None:
        report = self._audit(process.files.log)
        why = f"the log of seat {process.seat}, who left: {report.verdict}, {report.reason}"
        right = report.verdict == "unfinished" and [one.seat for one in report.left][-1:] == [
            process.seat
        ]
        require("whole logs", right, why)
        self.world.counts["left for good"] += 1

    def _whole(self, log: Path) -> Report:
        report = self._audit(log)
        whole = report.verdict in ("complete", "closed-without")
        require("whole logs", whole, f"{log.parent.parent.name}: {report.verdict}, {report.reason}")
        return report

    def has_left(self, seat: int) -> bool:
        """Whether a program of this seat had left for good when it died."""
        tables = (process.table for process in self.world.processes[seat])
        return any(table is not None and table.has_left for table in tables)

    def _was_through(self, seat: int) -> bool:
        """Whether a program of this seat had played to the end when it died."""
        tables = (process.table for process in self.world.processes[seat])
        return any(table is not None and table.machine.ended for table in tables)

    def _gave_up(self, seat: int) -> bool:
        """Whether the table was over for a program of this seat, which then erased its files."""
        return any(process.core.runner.final for process in self.world.processes[seat])

    def is_disturbed(self) -> bool:
        """Whether somebody may have been away for long."""
        plan = self.world.plan
        harmless = (SlowDisk, Jump, Talk)
        serious = any(not isinstance(fault, harmless) for fault in plan.faults)
        apart = (
            plan.leaves or plan.ahead
        ) and plan.never  # the only one between two seats may have left
        return bool(serious or plan.modified or plan.late or apart)

    def close(self) -> None:
        """Close all files that are still open."""
        for processes in self.world.processes.values():
            for process in processes:
                if process._script is not None:
                    process._script.close()
                process.files.close(erase_secrets=False)
