"""A table of real machines and real seats with a toy program, and everything that can happen next.

Nothing happens by itself: a frame arrives, a write reaches the disk, a seat crashes or comes back,
because somebody chose it (`Table.do`).  Only when nothing of that can happen, time goes by.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from engine.games import load
from engine.view import View
from p2p.errors import LocalError
from p2p.net.mesh import LinkState
from p2p.protocol import step_kinds
from p2p.protocol.effects import Done, Fault, Write
from p2p.protocol.entry import Chain, unread
from p2p.protocol.frame_kinds import FINISHED, HAVE, LINKED, RECORD, TOLD
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat, own_past
from p2p.protocol.proposal import TOKEN_BYTES, Proposal, propose
from p2p.protocol.step import Program, Step
from p2p.seat.desk import Desk
from p2p.seat.orders import DropLink, Flood, Post, Save
from p2p.seat.recovery import reopen
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from p2p.seat.stages import Left, Stage
from tests.protocol.kit import identities, table_secrets

WAITS: Final = 5.0
"""How far time goes when nothing can happen: past all that a seat puts off."""
Shape = Sequence[Sequence[int]]
"""Who owes an entry, for each step."""


class Event(NamedTuple):
    """What may happen next: deliver (from `source`), write, crash, return, or wait."""

    what: str
    seat: int = 0
    source: int = 0


class WrongError(AssertionError):
    """Something happened that never may."""


@cache
def _proposal(count: int) -> Proposal:
    seats = [(one.public, one.name, False) for one in identities(count)]
    return propose(bytes(TOKEN_BYTES), load("sneak"), {}, "wait", seats)


def _program(shape: Shape, life: int) -> Program[None]:
    """Steps without cards.  A seat that is started again would say something else."""

    def parse(seat: int, payload: Any) -> Any:
        return payload

    for owed in shape:
        yield Step(step_kinds.COMMIT, tuple(owed), parse, make=lambda _: [life])


class Disk:
    """What is durable of one seat: its own entries, and whole steps."""

    def __init__(self) -> None:
        self.own: list[bytes] = []
        self.log: list[tuple[bytes, ...]] = []

    def write(self, asked: Write) -> None:
        self.own.append(asked.record)

    def complete(self, step: int, records: tuple[bytes, ...]) -> None:
        del self.log[step:]
        self.log.append(records)


class _Toy(Stage):
    """A stage that keeps a log, and knows nothing of cards."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk

    def begin(self, went_back: bool) -> None:
        """Nobody is told."""

    def view(self) -> View:
        raise LocalError("nobody decides here")

    def write(self, effect: Write) -> None:
        """There are no states."""

    def done(self, done: Done) -> None:
        step, records = done.step, done.records
        self._desk.save(lambda files: files.complete(step, records))  # type: ignore[call-arg]

    def tell(self) -> None:
        """Nobody is told."""

    def stop(self, machine: Machine, fault: Fault) -> Callable[[Any], Left]:
        raise WrongError(f"an honest seat is accused: {fault.error}")

    def state_of(self, payload: bytes) -> None:
        return None


class _Nobody:
    def step(self, records: Sequence[bytes]) -> None:
        """Nobody watches."""

    def end(self, frames: Sequence[bytes]) -> None:
        """Nobody watches."""


