"""Every kind of frame: its number, its name, who sends it, its size, and what it holds.

A new kind is one line of this table, and a handler that a room registers with its `Inbox`, the one
way in: a room gets the kinds that it takes, from those who may send them, no larger than they may
be.  No other code puts a number before a payload, or reads one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from types import NoneType
from typing import Any, Final, Generic, Protocol, TypeVar, final

from p2p import checks
from p2p.protocol import wire
from p2p.protocol.terms import TERMS
from p2p.protocol.wire import Shape

FRAME_MAX: Final = wire.RECORD_MAX + 64
"""Longest frame in bytes: a record of 128 KiB and the few bytes that say what it is."""
SMALL_MAX: Final = 1024
"""The largest frame of a game that is not a record, in bytes."""
NEXT_FRAME_MAX: Final = 4 * SMALL_MAX
"""The largest frame about the next game, in bytes: its plan, and a list of addresses."""
NONCE_BYTES: Final = 8
"""The size of what a ping and its pong hold."""


class Sender(Flag):
    """Who sends frames of a kind: anybody with a link, or people in these roles."""

    LINK = auto()
    SEAT = auto()
    HOST = auto()
    GUEST = auto()
    SPECTATOR = auto()


STRANGER: Final = Sender.GUEST | Sender.SPECTATOR
"""What somebody without a seat may be."""
ANYBODY: Final = Sender.SEAT | Sender.HOST | STRANGER
"""What a seat may be: it may propose the next table, greet anew, or ask to watch."""


class Codec(Protocol):
    """How a payload is written and read; `read` raises PeerError `malformed`."""

    def pack(self, value: Any) -> bytes: ...

    def read(self, payload: bytes) -> Any: ...


@final
class _Bytes:
    """Bytes decoded elsewhere: a record, a ballot, a header, an id, a sentence."""

    def pack(self, value: bytes) -> bytes:
        return value

    def read(self, payload: bytes) -> bytes:
        return payload


@final
@dataclass(frozen=True, slots=True)
class _Map:
    """A map with exactly these fields."""

    shape: Shape

    def pack(self, value: dict[str, Any]) -> bytes:
        return wire.pack(value)

    def read(self, payload: bytes) -> dict[str, Any]:
        return wire.take(wire.unpack(payload), self.shape)


@final
@dataclass(frozen=True, slots=True)
class _Array:
    """An array; `what` names it in a refusal."""

    what: str

    def pack(self, value: list[Any]) -> bytes:
        return wire.pack(value)

    def read(self, payload: bytes) -> list[Any]:
        items: list[Any] = wire.exactly(wire.unpack(payload), list, self.what)
        return items


@final
@dataclass(frozen=True, slots=True, eq=False)
class FrameKind:
    """One row of the table; `limit` counts all bytes of a frame, with its kind."""

    number: int
    name: str
    senders: Sender
    limit: int
    codec: Codec

    def make(self, value: Any) -> bytes:
        """The frame of this kind that holds `value`."""
        return bytes([self.number]) + self.codec.pack(value)

    def read(self, payload: bytes) -> Any:
        """What a payload of this kind holds; PeerError `malformed`."""
        return self.codec.read(payload)


KINDS: Final[dict[int, FrameKind]] = {}
"""The table, by number."""


def add(number: int, name: str, senders: Sender, limit: int, codec: Codec) -> FrameKind:
    """Add a row to the table.  ValueError for a number that is taken."""
    if number in KINDS:
        raise ValueError(f"there are two kinds of frames with the number {number:02x}")
    KINDS[number] = FrameKind(number, name, senders, limit, codec)
    return KINDS[number]


def kind_of(frame: bytes) -> FrameKind | None:
    """The kind of a frame, which is not empty; None if no kind has its number."""
    return KINDS.get(frame[0])


def payload_of(frame: bytes) -> bytes:
    """What follows the kind."""
    return frame[1:]


_BYTES: Final = _Bytes()
_PLACE: Final = _Map({"table": bytes, "step": int})
_LINKED: Final = _Map({"proposal": bytes, "seats": list})
_AGAIN: Final = _Map({"table": bytes, "again": bool, "plan": bytes, "addresses": bytes})
_LISTS: Final = _Map({"proposal": bytes, "lists": list})
_HELLO: Final = _Map(
    {
        "version": int,
        "token": bytes,
        "name": str,
        "bot": bool,
        "addresses": bytes,
        "ready": (bytes, bool, NoneType),  # a bool from programs of earlier versions
        "linked": list,
    }
)
_PROPOSAL: Final = _Map({"proposal": bytes, "addresses": list})
_PLAN: Final = _Map({"seats": int, **TERMS})
_WATCH: Final = _Map({"version": int, "token": bytes, "name": str})
_STAYING: Final = _Map({"table": bytes, "staying": list, "leaving": list, "plan": bytes})

PING: Final = add(0x00, "ping", Sender.LINK, 1 + NONCE_BYTES, _BYTES)
PONG: Final = add(0x01, "pong", Sender.LINK, 1 + NONCE_BYTES, _BYTES)
RECORD: Final = add(0x10, "record", Sender.SEAT, FRAME_MAX, _BYTES)
HAVE: Final = add(0x11, "have", Sender.SEAT | Sender.SPECTATOR, SMALL_MAX, _PLACE)
TOLD: Final = add(0x12, "told", Sender.SEAT, SMALL_MAX, _PLACE)
BALLOT: Final = add(0x13, "ballot", Sender.SEAT, SMALL_MAX, _BYTES)
FINISHED: Final = add(0x14, "finished", Sender.SEAT, SMALL_MAX, _BYTES)
LINKED: Final = add(0x15, "linked", Sender.SEAT, SMALL_MAX, _LINKED)
DIFFERS: Final = add(0x16, "differs", Sender.SEAT, SMALL_MAX, _PLACE)
CHAT: Final = add(0x17, "talk", Sender.SEAT, FRAME_MAX, _BYTES)
AGAIN: Final = add(0x18, "again", Sender.SEAT, NEXT_FRAME_MAX, _AGAIN)
ADDRESSES: Final = add(0x19, "addresses", Sender.SEAT, FRAME_MAX, _LISTS)
HELLO: Final = add(0x20, "hello", Sender.GUEST, FRAME_MAX, _HELLO)
PROPOSAL: Final = add(0x21, "proposal", Sender.HOST, FRAME_MAX, _PROPOSAL)
REFUSED: Final = add(0x22, "refused", Sender.SEAT | Sender.HOST, FRAME_MAX, _BYTES)
PLAN: Final = add(0x23, "plan", Sender.HOST, FRAME_MAX, _PLAN)
WATCH: Final = add(0x24, "watch", Sender.SPECTATOR, FRAME_MAX, _WATCH)
HEADER: Final = add(0x25, "header", Sender.SEAT, FRAME_MAX, _BYTES)
WATCHED: Final = add(0x26, "watched", Sender.SEAT, FRAME_MAX, _Array("the names of spectators"))
SEATS: Final = add(0x27, "seats", Sender.HOST, FRAME_MAX, _Array("the seats"))
LOBBY_TALK: Final = add(0x28, "lobby talk", Sender.HOST | Sender.GUEST, SMALL_MAX, _BYTES)
STAYING: Final = add(0x29, "staying", Sender.SEAT, NEXT_FRAME_MAX, _STAYING)


T = TypeVar("T")
Handler = Callable[[bytes, bytes], T]
"""Takes (peer key, payload); PeerError for garbage."""
Handlers = Mapping[FrameKind, Handler[T]]


def leave_aside(taken: bool) -> None:
    """It is no fault to send a frame that nobody here takes."""


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
        """Let these take their kinds too.  ValueError if somebody takes a kind already."""
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
