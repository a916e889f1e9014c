"""The limits of a mesh in one place, and what keeps rates within them."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Final, final

from p2p.protocol.frame_kinds import FRAME_MAX


@dataclass(frozen=True, slots=True)
class Limits:
    """What a mesh grants itself and each peer.  Times in seconds, rates in frames per second
    (`slowed_bytes` in bytes per second).

    Of the connections that have proven nothing, this many may be `silent`, wait `in_line`, or be
    `shaking_hands`: 144 in all, since some systems let a program open 256 files.  `turns` is how
    many handshakes begin in a second.

    Senders pace themselves below what receivers allow, so that an honest peer never meets
    the receiving limit, however fast its table writes.

    An address that a peer only claims (`p2p.net.places`) is dialled `unproven_tries` times; all
    those of one peer `unproven_dials` times, and once more every `unproven_seconds`.
    """

    ping_seconds: float = 2.0
    first_pings: int = 5
    first_ping_seconds: float = 0.05
    silence_seconds: float = 6.0
    write_seconds: float = 30.0
    handshake_seconds: float = 10.0
    dial_seconds: float = 6.0
    stagger_seconds: float = 0.2
    reach_after_seconds: float = 0.5
    head_start_seconds: float = 0.5
    first_pause_seconds: float = 0.25
    longest_pause_seconds: float = 5.0
    unproven_tries: int = 8
    unproven_dials: int = 48
    unproven_seconds: float = 60.0
    rest_seconds: float = 10.0
    steady_seconds: float = 5.0
    flood_seconds: float = 20.0
    first_bytes_seconds: float = 1.0
    proof_seconds: float = 5.0
    silent: int = 64
    in_line: int = 32
    shaking_hands: int = 48
    turns: float = 40.0
    links_per_peer: int = 2
    queue_frames: int = 20_000
    queue_bytes: int = 32 * 1024 * 1024
    sent_rate: float = 3000.0
    received_rate: float = 4000.0
    received_burst: float | None = None
    frame_bytes: int = FRAME_MAX
    slowed_seconds: float = 10.0
    slowed_rate: float = 500.0
    slowed_bytes: float = 8.0 * 1024 * 1024


@final
class TokenBucket:
    """Allows `rate` events a second on average, and `burst` (None: as many again) at once.

    `now` is a clock in seconds that never goes back.
    """

    def __init__(self, rate: float, now: float, burst: float | None = None) -> None:
        self.rate: Final = rate
        self._burst: Final = rate if burst is None else burst
        self._tokens = self._burst
        self._filled_at = now

    def is_full(self, now: float) -> bool:
        """Whether nothing has been taken for so long that it makes no difference any more."""
        return self._tokens + (now - self._filled_at) * self.rate >= self._burst

    def left(self, now: float) -> int:
        """How many whole tokens there are."""
        self._fill(now)
        return int(self._tokens)

    def take_if_left(self, now: float) -> bool:
        """Take one token, if there is a whole one; whether there was."""
        is_left = self.left(now) > 0
        self._tokens -= is_left
        return is_left

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self.rate)
        self._filled_at = now

    def take(self, now: float, amount: float = 1.0) -> float:
        """Take tokens; the seconds to wait before acting on them (0.0: go ahead)."""
        self._fill(now)
        self._tokens -= amount
        return 0.0 if self._tokens >= 0.0 else -self._tokens / self.rate


def at_most(usual: int, max_bytes: int | None) -> int:
    """How many bytes a read may give that asks for so many (None: as many as usual)."""
    limit = usual if max_bytes is None else operator.index(max_bytes)
    if limit < 1:
        raise ValueError("max_bytes must be at least 1")
    return limit
