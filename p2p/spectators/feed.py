"""A table as it is sent to one spectator: the header, each whole step, and what ended it.

A spectator says from which step on it wants the records, and gets them as fast as it reads
them: nothing is queued beyond what its link takes, and an answer is never begun twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import trio

from p2p.net.limits import TokenBucket
from p2p.net.mesh import Mesh
from p2p.net.strangers import SERVED, Shares
from p2p.protocol.frame_kinds import HEADER, RECORD
from p2p.protocol.genesis import Header

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
    """One spectator, called `name`, and how far it was told."""

    def __init__(self, mesh: Mesh, key: bytes, name: str, served: Shares) -> None:
        self.name = name
        self.source: Final = mesh.source(key)
        self._scope = trio.CancelScope()
        self._is_gone = False
        self._mesh = mesh
        self._key = key
        self._served = served
        self._greeted = True
        self._step: int | None = None
        self._last = 0
        self._woken = trio.Event()
        self.is_idle = False
        """Whether it has all that it asked for."""

    def greet(self) -> None:
        """It came over a new link: it is shown the header, and may say anew where it stands."""
        self._greeted, self._step, self._last = True, None, 0
        self.wake()

    def ask(self, step: int) -> None:
        """It has everything before this step.  What is already on its way is not sent again."""
        self._step = max(step, self._step or 0)
        self.wake()

    def wake(self) -> None:
        """There may be more to send."""
        self.is_idle = False
        self._woken.set()

    def stop(self) -> None:
        """It watches no more."""
        self._is_gone = True
        self._scope.cancel()

    async def run(self, told: Told) -> None:
        """Send what there is of one game, at the pace at which it reads, until it is stopped."""
        own = SERVED.key.bucket(trio.current_time())
        with trio.CancelScope() as self._scope:
            while not self._is_gone:
                self._woken = trio.Event()
                frames = self._next(told)
                if frames:
                    await self._send(frames, own)
                else:
                    self.is_idle = True
                    await self._woken.wait()

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

    async def _send(self, frames: Iterable[bytes], own: TokenBucket) -> None:
        queued = 0
        for frame in frames:
            queued += len(frame)
            if queued > CHUNK_BYTES:
                await self._mesh.flushed(self._key)
                queued = len(frame)
            wait = own.take(trio.current_time(), len(frame))
            await trio.sleep(max(wait, self._served.take(self.source, len(frame))))
            self._mesh.send(self._key, frame)
        await self._mesh.flushed(self._key)
