"""Admission to a host's lobby: who waits to be let in, and whose seat was taken for good."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

from p2p.net.crowd import first_of_most

WAITING_MAX: Final = 8
"""The most newcomers that wait at once; one more replaces the oldest of the busiest network."""
REMOVED: Final = "you were removed from this table"
CROWDED: Final = "too many wait to be let in"
LATE: Final = "the table has begun without you"

Guest = TypeVar("Guest")


class Admission(Generic[Guest]):
    """The newcomers who wait, by key; `source` names the network that a key comes from."""

    def __init__(self, source: Callable[[bytes], str]) -> None:
        self._source: Final = source
        self._by_hand = False
        self._admitted: set[bytes] = set()
        self._removed: Final[set[bytes]] = set()
        self.waiting: Final[dict[bytes, Guest]] = {}

    def lock(self, by_hand: bool, seated: Iterable[bytes]) -> None:
        """Let newcomers wait, or not; those who are `seated` now may come back without waiting."""
        self._by_hand, self._admitted = by_hand, {*self._admitted, *seated}

    def refusal(self, key: bytes) -> str | None:
        """Why this key gets no seat, in a sentence."""
        return REMOVED if key in self._removed else None

    def admits(self, key: bytes) -> bool:
        """Whether this key may sit down at once."""
        return not self._by_hand or key in self._admitted

    def wait(self, key: bytes, guest: Guest) -> bytes | None:
        """Let a newcomer wait; the key that has to go for it, if any."""
        crowd = None
        if key not in self.waiting and len(self.waiting) >= WAITING_MAX:
            waiting = [(one, self._source(one)) for one in self.waiting]
            crowd, _ = first_of_most(waiting, self._source(key))
            del self.waiting[crowd]
        self.waiting[key] = guest
        return crowd

    def admit(self, key: bytes) -> Guest:
        """Let a newcomer in who waits."""
        self._admitted.add(key)
        return self.waiting.pop(key)

    def remove(self, key: bytes) -> None:
        """Refuse this key for as long as the lobby is open."""
        self._removed.add(key)
        self._admitted.discard(key)
        self.waiting.pop(key, None)
