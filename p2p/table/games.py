"""Playing at an agreed table, and at those that follow it with the same people."""

from __future__ import annotations

from functools import partial
from typing import Final

import trio

from p2p.driver.connection import Evening, TableResult
from p2p.errors import LobbyError
from p2p.files.saved import table_name
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import Seating
from p2p.net.signed_addresses import Lists
from p2p.player.choosing import AskNext
from p2p.protocol.proposal import Proposal
from p2p.spectators.gallery import Gallery
from p2p.table.at_table import AtTable

FAREWELL_SECONDS: Final = 1.0
"""How long those who watch have to hear that no other game follows."""


async def play(
    sitting: Evening,
    seating: Seating,
    lobby: HostLobby | None = None,
    gallery: Gallery | None = None,
    called_off: LobbyError | None = None,
) -> TableResult:
    """Play at an agreed table, and at those that follow it while people stay.

    `called_off` is what the host has said meanwhile, if the table does not begin after all.
    """
    table = _at(sitting, seating, gallery, lobby)
    table.seat.runner.called_off = called_off
    return await _play_on(sitting, table, await table.play())


async def go_back(sitting: Evening, proposal: Proposal, name: str, lists: Lists) -> TableResult:
    """Take up the seat in the files of this name, in the genesis of its table or in its game; then
    play on as in `play`.
    """
    files = sitting.store.files(name)
    memory = await trio.to_thread.run_sync(files.resume)
    seating = Seating(proposal, memory.seat, lists)
    table = AtTable(sitting, seating, files)
    return await _play_on(sitting, table, await table.go_back(memory))


def _at(
    sitting: Evening, seating: Seating, gallery: Gallery | None, lobby: HostLobby | None = None
) -> AtTable:
    proposal = seating.proposal
    files = sitting.store.files(table_name(proposal.game.name, proposal.id))
    return AtTable(sitting, seating, files, gallery, lobby)


async def _play_on(sitting: Evening, table: AtTable, result: TableResult) -> TableResult:
    """Play on as long as people stay; those who watch stay as well, and are told of the end."""
    gallery = table.room.gallery
    try:
        return await _play_more(sitting, table, result)
    finally:
        if gallery.names:
            gallery.close()
            with trio.move_on_after(FAREWELL_SECONDS, shield=True):
                await sitting.peer.mesh.drain()


async def _play_more(sitting: Evening, table: AtTable, result: TableResult) -> TableResult:
    peer = sitting.peer
    while sitting.who.again is not None and result.returns is not None:
        seating = await _next(sitting, table, partial(sitting.who.again, result))
        if seating is None:
            break
        proposal = table.seating.proposal
        for key in set(proposal.identities) - set(seating.proposal.identities):
            peer.mesh.forget(key)
        peer.renew_parts()
        sitting.over |= {proposal.id, result.table_id}
        before, table = table, _at(sitting, seating, table.room.gallery)
        table.room.again.comes_after(before.room.again)
        table.seat.runner.called_off = before.room.again.called_off
        result = await table.play()
    return result


async def _next(sitting: Evening, table: AtTable, ask: AskNext) -> Seating | None:
    """The next table, if we stay; meanwhile people may come to watch it.

    Whoever leaves waits until that is written to all links; the next table waits for no link.
    """
    seating = None
    sitting.on_watchable(table.room.between_games())
    try:
        seating = await table.driver.run(table.room.again.settle(ask), drains=False)
    finally:
        if seating is None:
            sitting.on_watchable(None)
            await sitting.peer.mesh.drain()
    return seating
