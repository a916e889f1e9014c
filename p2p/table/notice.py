"""What a host tells the network of its table: a free seat, a game to watch, or nothing."""

from __future__ import annotations

from typing import Final

import trio

from p2p.lobby.host import HostLobby
from p2p.net.endpoint import Announce
from p2p.net.invite import Invite


class Notice:
    """Runs `announce` with what is shown now, and again whenever that changes.

    None announces nothing: a table that nobody was told of stays one.
    """

    def __init__(self, announce: Announce | None, port: int) -> None:
        self._announce: Final = announce
        self._port: Final = port
        self._shown: tuple[Invite, bool] | None = None
        self._changed = trio.Event()

    def show(self, invite: Invite | None, *, running: bool = False) -> None:
        """From now on this is announced; nothing if None."""
        shown = None if invite is None else (invite, running)
        if shown != self._shown:
            self._shown = shown
            self._changed.set()

    def watchable(self, invite: Invite | None) -> None:
        """A game has begun that can be watched with this invite, or is over (None)."""
        self.show(invite, running=True)

    async def run(self) -> None:
        """Until cancelled.  What was announced before is taken back first."""
        while True:
            self._changed = trio.Event()
            async with trio.open_nursery() as nursery:
                if self._shown is not None and self._announce is not None:
                    invite, running = self._shown
                    nursery.start_soon(self._announce, invite, self._port, running)
                await self._changed.wait()
                nursery.cancel_scope.cancel()

    async def while_free(self, lobby: HostLobby, invite: Invite) -> None:
        """Show the invite as long as a seat is free, until the table starts."""
        while not lobby.start.is_set():
            self.show(invite)
            await lobby.room(free=False)
            if not lobby.start.is_set():
                self.show(None)
                await lobby.room(free=True)
