"""A transcript that remembers what went into it, so that a test sees the prover's commitments."""

from __future__ import annotations

from typing import Any

from p2p.crypto.group import Scalar
from p2p.crypto.transcript import Transcript


class Recording(Transcript):
    """As `Transcript`; `absorbed` and `drawn` are by label, the latest of each."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.absorbed: dict[str, tuple[bytes, ...]] = {}
        self.drawn: dict[str, Any] = {}

    def append(self, label: str, *data: bytes) -> None:
        self.absorbed[label] = data
        super().append(label, *data)

    def challenge(self, label: str) -> Scalar:
        self.drawn[label] = super().challenge(label)
        return self.drawn[label]

    def challenges(self, label: str, n: int, bits: int = 128) -> list[int]:
        self.drawn[label] = super().challenges(label, n, bits)
        return self.drawn[label]

    def copy(self) -> Recording:
        twin = Recording("")
        twin._state = self._state
        twin.absorbed, twin.drawn = dict(self.absorbed), dict(self.drawn)
        return twin
