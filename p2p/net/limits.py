"""The limits of a mesh in one place, and what keeps rates within them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final


@dataclass(frozen=True, slots=True)
class Limits:
    """What a mesh grants itself and each peer.  Times in seconds, rates in frames per second.

    Senders pace themselves below what receivers allow, so that an honest peer never meets
    the receiving limit, however fast its table writes.

    An address that a peer only says (`p2p.net.places`) is dialled `unproven_tries` times; all
    those of one peer `unproven_dials` times, and once more each `unproven_seconds`.
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
    handshakes: int = 16
    strangers: int = 16
    links_per_peer: int = 2
    queue_frames: int = 20_000
    queue_bytes: int = 32 * 1024 * 1024
    incoming_frames: int = 1024
    sent_rate: float = 3000.0
    received_rate: float = 4000.0


@final
class TokenBucket:
    """Allows `rate` events a second on average and as many again in one burst.

    `now` is a clock in seconds that never goes back.
    """

    def __init__(self, rate: float, now: float) -> None:
        self.rate: Final = rate
        self._tokens = rate
        self._filled_at = now

    def take(self, now: float) -> float:
        """Take one token; the seconds to wait before acting on it (0.0: go ahead)."""
        self._tokens = min(self.rate, self._tokens + (now - self._filled_at) * self.rate)
        self._filled_at = now
        self._tokens -= 1.0
        return 0.0 if self._tokens >= 0.0 else -self._tokens / self.rate


@final
class Allowance:
    """So many at once, and one more after each `seconds`, never more than `most`.

    `now` is a clock in seconds that never goes back.
    """

    def __init__(self, most: int, seconds: float, now: float) -> None:
        self._most: Final = most
        self._seconds: Final = seconds
        self._left = float(most)
        self._filled_at = now

    def left(self, now: float) -> int:
        """How many may be taken now."""
        more = (now - self._filled_at) / self._seconds
        self._left, self._filled_at = min(self._most, self._left + more), now
        return int(self._left)

    def take(self, now: float) -> bool:
        """Take one; False where none is left."""
        allowed = self.left(now) > 0
        self._left -= allowed
        return allowed
