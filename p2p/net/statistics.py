"""Counters of a mesh, for the log at the end of a table; nothing is decided by them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

NOTES_KEPT: Final = 50


@dataclass(slots=True)
class MeshStatistics:
    """What a mesh has done since it was made."""

    dials: int = 0
    dials_failed: int = 0
    handshakes_accepted: int = 0
    handshakes_refused: int = 0
    handshakes_crowded_out: int = 0
    links_opened: int = 0
    links_closed: int = 0
    frames_sent: int = 0
    frames_received: int = 0
    bytes_sent: int = 0
    bytes_received: int = 0
    notes: deque[str] = field(default_factory=lambda: deque(maxlen=NOTES_KEPT))

    def note(self, text: str) -> None:
        """Keep a sentence about something unusual; the oldest ones are forgotten."""
        self.notes.append(text)

    def summary(self) -> str:
        """All counters in a line."""
        return (
            f"{self.dials} dials ({self.dials_failed} failed), "
            f"{self.handshakes_accepted} handshakes ({self.handshakes_refused} refused, "
            f"{self.handshakes_crowded_out} crowded out), "
            f"{self.links_opened} links opened, {self.links_closed} closed, "
            f"{self.frames_sent} frames sent ({self.bytes_sent} bytes), "
            f"{self.frames_received} received ({self.bytes_received} bytes)"
        )
