"""The one way in for frames: a room registers the kinds that it takes, and gets only those.

The table of kinds (`p2p.protocol.frame_kinds`) says who may send what, and how large it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Generic, TypeVar, final

from p2p import checks
from p2p.protocol.frame_kinds import FrameKind, Sender, kind_of, payload_of

T = TypeVar("T")
Handler = Callable[[bytes, bytes], T]
"""Takes (peer key, payload); PeerError for garbage."""
Handlers = Mapping[FrameKind, Handler[T]]


def leave_aside(taken: bool) -> None:
    """A frame that nobody here takes is no fault."""


def unknown(taken: bool) -> None:
    """PeerError `malformed` for a frame that nobody here takes."""
    checks.require("frame.kind", taken, "malformed", "unknown kind of frame")


@final
class Inbox(Generic[T]):
    """Takes the frames of people who are at most these `senders`.

    `vet` is told for each frame whether these people may send it and it has a handler, and raises
    if both are required.
    """

    def __init__(
        self, senders: Sender, vet: Callable[[bool], None], handlers: Handlers[T] | None = None
    ) -> None:
        self._senders: Final = senders
        self._vet: Final = vet
        self._handlers: Final[dict[FrameKind, Handler[T]]] = dict(handlers or {})

    def register(self, handlers: Handlers[T]) -> None:
        """Let these take their kinds too.  ValueError if a kind is taken already."""
        twice = [kind.name for kind in handlers if kind in self._handlers]
        if twice:
            raise ValueError(f"two handlers for the same frames: {', '.join(twice)}")
        self._handlers.update(handlers)

    def take(self, peer: bytes, frame: bytes) -> T | None:
        """Hand a frame to its handler, and return its result; None without a handler.

        PeerError for a frame that is refused, here or by the handler.
        """
        kind = kind_of(frame)
        may = kind is not None and kind.senders & self._senders
        handle = self._handlers.get(kind) if kind is not None and may else None
        self._vet(handle is not None)
        if kind is None or handle is None:
            return None
        small = len(frame) <= kind.limit
        checks.require("frame.size", small, "malformed", "a frame is larger than its kind")
        return handle(peer, payload_of(frame))
