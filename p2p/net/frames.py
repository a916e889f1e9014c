"""Frames: a 4-byte big-endian length, then that many bytes, over any trio stream.

`FrameDecoder` does no I/O: it is fed bytes and gives frames, the same ones however the
bytes were cut.  `Frames` puts it on a stream.
"""

from __future__ import annotations

import math
from typing import Final, final

import trio

from p2p import checks
from p2p.errors import LocalError
from p2p.protocol.frame_kinds import FRAME_MAX

HEADER_BYTES: Final = 4
_CHUNK: Final = 64 * 1024


def encode_frame(payload: bytes) -> bytes:
    """Header and payload; LocalError for an empty payload or one above `FRAME_MAX`."""
    if not 1 <= len(payload) <= FRAME_MAX:
        raise LocalError(f"a frame holds 1 to {FRAME_MAX} bytes, not {len(payload)}")
    return len(payload).to_bytes(HEADER_BYTES, "big") + payload


@final
class FrameDecoder:
    """Cuts received bytes into payloads.  Holds at most one frame and one received chunk."""

    def __init__(self, limit: int = FRAME_MAX) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def receive_data(self, data: bytes | bytearray) -> None:
        """Take in bytes as they came."""
        self._buffer += data

    def next_frame(self) -> bytes | None:
        """The next whole payload, or None until more bytes come.

        PeerError `malformed` for a header of zero or of more than the limit, before any of
        that frame is kept.
        """
        if len(self._buffer) < HEADER_BYTES:
            return None
        length = int.from_bytes(self._buffer[:HEADER_BYTES], "big")
        checks.require(
            "frames.length",
            1 <= length <= self.limit,
            "malformed",
            f"a frame of {length} bytes is announced; 1 to {self.limit} are allowed",
        )
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        return payload

    def check_end(self) -> None:
        """PeerError `malformed` if the bytes ended inside a frame."""
        checks.require(
            "frames.end", not self._buffer, "malformed", "the connection ended inside a frame"
        )


@final
class Wait:
    """How long a task has been waiting, for another task that watches it.

    A scope with a deadline around each of many short waits would cost more than the waits.
    """

    def __init__(self) -> None:
        self._since = math.inf

    def __enter__(self) -> None:
        self._since = trio.current_time()

    def __exit__(self, *_: object) -> None:
        self._since = math.inf

    async def lasts(self, seconds: float) -> None:
        """Return once a single wait has lasted this long."""
        while (now := trio.current_time()) < self._since + seconds:
            await trio.sleep_until(min(self._since, now) + seconds)


@final
class Frames:
    """Frames over a stream: one task may receive while one other sends.

    After a send was cancelled or failed, the stream may hold half a frame: it then refuses
    everything but `aclose`.  `reading` and `writing` say how long the stream has kept us waiting.
    """

    def __init__(self, stream: trio.abc.Stream, *, limit: int = FRAME_MAX) -> None:
        self.reading: Final = Wait()
        self.writing: Final = Wait()
        self._stream: Final = stream
        self._decoder: Final = FrameDecoder(limit)
        self._half_sent = False

    def set_limit(self, limit: int) -> None:
        """Allow frames of up to `limit` bytes from here on."""
        self._decoder.limit = limit

    async def receive(self) -> bytes:
        """The next payload; between those that came together, other tasks have their turn.

        trio.EndOfChannel if the peer closed between frames; trio.BrokenResourceError if the stream
        broke; PeerError `malformed` for a forbidden length or an end inside a frame.
        """
        if (payload := self._decoder.next_frame()) is not None:
            await trio.lowlevel.checkpoint()
            return payload
        while payload is None:
            with self.reading:
                data = await self._stream.receive_some(_CHUNK)
            if not data:
                self._decoder.check_end()
                raise trio.EndOfChannel
            self._decoder.receive_data(data)
            payload = self._decoder.next_frame()
        return payload

    async def send(self, *payloads: bytes) -> None:
        """Send frames, one for each payload, in one write; LocalError for a forbidden length."""
        data = b"".join(map(encode_frame, payloads))
        if self._half_sent:
            raise trio.BrokenResourceError("an earlier frame was cut off")
        self._half_sent = True
        with self.writing:
            await self._stream.send_all(data)
        self._half_sent = False

    async def aclose(self) -> None:
        """Close the stream in good order, if it still is in good order."""
        if self._half_sent:
            await trio.aclose_forcefully(self._stream)
        else:
            await self._stream.aclose()

    async def abort(self) -> None:
        """Close the stream at once."""
        await trio.aclose_forcefully(self._stream)
