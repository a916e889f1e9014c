"""The one way in and out of a seat: what it wants of the world, and what the world answers.

Nothing in this room touches a socket, a clock, a disk, a thread or a person.  A seat puts orders
here, which are plain values.  Whoever drives it takes them in the order in which they were wanted
and carries them out; an order with a number is answered with that number (`Desk.answer`), once it
is done.  With trio that is `p2p.driver`; in tests it is a world in which everything happens by a
seed.

Time is asked of the clock that was handed in.  A driver calls `ring` when `wakes_at` has come, and
is told by `wanted` that there is something to take.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Protocol, TypeVar

from engine.question import Question
from engine.view import View
from p2p.checks import Entropy
from p2p.files.storage import TableFiles
from p2p.net.mesh import LinkState
from p2p.net.reach_address import AnyAddress
from p2p.player.events import Event
from p2p.protocol.outcome import Outcome
from p2p.seat.reply import Reply

T = TypeVar("T")
Act = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Post:
    """Queue a frame for one peer; nothing happens if it is not linked."""

    peer: bytes
    frame: bytes


@dataclass(frozen=True, slots=True)
class Flood:
    """Queue a frame for every linked seat except `skip`."""

    frame: bytes
    skip: bytes | None = None


@dataclass(frozen=True, slots=True)
class DropLink:
    """End the links to a peer that sent garbage, or keeps us waiting."""

    peer: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class ReadSlowly:
    """Read less from a peer that sends too much, for a while."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class Dial:
    """Keep up a link with this peer, which may be at these addresses by its own word; without any,
    where it was said to be before."""

    peer: bytes
    addresses: Sequence[AnyAddress] = ()


@dataclass(frozen=True, slots=True)
class Retire:
    """Send a peer only what is meant for it alone, and do not dial it; its links may stay."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class Forget:
    """Keep up no link with this peer any more; those that are up end."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class KeepNewest:
    """End all links to this peer except the one over which it was heard last."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class Flush:
    """Answer once all that is queued for this peer has been written, or its link has ended."""

    number: int
    peer: bytes


@dataclass(frozen=True, slots=True)
class Measure:
    """Answer once the round trips to all these peers are known."""

    number: int
    peers: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Save:
    """Do this with the table's files, after all earlier ones; answer with what it returns.

    What was to be synced is on the disk by then: what may be seen only after that waits for it.
    What never `syncs` takes no longer than a call.
    """

    number: int
    act: Callable[[TableFiles], Any]
    syncs: bool = True


@dataclass(frozen=True, slots=True)
class Run:
    """Run a long computation beside everything else; answer with its outcome.

    An outcome is a function that returns the result, or raises the PeerError.
    """

    number: int
    job: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the player, who sees this view; answer with the decision."""

    number: int
    view: View
    question: Question[Any]


