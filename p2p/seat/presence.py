"""Since when peers, or links between them, are missing: one clock for whoever has to know."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Absences(Generic[Key]):
    """Who or what is absent, each since when; `now` is in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now: Final = now
        self._since: Final[dict[Key, float]] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._since

    def __iter__(self) -> Iterator[Key]:
        return iter(self._since)

    def see(self, absent: Iterable[Key]) -> None:
        """These are absent now, and no others are."""
        seen = set(absent)
        for key in self._since.keys() - seen:
            del self._since[key]
        for key in seen:
            self.begin(key)

    def begin(self, key: Key) -> None:
        """This one is absent, from now on if it was not before."""
        self._since.setdefault(key, self._now())

    def end(self, key: Key) -> None:
        """This one is here, or does not matter any longer."""
        self._since.pop(key, None)

    def seconds(self, key: Key) -> float:
        """How long this one has been absent; 0 if it is here."""
        now = self._now()
        return now - self._since.get(key, now)

    def lasting(self, seconds: float) -> set[Key]:
        """Those that have been absent for at least this long."""
        return {key for key in self._since if self.seconds(key) >= seconds}
