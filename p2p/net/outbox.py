"""The bounded queue in front of a link's only writer."""

from __future__ import annotations

from collections import deque
from typing import final

import trio


@final
class Outbox:
    """Frames on their way out.  Putting never waits; a full box says so instead."""

    def __init__(self, max_frames: int, max_bytes: int) -> None:
        self._max_frames = max_frames
        self._max_bytes = max_bytes
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._filled = trio.Event()
        self._emptied = trio.Event()
        self._emptied.set()
        self._unwritten = 0

    def put(self, frame: bytes, *, first: bool = False) -> bool:
        """Queue a frame, `first` ahead of all others; False where it does not fit."""
        if len(self._frames) >= self._max_frames or self._bytes + len(frame) > self._max_bytes:
            return False
        if first:
            self._frames.appendleft(frame)
        else:
            self._frames.append(frame)
        self._bytes += len(frame)
        self._unwritten += 1
        if self._unwritten == 1:
            self._emptied = trio.Event()
        self._filled.set()
        return True

    async def get(self) -> bytes:
        """The next frame, as soon as there is one; for the writer only."""
        while not self._frames:
            self._filled = trio.Event()
            await self._filled.wait()
        frame = self._frames.popleft()
        self._bytes -= len(frame)
        return frame

    def written(self) -> None:
        """The writer has sent the frame it got."""
        self._unwritten -= 1
        if self._unwritten == 0:
            self._emptied.set()

    async def join(self) -> None:
        """Return once everything put so far, and whatever came meanwhile, is written."""
        await self._emptied.wait()
