"""The bounded queue in front of a link's only writer."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final, final

import trio

TOGETHER_MAX: Final = 16 * 1024
"""Bytes of frames that leave in one write: what one TLS record holds (RFC 8446, 5.1)."""


@final
class Outbox:
    """Frames on their way out.  Putting never waits; a full box says so instead."""

    def __init__(self, max_frames: int, max_bytes: int) -> None:
        self._max_frames = max_frames
        self._max_bytes = max_bytes
        self._frames: deque[bytes] = deque()
        self._first: deque[bytes] = deque()
        self._bytes = 0
        self._filled = trio.Event()
        self._emptied = trio.Event()
        self._emptied.set()
        self._unwritten = 0

    def limit(self, max_frames: int, max_bytes: int) -> None:
        """Hold this much from now on."""
        self._max_frames, self._max_bytes = max_frames, max_bytes

    def put(self, frame: bytes, *, first: bool = False) -> bool:
        """Queue a frame, `first` ahead of all others; False if it does not fit."""
        count, size = len(self._first) + len(self._frames), self._bytes + len(frame)
        if count >= self._max_frames or size > self._max_bytes:
            return False
        (self._first if first else self._frames).append(frame)
        self._bytes = size
        self._unwritten += 1
        if self._unwritten == 1:
            self._emptied = trio.Event()
        self._filled.set()
        return True

    async def get(self) -> list[bytes]:
        """Wait for frames and take up to `TOGETHER_MAX` bytes of them; for the writer only.

        A frame that was put first comes alone: nothing adds to the time that it takes.
        """
        while not self._first and not self._frames:
            self._filled = trio.Event()
            await self._filled.wait()
        frames = [self._first.popleft()] if self._first else list(self._together())
        self._bytes -= sum(map(len, frames))
        return frames

    def _together(self) -> Iterator[bytes]:
        size = len(self._frames[0])
        yield self._frames.popleft()
        while self._frames and (size := size + len(self._frames[0])) <= TOGETHER_MAX:
            yield self._frames.popleft()

    def written(self, count: int) -> None:
        """Note that the writer has sent this many of the frames that it got."""
        self._unwritten -= count
        if self._unwritten == 0:
            self._emptied.set()

    async def join(self) -> None:
        """Return once everything put so far, and all that came meanwhile, is written."""
        await self._emptied.wait()
