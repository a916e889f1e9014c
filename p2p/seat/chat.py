"""Talk at a table: all pass it on to all, in bounded amounts."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import trio

from engine.zone import Seat
from p2p.identity.keys import Identity
from p2p.net.mesh import Mesh
from p2p.player.events import Chat, Event
from p2p.protocol.chat import TEXT_MAX, Message, decode_message, sign_message
from p2p.protocol.frame_kinds import CHAT
from p2p.text.names import is_hidden

LINES: Final = 6
IN_SECONDS: Final = 10.0
"""A seat may say so many lines in so many seconds; more are not passed on."""


class Turns:
    """Which seats have said too much just now."""

    def __init__(self) -> None:
        self._times: Final[defaultdict[Seat, deque[float]]] = defaultdict(
            partial(deque, maxlen=LINES)
        )

    def may_say(self, seat: Seat) -> bool:
        """Whether this seat may say one more line, which it does then."""
        now, times = trio.current_time(), self._times[seat]
        if len(times) == LINES and now - times[0] < IN_SECONDS:
            return False
        times.append(now)
        return True


class ChatRoom:
    """One seat's part in the talk of one table.

    A line's number is the clock in milliseconds, or one more than the last, so that numbers also
    grow over a restart; an old line that somebody repeats is not shown again.  `overheard` gets
    the frame of each line, for spectators.
    """

    def __init__(
        self,
        mesh: Mesh,
        table: bytes,
        seats: Sequence[tuple[bytes, str]],
        own: tuple[Seat, Identity],
        tell: Callable[[Event], None],
        clock: Callable[[], float] = time.time,
        overheard: Callable[[bytes], None] = lambda frame: None,
    ) -> None:
        self._mesh = mesh
        self._overheard = overheard
        self._table = table
        self._keys = [key for key, _ in seats]
        self._names = [name for _, name in seats]
        self._seat, self._identity = own
        self._tell = tell
        self._clock = clock
        self._last: dict[Seat, int] = {}
        self._turns: Final = Turns()

    def say(self, text: str) -> bool:
        """Say a line to everybody, cut to what may be said; False if nothing is left, or
        if this seat has said too much just now."""
        shown = "".join(" " if is_hidden(letter) else letter for letter in text)
        line = " ".join(shown.split())
        if not line or not self._turns.may_say(self._seat):
            return False
        number = max(round(1000 * self._clock()), self._last.get(self._seat, 0) + 1)
        self._last[self._seat] = number
        message = sign_message(
            self._identity, self._table, self._seat, number, line[:TEXT_MAX].strip()
        )
        self._pass_on(message, None)
        self._tell(Chat(self._seat, self._names[self._seat], message.text))
        return True

    def receive(self, peer: bytes, payload: bytes) -> None:
        """A line from a link: shown and passed on once.  PeerError for garbage."""
        message = decode_message(payload, self._keys)
        old = message.number <= self._last.get(message.seat, -1)
        if message.table != self._table or old or not self._turns.may_say(message.seat):
            return
        self._last[message.seat] = message.number
        self._pass_on(message, peer)
        self._tell(Chat(message.seat, self._names[message.seat], message.text))

    def _pass_on(self, message: Message, source: bytes | None) -> None:
        frame = CHAT.make(message.data)
        self._mesh.flood(frame, skip=source)
        self._overheard(frame)
