"""The spectators of a table, on the side of the seat that they came to with its invite.

They are sent the header and then each whole step, as it goes into the log, and what is said;
nothing else.  Every seat is told who watches, on the word of the seat that they came to: no
other seat knows.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import trio

from engine.zone import Seat
from p2p import checks
from p2p.driver.connection import one_error
from p2p.lobby.rematch import next_token
from p2p.net.crowd import first_of_most
from p2p.net.invite import why_not_in
from p2p.net.mesh import Mesh
from p2p.protocol import wire
from p2p.protocol.frame_kinds import REFUSED, STAYING, WATCH, WATCHED
from p2p.protocol.genesis import Header
from p2p.seat.catch_up import decode_place
from p2p.spectators.feed import Feed, Told
from p2p.text.names import is_name
from p2p.version import PROTOCOL_VERSION

SPECTATORS_MAX: Final = 8
ANNOUNCES_SECONDS: Final = 2.0
"""How often at most the seats are told who watches."""
LAST_SECONDS: Final = 2.0
"""How long a table that is over stays open for spectators who still read."""
CROWDED: Final = "too many watch already"
ENDED: Final = "nobody plays another game here"


def watch_frame(token: bytes, name: str) -> bytes:
    """The greeting of somebody who wants to watch."""
    return WATCH.make({"version": PROTOCOL_VERSION, "token": token, "name": name})


def decode_watched(payload: bytes) -> tuple[str, ...]:
    """Who watches, as a seat says it; PeerError `malformed`."""
    names = tuple(wire.exactly(name, str, "a name") for name in WATCHED.read(payload))
    sound = len(names) <= SPECTATORS_MAX and all(map(is_name, names))
    checks.require("watch.names", sound, "malformed", "these are no names of spectators")
    return names


class Gallery:
    """Who watches the games of an evening; `on_change` is told their names, once in a while.

    Between two games they stay: the next one has a token that follows from the last.
    """

    def __init__(self, mesh: Mesh, token: bytes, seated: Callable[[bytes], bool]) -> None:
        self._mesh = mesh
        self._token = token
        self._over = b""
        """The token of the game that was watched last."""
        self.seated = seated
        """Whether somebody with this key plays, and so does not watch."""
        self._feeds: dict[bytes, Feed] = {}
        self._told: Told | None = None
        self._nursery: trio.Nursery | None = None
        self._is_shown = False
        """Whether the table that runs is shown: its header is signed."""
        self._announced: tuple[str, ...] = ()
        self._news = trio.Event()
        self.on_change: Callable[[tuple[str, ...]], None] = lambda names: None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(feed.name for feed in self._feeds.values())

    def knows(self, key: bytes) -> bool:
        """Whether this is the key of somebody who watches."""
        return key in self._feeds

    def receive(self, peer: bytes, payload: bytes) -> None:
        """Somebody wants to watch; PeerError for garbage."""
        fields = WATCH.read(payload)
        refusal = self._refusal(peer, fields)
        if refusal is not None:
            self._refuse(peer, refusal)
            return
        feed = self._feeds.get(peer)
        if feed is None:
            served = self._mesh.strangers.served
            feed = self._feeds[peer] = Feed(self._mesh, peer, fields["name"], served)
            self._feed(feed)
        feed.name = fields["name"]
        feed.greet()
        self._news.set()

    def asked(self, peer: bytes, payload: bytes) -> None:
        """Somebody says how far it has come; it counts if that is a spectator.  PeerError."""
        table, step = decode_place(payload)
        feed = self._feeds.get(peer)
        if feed is not None and self._told is not None and table == self._told.header.table:
            feed.ask(step)

    def _refusal(self, peer: bytes, fields: dict[str, Any]) -> str | None:
        if fields["token"] == self._over:
            return "the game of this invite is over"
        ours = fields["token"] in (self._token, self._follows)
        knocks = why_not_in(fields["version"], ours, fields["name"])
        if knocks is not None:
            return knocks
        if self.seated(peer):
            return "you sit at this table"
        if peer not in self._feeds and not self._has_room(self._mesh.source(peer)):
            return CROWDED
        return None

    @property
    def _follows(self) -> bytes:
        """The token with which those come who have seen the end of the game already."""
        return self._token if self._told is None else next_token(self._told.header.table)

    def _refuse(self, peer: bytes, sentence: str) -> None:
        self._mesh.send(peer, REFUSED.make(sentence.encode()))

    def _has_room(self, source: str) -> bool:
        """Whether one more from this source may watch.

        In a full gallery it may if another source has at least two more; the last to come from
        there then has to go.
        """
        if len(self._feeds) < SPECTATORS_MAX:
            return True
        newest_first = [(key, feed.source) for key, feed in reversed(self._feeds.items())]
        crowd, most = first_of_most(newest_first)
        if most < 2 + sum(its == source for _, its in newest_first):
            return False
        self._refuse(crowd, CROWDED)
        self._leave(crowd)
        return True

    def _feed(self, feed: Feed) -> None:
        if self._nursery is not None and self._told is not None and self._is_shown:
            self._nursery.start_soon(feed.run, self._told)

    def _leave(self, peer: bytes) -> None:
        feed = self._feeds.pop(peer, None)
        if feed is not None:
            feed.stop()
            self._news.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve spectators while a table is signed and played, once it is shown.

        At its end those who still read have a moment for the rest, and stay for the next one.
        """
        with one_error():
            async with trio.open_nursery() as nursery:
                self._nursery, self._is_shown = nursery, False
                try:
                    yield
                finally:
                    if self._is_shown:
                        await self._serve_the_rest()
                        self._over, self._token = self._token, self._follows
                    self._nursery, self._is_shown = None, False
                    nursery.cancel_scope.cancel()

    def show(self, header: Header, records: Sequence[Sequence[bytes]]) -> None:
        """A table begins, or goes on; `records` are those of its whole steps, and grow."""
        self._told, self._announced, self._is_shown = Told(header, records), (), True
        for feed in self._feeds.values():
            feed.greet()
            self._feed(feed)
        if self._nursery is not None:
            self._nursery.start_soon(self._announce)

    async def _serve_the_rest(self) -> None:
        self._wake()
        with trio.move_on_after(LAST_SECONDS):
            while not all(feed.is_idle for feed in self._feeds.values()):
                await trio.sleep(LAST_SECONDS / 40)

    def step(self, records: Sequence[bytes]) -> None:
        """A step is complete."""
        self._wake()

    def end(self, frames: Iterable[bytes]) -> None:
        """What stops the table, or closes it without a seat, follows the last whole step."""
        if self._told is not None:
            self._told.last.extend(frames)
            self._wake()

    def overhear(self, frame: bytes) -> None:
        """A line of talk at the table, or other news that is in no log."""
        for peer in self._feeds:
            self._mesh.send(peer, frame)

    def stay(
        self, table: bytes, staying: Sequence[Seat], leaving: Sequence[Seat], plan: bytes
    ) -> None:
        """After a game: which seats play another one, as far as they have said, and which."""
        said = {"table": table, "staying": list(staying), "leaving": list(leaving), "plan": plan}
        self.overhear(STAYING.make(said))

    async def close(self) -> None:
        """No other game follows."""
        for peer in self._feeds:
            self._refuse(peer, ENDED)
        if self._feeds:
            await self._mesh.drain()

    def _wake(self) -> None:
        for feed in self._feeds.values():
            feed.wake()

    def link_changed(self, peer: bytes, up: bool) -> None:
        """A spectator that is gone watches no more; a seat that comes back is told who watches."""
        if not up:
            self._leave(peer)
        elif self._announced and self.seated(peer):
            self._mesh.send(peer, _watched(self._announced))

    async def _announce(self) -> None:
        """However fast spectators come and go, tell the seats only once in a while."""
        while True:
            if self.names != self._announced:
                self._announced = self.names
                self._mesh.flood(_watched(self._announced))
                self.on_change(self._announced)
                await trio.sleep(ANNOUNCES_SECONDS)
            self._news = trio.Event()
            if self.names == self._announced:
                await self._news.wait()


def _watched(names: Iterable[str]) -> bytes:
    return WATCHED.make(list(names))
