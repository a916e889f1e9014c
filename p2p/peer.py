"""One seat at one table, from the invite to the closed log."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

from engine.games import load
from p2p.beginning import begin
from p2p.crypto.keys import TableSecret, joint_key
from p2p.events import Finished, Seated, Waiting
from p2p.gallery import WATCH, Gallery
from p2p.gathering import GetReady, GuestLobby, be_seated, gathering, while_open
from p2p.hand_file import hand_text
from p2p.identity import Identity, words
from p2p.lobby import (
    HELLO,
    PLAN,
    PROPOSAL,
    REFUSED,
    SEATS,
    HostLobby,
    Seating,
    TablePlan,
    decode_addresses,
    foresee,
)
from p2p.net.addresses import Address, ListenError, listening_port, local_addresses, open_listeners
from p2p.net.invite import Invite, fitting
from p2p.net.reach_address import AnyAddress, ReachAddress
from p2p.net.reach_plan import LOOPBACKS, ReachPlan
from p2p.net.transport import reach_is_installed
from p2p.player import Player
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.parts import Parts
from p2p.protocol.proposal import TOKEN_BYTES, Proposal
from p2p.protocol.race_terms import RaceTerms
from p2p.protocol.table import GameTable, OwnSeat, open_table
from p2p.resume import reopen
from p2p.room import Room
from p2p.runner import Patience, Runner
from p2p.sitting import AskAgain, Connected, OnFrame, Outside, Sitting, TableResult, meshed
from p2p.storage import TableFiles, table_name
from p2p.timekeeping import run_clock, seat_timing

__all__ = [
    "Player",
    "TablePlan",
    "TableResult",
    "host_table",
    "join_table",
    "resume_table",
]

SITS_ALREADY: Final = b"you sit at this table already; nodealer resume goes back to it"
STALE: Final = b"the table of this invite has begun without you"


async def host_table(
    identity: Identity,
    plan: TablePlan,
    player: Player,
    *,
    folder: Path,
    port: int = 0,
    bind: str | None = None,
    started: Callable[[Invite], None],
    name: str,
    patience: Patience | None = None,
    parts: Parts | None = None,
    outside: Outside | None = None,
    meanwhile: Callable[[Invite, int], Awaitable[None]] | None = None,
    get_ready: GetReady | None = None,
    again: AskAgain | None = None,
    reach_plan: ReachPlan | None = None,
) -> TableResult:
    """Open a table, seat whoever comes with the invite, and play the game to its end.

    `outside` finds more addresses of the port that is open, and keeps them while the table
    lasts; with a `reach_plan` iroh is used too; `started` receives the invite; `meanwhile` gets
    it and the port, and runs while seats are free.  `get_ready` says when our person is ready
    (None: at once); the game begins when everybody is.  After each game `again` gets its result and
    says whether to play on with those who stay.  UsageError or LobbyError for a plan that cannot
    be, ListenError for a port that cannot be had, PeerError when somebody cheats.
    """
    game, token = load(plan.game), os.urandom(TOKEN_BYTES)
    lobby: HostLobby | None = None
    peer = Connected(
        *(identity, parts),
        token=token,
        reach=reach_plan,
        open_to_strangers=lambda key: lobby is not None and lobby.is_open(key),
    )
    host = (identity.public, name)
    lobby = HostLobby(peer.mesh, token, game, plan, host, ready=get_ready is None)
    foresee(peer.parts, plan)
    lobby.on_seated = lambda names: player.tell(Waiting(names, plan.seats))
    lobby.on_change = lambda seats: player.tell(gathering(plan, seats, identity.public))
    gallery = Gallery(peer.mesh, token, lobby.knows)
    listeners = await open_listeners(port, bind)
    peer.addresses = [*_own_addresses(listeners, bind)]

    _open_the_door(peer, lobby, gallery)
    async with meshed(peer, listeners) as nursery:
        if outside is not None:
            found = await nursery.start(outside, listening_port(listeners))
            peer.addresses = [*found, *peer.addresses]
        invite = Invite(fitting(_direct(peer.addresses)), identity.public, token, peer.reach)
        started(invite)
        if meanwhile is not None:
            port = listening_port(listeners)
            nursery.start_soon(_while_free, lobby, partial(meanwhile, invite, port))
        await _gathered(nursery, lobby, get_ready)
        seating = _propose(peer, lobby)
        sitting = Sitting(peer, player, folder, patience or Patience(), again)
        return await _play(sitting, seating, lobby, gallery)


def _open_the_door(peer: Connected, lobby: HostLobby, gallery: Gallery) -> None:
    """Before the table: who comes wants to sit down, or to watch."""

    def greet(key: bytes, frame: bytes) -> None:
        if frame[0] == WATCH:
            gallery.receive(key, frame[1:])
        else:
            lobby.receive(key, frame)

    def change(key: bytes, up: bool) -> None:
        gallery.link_changed(key, up)
        lobby.link_changed(key, up)

    peer.on_frame, peer.on_link = greet, change


async def _gathered(nursery: trio.Nursery, lobby: HostLobby, get_ready: GetReady | None) -> None:
    """Return once all seats are taken and everybody is ready; who leaves closes the table."""
    lobby.on_change(lobby.seats())
    nursery.start_soon(lobby.run)
    try:
        await while_open(get_ready, lobby.set_ready, lobby.start.wait)
    except Exception:
        await lobby.close()
        raise


def _propose(peer: Connected, lobby: HostLobby) -> Seating:
    """Tell every guest of a full table what is to be played, and by whom."""
    seating = lobby.seating(peer.addresses)
    invitation = lobby.invitation(seating)
    for key in seating.addresses.keys() - {peer.identity.public}:
        peer.mesh.send(key, invitation)
    return seating


async def _while_free(lobby: HostLobby, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """Run `meanwhile` as long as a seat is free, and anew whenever one is again."""
    while not lobby.start.is_set():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(meanwhile)
            await lobby.room(free=False)
            nursery.cancel_scope.cancel()
        await lobby.room(free=True)


def _own_addresses(listeners: Sequence[trio.SocketListener], bind: str | None) -> list[Address]:
    port = listening_port(listeners)
    return [Address(bind, port)] if bind is not None else local_addresses(port)


def _direct(addresses: Sequence[AnyAddress]) -> list[Address]:
    return [address for address in addresses if isinstance(address, Address)]


async def join_table(
    identity: Identity,
    invite: Invite,
    player: Player,
    *,
    folder: Path,
    name: str,
    bind: str | None = None,
    patience: Patience | None = None,
    parts: Parts | None = None,
    race_cap_us: int = RaceTerms().cap_us,
    addresses: Sequence[Address] = (),
    get_ready: GetReady | None = None,
    again: AskAgain | None = None,
    reach_plan: ReachPlan | None = None,
) -> TableResult:
    """Sit down at the table of an invite and play the game to its end.

    `addresses` are tried besides those of the invite; `get_ready`, `again` and `reach_plan` as in
    `host_table`.
    `parts` may hold offline parts made before; otherwise they are made in the lobby.
    LobbyError if the host cannot be reached or refuses, or wants races that credit more delay
    than `race_cap_us`; PeerError when somebody cheats.
    """
    peer = Connected(identity, parts, token=invite.token, reach=reach_plan)
    peer.mesh.add(invite.identity, [*invite.everywhere, *addresses])
    if bind is None and all(address.host == "127.0.0.1" for address in invite.addresses):
        bind = "127.0.0.1"  # a table on this machine only: nobody else need reach us
    listeners = await open_listeners(0, bind)
    peer.addresses = [*_own_addresses(listeners, bind)]
    async with meshed(peer, listeners):
        lobby = GuestLobby(
            peer, invite, name, player.tell, race_cap_us=race_cap_us, ready=get_ready is None
        )
        seating = await _agreed(peer, invite, lobby, get_ready)
        sitting = Sitting(peer, player, folder, patience or Patience(), again)
        return await _play(sitting, seating)


async def _agreed(
    peer: Connected, invite: Invite, lobby: GuestLobby, get_ready: GetReady | None
) -> Seating:
    """The table that a guest is seated at; whoever leaves before gives the seat back."""
    seatings: list[Seating] = []

    async def seated() -> None:
        seatings.append(await be_seated(peer, invite, lobby))

    try:
        await while_open(get_ready, lobby.set_ready, seated)
    except Exception:
        await lobby.leave()
        raise
    return seatings[0]


async def _play(
    sitting: Sitting,
    seating: Seating,
    lobby: HostLobby | None = None,
    gallery: Gallery | None = None,
) -> TableResult:
    """Play at an agreed table, and at those that follow it while people stay."""
    result, room = await _play_once(sitting, seating, lobby, gallery)
    return await _play_on(sitting, seating.proposal, room, result)


async def _play_on(
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
    began = time.monotonic()
    peer, player, proposal = sitting.peer, sitting.player, seating.proposal
    runner = Runner(peer.mesh, proposal, seating.seat, player, sitting.patience)
    runner.folder = sitting.folder
    room = Room(peer.mesh, proposal, (seating.seat, peer.identity), player, gallery)
    _route(peer, runner, room, _greets(peer, runner, seating, lobby) if lobby else None)
    for key in proposal.identities:
        peer.mesh.add(key, seating.addresses.get(key, []))
    secret = TableSecret.generate(os.urandom)
    own = OwnSeat(seating.seat, peer.identity, secret)
    header = await begin(runner, own)
    peer.parts.agree(joint_key(header.publics))
    files = TableFiles(sitting.folder, table_name(proposal.game.name, header.table))
    sitting.book |= {key: [str(a) for a in known] for key, known in seating.addresses.items()}
    sitting.book[peer.identity.public] = [str(address) for address in peer.addresses]
    await trio.to_thread.run_sync(
        files.begin, seating.seat, secret.to_bytes(), header.encode(), sitting.book
    )
    player.tell(_seated(header, seating.seat))
    room.open(header)
    timing = seat_timing(peer.mesh, run_clock(), proposal.identities)
    table = open_table(header, os.urandom, own, notes=True, parts=peer.parts, timing=timing)
    return await _game(runner, table, files, began), room


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


def _route(peer: Connected, runner: Runner, room: Room, greets: OnFrame | None = None) -> None:
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


async def _game(runner: Runner, table: GameTable, files: TableFiles, began: float) -> TableResult:
    runner.table, runner.files = table, files
    complete = False
    try:
        await runner.run(table.machine)
        complete = True
        await runner.linger()
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_leave, files, table, complete)
    returns = table.session.returns
    runner.player.tell(Finished(returns, files.log))
    header = table.header
    return TableResult(
        header.proposal.game.name,
        len(header.keys),
        table.machine.chain.step,
        time.monotonic() - began,
        returns,
        files.log,
        header.table,
    )


def _leave(files: TableFiles, table: GameTable, complete: bool) -> None:
    """Close the files; of a table that is closed, the keys go and what this seat saw stays."""
    seat = table.machine.seat
    try:
        if complete and seat is not None:
            files.keep_hand(hand_text(table.header.table, seat, table.cards.seen))
    finally:
        files.close(erase_secrets=complete)


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
    )


async def resume_table(
    identity: Identity,
    seat_file: Path,
    player: Player,
    *,
    patience: Patience | None = None,
    again: AskAgain | None = None,
) -> TableResult:
    """Sit down again at an unfinished table and play it to its end.

    Nothing is signed before every other seat has been asked for our own newest entries: a
    restored backup may be older than what we signed (protocol section 3).  StorageError for
    files that cannot be opened, LobbyError for another identity's seat.
    """
    began = time.monotonic()
    files = TableFiles(seat_file.parent, seat_file.stem)
    memory = await trio.to_thread.run_sync(files.resume)
    known = decode_addresses(memory.peers.get(identity.public, []))
    peer = Connected(
        *(identity, None),
        token=decode_header(memory.header).proposal.token,
        reach=_reach_again(known),
        open_to_strangers=lambda key: True,  # they may watch
    )
    timing = partial(seat_timing, peer.mesh, run_clock())
    table = await trio.to_thread.run_sync(
        partial(reopen, identity, memory, files, peer.parts, timing)
    )
    proposal = table.header.proposal
    runner = Runner(peer.mesh, proposal, memory.seat, player, patience or Patience())
    room = Room(peer.mesh, proposal, (memory.seat, identity), player)
    _route(peer, runner, room)
    listeners = await _listen_again(_direct(known))
    async with meshed(peer, listeners):
        for key in proposal.identities:
            peer.mesh.add(key, decode_addresses(memory.peers.get(key, [])))
        player.tell(_seated(table.header, memory.seat))
        room.open(table.header)
        result = await _game(runner, table, files, began)
        folder = seat_file.parent
        sitting = Sitting(peer, player, folder, patience or Patience(), again, memory.peers)
        return await _play_on(sitting, proposal, room, result)


def _reach_again(addresses: Sequence[AnyAddress]) -> ReachPlan | None:
    """The plan for iroh of a seat that was reached at these addresses, if it is still there."""
    reach = next((one for one in addresses if isinstance(one, ReachAddress)), None)
    if reach is None or not reach_is_installed():
        return None
    return ReachPlan.at(reach.at.host if reach.at.host in LOOPBACKS else None)


async def _listen_again(known: Sequence[Address]) -> list[trio.SocketListener]:
    """Listen where the others may still look for us, or else anywhere."""
    local = "127.0.0.1" if known and all(a.host == "127.0.0.1" for a in known) else None
    try:
        return await open_listeners(known[0].port if known else 0, local)
    except ListenError:
        return await open_listeners(0, local)
