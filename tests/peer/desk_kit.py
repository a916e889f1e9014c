"""The world of one seat without I/O: its orders are carried out at once, and remembered.

Time passes only by `Time.pass_`, and nobody answers a question before `World.decide`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from p2p.files.storage import TableFiles
from p2p.net.mesh import LinkState
from p2p.net.reach_address import AnyAddress
from p2p.player.events import Event
from p2p.protocol.effects import Write
from p2p.protocol.outcome import attempt, returning
from p2p.protocol.proposal import Proposal
from p2p.seat.desk import (
    Act,
    Ask,
    Consult,
    Desk,
    Dial,
    DropLink,
    Flood,
    Flush,
    Forget,
    KeepNewest,
    Measure,
    Order,
    Post,
    ReadSlowly,
    Retire,
    Run,
    Save,
    Unask,
)
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from tests.protocol.kit import seeded


class Time:
    """A clock in seconds that is turned by hand; all worlds that share it go on together."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now
        self._worlds: Final[list[World]] = []
        self._acts: Final[list[tuple[float, int, Act]]] = []
        self._numbers: Final = count()

    def now(self) -> float:
        return self._now

    def after(self, seconds: float, act: Act) -> None:
        """Let a test do this so much later."""
        heapq.heappush(self._acts, (self._now + seconds, next(self._numbers), act))

    def join(self, world: World) -> None:
        """This world goes on with the clock."""
        self._worlds.append(world)

    def pass_(self, seconds: float) -> None:
        """Let so much time pass: all that is due by then happens, in its order."""
        until = self._now + seconds
        self._settle()
        while (when := self._next()) <= until:
            self._now = max(self._now, when)
            while self._acts and self._acts[0][0] <= self._now:
                heapq.heappop(self._acts)[2]()
            for world in self._worlds:
                world.desk.ring()
            self._settle()
        self._now = until

    def _next(self) -> float:
        alarms = (world.desk.wakes_at for world in self._worlds)
        due = [when for when in alarms if when is not None]
        return min([*due, *(when for when, _, _ in self._acts[:1])], default=float("inf"))

    def _settle(self) -> None:
        while any(world.settle() for world in self._worlds):
            pass


class Left(NamedTuple):
    """A frame that left at a time; `to` is None if it was flooded, past `skip`."""

    at: float
    to: bytes | None
    frame: bytes
    skip: bytes | None = None


class Links:
    """What a seat knows of its links: everybody in `peers` is linked.

    Each comes from a source of its own, but for those in `crowd`.
    """

    def __init__(self, peers: Iterable[bytes]) -> None:
        self.peers: Final = list(peers)
        self.trips_us: Final[dict[bytes, int]] = {}
        self.crowd: Final[set[bytes]] = set()

    def is_linked(self, key: bytes, /) -> bool:
        return key in self.peers

    def links(self) -> dict[bytes, LinkState]:
        return {peer: LinkState(True) for peer in self.peers}

    def round_trip_us(self, key: bytes, /) -> int | None:
        return self.trips_us.get(key)

    def source(self, key: bytes, /) -> str:
        return "crowd" if key in self.crowd else key.hex()


class NoDisk:
    """Files that nobody looks at."""

    sync_seconds = 0.0

    def write(self, asked: Write) -> None:
        """As if it were on a disk."""

    def complete(self, step: int, records: Sequence[bytes], milliseconds: int) -> None:
        """As if it were in a log."""

    def remember(self, records: Sequence[bytes]) -> None:
        """As if it were written with the next entry."""

    def sync_log(self) -> None:
        """As if there were a log."""

    def sure(self) -> None:
        """As if there were a ledger."""

    def keep(self, item: list[object]) -> None:
        """As if it were in a seat file."""


