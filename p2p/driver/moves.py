"""A seat whose machine moves to another network, and the search for a host that has moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import trio

from p2p.driver.connection import Connected
from p2p.logs import LOG
from p2p.net.addresses import Address, is_loopback
from p2p.net.endpoint import Search
from p2p.net.lan import LanError

FOLLOW_SECONDS: Final = 5.0
"""How often to look at the addresses of this machine."""
SEARCH_SECONDS: Final = 10.0
"""How often to search for a host that is not linked."""


async def follow_addresses(peer: Connected, find: Callable[[], Sequence[Address]]) -> None:
    """Tell the peer whenever `find` gives other addresses; until cancelled.

    A machine on no network moves nowhere: it may come back where it was.
    """
    while True:
        await trio.sleep(FOLLOW_SECONDS)
        found = find()
        if not is_loopback(found):
            peer.move(found)


async def search_again(peer: Connected, host: bytes, search: Search) -> None:
    """Search the local network for the table of this key while it is not linked, until cancelled.

    If both sides have moved, neither knows an address of the other.
    """
    while True:
        await trio.sleep(SEARCH_SECONDS)
        state = peer.mesh.links().get(host)
        if state is None or state.connected:
            continue
        try:
            heard = await search()
        except LanError as error:
            LOG.info("search for the host: %s", error)
            continue
        for table in heard.tables:
            if table.invite.identity == host:
                peer.mesh.overhear(host, table.addresses or table.invite.addresses)
