"""Sharing what is scarce among sources: places to wait in, and turns to be served.

A flood comes from one network, or from a few; a guest comes from its own.  So when something is
full, the source that has taken most of it gives way, and sources take turns.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, final

import trio

_T = TypeVar("_T")


def first_of_most(held: Iterable[tuple[_T, str]], newcomer: str | None = None) -> tuple[_T, int]:
    """The first thing of the source that has the most of these things, and how many that is.

    A `newcomer` counts for its source.
    """
    things = list(held)
    counted = Counter(source for _, source in things)
    counted.update([] if newcomer is None else [newcomer])
    most = max(counted[source] for _, source in things)
    return next(thing for thing, source in things if counted[source] == most), most


@final
class WaitingRoom:
    """At most `number` places; when full, a newcomer replaces the oldest of the largest source.

    Refusing newcomers instead would let silent connections shut everybody out.
    """

    def __init__(self, number: int, on_pushed_out: Callable[[], None]) -> None:
        self._number: Final = number
        self._on_pushed_out: Final = on_pushed_out
        self._held: dict[trio.CancelScope, str] = {}

    @contextmanager
    def taken(self, source: str) -> Iterator[None]:
        """Hold a place while the block runs; it is cancelled if the place is needed."""
        self._make_room(source)
        scope = trio.CancelScope()
        self._held[scope] = source
        try:
            with scope:
                yield
        finally:
            self._held.pop(scope, None)

    def _make_room(self, newcomer: str) -> None:
        if len(self._held) < self._number:
            return
        oldest, _ = first_of_most(self._held.items(), newcomer)
        del self._held[oldest]
        oldest.cancel()
        self._on_pushed_out()


@final
class Queue:
    """Lets waiting tasks go on, at most `rate` a second, one of each source in turn.

    Queue do not add up while nobody waits: a burst of them would push out those that went before.
    """

    def __init__(self, rate: float) -> None:
        self._seconds: Final = 1.0 / rate
        self._waiting: dict[str, deque[trio.Event]] = {}
        self._somebody = trio.Event()

    async def wait(self, source: str) -> None:
        """Return when it is the turn of this caller."""
        mine = trio.Event()
        self._waiting.setdefault(source, deque()).append(mine)
        self._somebody.set()
        try:
            await mine.wait()
        finally:
            self._leave(source, mine)

    async def run(self) -> None:
        """Give turns until cancelled."""
        while True:
            while not self._waiting:
                self._somebody = trio.Event()
                await self._somebody.wait()
            self._call_next()
            await trio.sleep(self._seconds)

    def _call_next(self) -> None:
        source = next(iter(self._waiting))
        queue = self._waiting.pop(source)
        queue.popleft().set()
        if queue:
            self._waiting[source] = queue  # after all others

    def _leave(self, source: str, event: trio.Event) -> None:
        """Forget a caller who had a turn or gave up."""
        queue = self._waiting.get(source, deque())
        if not event.is_set():
            queue.remove(event)
        if not queue:
            self._waiting.pop(source, None)
