"""Frames as bytes: a 4-byte big-endian length, then that many bytes.

`FrameDecoder` does no I/O: it is fed bytes and gives frames, the same ones however the
bytes were cut.
"""

from __future__ import annotations

from typing import Final, final

from p2p import checks
from p2p.errors import LocalError
from p2p.protocol.frame_kinds import FRAME_MAX

HEADER_BYTES: Final = 4


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