class Place:
    """One seat's machine and runner, as long as its process lives."""

    def __init__(self, table: Table, seat: int, disk: Disk, life: int) -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.disk: Final = disk
        self.life: Final = life
        self.ended = False
        self.writes: Final[deque[Save]] = deque()
        proposal, count = _proposal(table.count), table.count
        self.desk: Final = Desk(lambda: table.now, self, bytes)
        self.runner: Final = Runner(self.desk, proposal, seat, Patience(), _Nobody())
        self.runner._stage = _Toy(self.desk)
        chain = Chain(proposal.id)
        past = own_past(chain, disk.own) if life else None
        own = OwnSeat(seat, identities_of(count)[seat], table_secrets_of(count)[seat], past)
        self.machine: Final = Machine(chain, _program(table.shape, life), proposal.identities, own)

    def start(self) -> None:
        if self.life:
            reopen(self.machine, self.disk.log)
        self.runner.returning.came_back = self.life > 0
        self.runner.run(self.machine).then(self._end)
        self.settle()

    def _end(self, _: object) -> None:
        self.ended = True

    # -- what its desk asks about links ----------------------------------------------------

    def is_linked(self, key: bytes, /) -> bool:
        other = self.table.keys.index(key)
        return other != self.seat and self.table.places[other] is not None

    def links(self) -> dict[bytes, LinkState]:
        return {key: LinkState(True) for key in self.table.keys if self.is_linked(key)}

    def round_trip_us(self, key: bytes, /) -> int | None:
        return None

    # -- orders ----------------------------------------------------------------------------

    def settle(self) -> None:
        table = self.table
        while (order := self.desk.take()) is not None:
            match order:
                case Post(peer, frame):
                    table.send(self, table.keys.index(peer), frame)
                case Flood(frame, skip):
                    for other, key in enumerate(table.keys):
                        if other != self.seat and key != skip:
                            table.send(self, other, frame)
                case Save():
                    self.writes.append(order)
                case DropLink(peer, reason):
                    raise WrongError(f"an honest seat loses its link: {reason}")

    def fingerprint(self) -> tuple[object, ...]:
        """All that decides what this seat will do."""
        machine, runner = self.machine, self.runner
        held, forwarding = machine._held, runner._forwarding
        return (
            *(self.life, self.ended, machine.chain.step, machine.chain.head),
            *(tuple(held.now()), tuple(held.later())),
            tuple(sorted((seat, one.record) for seat, one in held.strays.items())),
            *(machine.may_sign, machine._asked_own, runner._writes),
            *(tuple(sorted(runner._catching_up.told)), tuple(sorted(runner.parting._finished))),
            runner._catching_up._asked_at == self.table.now,
            tuple(sorted((k, tuple(sorted(v))) for k, v in forwarding.links_of.items())),
            tuple((key, tuple(sorted(kept))) for key, kept in forwarding._deferred.items()),
            tuple(sorted(forwarding._taken)),
            *(len(self.writes), tuple(self.disk.own), len(self.disk.log)),
        )


@cache
def identities_of(count: int) -> Any:
    return identities(count)


@cache
def table_secrets_of(count: int) -> Any:
    return table_secrets(count, 1)