class World:
    """One seat's desk, and what became of its orders.

    Saves wait while `disk_is_busy`, and whoever flushes while `nobody_reads`; everything else but
    questions is answered at once.
    """

    def __init__(
        self,
        peers: Iterable[bytes] = (),
        files: TableFiles | None = None,
        time: Time | None = None,
    ) -> None:
        self.time: Final = time or Time()
        self.known: Final = Links(peers)
        self._told: Final[list[Event]] = []
        self.desk: Final = Desk(
            *(self.time.now, self.known, seeded("world")),
            wall=self.time.now,
            tell=self._told.append,
        )
        self.files: Final[Any] = files or NoDisk()
        self.disk_is_busy = False
        self.nobody_reads = False
        self._left: Final[list[Left]] = []
        self._dropped: Final[list[tuple[float, bytes]]] = []
        self._slowed: Final[list[bytes]] = []
        self._dialled: Final[dict[bytes, tuple[AnyAddress, ...]]] = {}
        self._asked: Final[dict[int, Ask]] = {}
        self._unasked: Final[list[Ask]] = []
        self._consulted: Final[dict[int, Consult]] = {}
        self._renewed: Final[list[bytes]] = []
        self._waiting: Final[list[Save]] = []
        self._unread: Final[list[Flush]] = []
        self.time.join(self)

    # -- what became of the orders ---------------------------------------------------------

    @property
    def left(self) -> list[Left]:
        """The frames that left, in their order; a flood is one."""
        self.settle()
        return self._left

    @property
    def posted(self) -> list[tuple[bytes, bytes]]:
        """(peer, frame) of what was sent to one peer."""
        return [(one.to, one.frame) for one in self.left if one.to is not None]

    @property
    def flooded(self) -> list[tuple[bytes, bytes | None]]:
        """(frame, past whom) of what was sent to all."""
        return [(one.frame, one.skip) for one in self.left if one.to is None]

    @property
    def frames(self) -> list[bytes]:
        """The same without when and to whom."""
        return [one.frame for one in self.left]

    @property
    def told(self) -> list[Event]:
        """What the player was told."""
        self.settle()
        return self._told

    @property
    def dropped(self) -> list[tuple[float, bytes]]:
        """Whose links were ended, and when."""
        self.settle()
        return self._dropped

    @property
    def slowed(self) -> list[bytes]:
        """Who was to be read slowly, each time."""
        self.settle()
        return self._slowed

    @property
    def dialled(self) -> dict[bytes, tuple[AnyAddress, ...]]:
        """With whom a link is kept up, and where they are by their own last word."""
        self.settle()
        return self._dialled

    @property
    def asked(self) -> list[Ask]:
        """The questions that nobody has answered or taken back."""
        self.settle()
        return list(self._asked.values())

    @property
    def unasked(self) -> list[Ask]:
        """The questions that were taken back."""
        self.settle()
        return self._unasked

    @property
    def consulted(self) -> list[Consult]:
        """What our own person does just now."""
        self.settle()
        return list(self._consulted.values())

    @property
    def renewed(self) -> list[bytes]:
        """Of whose links only the newest was kept, each time."""
        self.settle()
        return self._renewed

    # -- what happens ----------------------------------------------------------------------

    def decide(self, decision: object) -> None:
        """The player answers the oldest question, if there is one."""
        self.settle()
        for number in list(self._asked)[:1]:
            del self._asked[number]
            self.desk.answer(number, returning(decision))
        self.settle()

    def does(self, result: object) -> None:
        """Our own person is done with the oldest of what it does, with this result."""
        self.settle()
        for number in list(self._consulted)[:1]:
            del self._consulted[number]
            self.desk.answer(number, returning(result))
        self.settle()

    def saved(self) -> None:
        """The disk has done what waited for it."""
        self.disk_is_busy = False
        waiting, self._waiting[:] = list(self._waiting), []
        for save in waiting:
            self._carry_out(save)
        self.settle()

    def read(self) -> None:
        """What was sent before is read."""
        self.settle()
        unread, self._unread[:] = list(self._unread), []
        for flush in unread:
            self.desk.answer(flush.number, returning(None))
        self.settle()

    def settle(self) -> bool:
        """Carry out all that was ordered; whether there was anything."""
        anything = False
        while (order := self.desk.take()) is not None:
            anything = True
            self._carry_out(order)
        return anything

    def _carry_out(self, order: Order) -> None:
        match order:
            case Post(peer, frame):
                self._left.append(Left(self.time.now(), peer, frame))
            case Flood(frame, skip):
                self._left.append(Left(self.time.now(), None, frame, skip))
            case DropLink(peer):
                self._drop(peer)
            case ReadSlowly(peer):
                self._slowed.append(peer)
            case Dial(peer, addresses):
                self._dialled[peer] = tuple(addresses)
            case Retire(peer) | Forget(peer):
                self._dialled.pop(peer, None)
            case KeepNewest(peer):
                self._renewed.append(peer)
            case Ask(number):
                self._asked[number] = order
            case Consult(number):
                self._consulted[number] = order
            case Unask(number):
                if self._consulted.pop(number, None) is None:
                    self._unasked.append(self._asked.pop(number))
            case Flush() if self.nobody_reads:
                self._unread.append(order)
            case Measure(number) | Flush(number):
                self.desk.answer(number, returning(None))
            case Run(number, job):
                self.desk.answer(number, attempt(job))
            case Save():
                self._save(order)

    def _drop(self, peer: bytes) -> None:
        self._dropped.append((self.time.now(), peer))
        if self.known.is_linked(peer):
            self.known.peers.remove(peer)

    def _save(self, save: Save) -> None:
        if self.disk_is_busy:
            self._waiting.append(save)
        else:
            self.desk.answer(save.number, returning(save.act(self.files)))


class Nobody:
    """An audience without people."""

    def step(self, records: Sequence[bytes]) -> None:
        """Nobody looks."""

    def end(self, frames: Sequence[bytes]) -> None:
        """Nobody asks why."""


def runner_at(world: World, proposal: Proposal, seat: int = 0) -> Runner:
    """A seat's runner in this world, before its table is signed."""
    return Runner(world.desk, proposal, seat, Patience(), Nobody())
