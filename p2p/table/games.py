"""Playing at an agreed table, and at those that follow it with the same people."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import trio

from p2p import checks
from p2p.crypto.keys import OPENING_BYTES, TableSecret, joint_key
from p2p.files.hand_file import hand_text
from p2p.files.ledger import Ledger
from p2p.files.seat_memory import Known, SeatMemory, proven_item
from p2p.files.storage import seat_files, table_name
from p2p.installation import program
from p2p.lobby.host import HostLobby, LobbyError, Seating
from p2p.logs import LOG, seated
from p2p.net.inbox import Handler, Handlers, Inbox
from p2p.net.reach_address import AnyAddress
from p2p.net.signed_addresses import Lists
from p2p.player import news
from p2p.player.events import Finished
from p2p.protocol.frame_kinds import (
    HAVE,
    HELLO,
    LOBBY_TALK,
    PLAN,
    REFUSED,
    SEATS,
    STRANGER,
    WATCH,
)
from p2p.protocol.genesis import Header
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.proposal import Proposal
from p2p.protocol.table import GameTable, open_table
from p2p.seat.clock import run_clock, seat_timing
from p2p.seat.connection import Connected, Evening, TableResult, hedged
from p2p.seat.runner import Runner
from p2p.spectators.gallery import Gallery
from p2p.table.genesis import begin
from p2p.table.greeting import SITS_ALREADY, STALE, from_lobby
from p2p.table.room import Room

HOST: Final = 0
"""The seat of whoever proposes the table."""
FAREWELL_SECONDS: Final = 1.0
"""How long those who watch have to hear that no other game follows."""


async def play(
    sitting: Evening,
    seating: Seating,
    lobby: HostLobby | None = None,
    gallery: Gallery | None = None,
) -> TableResult:
    """Play at an agreed table, and at those that follow it while people stay."""
    result, room = await _play_once(sitting, seating, lobby, gallery)
    return await play_on(sitting, seating.proposal, room, result)


async def play_on(
    sitting: Evening, proposal: Proposal, room: Room, result: TableResult
) -> TableResult:
    """Play on as long as people stay; those who watch stay as well, and are told of the end."""
    try:
        return await _play_more(sitting, proposal, room, result)
    finally:
        with trio.move_on_after(FAREWELL_SECONDS, shield=True):
            await room.gallery.close()


async def _play_more(
    sitting: Evening, proposal: Proposal, room: Room, result: TableResult
) -> TableResult:
    peer = sitting.peer
    while sitting.who.again is not None:
        seating = await room.again.settle(partial(sitting.who.again, result))
        if seating is None:
            break
        for key in set(proposal.identities) - set(seating.proposal.identities):
            peer.mesh.forget(key)
        peer.renew_parts()
        sitting.over |= {proposal.id, result.table_id}
        proposal = seating.proposal
        result, room = await _play_once(sitting, seating, gallery=room.gallery)
    return result


async def _play_once(
    sitting: Evening,
    seating: Seating,
    lobby: HostLobby | None = None,
    gallery: Gallery | None = None,
) -> tuple[TableResult, Room]:
    peer, player, proposal = sitting.peer, sitting.who.player, seating.proposal
    seated(seating.seat, proposal.identities)
    gallery = gallery or own_gallery(peer, proposal)
    files = sitting.store.files(table_name(proposal.game.name, proposal.id))
    before = frozenset(sitting.over)
    runner = Runner(peer.mesh, proposal, seating.seat, sitting.who, files, gallery, before)
    lists = _with_own(peer, seating)
    room = Room(peer, proposal, seating.seat, player, lists, gallery, runner.keep)
    greets = from_lobby(peer, runner, seating, lobby) if lobby else None
    route(peer, runner, room, greets, sitting.late)
    room.whereabouts.open()
    random = hedged(peer.identity, proposal.id)
    own = OwnSeat(seating.seat, peer.identity, TableSecret.generate(random))
    opening = random(OPENING_BYTES)
    memory = SeatMemory(own.seat, own.secret.to_bytes(), opening, proposal.data, {})
    for key in proposal.identities:
        said = lists[key].data if key in lists else b""
        memory.peers[key] = Known(said, peer.mesh.sure_of(key))
    await trio.to_thread.run_sync(_begin_files, runner, sitting, memory)
    if lobby is not None:
        _propose(peer, seating, lobby)
    async with put_away(runner):
        header = await begin(runner, own, opening)
        sitting.on_watchable(room.announced)
        try:
            return await play_from(header, runner, room, peer, own), room
        finally:
            sitting.on_watchable(None)


def own_gallery(peer: Connected, proposal: Proposal) -> Gallery:
    """The gallery of those who watch this table through us."""
    return Gallery(peer.mesh, proposal.token, proposal.identities.__contains__)


def _with_own(peer: Connected, seating: Seating) -> Lists:
    """The lists of the proposal, and our own even if the host did not pass it on."""
    token, own = seating.proposal.token, peer.identity.public
    return {own: peer.list_for(token)} | dict(seating.lists)


def _begin_files(runner: Runner, sitting: Evening, memory: SeatMemory) -> None:
    """The seat file, before anything is signed; LobbyError for a table that was signed before."""
    proposal, store = runner.proposal, sitting.store
    if Ledger(store.ledger).find(proposal.id) is not None:
        left = bool(seat_files(store.folder, proposal.id))
        raise LobbyError(
            "your seat has signed this table already, and does not sign it with another key: "
            + (f"{program()} resume goes back to it" if left else "a new one has to be hosted")
        )
    runner.files.begin(memory)


async def play_from(
    header: Header, runner: Runner, room: Room, peer: Connected, own: OwnSeat
) -> TableResult:
    """Play the game of a header that all have just signed."""
    peer.parts.agree(joint_key(header.publics))
    identities = runner.proposal.identities
    timing = seat_timing(peer.mesh, run_clock(), identities)
    table = open_table(header, os.urandom, own, notes=True, parts=peer.parts, timing=timing)
    return await play_game(runner, room, table)


def _propose(peer: Connected, seating: Seating, lobby: HostLobby) -> None:
    """Tell every guest of a full table what is to be played, and by whom."""
    invitation = lobby.invitation(seating)
    for key in seating.proposal.identities:
        if key != peer.identity.public:
            peer.mesh.send(key, invitation)


def route(
    peer: Connected,
    runner: Runner,
    room: Room,
    greets: Handler[None] | None = None,
    late: Handlers[None] | None = None,
) -> None:
    """Say who takes which frames and links from now on; `late` takes those of the lobby.

    The seat file keeps where the seats are, for a program that is started again.
    """

    seats, gallery = runner.proposal.identities, room.gallery

    def refuse(key: bytes, payload: bytes) -> None:
        peer.mesh.send(key, REFUSED.make(SITS_ALREADY if key in seats else STALE))

    hello = greets or refuse
    runner.inbox.register({HELLO: hello, **_LATE, **(late or {}), **room.handlers})
    strangers = Inbox(
        STRANGER,
        _has_seat,
        {HELLO: hello, WATCH: gallery.receive, HAVE: gallery.asked},
    )

    def take(key: bytes, frame: bytes) -> None:
        if key in seats:
            runner.receive(key, frame)
        else:
            strangers.take(key, frame)

    def change(key: bytes, up: bool) -> None:
        room.gallery.link_changed(key, up)
        room.whereabouts.link_changed(key, up)
        runner.link_changed(key, up)

    def prove(key: bytes, address: AnyAddress) -> None:
        if key in runner.proposal.identities:
            runner.keep(proven_item(key, address))

    peer.on_frame, peer.on_link, peer.on_proven = take, change, prove
    peer.knows = room.gallery.knows


def _late(key: bytes, payload: bytes) -> None:
    """Ignore a frame of the lobby that comes late over another link."""


_LATE: Final[Handlers[None]] = dict.fromkeys((PLAN, SEATS, LOBBY_TALK), _late)


def _has_seat(taken: bool) -> None:
    """A peer without a seat may only greet, watch and ask for steps, or it loses the link."""
    checks.require("frame.seat", taken, "malformed", "a frame of somebody without a seat")


async def play_game(runner: Runner, room: Room, table: GameTable) -> TableResult:
    """Play at this table to its end."""
    began, log, header = time.monotonic(), runner.files.log, table.header
    LOG.info("play: the header is signed, step %d comes", table.machine.chain.step)
    runner.player.tell(news.seated(header, runner.seat))
    room.open(header)
    runner.open(table)
    async with room.gallery.opened(header, table.machine.records):
        await runner.run(table.machine)
        runner.final = True
        await runner.linger()
    returns = table.session.returns
    LOG.info("over: played to the end, %d steps", table.machine.chain.step)
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

    If nobody comes back to it, the keys go and what this seat saw stays; a seat that was stopped
    by anything but the table (a crash, a full disk, a person who leaves) comes back.
    """
    try:
        yield
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_leave, runner)


def _leave(runner: Runner) -> None:
    files, table = runner.files, runner.table
    try:
        if runner.final and table is not None:
            files.keep_hand(hand_text(table.header.table, runner.seat, table.cards.seen))
    finally:
        files.close(erase_secrets=runner.final)