class Table:
    """Seats that play steps of this shape, with so many crashes at most."""

    def __init__(self, count: int, shape: Shape, crashes: int) -> None:
        self.count: Final = count
        self.shape: Final = shape
        self.now = 0.0
        self.keys: Final[tuple[bytes, ...]] = _proposal(count).identities
        self.crashes = crashes
        self.waited = 0
        self.disks: Final = [Disk() for _ in range(count)]
        self.lives: Final = [0] * count
        self.places: Final[list[Place | None]] = [None] * count
        self.wires: Final[dict[tuple[int, int], deque[bytes]]] = {
            (one, two): deque() for one in range(count) for two in range(count) if one != two
        }
        self.at_once: Final = {LINKED.number}
        """Frames that arrive at once: those on links, and what matters only after a crash."""
        if not crashes:
            self.at_once.update((HAVE.number, TOLD.number, FINISHED.number))
        self.news: Final[deque[tuple[int, int, bytes]]] = deque()
        self.signed: Final[dict[tuple[int, int], bytes]] = {}
        for seat in range(count):
            self.places[seat] = Place(self, seat, self.disks[seat], 0)
        for place in self._alive():
            place.start()
        self._spread_news()

    def _alive(self) -> Iterator[Place]:
        return (place for place in self.places if place is not None)

    def send(self, place: Place, to: int, frame: bytes) -> None:
        """A frame leaves a seat: what it signed has to be durable, and the only one of its step."""
        if frame[0] == RECORD.number:
            self._look(place, frame[1:])
        if self.places[to] is None:
            return
        if frame[0] in self.at_once:
            self.news.append((place.seat, to, frame))
        else:
            self.wires[place.seat, to].append(frame)

    def _look(self, place: Place, record: bytes) -> None:
        origin = unread(record)
        if self.signed.setdefault((origin.seat, origin.step), record) != record:
            raise WrongError(f"seat {origin.seat} signed two entries for step {origin.step}")
        if origin.seat == place.seat and record not in place.disk.own:
            raise WrongError(f"seat {place.seat} sent what is not on its disk, step {origin.step}")

    # -- what can happen -------------------------------------------------------------------

    def events(self) -> list[Event]:
        """All that can happen now; empty when the table is over."""
        found = [
            Event("deliver", to, source)
            for (source, to), frames in self.wires.items()
            if frames and self.places[to] is not None
        ]
        found += [Event("write", place.seat) for place in self._alive() if place.writes]
        found += [Event("return", seat) for seat in range(self.count) if self.places[seat] is None]
        busy = bool(found)
        if self.crashes:
            found += [Event("crash", place.seat) for place in self._alive() if not place.ended]
        if not busy and not all(place.ended for place in self._alive()):
            found.append(Event("wait"))
        return found

    def do(self, event: Event) -> None:
        """Let it happen."""
        match event.what:
            case "deliver":
                self._deliver(event.source, event.seat)
            case "write":
                self._write(event.seat)
            case "crash":
                self._crash(event.seat)
            case "return":
                self._return(event.seat)
            case "wait":
                self._wait()
        if event.what != "wait":
            self.waited = 0
        self._spread_news()
        self._compare()

    def _spread_news(self) -> None:
        while self.news:
            source, to, frame = self.news.popleft()
            place = self.places[to]
            if place is not None:
                place.runner.receive(self.keys[source], frame)
                place.settle()

    def _compare(self) -> None:
        heads: dict[int, tuple[bytes, ...]] = {}
        for place in self._alive():
            for step, records in enumerate(place.machine.records):
                if heads.setdefault(step, records) != records:
                    raise WrongError(f"two histories at step {step}")

    def _place(self, seat: int) -> Place:
        place = self.places[seat]
        if place is None:
            raise LocalError("this seat is not there")
        return place

    def _deliver(self, source: int, to: int) -> None:
        place = self._place(to)
        frame = self.wires[source, to].popleft()
        place.runner.receive(self.keys[source], frame)
        place.settle()

    def _write(self, seat: int) -> None:
        place = self._place(seat)
        save = place.writes.popleft()
        done = save.act(place.disk)  # type: ignore[arg-type]
        place.desk.answer(save.number, lambda: done)
        place.settle()

    def _crash(self, seat: int) -> None:
        self.crashes -= 1
        self.places[seat] = None
        for pair, frames in self.wires.items():
            if seat in pair:
                frames.clear()
        self._links_changed(seat, up=False)

    def _return(self, seat: int) -> None:
        self.lives[seat] += 1
        place = self.places[seat] = Place(self, seat, self.disks[seat], self.lives[seat])
        place.start()
        for other in self._alive():
            if other is not place:
                place.runner.link_changed(self.keys[other.seat], up=True)
        place.settle()
        self._links_changed(seat, up=True)

    def _links_changed(self, seat: int, *, up: bool) -> None:
        for other in self._alive():
            if other.seat != seat:
                other.runner.link_changed(self.keys[seat], up)
                other.settle()

    def _wait(self) -> None:
        self.waited += 1
        if self.waited > 8:
            raise WrongError("nothing happens any more, and the table is not over")
        self.now += WAITS
        for place in self._alive():
            place.desk.ring()
            place.settle()

    def fingerprint(self) -> bytes:
        """The same for two tables only if the same can happen at both, with the same outcome."""
        parts = [None if one is None else one.fingerprint() for one in self.places]
        wires = sorted((pair, tuple(frames)) for pair, frames in self.wires.items())
        disks = [(tuple(disk.own), tuple(disk.log)) for disk in self.disks]
        signed = sorted(self.signed.items())
        all_of_it = (parts, wires, disks, self.lives, signed, self.crashes, self.waited)
        return hashlib.sha256(repr(all_of_it).encode()).digest()[:16]
