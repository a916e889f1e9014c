"""The links of one seat, from the lobby through all tables that it plays with the same people."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import trio

from p2p.crypto.hedged import Hedged
from p2p.errors import PeerError
from p2p.files.storage import Store
from p2p.identity.keys import Identity
from p2p.logs import LOG
from p2p.net.addresses import Address
from p2p.net.endpoint import Announced
from p2p.net.mesh import Mesh, Owner
from p2p.net.reach_address import AnyAddress, ReachAddress
from p2p.net.reach_plan import ReachPlan
from p2p.net.signed_addresses import SignedAddresses, sign_addresses
from p2p.net.transport import Ways
from p2p.player.choosing import Choosing
from p2p.player.player import GetReady, Player
from p2p.protocol.frame_kinds import Handlers
from p2p.protocol.parts import Parts
from p2p.protocol.races.terms import CAPS_US
from p2p.seat.returning import Patience
from p2p.supervisor import Supervisor

_PARTS = Supervisor("making of offline parts")
_STATISTICS = Supervisor("statistics")


@dataclass(frozen=True, slots=True)
class TableResult:
    """The outcome of a table that is over; `returns` is None if this seat has left it before."""

    game: str
    seats: int
    steps: int
    seconds: float
    returns: tuple[int, ...] | None
    log: Path
    table_id: bytes


OnFrame = Callable[[bytes, bytes], object]
"""Gets (peer key, frame); PeerError for garbage."""
AskAgain = Callable[[TableResult, Choosing], Awaitable[bool]]
"""Gets the result of each game, and agrees to the next one until it is cancelled.

