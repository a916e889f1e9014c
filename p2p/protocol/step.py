"""What a step is: who owes an entry, how one is made, and how each is checked.

Protocol programs are generators.  They yield a `Step` and receive `{seat: parsed payload}`
when every owed entry has arrived and is verified, or they yield `Work` and receive its result.
Their driver (a peer that plays, an audit that reads) decides where entries come from.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from engine.question import Question
from engine.zone import Seat
from p2p.protocol.races.window import Window
from p2p.protocol.step_kinds import StepKind

T = TypeVar("T")
Parsed = dict[Seat, Any]


class Kept(NamedTuple):
    """A payload with the secret that has to be on disk before the payload is sent."""

    payload: object
    secret: bytes


@dataclass(slots=True)
class Step:
    """One round of entries.

    `parse` checks the shape of a payload, `verify` its proof; both raise PeerError.  `make`
    builds this seat's own payload (from its decision, if `question` asks for one); it is
    None if this machine plays no seat.  `heavy` work belongs in a worker thread.  In a
    race, `window` says when a pass may leave.
    """

    kind: StepKind
    owed: tuple[Seat, ...]
    parse: Callable[[Seat, Any], Any]
    verify: Callable[[Seat, Any], None] | None = None
    make: Callable[[Any], object] | None = None
    question: Question[Any] | None = None
    heavy: bool = False
    window: Window | None = None


@dataclass(slots=True)
class Work:
    """A long computation between steps (a chain of shuffles to verify)."""

    run: Callable[[], Any]


Program = Generator[Step | Work, Any, T]
