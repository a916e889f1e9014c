"""A table as it is sent to one spectator: the header, each whole step, and what ended it.

A spectator says from which step on it wants the records, and gets them as fast as it reads
them: nothing is queued beyond what its link takes, and an answer is never begun twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from p2p.errors import PeerError
from p2p.net.limits import TokenBucket
from p2p.net.strangers import Shares
from p2p.protocol.frame_kinds import HEADER, RECORD
from p2p.protocol.genesis import Header
from p2p.seat.desk import Desk
from p2p.seat.reply import Reply, Script
from p2p.supervisor import Supervisor

GALLERY: Final = Supervisor("gallery", passes=(PeerError,))
CHUNK_BYTES: Final = 64 * 1024
"""How much is handed to a link before it has written all that came before."""


@dataclass(frozen=True)
class Told:
    """What spectators may have of a table: `records` grows by itself, step by step."""

    header: Header
    records: Sequence[Sequence[bytes]]
    last: list[bytes] = field(default_factory=list)
    """Frames that follow the last whole step: what convicts a seat, or the ballots of a close."""


class Feed:
    """One spectator, called `name`, and how far it was told.

    What it is sent is counted in `served`, for the `source` that it comes from.
    """

    def __init__(self, key: bytes, name: str, source: str, served: Shares) -> None:
        self.name = name
        self.source: Final = source
        self._key: Final = key
        self._served: Final = served
        self._greeted = True
        self._step: int | None = None
        self._will_ask = True
        self._last = 0
        self._script: Script[None] | None = None
        self._more = Reply[None]()
        """Given when there may be more to send."""
        self.is_idle = False
        """Whether it has asked, and has all of it; or will not ask."""

    def begin(self, desk: Desk, told: Told) -> None:
        """Send what there is of this game, at the pace at which it is read, until `stop`."""
        self.greet()
        self._script = Script(self._feed(desk, told))

    def greet(self) -> None:
        """It came over a new link: it is shown the header, and may say anew where it stands."""
        self._greeted, self._step, self._last = True, None, 0
        self._will_ask = True
        self.wake()

    def has_seen_it(self) -> None:
        """It has seen the end of this game already, and will not ask."""
        self._will_ask = False
        self.wake()

    def ask(self, step: int) -> None:
        """It has everything before this step.  What is already on its way is not sent again."""
        self._step = max(step, self._step or 0)
        self.wake()

    def wake(self) -> None:
        """There may be more to send."""
        self._more.give(None)

    def stop(self) -> None:
        """It is sent no more of this game."""
        if self._script is not None:
            self._script.close()
            self._script = None

    async def _feed(self, desk: Desk, told: Told) -> None:
        with GALLERY.contained():
            await self._feed_on(desk, told)
        self.is_idle = True  # a feed that failed is waited for by nobody

    async def _feed_on(self, desk: Desk, told: Told) -> None:
        own = self._served.rates.key.bucket(desk.now())
        while True:
            frames = self._next(told)
            self.is_idle = not frames and not (self._step is None and self._will_ask)
            if frames:
                await self._send(frames, own, desk)
            else:
                self._more = Reply[None]()
                await self._more

    def _next(self, told: Told) -> list[bytes]:
        if self._greeted:
            self._greeted = False
            return [HEADER.make(told.header.encode())]
        if self._step is None:
            return []
        if self._step < len(told.records):
            self._step += 1
            return [RECORD.make(record) for record in told.records[self._step - 1]]
        frames = told.last[self._last :]
        self._last += len(frames)
        return frames

    async def _send(self, frames: Iterable[bytes], own: TokenBucket, desk: Desk) -> None:
        queued = 0
        for frame in frames:
            queued += len(frame)
            if queued > CHUNK_BYTES:
                await desk.flush(self._key)
                queued = len(frame)
            now, size = desk.now(), len(frame)
            wait = max(own.take(now, size), self._served.take(self.source, now, size))
            if wait > 0.0:
                await desk.sleep(wait)
            desk.post(self._key, frame)
        await desk.flush(self._key)
