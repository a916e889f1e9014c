"""Playing at an agreed table, and at those that follow it with the same people."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import trio

from p2p.beginning import begin
from p2p.crypto.keys import OPENING_BYTES, TableSecret, joint_key
from p2p.events import Finished, Seated
from p2p.gallery import Gallery
from p2p.hand_file import hand_text
from p2p.identity import words
from p2p.lobby import HELLO, PLAN, PROPOSAL, REFUSED, SEATS, HostLobby, LobbyError, Seating
from p2p.protocol.genesis import Header
from p2p.protocol.proposal import Proposal
from p2p.protocol.table import GameTable, OwnSeat, open_table
from p2p.room import Room
from p2p.runner import Runner
from p2p.seat_memory import SeatMemory
from p2p.sitting import Connected, OnFrame, Sitting, TableResult, hedged
from p2p.storage import TableFiles, seat_files, table_name
from p2p.timekeeping import run_clock, seat_timing

SITS_ALREADY: Final = b"you sit at this table already; nodealer resume goes back to it"
STALE: Final = b"the table of this invite has begun without you"


async def play(
    sitting: Sitting,
    seating: Seating,
    lobby: HostLobby | None = None,
    gallery: Gallery | None = None,
) -> TableResult:
    """Play at an agreed table, and at those that follow it while people stay."""
    result, room = await _play_once(sitting, seating, lobby, gallery)
    return await play_on(sitting, seating.proposal, room, result)


async def play_on(
    sitting: Sitting, proposal: Proposal, room: Room, result: TableResult
) -> TableResult:
    peer = sitting.peer
    while sitting.again is not None:
        seating = await room.again.agree(partial(sitting.again, result))
        if seating is None:
            break
        for key in set(proposal.identities) - set(seating.proposal.identities):
            peer.mesh.forget(key)
        peer.renew_parts()
        proposal = seating.proposal
        result, room = await _play_once(sitting, seating)
    return result


async def _play_once(
    sitting: Sitting,
    seating: Seating,
    lobby: HostLobby | None = None,
    gallery: Gallery | None = None,
) -> tuple[TableResult, Room]:
    peer, player, proposal = sitting.peer, sitting.player, seating.proposal
    runner = Runner(peer.mesh, proposal, seating.seat, player, sitting.patience)
    runner.folder = sitting.folder
    room = Room(peer.mesh, proposal, (seating.seat, peer.identity), player, gallery)
    route(peer, runner, room, _greets(peer, runner, seating, lobby) if lobby else None)
    for key in proposal.identities:
        peer.mesh.add(key, seating.addresses.get(key, []))
    random = hedged(peer.identity, proposal.id)
    own = OwnSeat(seating.seat, peer.identity, TableSecret.generate(random))
    opening = random(OPENING_BYTES)
    await trio.to_thread.run_sync(_begin_files, runner, sitting, seating, own, opening)
    async with put_away(runner):
        header = await begin(runner, own, opening)
        return await play_from(header, runner, room, peer, own), room


def _begin_files(
    runner: Runner, sitting: Sitting, seating: Seating, own: OwnSeat, opening: bytes
) -> None:
    """The seat file, before anything is signed; LobbyError for a table that was signed before."""
    proposal = seating.proposal
    sitting.book |= {key: [str(a) for a in known] for key, known in seating.addresses.items()}
    sitting.book[own.identity.public] = [str(address) for address in sitting.peer.addresses]
    if sitting.ledger.find(proposal.id) is not None:
        left = bool(seat_files(sitting.folder, proposal.id))
        raise LobbyError(
            "your seat has signed this table already, and does not sign it with another key: "
            + ("nodealer resume goes back to it" if left else "a new one has to be hosted")
        )
    runner.files = TableFiles(
        sitting.folder, table_name(proposal.game.name, proposal.id), sitting.ledger
    )
    secret = own.secret.to_bytes()
    runner.files.begin(SeatMemory(own.seat, secret, opening, proposal.data, sitting.book))


async def play_from(
    header: Header, runner: Runner, room: Room, peer: Connected, own: OwnSeat
) -> TableResult:
    """Play the game of a header that all have just signed."""
    peer.parts.agree(joint_key(header.publics))
    identities = runner.proposal.identities
    timing = seat_timing(peer.mesh, run_clock(), identities)
    table = open_table(header, os.urandom, own, notes=True, parts=peer.parts, timing=timing)
    return await play_game(runner, room, table)


def _greets(peer: Connected, runner: Runner, seating: Seating, lobby: HostLobby) -> OnFrame:
    """How a host answers guests that greet it again after a new link.

    Once the header is signed, only a program that was started anew does so: it would sign other
    keys for its seat.  Before, it is known by its addresses.
    """
    invitation = lobby.invitation(seating)

    def greets(key: bytes, frame: bytes) -> None:
        if key in seating.addresses and runner.table is not None:
            peer.mesh.send(key, bytes([REFUSED]) + SITS_ALREADY)
            return
        if lobby.receive(key, frame):
            peer.mesh.send(key, invitation)

    return greets


def route(peer: Connected, runner: Runner, room: Room, greets: OnFrame | None = None) -> None:
    """Say who takes which frames and links from now on, and who hears of whole steps."""

    def take(key: bytes, frame: bytes) -> None:
        if frame[0] == HELLO and greets is not None:
            greets(key, frame)
        elif frame[0] == HELLO:
            seated = key in runner.proposal.identities
            peer.mesh.send(key, bytes([REFUSED]) + (SITS_ALREADY if seated else STALE))
        elif frame[0] in (PLAN, SEATS):
            return  # of the lobby, late by way of another link
        elif frame[0] in (PROPOSAL, REFUSED):
            room.again.receive(key, frame)
        elif room.takes(frame):
            room.receive(key, frame)
        else:
            runner.receive(key, frame)

    def change(key: bytes, up: bool) -> None:
        room.gallery.link_changed(key, up)
        runner.link_changed(key, up)

    peer.on_frame, peer.on_link = take, change
    runner.on_step = room.gallery.step


async def play_game(runner: Runner, room: Room, table: GameTable) -> TableResult:
    """Play at this table to its end."""
    assert runner.files is not None
    began, log, header = time.monotonic(), runner.files.log, table.header
    runner.player.tell(_seated(header, runner.seat))
    room.open(header)
    runner.table = table
    await runner.run(table.machine)
    runner.final = True
    await runner.linger()
    returns = table.session.returns
    runner.player.tell(Finished(returns, log))
    return TableResult(
        header.proposal.game.name,
        len(header.keys),
        table.machine.chain.step,
        time.monotonic() - began,
        returns,
        log,
        header.table,
    )


@asynccontextmanager
async def put_away(runner: Runner) -> AsyncIterator[None]:
    """Close the files of a table, however it ends.

    Where nobody comes back to it, the keys go and what this seat saw stays; who was stopped by
    anything but the table (a crash, a full disk, a person who leaves) comes back.
    """
    try:
        yield
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_leave, runner)


def _leave(runner: Runner) -> None:
    files, table = runner.files, runner.table
    assert files is not None
    try:
        if runner.final and table is not None:
            files.keep_hand(hand_text(table.header.table, runner.seat, table.cards.seen))
    finally:
        files.close(erase_secrets=runner.final)


def _seated(header: Header, seat: int) -> Seated:
    proposal = header.proposal
    fingerprints = tuple(words(key) for key in proposal.identities)
    return Seated(
        proposal.names,
        fingerprints,
        seat,
        proposal.game.name,
        proposal.options,
        header.race_cap_us,
        proposal.race.hold_us,
        header.unlinked,
    )
