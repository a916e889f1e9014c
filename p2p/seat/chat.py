"""Talk at a table: all pass it on to all, in bounded amounts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Final, Generic, TypeVar

from engine.zone import Seat
from p2p.identity.keys import Identity
from p2p.player.events import Chat
from p2p.protocol.chat import TEXT_MAX, Message, decode_message, sign_message
from p2p.protocol.frame_kinds import CHAT
from p2p.seat.desk import Desk
from p2p.text.names import is_hidden

LINES: Final = 6
IN_SECONDS: Final = 10.0
"""Somebody may say so many lines in so many seconds; more are not shown or passed on."""
Clock = Callable[[], float]
Who = TypeVar("Who", bound=Hashable)


class Speakers(Generic[Who]):
    """What was heard of each speaker: every line once, and not too many of them just now.

    A line's number is the clock in milliseconds, or one more than the last, so that numbers also
    grow over a restart; an old line that somebody repeats is not heard again.  `now` is a clock
    in seconds that never runs back.
    """

    def __init__(self, now: Clock) -> None:
        self._now: Final = now
        self._last: dict[Who, int] = {}
        self._times: dict[Who, deque[float]] = {}

    def __len__(self) -> int:
        return len(self._last)

    def next_number(self, who: Who, wall: float) -> int:
        """The number of the next line of our own; `wall` is the time of day in seconds."""
        return max(round(1000 * wall), self._last.get(who, 0) + 1)

    def may_say(self, who: Who, number: int) -> bool:
        """Whether a line with this number is new, and not one too many."""
        times = self._times.get(who, deque())
        few = len(times) < LINES or self._now() - times[0] >= IN_SECONDS
        return few and number > self._last.get(who, -1)

    def hear(self, who: Who, number: int) -> None:
        """A line is shown."""
        self._last[who] = number
        self._times.setdefault(who, deque(maxlen=LINES)).append(self._now())

    def keep(self, there: Collection[Who]) -> None:
        """Forget all others."""
        self._last = {who: number for who, number in self._last.items() if who in there}
        self._times = {who: times for who, times in self._times.items() if who in there}


def as_line(text: str) -> str:
    """What was typed, cut to what may be said; "" if nothing is left."""
    shown = "".join(" " if is_hidden(letter) else letter for letter in text)
    return " ".join(shown.split())[:TEXT_MAX].strip()


class ChatRoom:
    """One seat's part in the talk of one table.

    `overheard` gets the frame of each line, for spectators.
    """

    def __init__(
        self,
        desk: Desk,
        table: bytes,
        seats: Sequence[tuple[bytes, str]],
        own: tuple[Seat, Identity],
        overheard: Callable[[bytes], None] = lambda frame: None,
    ) -> None:
        self._desk = desk
        self._overheard = overheard
        self._table = table
        self._keys = [key for key, _ in seats]
        self._names = [name for _, name in seats]
        self._seat, self._identity = own
        self._speakers: Final = Speakers[Seat](desk.now)

    def say(self, text: str) -> bool:
        """Say a line to everybody, cut to what may be said; False if nothing is left, or
        if this seat has said too much just now."""
        line, number = as_line(text), self._speakers.next_number(self._seat, self._desk.wall())
        if not line or not self._speakers.may_say(self._seat, number):
            return False
        self._take(sign_message(self._identity, self._table, self._seat, number, line), None)
        return True

    def receive(self, peer: bytes, payload: bytes) -> None:
        """A line from a link: shown and passed on once.  PeerError for garbage."""
        message = decode_message(payload, self._keys)
        ours = message.table == self._table
        if ours and self._speakers.may_say(message.seat, message.number):
            self._take(message, peer)

    def _take(self, message: Message, source: bytes | None) -> None:
        """Pass a line on, and show it."""
        self._speakers.hear(message.seat, message.number)
        frame = CHAT.make(message.data)
        self._desk.flood(frame, skip=source)
        self._overheard(frame)
        self._desk.tell(Chat(message.seat, self._names[message.seat], message.text))