True plays whatever those who stay play, False leaves."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody about to take a seat: key and name, who decides, and how the person is asked.

    `get_ready` None: ready at once; `again` None: one game and no more.
    """

    identity: Identity
    player: Player
    get_ready: GetReady | None = None
    again: AskAgain | None = None
    patience: Patience = field(default_factory=Patience)


def hedged(identity: Identity, place: bytes) -> Hedged:
    """A source of secret random values for what has no table secret yet."""
    return Hedged(os.urandom, place, identity.expose_secret())


class Connected:
    """The mesh of one seat, who its frames are for at the moment, and which strangers may stay.

    With a plan for `reach`, it can also be reached by iroh, at the table of `token`.
    """

    def __init__(
        self,
        identity: Identity,
        parts: Parts | None,
        *,
        token: bytes = b"",
        reach: ReachPlan | None = None,
        open_to_strangers: bool = False,
        **mesh: Any,
    ) -> None:
        self.identity = identity
        self._random = hedged(identity, token)
        self.parts = parts or Parts(self._random)
        self.addresses: list[AnyAddress] = []
        self.lists_signed = 0
        """The number of our newest list of addresses."""
        self.race_cap_us = CAPS_US[-1]
        """The most delay in races that this seat agrees to."""
        self._ways = None if reach is None else Ways(reach, identity, token)
        self.on_frame: OnFrame = lambda peer, frame: None
        self.on_link: Callable[[bytes, bool], None] = lambda peer, up: None
        self.knows: Callable[[bytes], bool] = lambda key: False
        self.on_proven: Callable[[bytes, AnyAddress], None] = lambda peer, address: None
        self.on_moved: Callable[[], None] = lambda: None
        """Called when the `addresses` have changed."""
        owner = Owner(
            *(self._link_changed, self._deliver, self._proven),
            *(lambda _key: open_to_strangers, self._is_known),
        )
        if self._ways is not None:
            mesh["transport"] = self._ways
        self.mesh = Mesh(identity, owner=owner, **mesh)

    async def _deliver(self, peer: bytes, frame: bytes) -> None:
        """Hand a frame on, at once; garbage drops its link."""
        try:
            self.on_frame(peer, frame)
        except PeerError as error:
            self.mesh.drop(peer, str(error))

    def _link_changed(self, peer: bytes, up: bool) -> None:
        self.on_link(peer, up)

    def _is_known(self, key: bytes) -> bool:
        return self.knows(key)

    def _proven(self, peer: bytes, address: AnyAddress) -> None:
        self.on_proven(peer, address)

    @property
    def direct(self) -> tuple[Address, ...]:
        """The addresses at which others reach this seat by TCP, best first."""
        return tuple(one for one in self.addresses if isinstance(one, Address))

    def move(self, direct: Sequence[Address]) -> None:
        """From now on others reach this seat by TCP here, best first."""
        if tuple(direct) != self.direct:
            LOG.info("mesh: this machine has %d addresses now", len(direct))
            self.addresses = [*direct, *([] if self.reach is None else [self.reach])]
            self.on_moved()

    def list_for(self, token: bytes) -> SignedAddresses:
        """Where we can be dialled, signed for the table of `token`: newer than any before.

        Its number is the clock in milliseconds, or one more than the last, so that numbers also
        grow over a restart.
        """
        self.lists_signed = max(round(1000 * time.time()), self.lists_signed + 1)
        return sign_addresses(self.identity, token, self.lists_signed, self.addresses)

    @property
    def reach(self) -> ReachAddress | None:
        """Where others reach this seat by iroh, if they can."""
        return next((one for one in self.addresses if isinstance(one, ReachAddress)), None)

    @asynccontextmanager
    async def reaching(self) -> AsyncIterator[list[trio.abc.Listener[trio.abc.Stream]]]:
        """Hold open the ways besides TCP; gives their listeners."""
        if self._ways is None:
            yield []
            return
        async with self._ways.opened() as endpoint:
            self.addresses.append(endpoint.address)
            yield [endpoint.listener]

    def renew_parts(self, parts: Parts | None = None) -> None:
        """For another table with other keys, drop what was made ahead for the old one.

        `parts` are those of a table that was reopened meanwhile, in a thread.
        """
        old, self.parts = self.parts, parts or Parts(self._random)
        old.on_wish()

    async def keep_ready(self) -> None:
        """Make offline parts whenever some are wanted."""
        while True:
            wished = trio.Event()
            self.parts.on_wish = wished.set
            for count, key in self.parts.wanted()[:1]:
                await trio.to_thread.run_sync(self.parts.prepare, count, key)
                wished.set()
            await wished.wait()


@dataclass
class Evening:
    """What is kept from one table to the next with the same people.

    `over` are the ids of the tables that were played, and of what was proposed for them; `late`
    takes what still comes from people who are in the lobby yet; `on_watchable` is told of the game
    that has begun and can be watched, or may follow, and None when there is none; `on_moved` of
    this machine's new addresses.
    """

    peer: Connected
    who: Sitter
    store: Store
    late: Handlers[None] = field(default_factory=dict)
    on_watchable: Callable[[Announced | None], None] = lambda table: None
    on_moved: Callable[[Sequence[Address]], None] = lambda addresses: None
    over: set[bytes] = field(default_factory=set)


@contextmanager
def one_error() -> Iterator[None]:
    """Raise the only error of a group of tasks as itself, so that callers can name it.

    Tasks that were cancelled beside it, perhaps from further out, are none.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        error: BaseException = group.split(trio.Cancelled)[1] or group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        raise error from None


@asynccontextmanager
async def meshed(
    peer: Connected, listeners: Sequence[trio.SocketListener]
) -> AsyncIterator[trio.Nursery]:
    gc.freeze()  # modules and rules stay: each collection would walk through all of them
    try:
        with one_error():
            async with peer.reaching() as more, trio.open_nursery() as nursery:
                await nursery.start(partial(peer.mesh.run, [*listeners, *more]))
                nursery.start_soon(_PARTS.keep, peer.keep_ready, trio.sleep)
                yield nursery
                nursery.cancel_scope.cancel()
    finally:
        with _STATISTICS.contained():
            LOG.info("mesh: %s", peer.mesh.statistics.summary())
        gc.unfreeze()
