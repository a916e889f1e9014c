"""The mesh: links to every peer of a table that can be reached, kept up by themselves.

It carries opaque frames.  What to forward, and to whom, the protocol core decides; of the kinds
of frames only ping and pong are the mesh's own.

Both peers dial, since often only one direction gets through, so two links between the same
two may come up at once.  Two peers who each close one of them could close both; so only the
one with the lower key closes: it keeps the newest, which also replaces a link whose death it
has not noticed yet.  The other one follows, sending on the newest that is left.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, final

import trio

from p2p.checks import Entropy
from p2p.errors import LocalError
from p2p.identity.keys import Identity, decode_identity
from p2p.logs import LOG
from p2p.logs import peer as called
from p2p.net.dialler import Dialler, Peer
from p2p.net.door import Door
from p2p.net.limits import Limits
from p2p.net.link import Channel, Deliver, Link
from p2p.net.places import Places
from p2p.net.reach_address import AnyAddress, ReachAddress, shown
from p2p.net.reach_plan import ReachedStream
from p2p.net.sources import source_of
from p2p.net.statistics import MeshStatistics
from p2p.net.strangers import FAREWELL_SECONDS, Strangers
from p2p.net.transport import TcpTransport, Transport
from p2p.protocol.frame_kinds import FRAME_MAX, PING, PONG, kind_of

OnChange = Callable[[bytes, bool], None]
"""Called with (peer key, up).  Up may follow up: the link was replaced, and frames may have been
lost with the old one; resynchronising on every `up` loses nothing."""

REPLACED: Final = "replaced by a newer link"


@dataclass(frozen=True, slots=True)
class LinkState:
    """The state of our link to a peer.  `via` says where it leads, "" without one.

    Round trips in milliseconds, None until measured; `rtt_min_ms` is the least of this link's.
    `failures` counts the dials that have failed since the last success, `last_error` is how they or
    the last link ended.  `by_reach`: the link is one of iroh.
    """

    connected: bool
    via: str = ""
    rtt_ms: float | None = None
    rtt_min_ms: float | None = None
    failures: int = 0
    last_error: str = ""
    by_reach: bool = False


async def _nobody(peer: bytes, frame: bytes) -> None:
    """Nobody takes frames."""


@dataclass(frozen=True, slots=True)
class Owner:
    """What a mesh tells its owner, and asks it.

    `deliver` gets each frame, from the task that has read it: as long as it waits, nothing more is
    read from that peer.  `on_proven` gets each other address at which a peer has proven its key.
    `open_to_strangers` decides on keys outside the roster, `knows` which of them have a place
    here and may stay.
    """

    on_change: OnChange = lambda _peer, _up: None
    deliver: Deliver = _nobody
    on_proven: Callable[[bytes, AnyAddress], None] = lambda _peer, _address: None
    open_to_strangers: Callable[[bytes], bool] = lambda _key: False
    knows: Callable[[bytes], bool] = lambda _key: False


_NOBODY: Final = Owner()


@final
class Switchboard:
    """The live links of one peer (`own` key) to all others."""

    def __init__(self, own: bytes, limits: Limits, on_change: OnChange) -> None:
        self._own: Final = own
        self._limits: Final = limits
        self._on_change: Final = on_change
        self._live: dict[bytes, list[Link]] = {}
        self._apart: dict[bytes, trio.Event] = {}
        self._resting: dict[bytes, float] = {}

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

    def drop(self, peer: bytes, reason: str) -> None:
        """End every link to `peer`, and leave it alone for a while."""
        self.stop(peer, reason)
        now = trio.current_time()
        self._resting = {key: end for key, end in self._resting.items() if end > now}
        self._resting[peer] = now + self._limits.rest_seconds

    def rests_until(self, peer: bytes) -> float:
        """When `peer` is no longer left alone; a moment that is past if it never was dropped."""
        return self._resting.get(peer, 0.0)

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


@final
class Mesh:
    """Links from `identity` to the peers in `roster` (key -> addresses, best first).

    A peer without addresses is not dialled but may dial us.  Those of the roster are our own
    person's choice; what a peer says itself comes by `learn`.
    """

    def __init__(
        self,
        identity: Identity,
        roster: Mapping[bytes, Sequence[AnyAddress]] | None = None,
        owner: Owner = _NOBODY,
        *,
        transport: Transport | None = None,
        limits: Limits | None = None,
        entropy: Entropy = os.urandom,
    ) -> None:
        self.statistics: Final = MeshStatistics()
        self._identity: Final = identity
        self._owner: Final = owner
        self._limits: Final = limits or Limits()
        self._transport: Final = transport or TcpTransport()
        self._entropy: Final = entropy
        self.strangers: Final = Strangers(self._limits, owner.knows)
        self._peers: dict[bytes, Peer] = {}
        self._strangers: dict[bytes, Peer] = {}
        self._slowed: dict[bytes, float] = {}
        self._board: Final = Switchboard(identity.public, self._limits, owner.on_change)
        self._door: Final = Door(identity, self._is_welcome, self._limits, self.statistics, entropy)
        self._dialler: Final = Dialler(
            *(identity, self._transport, self._limits, self.statistics, entropy),
            board=self._board,
            welcome=self._dialled,
        )
        self._nursery: trio.Nursery | None = None
        for key, addresses in (roster or {}).items():
            self.add(key, addresses)

    async def run(
        self,
        listeners: Sequence[trio.abc.Listener[trio.abc.Stream]] = (),
        *,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Dial, accept and keep links up until cancelled; closes `listeners` at the end."""
        if self._nursery is not None:
            raise LocalError("this mesh already runs")
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._door.run)
            for listener in listeners:
                nursery.start_soon(partial(trio.serve_listeners, self._admit, [listener]))
            for key in self._peers:
                self._start_dialling(key)
            task_status.started()
            await trio.sleep_forever()

    def add(self, key: bytes, addresses: Sequence[AnyAddress] = ()) -> None:
        """Take a peer into the roster; dial it where our own user said, and do not give up.

        PeerError `bad-key`.
        """
        decode_identity(key)
        if key == self._identity.public:
            return
        known = self._strangers.pop(key, None) or self._new_peer()
        self._peers.setdefault(key, known).places.give(addresses)
        for link in self._board.links_of(key):
            self.strangers.admit(link, self._limits)
        self._start_dialling(key)

    def learn(self, key: bytes, addresses: Sequence[AnyAddress]) -> None:
        """Note what a peer of the roster says now about where it is: it may lead anywhere.

        Ignore a key outside the roster, and our own.
        """
        if key in self._peers:
            self._peers[key].places.hear(addresses)
            self._start_dialling(key)

    def overhear(self, key: bytes, addresses: Sequence[AnyAddress]) -> None:
        """Note where an announcement on the local network says that a peer of the roster is."""
        if key in self._peers:
            self._peers[key].places.overhear(addresses)
            self._start_dialling(key)

    def sure_of(self, key: bytes) -> tuple[AnyAddress, ...]:
        """The addresses of a peer that are never given up."""
        return self._peers[key].places.sure if key in self._peers else ()

    def retire(self, key: bytes) -> None:
        """Take a peer out of the roster: it is not dialled any more, and `flood` leaves it out.

        Its links stay as those of a stranger.
        """
        peer = self._peers.pop(key, None)
        if peer is not None:
            peer.retired = True

    def forget(self, key: bytes) -> None:
        """The same, and its links end."""
        self.retire(key)
        self._board.stop(key, "the peer has left")

    def keep_newest(self, key: bytes) -> None:
        """End all links to a peer except the one it was heard on last."""
        self._board.keep_newest(key)

    def send(self, key: bytes, frame: bytes) -> bool:
        """Queue a frame for one peer; False if it is not linked or its queue was full."""
        _check_frame(frame)
        link = self._board.current(key)
        return link is not None and link.send(frame)

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> int:
        """Queue a frame for every linked peer of the roster except `skip`; how many took it."""
        _check_frame(frame)
        links = [link for link in self._board.all_current() if link.peer in self._peers]
        return sum(link.send(frame) for link in links if link.peer != skip)

    async def drain(self) -> None:
        """Return once all that is queued on the links now up has been written.

        A stranger who does not read is not waited for.
        """
        async with trio.open_nursery() as nursery:
            for link in self._board.all_current():
                patience = math.inf if link.peer in self._peers else FAREWELL_SECONDS
                nursery.start_soon(self._flushed, link, patience)

    async def flushed(self, key: bytes) -> None:
        """Return once all that is queued for one peer has been written, or its link ended."""
        link = self._board.current(key)
        if link is not None:
            await link.flushed()

    async def _flushed(self, link: Link, patience: float) -> None:
        with trio.move_on_after(patience):
            await link.flushed()

    def drop(self, key: bytes, reason: str) -> None:
        """End the links to a peer that sent garbage, and leave it alone for a while."""
        LOG.warning("frame refused: %s is dropped: %s", called(key), reason)
        self._board.drop(key, reason)
        self.statistics.note(f"{key.hex()[:8]}: {reason}")

    def source(self, key: bytes) -> str:
        """The source for which a linked stranger is counted (`p2p.net.strangers`)."""
        link = self._board.current(key)
        return "" if link is None else link.source

    def slow(self, key: bytes) -> None:
        """Read less per second from a peer that sends too much, for a while."""
        LOG.warning("%s sends too much, and is read more slowly", called(key))
        self._slowed[key] = trio.current_time() + self._limits.slowed_seconds

    def links(self) -> dict[bytes, LinkState]:
        """The state of every peer of the roster, and of every linked stranger."""
        peers = self._strangers | self._peers
        return {key: self._state(key, peer) for key, peer in peers.items()}

    def is_linked(self, key: bytes) -> bool:
        """Whether this peer or stranger is linked just now."""
        return self._board.current(key) is not None

    def round_trip_us(self, key: bytes) -> int | None:
        """The least round trip to a peer over all links to it so far, in microseconds.

        None before the first measurement.
        """
        peer = self._peers.get(key)
        return None if peer is None else peer.round_trips.least_us

    async def measured(self, keys: Sequence[bytes]) -> None:
        """Return once the round trips to all these peers of the roster are settled."""
        for key in keys:
            await self._peers[key].round_trips.settled.wait()

    def _state(self, key: bytes, peer: Peer) -> LinkState:
        link = self._board.current(key)
        if link is None:
            return LinkState(False, failures=peer.failures, last_error=peer.last_error)
        return LinkState(
            *(True, link.via, link.rtt_ms, link.rtt_min_ms, peer.failures, peer.last_error),
            by_reach=link.by_reach,
        )

    def _is_welcome(self, key: bytes) -> bool:
        if key == self._identity.public:
            return False
        if trio.current_time() < self._board.rests_until(key):
            return False
        known = key in self._peers
        return known or self._owner.open_to_strangers(key)

    async def _admit(self, stream: trio.abc.Stream) -> None:
        by_reach = isinstance(stream, ReachedStream)
        carry = partial(self._carry, by_reach=by_reach, source=source_of(stream))
        await self._door.admit(stream, carry)

    async def _carry(self, channel: Channel, via: str, *, by_reach: bool, source: str = "") -> None:
        """Run a link over an authenticated channel until it ends."""
        link = Link(channel, via, self._limits, self.statistics, self._entropy, source=source)
        link.by_reach = by_reach
        is_stranger = link.peer not in self._peers
        peer = self._peers.get(link.peer) or self._strangers.setdefault(link.peer, self._new_peer())
        link.on_round_trip = peer.round_trips.note
        self._board.enter(link)
        run = partial(link.run, self._deliver, self._board.present)
        try:
            await (self.strangers.host(link, run) if is_stranger else run())
        finally:
            peer.last_error = link.reason
            self.statistics.note(f"{link.peer.hex()[:8]}: {link.reason}")
            LOG.info("link down: %s: %s", called(link.peer), link.reason)
            self._board.leave(link)
            if not self._board.is_linked(link.peer):
                self._strangers.pop(link.peer, None)

    def _new_peer(self) -> Peer:
        return Peer(Places(self._limits))

    async def _deliver(self, peer: bytes, frame: bytes) -> None:
        await self._owner.deliver(peer, frame)
        if trio.current_time() < self._slowed.get(peer, 0.0):
            limits = self._limits
            await trio.sleep(1 / limits.slowed_rate + len(frame) / limits.slowed_bytes)

    def _start_dialling(self, key: bytes) -> None:
        if self._nursery is not None:
            self._dialler.start(self._nursery, key, self._peers[key])

    async def _dialled(self, peer: Peer, channel: Channel, address: AnyAddress) -> None:
        """Carry the link that was dialled to its end."""
        if peer.places.prove(address):
            self._owner.on_proven(channel.peer, address)
        by_reach = isinstance(address, ReachAddress)
        await self._carry(channel, f"dialled {shown(address)}", by_reach=by_reach)


def _check_frame(frame: bytes) -> None:
    if not 1 <= len(frame) <= FRAME_MAX or kind_of(frame) in (PING, PONG):
        raise LocalError("a frame has a kind of its own and at most FRAME_MAX bytes")
