"""Which links are up, and which of two links to the same peer is used.

Both peers dial, since often only one direction gets through, so two links between the same
two may come up at once.  Two peers who each close one of them could close both; so only the
one with the lower key closes: it keeps the newest, which also replaces a link whose death it
has not noticed yet.  The other one follows, sending on the newest that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, final

import trio

from p2p.logs import LOG
from p2p.logs import peer as called
from p2p.net.limits import Limits
from p2p.net.link import Link

OnChange = Callable[[bytes, bool], None]
"""Called with (peer key, up).  Up may follow up: the link was replaced, and frames may have been
lost with the old one; resynchronising on every `up` loses nothing."""

REPLACED: Final = "replaced by a newer link"


@final
class Switchboard:
    """The live links of one peer (`own` key) to all others."""

    def __init__(self, own: bytes, limits: Limits, on_change: OnChange) -> None:
        self._own: Final = own
        self._limits: Final = limits
        self._on_change: Final = on_change
        self._live: dict[bytes, list[Link]] = {}
        self._apart: dict[bytes, trio.Event] = {}

    def enter(self, link: Link) -> None:
        """Add a link that begins; it counts only once the peer is present."""
        links = self._live.setdefault(link.peer, [])
        if len(links) >= self._limits.links_per_peer:
            links[0].stop("too many links to the same peer")
        links.append(link)

    def present(self, link: Link) -> None:
        """Note that the peer's first frame has come over this link."""
        if link.reason:  # stopped in the same instant
            return
        links = self._live[link.peer]
        links.remove(link)
        if self._own < link.peer:
            for older in links:
                older.stop(REPLACED)
        links.append(link)
        kind = link.via.partition(" ")[0] + (", by reach" if link.by_reach else "")
        LOG.info("link up: %s, %s, %d in all", called(link.peer), kind, len(links))
        self._on_change(link.peer, True)

    def leave(self, link: Link) -> None:
        """Remove a link that has ended."""
        was_current = self.current(link.peer) is link
        links = self._live[link.peer]
        links.remove(link)
        if not links:
            del self._live[link.peer]
            self._apart.pop(link.peer, trio.Event()).set()
        if was_current:
            self._on_change(link.peer, self.current(link.peer) is not None)

    def current(self, peer: bytes) -> Link | None:
        """The link to send on: the newest on which the peer was heard."""
        heard = [link for link in self._live.get(peer, ()) if link.present]
        return heard[-1] if heard else None

    def all_current(self) -> Iterator[Link]:
        """The link to send on of every peer that is up."""
        for peer in list(self._live):
            if (link := self.current(peer)) is not None:
                yield link

    def stop(self, peer: bytes, reason: str) -> None:
        """End every link to `peer`."""
        for link in self.links_of(peer):
            link.stop(reason)

    def keep_newest(self, peer: bytes) -> None:
        """End every link to `peer` except the one to send on."""
        newest = self.current(peer)
        for link in self.links_of(peer):
            if link is not newest:
                link.stop(REPLACED)

    def links_of(self, peer: bytes) -> tuple[Link, ...]:
        """Every link to `peer` that lives, heard or not."""
        return tuple(self._live.get(peer, ()))

    def is_linked(self, peer: bytes) -> bool:
        """Whether any link to `peer` lives, heard or not."""
        return peer in self._live

    async def wait_apart(self, peer: bytes) -> None:
        """Return once no link to `peer` lives."""
        while self.is_linked(peer):
            await self._apart.setdefault(peer, trio.Event()).wait()
