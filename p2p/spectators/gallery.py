"""The spectators of a table, on the side of the seat that they came to with its invite.

They are sent the header and then each whole step, as it goes into the log, and what is said;
nothing else.  Every seat is told who watches, on the word of the seat that they came to: no
other seat knows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Final, TypeVar

from engine.zone import Seat
from p2p import checks
from p2p.lobby.rematch import next_token
from p2p.net.crowd import first_of_most
from p2p.net.invite import why_not_in
from p2p.net.strangers import Shares
from p2p.protocol import wire
from p2p.protocol.frame_kinds import REFUSED, STAYING, WATCH, WATCHED
from p2p.protocol.genesis import Header
from p2p.seat.catch_up import decode_place
from p2p.seat.desk import Desk
from p2p.seat.reply import OVER, Reply
from p2p.seat.timer import Timer
from p2p.spectators.feed import GALLERY, Feed, Told
from p2p.text.names import is_name
from p2p.version import greeting

SPECTATORS_MAX: Final = 8
ANNOUNCES_SECONDS: Final = 2.0
"""How often at most the seats are told who watches."""
LAST_SECONDS: Final = 2.0
"""How long a table that is over stays open for spectators who still read."""
LOOKS_SECONDS: Final = 0.05
"""How often to look whether they have the rest."""
T = TypeVar("T")
OnChange = Callable[[tuple[str, ...]], None]
"""Gets the names of all who watch."""
CROWDED: Final = "too many watch already"
ENDED: Final = "nobody plays another game here"


def watch_frame(token: bytes, name: str) -> bytes:
    """The greeting of somebody who wants to watch."""
    return WATCH.make({"version": greeting(), "token": token, "name": name})


def decode_watched(payload: bytes) -> tuple[str, ...]:
    """Who watches, as a seat says it; PeerError `malformed`."""
    names = tuple(wire.exactly(name, str, "a name") for name in WATCHED.read(payload))
    sound = len(names) <= SPECTATORS_MAX and all(map(is_name, names))
    checks.require("watch.names", sound, "malformed", "these are no names of spectators")
    return names


class Gallery:
    """Who watches the games of an evening.

    Between two games they stay: the next one has a token that follows from the last.  What they
    are sent is counted in `served`.
    """

    def __init__(
        self,
        desk: Desk,
        token: bytes,
        served: Shares,
        seated: Callable[[bytes], bool] = lambda key: False,
    ) -> None:
        self._token = token
        self._over = b""
        """The token of the game that was watched last."""
        self._served: Final = served
        self._feeds: Final[dict[bytes, Feed]] = {}
        self._told: Told | None = None
        self._is_shown = False
        """Whether the table that runs is shown: its header is signed."""
        self._announced: tuple[str, ...] = ()
        self.move_to(desk, seated)

    def move_to(
        self,
        desk: Desk,
        seated: Callable[[bytes], bool],
        on_change: OnChange = lambda names: None,
    ) -> None:
        """Those who watch go on to the table of this desk, which is shown later.

        Whoever is `seated` there plays, and so does not watch.  `on_change` is told who does, once
        in a while.
        """
        self._desk = desk
        self._seated = seated
        self._on_change = on_change
        self._announces = Timer(desk)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(feed.name for feed in self._feeds.values())

    def knows(self, key: bytes) -> bool:
        """Whether this is the key of somebody who watches."""
        return key in self._feeds

    @GALLERY.guard
    def receive(self, peer: bytes, payload: bytes) -> None:
        """Somebody wants to watch; PeerError for garbage."""
        fields = WATCH.read(payload)
        refusal = self._refusal(peer, fields)
        if refusal is not None:
            self._refuse(peer, refusal)
            return
        feed = self._feeds.get(peer)
        if feed is None:
            source = self._desk.links.source(peer)
            feed = self._feeds[peer] = Feed(peer, fields["name"], source, self._served)
            self._feed(feed)
        else:
            feed.name = fields["name"]
            feed.greet()
        if fields["token"] != self._token:
            feed.has_seen_it()
        self._announce_soon()

    @GALLERY.guard
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
        if self._seated(peer):
            return "you sit at this table"
        if peer not in self._feeds and not self._has_room(self._desk.links.source(peer)):
            return CROWDED
        return None

    @property
    def _follows(self) -> bytes:
        """The token with which those come who have seen the end of the game already."""
        return self._token if self._told is None else next_token(self._told.header.table)

    def _refuse(self, peer: bytes, sentence: str) -> None:
        self._desk.post(peer, REFUSED.make(sentence.encode()))

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
        if self._told is not None and self._is_shown:
            feed.begin(self._desk, self._told)

    def _leave(self, peer: bytes) -> None:
        feed = self._feeds.pop(peer, None)
        if feed is not None:
            feed.stop()
            self._announce_soon()

    @GALLERY.guard
    def show(self, header: Header, records: Sequence[Sequence[bytes]]) -> None:
        """A table begins, or goes on; `records` are those of its whole steps, and grow."""
        self._told, self._announced, self._is_shown = Told(header, records), (), True
        for feed in self._feeds.values():
            self._feed(feed)
        self._announce_soon()

    async def attended(self, playing: Coroutine[Reply[Any], None, T]) -> T:
        """Play a table, as a script for its desk; those who still read then have a moment for the
        rest.
        """
        try:
            ended = await playing
        except OVER:
            with GALLERY.contained():
                await self._serve_the_rest()
            raise
        with GALLERY.contained():
            await self._serve_the_rest()
        return ended

    async def _serve_the_rest(self) -> None:
        """Until those who still read have all of a table that is over, or have had a moment."""
        until = self._desk.now() + LAST_SECONDS
        while self._is_shown and self._desk.now() < until:
            if all(feed.is_idle for feed in self._feeds.values()):
                return
            await self._desk.sleep(LOOKS_SECONDS)

    @GALLERY.guard
    def hide(self) -> None:
        """Nothing more of this table is shown; those who watch stay for the next one."""
        if self._is_shown:
            self._over, self._token, self._is_shown = self._token, self._follows, False
        for feed in self._feeds.values():
            feed.stop()
        self._announces.stop()

    @GALLERY.guard
    def step(self, records: Sequence[bytes]) -> None:
        """A step is complete."""
        self._wake()

    @GALLERY.guard
    def end(self, frames: Iterable[bytes]) -> None:
        """What stops the table, or closes it without a seat, follows the last whole step."""
        if self._told is not None:
            self._told.last.extend(frames)
            self._wake()

    @GALLERY.guard
    def overhear(self, frame: bytes) -> None:
        """A line of talk at the table, or other news that is in no log."""
        for peer in self._feeds:
            self._desk.post(peer, frame)

    @GALLERY.guard
    def stay(
        self, table: bytes, staying: Sequence[Seat], leaving: Sequence[Seat], plan: bytes
    ) -> None:
        """After a game: which seats play another one, as far as they have said, and which."""
        said = {"table": table, "staying": list(staying), "leaving": list(leaving), "plan": plan}
        self.overhear(STAYING.make(said))

    @GALLERY.guard
    def close(self) -> None:
        """No other game follows."""
        for peer in self._feeds:
            self._refuse(peer, ENDED)

    def _wake(self) -> None:
        for feed in self._feeds.values():
            feed.wake()

    @GALLERY.guard
    def link_changed(self, peer: bytes, up: bool) -> None:
        """A spectator that is gone watches no more; a seat that comes back is told who watches."""
        if not up:
            self._leave(peer)
        elif self._announced and self._seated(peer):
            self._desk.post(peer, _watched(self._announced))

    def _announce_soon(self) -> None:
        """However fast spectators come and go, tell the seats only once in a while."""
        if self._is_shown and self._announces.due == math.inf:
            self._announces.at(self._desk.now(), self._announce)

    @GALLERY.guard
    def _announce(self) -> None:
        if self.names != self._announced:
            self._announced = self.names
            self._desk.flood(_watched(self._announced))
            self._on_change(self._announced)
            self._announces.after(ANNOUNCES_SECONDS, self._announce)


def _watched(names: Iterable[str]) -> bytes:
    return WATCHED.make(list(names))
