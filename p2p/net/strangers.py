"""What keys outside the roster may do at one mesh: all limits on them are here.

A stranger has three seconds to show the invite; until then it takes one of a few places, and a
newcomer gets the oldest place of the source that holds most.  All that it sends and is sent is
counted for its key, for its source (keys cost nothing, addresses do) and for all strangers
together.  No count lasts for ever.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, NamedTuple, final

import trio

from p2p.net.crowd import first_of_most
from p2p.net.limits import Limits, TokenBucket
from p2p.net.link import Link

CALLERS_MAX: Final = 32
"""How many links of keys that have not shown the invite may be up."""
CALL_SECONDS: Final = 3.0
"""How long they have to show it, and how long a link stays after its key gave its place back."""
FRAME_BYTES: Final = 4096
"""The largest frame of a stranger: a greeting with a list of addresses takes a third of it."""
QUEUE_FRAMES: Final = 1024
QUEUE_BYTES: Final = 512 * 1024
"""The most that may wait for one stranger; more ends the link."""
FAREWELL_SECONDS: Final = 1.0
"""How long a draining mesh waits for a stranger who does not read."""
SOURCES_KEPT: Final = 256


class Rate(NamedTuple):
    """How many a second, and how many at once."""

    a_second: float
    at_once: float

    def bucket(self, now: float) -> TokenBucket:
        return TokenBucket(self.a_second, now, self.at_once)


class Rates(NamedTuple):
    """The rate of one key, of all keys of one source, and of all strangers together."""

    key: Rate
    source: Rate
    everybody: Rate


FRAMES: Final = Rates(Rate(10, 60), Rate(40, 400), Rate(200, 800))
"""Frames that are read; an honest one sends ten at once for the round trip, then one a second."""
SERVED: Final = Rates(
    Rate(256 * 1024, 4 * 1024**2), Rate(512 * 1024, 8 * 1024**2), Rate(1024**2, 16 * 1024**2)
)
"""Bytes of the game that are sent to spectators."""


@final
class Shares:
    """Something of which each key, each source and all strangers together get a limited amount."""

    def __init__(self, rates: Rates) -> None:
        self.rates: Final = rates
        self._everybody: TokenBucket | None = None
        self._sources: dict[str, TokenBucket] = {}

    def take(self, source: str, now: float, amount: float = 1.0) -> float:
        """The seconds that a key of this source has to wait before it gets this much more.

        `now` is a clock in seconds that never goes back.
        """
        if self._everybody is None:
            self._everybody = self.rates.everybody.bucket(now)
        return max(self._bucket(source, now).take(now, amount), self._everybody.take(now, amount))

    def _bucket(self, source: str, now: float) -> TokenBucket:
        if source not in self._sources and len(self._sources) >= SOURCES_KEPT:
            # A key that has not come for a while begins anew anyway.
            self._sources = {s: b for s, b in self._sources.items() if not b.is_full(now)}
        return self._sources.setdefault(source, self.rates.source.bucket(now))


@final
class Strangers:
    """The links of a mesh to keys that are not in its roster.

    `knows` says which keys have a place here: they sit in the lobby, or watch.
    """

    def __init__(self, limits: Limits, knows: Callable[[bytes], bool]) -> None:
        self.served: Final = Shares(SERVED)
        self._frames: Final = Shares(FRAMES)
        self._limits: Final = replace(
            limits,
            queue_frames=min(limits.queue_frames, QUEUE_FRAMES),
            queue_bytes=min(limits.queue_bytes, QUEUE_BYTES),
            received_rate=FRAMES.key.a_second,
            received_burst=FRAMES.key.at_once,
            frame_bytes=FRAME_BYTES,
        )
        self._knows: Final = knows
        self._links: dict[Link, None] = {}

    async def host(self, link: Link, run: Callable[[], Awaitable[None]]) -> None:
        """Run a stranger's link within these limits."""
        self._make_room(link)
        link.limit(self._limits, lambda: self._frames.take(link.source, trio.current_time()))
        self._links[link] = None
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._expect_invite, link)
                await run()
                nursery.cancel_scope.cancel()
        finally:
            self._links.pop(link, None)

    def admit(self, link: Link, limits: Limits) -> None:
        """The key of this link is in the roster now."""
        link.limit(limits)
        self._links.pop(link, None)

    def _make_room(self, link: Link) -> None:
        if self._knows(link.peer):
            return
        callers = [one for one in self._links if not self._knows(one.peer)]
        if len(callers) >= CALLERS_MAX:
            oldest, _ = first_of_most(((one, one.source) for one in callers), link.source)
            oldest.stop("crowded out: too many called without the invite")
            self._links.pop(oldest)

    async def _expect_invite(self, link: Link) -> None:
        while True:
            await trio.sleep(CALL_SECONDS)
            if link not in self._links:
                return
            if not self._knows(link.peer):
                link.stop(f"no place here, and no invite shown for {CALL_SECONDS:g} s")
