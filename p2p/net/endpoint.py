"""Where a seat listens, and in which other ways it can be found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import trio

from p2p.net.addresses import Address, open_listeners
from p2p.net.interfaces import FindOwn, system_addresses
from p2p.net.invite import Invite
from p2p.net.reach_plan import ReachPlan

if TYPE_CHECKING:
    from p2p.net.lan_search import Heard

Found = Callable[[Sequence[Address]], None]
"""Gets the addresses by which a port is reached from outside, each time that they are new."""
Outside = Callable[[int, Found], Awaitable[None]]
"""Called with a port; it says once within seconds what it has found, even if that is nothing."""


class Announced(NamedTuple):
    """A table of so many seats, as it is told to the network; `running`: its game has begun."""

    invite: Invite
    game: str
    seats: int
    running: bool = False


Announce = Callable[[Announced, int], Awaitable[None]]
"""Called with what is announced, and the port of the table."""

Search = Callable[[], Awaitable["Heard"]]
"""Searches the local network for tables once; LanError."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One seat's place in the network.

    `port` 0 takes any free one, `bind` None all interfaces; with a plan for `reach` iroh is used
    too.  `outside` finds more addresses of the open port, and keeps them while the table
    lasts; `announce` runs while a host has free seats, and again while its game can be watched.
    `search` looks for the host of a guest whose link to it has ended.  `find_own` lists this
    machine's addresses, again and again; `moved` is told of the new invite if some are new while
    people are still awaited.
    `say` gets a sentence for the person if one of the two fails.
    """

    port: int = 0
    bind: str | None = None
    reach: ReachPlan | None = None
    outside: Outside | None = None
    announce: Announce | None = None
    search: Search | None = None
    find_own: FindOwn = system_addresses
    moved: Callable[[Invite], None] = lambda invite: None
    say: Callable[[str], None] = lambda sentence: None

    async def listen(self) -> list[trio.SocketListener]:
        """Open the port.  ListenError, with a sentence, if it is not available."""
        return await open_listeners(self.port, self.bind)


ANYWHERE: Final = Endpoint()
"""Any free port on all interfaces, and nothing else."""
