"""What a seat wants done in the world: plain values, handed out in the order in which they were
wanted (`p2p.seat.desk`).

An order with a number is answered with that number (`Desk.answer`), once it is done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.question import Question
from engine.view import View
from p2p.files.storage import TableFiles
from p2p.net.reach_address import AnyAddress


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
