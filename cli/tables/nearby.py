"""What a host does so that others find its table: a port from outside, news on the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import trio

from p2p.net.addresses import Address
from p2p.net.endpoint import Announced
from p2p.net.lan import LanError, LanTable, announce
from p2p.net.portmap import NoMappingError, hold, map_port


@dataclass
class Nearby:
    """One host's efforts; `found` is what to tell with the invite, `say` tells what comes later."""

    name: str
    bind: str | None
    say: Callable[[str], None]
    found: list[str] = field(default_factory=list)

    async def outside(
        self,
        port: int,
        *,
        task_status: trio.TaskStatus[Sequence[Address]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Ask the gateway to map the port as long as the table lasts, if it can."""
        try:
            mapping = await map_port(port)
        except NoMappingError as error:
            self.found.append(
                f"From outside: {error}. Friends elsewhere need IPv6, or TCP port {port} of your "
                "router forwarded to this machine."
            )
            task_status.started([])
            return
        self.found.append(f"From outside: {mapping.words}.")
        task_status.started([mapping.address] if mapping.is_outside else [])
        await hold(mapping, lambda news: self.say(f"*** {news}."))

    async def announced(self, one: Announced, port: int) -> None:
        """Announce the table on the local network, until cancelled."""
        table = LanTable(one.game, one.seats, self.name, one.invite, running=one.running)
        try:
            await announce(table, port, self.bind)
        except LanError as error:
            self.say(f"*** {error}")
