"""What a machine asks of the world around it, and when: at once, or in order.

At once: what depends on nothing that was asked for before.  Everything that is sent is of this
kind, for it is asked for only when it may be seen: our own record once it is on disk (`Write` was
answered), a peer's once its signature is checked.  So are light checks of what a peer signed.
These happen in the order in which they were asked for.

In order: everything else, each after all that was asked for before it.  A step is logged after
what led to it, a player decides about a state that is logged, the end comes last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from engine.question import Question
from p2p.errors import OutdatedError, PeerError
from p2p.protocol.entry import Entry
from p2p.protocol.outcome import Outcome
from p2p.protocol.races.window import Window

Act = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Write:
    """Put this on this seat's disk, as one item, and then call `Machine.wrote` with `number`.

    `kind` is what `record` is: "own" (an entry of this seat), "ballot" or "vote".  `secret` is what
    stands behind the entry, if anything.  Nobody sees the record before it is on disk.
    """

    number: int
    kind: str
    record: bytes
    secret: bytes | None = None

    def __repr__(self) -> str:
        return f"Write(number={self.number}, kind={self.kind!r}, content hidden)"


@dataclass(frozen=True, slots=True)
class Send:
    """Send this seat's own record of `step`, which is on disk, to everybody.

    Then tell `Machine.timing` that it has left (`Timing.leave`): races look back to that.
    """

    record: bytes
    step: int


@dataclass(frozen=True, slots=True)
class Cast:
    """Send this seat's own ballot or vote, which is on disk, to everybody."""

    record: bytes


@dataclass(frozen=True, slots=True)
class Forward:
    """Pass a peer's entry on, over every link but the one it came from."""

    entry: Entry

    @property
    def record(self) -> bytes:
        return self.entry.record


@dataclass(frozen=True, slots=True)
class Decide:
    """This seat's player decides; answer with `Machine.decide`.

    In a race (`window` given) a pass is held back until the window lets it leave.  If it
    `may_leave`, the player may leave the game for good instead (`step.LEAVE`).
    """

    step: int
    question: Question[Any]
    window: Window | None = None
    may_leave: bool = False


@dataclass(frozen=True, slots=True)
class Compute:
    """Run `job` (in a thread if it is `heavy`) and pass its outcome to `Machine.finish`."""

    number: int
    job: Callable[[], Any]
    heavy: bool


@dataclass(frozen=True, slots=True)
class Done:
    """A step is complete: its records, in seat order, for the log.

    If seats decided it, `question` is what they were asked.
    """

    step: int
    records: tuple[bytes, ...]
    question: Question[Any] | None = None


@dataclass(frozen=True, slots=True)
class Behind:
    """A peer is ahead of this machine, or on another chain: ask for records from `step`."""

    step: int


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat was caught.  `evidence` are the records beyond the log that show it."""

    error: PeerError
    evidence: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The program is through; `result` is what it returned."""

    result: Any


@dataclass(frozen=True, slots=True)
class Out:
    """The others have gone on without this seat since `step`: nothing of it counts since then."""

    step: int


@dataclass(frozen=True, slots=True)
class Outdated:
    """Our own files lack what this seat has voted: it may sign nothing here."""

    error: OutdatedError


Effect = (
    Write
    | Send
    | Cast
    | Forward
    | Decide
    | Compute
    | Done
    | Behind
    | Fault
    | Out
    | Outdated
    | Ended
)


class Agenda:
    """The effects that were asked for and are not yet handed out, in two queues.

    Each is taken from the front only.  What follows when one is answered is kept here, by number.
    """

    def __init__(self) -> None:
        self._at_once: Final[deque[Effect]] = deque()
        self._in_order: Final[deque[Effect]] = deque()
        self._jobs: Final[dict[int, Callable[[Outcome[Any]], None]]] = {}
        self._writes: Final[dict[int, Act]] = {}
        self._numbers: Final = count()

    def at_once(self, effect: Send | Cast | Forward) -> None:
        """Ask for what depends on nothing that was asked for in order."""
        self._at_once.append(effect)

    def in_order(self, effect: Decide | Done | Behind | Fault | Out | Outdated | Ended) -> None:
        """Ask for what has to come after all that was asked for before."""
        self._in_order.append(effect)

    def compute(
        self, job: Outcome[Any], then: Callable[[Outcome[Any]], None], heavy: bool, *, now: bool
    ) -> None:
        """Have something computed, in its order unless it may be `now`; and `then` this."""
        number = next(self._numbers)
        self._jobs[number] = then
        queue = self._at_once if now else self._in_order
        queue.append(Compute(number, job, heavy))

    def write(self, kind: str, record: bytes, secret: bytes | None, then: Act) -> None:
        """Have a record of our own written; and `then` this."""
        number = next(self._numbers)
        self._writes[number] = then
        self._in_order.append(Write(number, kind, record, secret))

    def computed(self, number: int) -> Callable[[Outcome[Any]], None]:
        """What follows a `Compute`, which is answered now."""
        return self._jobs.pop(number)

    def wrote(self, number: int) -> Act:
        """What follows a `Write`, which is answered now."""
        return self._writes.pop(number)

    def take(self, only_at_once: bool) -> Effect | None:
        """What comes next; None if nothing does."""
        if self._at_once:
            return self._at_once.popleft()
        return self._in_order.popleft() if self._in_order and not only_at_once else None
