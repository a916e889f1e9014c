"""What can be said about iroh without importing it, because it is an extra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import trio

LOOPBACKS: Final = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ReachPlan:
    """How an iroh endpoint is opened: with or without relays, at one address of this machine.

    `bind` None: at all of them.
    """

    relays: bool = True
    bind: str | None = None

    @classmethod
    def at(cls, bind: str | None) -> ReachPlan:
        """The plan of a table that listens at `bind`: one for this machine only asks no relay."""
        return cls(relays=bind not in LOOPBACKS, bind=bind)


class ReachedStream(trio.abc.HalfCloseableStream):
    """A stream of iroh, recognised without importing it.

    All of them are counted under one source: a key of iroh is free, and a relay hides addresses.
    """

    far_host = "reach"
