"""What is worth a line in the log, and whose line it is.

Every package has one logger below `nodealer`, and nothing is shown or written unless somebody asks
for it.  A line names kinds, numbers and sizes: never a payload, a key, a name or an address.  What
others wrote (the reason why a link ended) is made printable, cut, and stripped of addresses here,
so that no handler has to think of it.

Several seats may play in one process, so a line carries the number of its seat.  The task that
writes the line knows it: every task that a seat starts inherits it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from p2p.errors import PeerError
from p2p.text.names import cut

P = ParamSpec("P")
T = TypeVar("T")
ROOT: Final = "nodealer"
SAID_MAX: Final = 200
"""How many letters of one part of a line are kept."""
PEERS_MAX: Final = 256
"""How many peers are numbered at once; strangers may come with any number of keys."""
_ADDRESSES: Final = re.compile(
    r"(?<![\w:])\[?(?:[0-9a-f]{0,4}:){2,}[\w:.%]*\]?(?::\d+)?"  # IPv6
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?"
    r"|\breach\+\S+"
    r"|\b(?:localhost|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}):\d+",
    re.IGNORECASE,
)


class _Place:
    """Where a line comes from: a seat, once there is one, and its names for the other peers."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.seats: dict[bytes, int] = {}
        self.met: dict[bytes, int] = {}
        self.numbered = 0

    def name(self, key: bytes) -> str:
        """The name of a peer: its seat, or a number that means nothing outside this log."""
        if key in self.seats:
            return f"seat {self.seats[key]}"
        if key not in self.met:
            if len(self.met) >= PEERS_MAX:
                self.met.pop(next(iter(self.met)))
            self.numbered += 1
            self.met[key] = self.numbered
        return f"peer {self.met[key]}"


_PLACE: Final[ContextVar[_Place | None]] = ContextVar("place", default=None)


class _Ready(logging.Filter):
    """Adds the seat to a line, and lets nothing that others wrote through unchanged."""

    def filter(self, record: logging.LogRecord) -> bool:
        place = _PLACE.get()
        record.seat = None if place is None else place.seat
        if isinstance(record.args, tuple):
            record.args = tuple(map(_said, record.args))
        return True


def _said(part: object) -> object:
    return part if isinstance(part, int | float) else without_addresses(cut(str(part), SAID_MAX))


def without_addresses(text: str) -> str:
    """The text, with a word in place of each address of a machine.

    >>> without_addresses("192.0.2.1:4000: no answer, [2001:db8::1]:4000: at 12:30:05")
    '<address>: no answer, <address>: at 12:30:05'
    """
    return _ADDRESSES.sub(_hidden, text)


def _hidden(found: re.Match[str]) -> str:
    """A time of day looks much like an IPv6 address."""
    clock = re.fullmatch(r"\d\d:\d\d:\d\d(?:[.,]\d+)?", found[0])
    return found[0] if clock else "<address>"


def logger(package: str) -> logging.Logger:
    """The one logger of a package; silent until a handler is added to `nodealer`."""
    found = logging.getLogger(f"{ROOT}.{package}")
    if not any(isinstance(one, _Ready) for one in found.filters):
        found.addFilter(_Ready())
    return found


logging.getLogger(ROOT).addHandler(logging.NullHandler())
LOG: Final = logger("p2p")


def peer(key: bytes) -> str:
    """The log's name for the peer with this key."""
    place = _PLACE.get()
    return "a peer" if place is None else place.name(key)


def seated(seat: int | None, identities: Sequence[bytes] = ()) -> None:
    """From now on lines of this task, and of the tasks that it started, are of this seat."""
    place = _PLACE.get()
    if place is None:
        place = _Place()
        _PLACE.set(place)
    known = {key: place.met[key] for key in identities if key in place.met}
    place.seat, place.seats = seat, {key: number for number, key in enumerate(identities)}
    for key, number in known.items():
        LOG.debug("peer %d has seat %d", number, place.seats[key])


@contextmanager
def _table(what: str) -> Iterator[None]:
    """One evening of one seat, and how it ended."""
    before = _PLACE.set(_Place())
    LOG.info("lobby: %s", what)
    try:
        yield
    except PeerError as error:
        LOG.warning("over: %s", error)
        raise
    except BaseException as error:
        LOG.info("over: left by %s", type(error).__name__)
        raise
    else:
        LOG.info("over: left in order")
    finally:
        _PLACE.reset(before)


def at_a_table(
    what: str,
) -> Callable[[Callable[P, Awaitable[T]]], Callable[P, Awaitable[T]]]:
    """Decorate a function that sits at a table from beginning to end: it gets lines of its own."""

    def around(sit: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
        @wraps(sit)
        async def sits(*args: P.args, **kwargs: P.kwargs) -> T:
            with _table(what):
                return await sit(*args, **kwargs)

        return sits

    return around
