"""What a host tells the network of its table: a free seat, a game to watch, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import trio

from p2p.net.addresses import Address
from p2p.net.endpoint import Announce, Announced
from p2p.net.invite import fitting
from p2p.net.lan import LanError
from p2p.supervisor import Supervisor


class Notice:
    """Runs `announce` with what is shown now, and again whenever that changes.

    None announces nothing: a table that nobody was told of stays one.  If `announce` fails, `say`
    gets a sentence, and the next attempt follows.
    """

    def __init__(
        self,
        announce: Announce | None,
        port: int,
        say: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._announce: Final = announce
        self._port: Final = port
        self._supervisor: Final = Supervisor("announcement", say, expected=(LanError,))
        self._shown: Announced | None = None
        self._changed = trio.Event()

    def show(self, shown: Announced | None) -> None:
        """From now on this is announced; nothing if None."""
        if shown != self._shown:
            self._shown = shown
            self._changed.set()

    def move(self, addresses: Sequence[Address]) -> None:
        """Announce again what is shown: the host has these addresses now, best first."""
        if self._shown is not None:
            invite = replace(self._shown.invite, addresses=fitting(addresses))
            self._shown = self._shown._replace(invite=invite)
            self._changed.set()

    async def run(self) -> None:
        """Until cancelled.  What was announced before is taken back first."""
        while True:
            self._changed = trio.Event()
            async with trio.open_nursery() as nursery:
                if self._shown is not None and self._announce is not None:
                    announce = partial(self._announce, self._shown, self._port)
                    nursery.start_soon(self._supervisor.keep, announce, trio.sleep)
                await self._changed.wait()
                nursery.cancel_scope.cancel()
