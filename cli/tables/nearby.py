"""What a host does so that others find its table: a port from outside, news on the network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Final

import trio

from p2p.net.addresses import Address, local_addresses
from p2p.net.endpoint import Announced, Found
from p2p.net.lan import LanTable, announce
from p2p.net.portmap import Mapping, NoMappingError, hold, map_port, open_pinhole
from p2p.supervisor import Supervisor

PINHOLES_MAX: Final = 2
"""The number of global IPv6 addresses for which the gateway is asked to let others in."""
FORWARD: Final = (
    "Friends elsewhere need IPv6, or TCP port {port} of your router forwarded to this machine."
)


@dataclass
class Nearby:
    """One host's efforts; `say` tells what comes after the invite was shown."""

    name: str
    bind: str | None
    say: Callable[[str], None]
    _sentences: list[str] = field(default_factory=list)
    _invite_is_shown: bool = False

    def with_invite(self) -> Sequence[str]:
        """What to tell with the invite, which is shown now."""
        self._invite_is_shown = True
        return self._sentences

    def tell(self, sentence: str) -> None:
        """Tell the person this, at the latest with the invite."""
        if self._invite_is_shown:
            self.say(f"*** {sentence}")
        else:
            self._sentences.append(sentence)

    async def outside(self, port: int, found: Found) -> None:
        """Ask the gateway to let others in as long as the table lasts, if it can."""
        hosts = [one.host for one in local_addresses(port) if _is_global_v6(one)]
        # Without a gateway that opens pinholes, IPv6 may work all the same: nothing to tell.
        pinholes = [_Way(partial(open_pinhole, port, host)) for host in hosts[:PINHOLES_MAX]]
        ways = [_Way(partial(map_port, port), self.tell, FORWARD.format(port=port)), *pinholes]
        known: dict[_Way, tuple[Address, ...]] = {}

        def lead(way: _Way, mapping: Mapping | None) -> None:
            if mapping is not None or way not in known:
                known[way] = (mapping.address,) if mapping and mapping.is_outside else ()
            if len(known) == len(ways):
                found([*chain.from_iterable(map(known.__getitem__, ways))])

        async with trio.open_nursery() as nursery:
            for way in ways:
                attempt = partial(self._hold_open, way, partial(lead, way))
                nursery.start_soon(way.supervisor.keep, attempt, trio.sleep)

    async def _hold_open(self, way: _Way, lead: Callable[[Mapping | None], None]) -> None:
        mapping = None
        try:
            try:
                mapping = await way.ask()
            finally:
                lead(mapping)
            self.tell(f"From outside: {mapping.words}.")
            await hold(mapping, lambda news: self.tell(f"From outside: {news}."), lead)
        except NoMappingError as error:
            raise NoMappingError(f"From outside: {error}. {way.advice}".rstrip()) from error

    async def announced(self, one: Announced, port: int) -> None:
        """Announce the table on the local network, until cancelled."""
        table = LanTable(one.game, one.seats, self.name, one.invite, running=one.running)
        await announce(table, port, self.bind)


@dataclass(frozen=True, eq=False)
class _Way:
    """One way in from outside: how a gateway is asked for it, and what else friends may do."""

    ask: Callable[[], Awaitable[Mapping]]
    tell: Callable[[str], None] = lambda sentence: None
    advice: str = ""

    @property
    def supervisor(self) -> Supervisor:
        return Supervisor("port mapping", self.tell, expected=(NoMappingError,))


def _is_global_v6(address: Address) -> bool:
    ip = address.ip
    return ip is not None and ip.version == 6 and ip.is_global
