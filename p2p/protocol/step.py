"""What a step is: who owes an entry, how one is made, and how each is checked.

Protocol programs are generators.  They yield a `Step` and receive `{seat: parsed payload}`
when every owed entry has arrived and is verified, or they yield `Work` and receive its result.
Their driver (a peer that plays, an audit that reads) decides where entries come from.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple, TypeVar

from engine.question import Question
from engine.zone import Seat
from p2p import checks
from p2p.protocol import step_kinds
from p2p.protocol.races.window import Window
from p2p.protocol.step_kinds import StepKind

T = TypeVar("T")
Parsed = dict[Seat, Any]


class Leave(Enum):
    """The decision of a seat that leaves for good, instead of an answer; also its parsed entry."""

    LEAVE = "leave"


LEAVE: Final = Leave.LEAVE


class SeatLeftError(Exception):
    """Raised in a program at a step in which seats leave for good instead of deciding.

    `stayed` are the entries of the others.  A program that does not catch it is void.
    """

    def __init__(self, stayed: Parsed) -> None:
        super().__init__()
        self.stayed: Final = stayed


class SeatLostError(Exception):
    """Raised in a program at a step that is void, since the others voted seats out.

    A program that settles what was decided before catches it and asks again, without these seats.
    """


class Kept(NamedTuple):
    """A payload with the secret that has to be on disk before the payload is sent."""

    payload: object
    secret: bytes

    def __repr__(self) -> str:
        return "Kept(content hidden)"


@dataclass(slots=True)
class Step:
    """One round of entries.

    `parse` checks the shape of a payload, `verify` its proof; both raise PeerError.  `make`
    builds this seat's own payload (from its decision, if `question` asks for one); it is
    None if this machine plays no seat.  `heavy` work belongs in a worker thread.  In a
    race, `window` says when a pass may leave.

    If it `judges_own`, this seat's own entry is verified like any other: it may be an accusation.

    In a step that `may_leave`, a seat may leave for good instead of deciding.
    """

    kind: StepKind
    owed: tuple[Seat, ...]
    parse: Callable[[Seat, Any], Any]
    verify: Callable[[Seat, Any], None] | None = None
    make: Callable[[Any], object] | None = None
    question: Question[Any] | None = None
    heavy: bool = False
    window: Window | None = None
    judges_own: bool = False
    may_leave: bool = False

    def owes(self, seat: Seat, kind: str) -> bool:
        """Whether an entry of this kind is what is asked of a seat."""
        asked = kind == self.kind or (self.may_leave and kind == step_kinds.LEAVE)
        return asked and seat in self.owed

    def read(self, seat: Seat, kind: str, payload: Any) -> Any:
        """The entry, parsed; PeerError from its shape."""
        if kind != step_kinds.LEAVE:
            return self.parse(seat, payload)
        checks.require("leave.payload", payload is None, "malformed", "who leaves says no more")
        if self.window is not None:
            self.window.leave(seat)
        return LEAVE


@dataclass(slots=True)
class Work:
    """A long computation between steps (a chain of shuffles to verify)."""

    run: Callable[[], Any]


Program = Generator[Step | Work, Any, T]
