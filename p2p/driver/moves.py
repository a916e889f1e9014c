"""A seat whose machine moves to another network, and the search for a host that has moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import trio

from p2p.driver.connection import Connected
from p2p.net.addresses import Address, is_loopback
from p2p.net.endpoint import Search
from p2p.net.lan import LanError
from p2p.supervisor import Supervisor

FOLLOW_SECONDS: Final = 5.0
"""How often to look at the addresses of this machine."""
SEARCH_SECONDS: Final = 10.0
"""How often to search for a host that is not linked."""


async def follow_addresses(peer: Connected, find: Callable[[], Sequence[Address]]) -> None:
    """Tell the peer whenever `find` gives other addresses; until cancelled.

    A machine on no network moves nowhere: it may come back where it was.
    """

    async def follow() -> None:
        while True:
            await trio.sleep(FOLLOW_SECONDS)
            found = find()
            if not is_loopback(found):
                peer.move(found)

    await Supervisor("watch of this machine's addresses").keep(follow, trio.sleep)


async def search_again(peer: Connected, host: bytes, search: Search) -> None:
    """Search the local network for the table of this key while it is not linked, until cancelled.

    If both sides have moved, neither knows an address of the other.
    """
    supervisor = Supervisor("search for the host", expected=(LanError,))
    while True:
        await trio.sleep(SEARCH_SECONDS)
        state = peer.mesh.links().get(host)
        if state is None or state.connected:
            continue
        with supervisor.contained():
            for table in (await search()).tables:
                if table.invite.identity == host:
                    peer.mesh.overhear(host, table.addresses or table.invite.addresses)
