"""A real machine and a real seat with a toy program, to which nothing happens by itself."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final, NamedTuple, Protocol, cast

from engine.view import View
from p2p.errors import LocalError
from p2p.net.mesh import LinkState
from p2p.protocol import step_kinds
from p2p.protocol.effects import Done, Fault, Write
from p2p.protocol.entry import Chain, Unread, unread
from p2p.protocol.frame_kinds import FINISHED, HAVE, LINKED, TOLD
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat, own_past
from p2p.protocol.proposal import TOKEN_BYTES, Proposal, propose
from p2p.protocol.step import Program, Step
from p2p.protocol.terms import Terms
from p2p.seat.desk import Desk, DropLink, Flood, Post, Save
from p2p.seat.recovery import reopen
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from p2p.seat.stages import Left, Stage
from tests.protocol.kit import identities, table_secrets

WAITS: Final = 5.0
"""How far time goes when nothing can happen: past all that a seat puts off."""
WAITS_MAX: Final = 8
"""How often it may go by without anything else."""
Shape = Sequence[Sequence[int]]
"""Who owes an entry, for each step."""


class Event(NamedTuple):
    """What may happen next: deliver (from `source`), write, crash, return, or wait."""

    what: str
    seat: int = 0
    source: int = 0


@dataclass
class Found:
    """What a search has seen.

    `steps` are the ways looked at, `runs` how often a seat was run, `doubts` how often of these to
    see whether it matters how a seat came to its state.
    """

    states: int = 0
    steps: int = 1
    ends: int = 0
    runs: int = 0
    doubts: int = 0
    last: frozenset[int] = field(default=frozenset(), repr=False)
    """The ends themselves, as the searched tables number them."""


class Around(Protocol):
    """What a seat needs of its table."""

    @property
    def count(self) -> int: ...

    @property
    def shape(self) -> Shape: ...

    @property
    def keys(self) -> tuple[bytes, ...]: ...

    @property
    def now(self) -> float: ...

    def is_there(self, seat: int) -> bool:
        """Whether the program of a seat is running."""

    def send(self, place: Place, to: int, frame: bytes) -> None:
        """A frame leaves a seat."""


class WrongError(AssertionError):
    """Something happened that never may."""


@cache
def proposal_of(count: int) -> Proposal:
    seats = [(one.public, one.name, False) for one in identities(count)]
    return propose(bytes(TOKEN_BYTES), Terms.of("sneak"), seats)


def keys_of(count: int) -> tuple[bytes, ...]:
    """The keys of the seats."""
    return proposal_of(count).identities


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

    def __init__(self, table: Around, seat: int, disk: Disk, life: int) -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.disk: Final = disk
        self.life: Final = life
        self.is_safe = False
        """Whether it cannot crash any more: then nobody will read its disk."""
        self.ended = False
        self.writes: Final[deque[Save]] = deque()
        self.past: Final = tuple(disk.own)
        proposal, count = proposal_of(table.count), table.count
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

    def greet(self) -> None:
        """It has come back, and is linked with all that are there."""
        for key in self.table.keys:
            if self.is_linked(key):
                self.runner.link_changed(key, up=True)

    def write(self) -> None:
        """What it wants on the disk next is there."""
        save = self.writes.popleft()
        done = save.act(self.disk)  # type: ignore[arg-type]
        self.desk.answer(save.number, lambda: done)

    def look(self, origin: Unread) -> None:
        """What it signed may leave only when it is on the disk."""
        if origin.seat == self.seat and origin.record not in self.disk.own:
            raise WrongError(f"seat {self.seat} sent what is not on its disk, step {origin.step}")

    # -- what its desk asks about links ----------------------------------------------------

    def is_linked(self, key: bytes, /) -> bool:
        other = self.table.keys.index(key)
        return other != self.seat and self.table.is_there(other)

    def links(self) -> dict[bytes, LinkState]:
        return {key: LinkState(True) for key in self.table.keys if self.is_linked(key)}

    def round_trip_us(self, key: bytes, /) -> int | None:
        return None

    # -- orders ----------------------------------------------------------------------------

    def settle(self) -> None:
        while (order := self.desk.take()) is not None:
            self.carry_out(order)

    def carry_out(self, order: object) -> None:
        """Do what its desk asks for."""
        table = self.table
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
        catching_up = runner._catching_up
        answered = catching_up._answered.items()
        return (
            *(self.life, self.ended, machine.chain.step, machine.chain.head),
            *(tuple(held.now()), tuple(held.later())),
            tuple(sorted((seat, one.record) for seat, one in held.strays.items())),
            *(machine.may_sign, machine._asked_own, runner._writes),
            *(self._told(), tuple(sorted(runner.parting._finished))),
            *(catching_up._asked_at == self.table.now, catching_up._soon.due < math.inf),
            tuple(sorted(who for who, (at, _) in answered if at == self.table.now)),
            self.insists(),
            tuple(sorted((k, tuple(sorted(v))) for k, v in forwarding.links_of.items())),
            tuple((key, tuple(kept)) for key, kept in forwarding._deferred.items()),
            *(tuple(sorted(forwarding._taken)), tuple(sorted(forwarding._announced or ()))),
            *(len(self.writes), self.is_safe, *self._on_disk()),
        )

    def _told(self) -> tuple[bytes, ...]:
        """Who has sent all it had: nothing to whoever was never away, and may sign."""
        settled = not self.life and self.machine.may_sign
        return () if settled else tuple(sorted(self.runner._catching_up.told))

    def _on_disk(self) -> tuple[object, ...]:
        """What was signed in another life decides until that step is over, or for another one."""
        if not self.is_safe:
            return tuple(self.disk.own), len(self.disk.log)
        step = self.machine.chain.step
        return tuple(record for record in self.past if unread(record).step >= step)

    def insists(self) -> tuple[object, ...]:
        """At which step it has been waiting, and for how long."""
        alarm = self.runner._stalled._timer._alarm
        if alarm is None:
            return ()
        _, stuck, waited = cast("partial[None]", alarm.act).args
        return stuck, min(waited, self.runner.patience.for_a_close)


@cache
def identities_of(count: int) -> Any:
    return identities(count)


@cache
def table_secrets_of(count: int) -> Any:
    return table_secrets(count, 1)


def frames_at_once(crashes: int) -> frozenset[int]:
    """Frames that arrive at once: those on links, and what matters only after a crash."""
    rest = () if crashes else (HAVE, TOLD, FINISHED)
    return frozenset([kind.number for kind in (LINKED, *rest)])