@dataclass(frozen=True, slots=True)
class Consult:
    """Let our own person do something that takes time; answer with what it returns.

    What it raises ends the driver's run: people leave in that way.
    """

    number: int
    act: Callable[[], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Unask:
    """The answer to the `Ask` or `Consult` of this number is not wanted any more."""

    number: int


LinkOrder = Post | Flood | DropLink | ReadSlowly | Dial | Retire | Forget | KeepNewest
"""What is done with links, and not answered."""
Order = LinkOrder | Flush | Measure | Save | Run | Ask | Consult | Unask


class Links(Protocol):
    """What is known about the links of a seat just now."""

    def is_linked(self, key: bytes, /) -> bool:
        """Whether this peer is linked."""

    def links(self) -> Mapping[bytes, LinkState]:
        """The state of the link with each peer."""

    def round_trip_us(self, key: bytes, /) -> int | None:
        """The least round trip to a peer so far, in microseconds; None if not measured."""

    def source(self, key: bytes, /) -> str:
        """The source for which a linked stranger is counted (`p2p.net.strangers`)."""


class Alarm:
    """Something to be done at a time; unless it is cancelled."""

    __slots__ = ("act", "when")

    def __init__(self, when: float, act: Act) -> None:
        self.when: Final = when
        self.act: Act | None = act

    def cancel(self) -> None:
        """It is not to be done any more."""
        self.act = None


class Desk:
    """The desk of one seat at one table."""

    def __init__(
        self,
        now: Clock,
        links: Links,
        entropy: Entropy,
        *,
        wall: Clock = lambda: 0.0,
        tell: Callable[[Event], None] = lambda event: None,
        wanted: Callable[[], None] = lambda: None,
    ) -> None:
        self.now: Final = now
        """The time in seconds, of a clock that never runs back."""
        self.links: Final = links
        self.entropy: Final = entropy
        self.wall: Final = wall
        """The time of day in seconds, which people may set; only talk is numbered by it."""
        self.tell: Final = tell
        """Tells the player, at once: what the rules note has to be seen while it is so."""
        self._wanted: Final = wanted
        self._orders: Final[deque[Order]] = deque()
        self._replies: Final[dict[int, Reply[Any]]] = {}
        self._numbers: Final = count()
        self._alarms: Final[list[tuple[float, int, Alarm]]] = []

    # -- for the driver --------------------------------------------------------------------

    def take(self) -> Order | None:
        """What is to be done next; None if nothing is."""
        return self._orders.popleft() if self._orders else None

    def answer(self, number: int, outcome: Outcome[Any]) -> None:
        """The order of this number is done, and this came of it."""
        reply = self._replies.pop(number, None)
        if reply is not None:
            reply.settle(outcome)

    @property
    def wakes_at(self) -> float | None:
        """When `ring` is to be called next; None for never."""
        while self._alarms and self._alarms[0][2].act is None:
            heapq.heappop(self._alarms)
        return self._alarms[0][0] if self._alarms else None

    def ring(self) -> None:
        """Do what is due by now."""
        while (when := self.wakes_at) is not None and when <= self.now():
            _, _, alarm = heapq.heappop(self._alarms)
            act, alarm.act = alarm.act, None
            if act is not None:
                act()

    # -- for the seat ----------------------------------------------------------------------

    def at(self, when: float, act: Act) -> Alarm:
        """Do this at a time; at once, but not within this call, if the time is over."""
        alarm = Alarm(when, act)
        heapq.heappush(self._alarms, (when, next(self._numbers), alarm))
        self._wanted()
        return alarm

    def sleep(self, seconds: float) -> Reply[None]:
        """Given after so many seconds."""
        reply: Reply[None] = Reply()
        self.at(self.now() + seconds, lambda: reply.give(None))
        return reply

    def post(self, peer: bytes, frame: bytes) -> None:
        """Send a frame to one peer."""
        self._want(Post(peer, frame))

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> None:
        """Send a frame to all linked seats but one."""
        self._want(Flood(frame, skip))

    def drop(self, peer: bytes, reason: str) -> None:
        """End the links to a peer."""
        self._want(DropLink(peer, reason))

    def read_slowly(self, peer: bytes) -> None:
        """Read less from a peer."""
        self._want(ReadSlowly(peer))

    def dial(self, peer: bytes, addresses: Sequence[AnyAddress] = ()) -> None:
        """Keep up a link with a peer."""
        self._want(Dial(peer, addresses))

    def retire(self, peer: bytes) -> None:
        """Send a peer only what is meant for it alone, and do not dial it; its links may stay."""
        self._want(Retire(peer))

    def forget(self, peer: bytes) -> None:
        """Keep up no link with a peer any more."""
        self._want(Forget(peer))

    def keep_newest(self, peer: bytes) -> None:
        """End all links to a peer except the one over which it was heard last."""
        self._want(KeepNewest(peer))

    def flush(self, peer: bytes) -> Reply[None]:
        """Given once all that was sent to a peer is written, or its link has ended."""
        return self._answered(lambda number: Flush(number, peer))[1]

    def measure(self, peers: Sequence[bytes]) -> Reply[None]:
        """Given once the round trips to all these peers are known."""
        return self._answered(lambda number: Measure(number, peers))[1]

    def save(self, act: Callable[[TableFiles], Any], *, syncs: bool = True) -> Reply[Any]:
        """Do this with the files; given when it is done.  What does not sync holds up nobody."""
        return self._answered(lambda number: Save(number, act, syncs))[1]

    def run(self, job: Callable[[], Any]) -> Reply[Any]:
        """Compute this beside everything else."""
        return self._answered(lambda number: Run(number, job))[1]

    def ask(self, view: View, question: Question[Any]) -> tuple[int, Reply[Any]]:
        """Ask the player; the number is for `unask`."""
        return self._answered(lambda number: Ask(number, view, question))

    def consult(self, act: Callable[[], Awaitable[T]]) -> tuple[int, Reply[T]]:
        """Let our own person do this; given what comes of it.  The number is for `unask`."""
        return self._answered(lambda number: Consult(number, act))

    def unask(self, number: int) -> None:
        """Take back what the player was asked, unless it was answered."""
        if self._replies.pop(number, None) is not None:
            self._want(Unask(number))

    def _want(self, order: Order) -> None:
        self._orders.append(order)
        self._wanted()

    def _answered(self, order: Callable[[int], Order]) -> tuple[int, Reply[Any]]:
        number = next(self._numbers)
        reply: Reply[Any] = Reply()
        self._replies[number] = reply
        self._want(order(number))
        return number, reply
