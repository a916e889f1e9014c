"""The invite of a table that waits for people, told again if its host's addresses change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import trio

from p2p.driver.connection import Connected
from p2p.lobby.plan import TablePlan
from p2p.net.addresses import Address
from p2p.net.endpoint import Announced, Outside
from p2p.net.invite import Invite, fitting
from p2p.supervisor import Supervisor
from p2p.table.notice import Notice


class WayIn:
    """The addresses at which a host is reached from outside; `changed` is told of others."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.addresses: tuple[Address, ...] = ()
        self.known: Final = trio.Event()
        """Set once it is known whether there are any."""
        self._changed: Final = changed

    async def keep(self, outside: Outside, port: int, say: Callable[[str], None]) -> None:
        """Let `outside` find addresses until cancelled, whatever becomes of it."""

        async def attempt() -> None:
            try:
                await outside(port, self._find)
            finally:
                self.known.set()

        await Supervisor("way in from outside", say).keep(attempt, trio.sleep)

    def _find(self, addresses: Sequence[Address]) -> None:
        self.addresses = tuple(addresses)
        self.known.set()
        self._changed()


class Invitation:
    """The invite to the table of `token`, on the network's notice while a seat is free.

    `tell` gets a new invite if it leads to an address that none before has led to: a network that
    goes and comes back needs no new one.
    """

    def __init__(
        self,
        peer: Connected,
        token: bytes,
        plan: Callable[[], TablePlan],
        notice: Notice,
        tell: Callable[[Invite], None],
    ) -> None:
        self._peer: Final = peer
        self._token: Final = token
        self._plan: Final = plan
        self._notice: Final = notice
        self._tell: Final = tell
        self._told: Final[set[Address]] = set(self.invite.addresses)

    @property
    def invite(self) -> Invite:
        """The line that leads here now."""
        peer = self._peer
        return Invite(fitting(peer.direct), peer.identity.public, self._token, peer.reach)

    def show(self, is_free: bool) -> None:
        """Announce the table, or no longer."""
        plan = self._plan()
        free = Announced(self.invite, plan.terms.game, plan.seats)
        self._notice.show(free if is_free else None)

    def move(self) -> None:
        """This machine's addresses have changed."""
        self._notice.move(self._peer.direct)
        invite = self.invite
        if not self._told.issuperset(invite.addresses):
            self._told.update(invite.addresses)
            self._tell(invite)
