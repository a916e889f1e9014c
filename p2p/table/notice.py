"""What a host tells the network of its table: a free seat, a game to watch, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import trio

from p2p.net.addresses import Address
from p2p.net.endpoint import Announce, Announced
from p2p.net.invite import fitting


class Notice:
    """Runs `announce` with what is shown now, and again whenever that changes.

    None announces nothing: a table that nobody was told of stays one.
    """

    def __init__(self, announce: Announce | None, port: int) -> None:
        self._announce: Final = announce
        self._port: Final = port
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
                    nursery.start_soon(self._announce, self._shown, self._port)
                await self._changed.wait()
                nursery.cancel_scope.cancel()
