"""The invite to a host's table, made anew when its addresses change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import trio

from p2p.driver.connection import Connected
from p2p.net.addresses import Address
from p2p.net.endpoint import Outside
from p2p.net.invite import Invite, fitting
from p2p.net.reach_address import AnyAddress
from p2p.supervisor import Supervisor


class HostInvite:
    """The invite of `token` to a host that is linked by `peer`."""

    def __init__(self, peer: Connected, token: bytes) -> None:
        self._peer: Final = peer
        self._token: Final = token
        self._outside: tuple[Address, ...] = ()
        self.known: Final = trio.Event()
        """Set once it is known whether there are addresses from outside."""

    @property
    def now(self) -> Invite:
        """The invite as of now."""
        peer = self._peer
        addresses = fitting(direct(peer.addresses))
        return Invite(addresses, peer.identity.public, self._token, peer.reach)

    async def keep_outside(self, outside: Outside, port: int, say: Callable[[str], None]) -> None:
        """Let `outside` find addresses until cancelled, whatever becomes of it."""

        async def attempt() -> None:
            try:
                await outside(port, self._find)
            finally:
                self.known.set()

        await Supervisor("way in from outside", say).keep(attempt, trio.sleep)

    def _find(self, addresses: Sequence[Address]) -> None:
        """The port is reached from outside at these addresses, and no longer at those before."""
        before, self._outside = self._outside, tuple(addresses)
        rest = [one for one in self._peer.addresses if one not in (*before, *addresses)]
        self._peer.addresses = [*addresses, *rest]
        was_known = self.known.is_set()
        self.known.set()
        if was_known and self._outside != before:
            self._peer.on_moved()


def direct(addresses: Sequence[AnyAddress]) -> list[Address]:
    """Those of the addresses that are dialled without iroh."""
    return [address for address in addresses if isinstance(address, Address)]
