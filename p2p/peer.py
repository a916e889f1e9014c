"""One seat at one table, from the invite to the closed log."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from p2p.driver.connection import (
    Connected,
    Evening,
    Sitter,
    TableResult,
    meshed,
)
from p2p.driver.driver import Driver
from p2p.driver.moves import follow_addresses, search_again
from p2p.errors import LobbyError
from p2p.files.saved import saved_seat
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import Store
from p2p.lobby.guest import GuestLobby
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import Seating, TablePlan, foresee
from p2p.logs import LOG, at_a_table
from p2p.net.addresses import (
    Address,
    ListenError,
    is_loopback,
    listening_addresses,
    listening_port,
)
from p2p.net.endpoint import ANYWHERE, Endpoint, Search
from p2p.net.invite import Invite
from p2p.net.reach_address import AnyAddress, ReachAddress
from p2p.net.reach_plan import LOOPBACKS, ReachPlan
from p2p.net.signed_addresses import SignedAddresses
from p2p.net.transport import reach_is_installed
from p2p.player.player import Player
from p2p.protocol.frame_kinds import WATCH
from p2p.protocol.parts import Parts
from p2p.protocol.proposal import TOKEN_BYTES, decode_proposal
from p2p.protocol.races.terms import RaceTerms
from p2p.spectators.gallery import Gallery
from p2p.table.games import go_back, play
from p2p.table.invitation import Invitation, WayIn
from p2p.table.notice import Notice

PARTING_SECONDS: Final = 1.0
"""How long somebody who leaves a lobby waits until that is written to all links."""

__all__ = [
    "Endpoint",
    "Player",
    "Sitter",
    "Store",
    "TablePlan",
    "TableResult",
    "begin_late",
    "host_table",
    "join_table",
    "resume_table",
]


@at_a_table("hosts a table")
async def host_table(
    who: Sitter,
    plan: TablePlan,
    store: Store,
    *,
    started: Callable[[Invite], None],
    endpoint: Endpoint = ANYWHERE,
    parts: Parts | None = None,
) -> TableResult:
    """Open a table, seat whoever comes with the invite, and play the game to its end.

    `started` receives the invite.  The game begins when everybody is ready, and after each one
    those who stay play another, as `who` says.  `parts` may hold offline parts made before;
    otherwise they are made in the lobby.
    UsageError or LobbyError for an impossible plan, ListenError for a port that is not available,
    PeerError when somebody cheats.
    """
    token = os.urandom(TOKEN_BYTES)
    identity, ready = who.identity, who.get_ready is None
    peer = Connected(*(identity, parts), token=token, reach=endpoint.reach, open_to_strangers=True)
    driver = Driver(peer.mesh, who.player)
    lobby = HostLobby(
        *(driver.desk, identity, token, plan),
        ready=ready,
        on_plan=partial(foresee, peer.parts),
    )
    gallery = Gallery(driver.desk, token, peer.mesh.strangers.served, lobby.knows)
    listeners = await endpoint.listen()
    way_in = WayIn(lambda: peer.move(find()))

    def find() -> list[Address]:
        own = listening_addresses(listeners, endpoint.find_own)
        return list(dict.fromkeys([*way_in.addresses, *own]))

    peer.addresses = [*find()]
    _open_the_door(peer, driver, lobby, gallery)
    async with meshed(peer, listeners) as nursery:
        port = listening_port(listeners)
        if endpoint.outside is not None:
            nursery.start_soon(way_in.keep, endpoint.outside, port, endpoint.say)
            await way_in.known.wait()
        notice = Notice(endpoint.announce, port, endpoint.say)
        shown = Invitation(peer, token, lambda: lobby.plan, notice, endpoint.moved)
        started(shown.invite)
        nursery.start_soon(notice.run)
        lobby.on_free, peer.on_moved = shown.show, shown.move
        shown.show(is_free=True)
        nursery.start_soon(follow_addresses, peer, find)
        try:
            await driver.run(lobby.gather(who.get_ready), drains=False)
        except Exception:
            await _part(peer, lobby.close)
            raise
        LOG.info("lobby: the table of %d is full", lobby.plan.seats)
        seating = lobby.seating(peer.list_for(token))
        evening = Evening(peer, who, store, lobby.talk.handlers, notice.show, notice.move)
        return await play(evening, seating, lobby, gallery)


def _open_the_door(peer: Connected, driver: Driver, lobby: HostLobby, gallery: Gallery) -> None:
    """Before the table: those who come want to sit down, or to watch."""
    inbox = lobby.inbox({WATCH: gallery.receive})

    def change(key: bytes, up: bool) -> None:
        gallery.link_changed(key, up)
        lobby.link_changed(key, up)

    peer.on_frame, peer.on_link = driver.entered(inbox.take), driver.entered(change)
    peer.knows = lambda key: lobby.knows(key) or gallery.knows(key)


async def _part(peer: Connected, say: Callable[[], None]) -> None:
    """Our own person leaves the lobby: `say` so to the others, if they still read."""
    with trio.move_on_after(PARTING_SECONDS, shield=True):
        say()
        await peer.mesh.drain()


def _direct(addresses: Sequence[AnyAddress]) -> list[Address]:
    return [address for address in addresses if isinstance(address, Address)]


@at_a_table("joins a table")
async def join_table(
    who: Sitter,
    invite: Invite,
    store: Store,
    *,
    endpoint: Endpoint = ANYWHERE,
    addresses: Sequence[Address] = (),
    race_cap_us: int = RaceTerms().cap_us,
    parts: Parts | None = None,
) -> TableResult:
    """Sit down at the table of an invite and play the game to its end.

    `addresses` are tried besides those of the invite; `parts` as in `host_table`.
    LobbyError if the host cannot be reached or refuses, or wants races that credit more delay
    than `race_cap_us`; PeerError when somebody cheats.
    """
    peer = Connected(who.identity, parts, token=invite.token, reach=endpoint.reach)
    peer.race_cap_us = race_cap_us
    peer.mesh.add(invite.identity, [*invite.everywhere, *addresses])
    if endpoint.bind is None and is_loopback(invite.addresses):
        # A table on this machine only: nobody else need reach us.
        endpoint = replace(endpoint, bind="127.0.0.1")
    listeners = await endpoint.listen()
    find = partial(listening_addresses, listeners, endpoint.find_own)
    peer.addresses = [*find()]
    async with meshed(peer, listeners) as nursery:
        nursery.start_soon(follow_addresses, peer, find)
        if endpoint.search is not None:
            nursery.start_soon(search_again, peer, invite.identity, endpoint.search)
        driver = Driver(peer.mesh, who.player)
        lobby = GuestLobby(
            *(driver.desk, who.identity, invite, peer.list_for(invite.token)),
            race_cap_us=race_cap_us,
            on_plan=partial(foresee, peer.parts),
            ready=who.get_ready is None,
        )
        _sit_down(peer, driver, lobby)
        try:
            seating = await driver.run(lobby.seated(who.get_ready), drains=False)
        except Exception:
            await _part(peer, lobby.leave)
            raise
        evening = Evening(peer, who, store, lobby.talk.handlers)
        return await play(evening, seating, called_off=lobby.called_off)


def _sit_down(peer: Connected, driver: Driver, lobby: GuestLobby) -> None:
    """Before the table: what host and other guests say."""
    peer.on_frame = driver.entered(lobby.take)
    peer.on_link = driver.entered(lobby.link_changed)


@at_a_table("goes back to a table")
async def resume_table(
    who: Sitter, seat_file: Path, ledger: Path, search: Search | None = None
) -> TableResult:
    """Sit down again at a table whose signing has begun, and play it to its end.

    `search` looks for the host on the local network while it is not linked.

    Nothing is signed before other seats have been asked for our own newest entries; if the
    files went back, or the `ledger` knows nothing of them, before every other seat has told us
    (protocol section 7).  StorageError for files that cannot be opened, LobbyError for another
    identity's seat, OutdatedError for files that lack what was signed.
    """
    memory = await trio.to_thread.run_sync(saved_seat, seat_file)
    proposal = decode_proposal(memory.proposal)
    if proposal.identities[memory.seat] != who.identity.public:
        raise LobbyError("this seat belongs to another identity")
    store = Store(seat_file.parent, ledger)
    async with _linked_again(who, store, memory, search) as (sitting, lists):
        return await go_back(sitting, proposal, seat_file.stem, lists)


@at_a_table("begins a table late")
async def begin_late(who: Sitter, store: Store, known: SeatMemory) -> TableResult:
    """Sit down at a proposed table that this seat has not begun to sign, and play it to its end.

    `known` is from the seat file of another seat on this machine: what was proposed, and where the
    seats are.  LobbyError if the ledger says that this seat has signed the proposal.
    """
    proposal = decode_proposal(known.proposal)
    seat = proposal.identities.index(who.identity.public)
    async with _linked_again(who, store, known) as (sitting, lists):
        return await play(sitting, Seating(proposal, seat, lists))


@asynccontextmanager
async def _linked_again(
    who: Sitter, store: Store, known: SeatMemory, search: Search | None = None
) -> AsyncIterator[tuple[Evening, dict[bytes, SignedAddresses]]]:
    """The links of a seat to those that a seat file tells of, where it could be reached before;
    and the lists of all, with a new one of its own.
    """
    proposal = decode_proposal(known.proposal)
    token, host = proposal.token, proposal.identities[0]
    lists = known.lists(token)
    own = lists.get(who.identity.public)
    said = () if own is None else own.addresses
    endpoint = _endpoint_again(said)
    peer = Connected(
        *(who.identity, None),
        token=token,
        reach=endpoint.reach,
        open_to_strangers=True,  # they may watch
    )
    peer.race_cap_us = proposal.terms.race.cap_us  # it agreed to that before
    listeners = await _listen_again(endpoint)
    find = partial(_addresses_again, listeners, _direct(said))
    peer.addresses = [*find()]
    peer.lists_signed = 0 if own is None else own.number
    async with meshed(peer, listeners) as nursery:
        nursery.start_soon(follow_addresses, peer, find)
        if search is not None and host != who.identity.public:
            nursery.start_soon(search_again, peer, host, search)
        for key, other in known.peers.items():
            peer.mesh.add(key, other.sure)
        for key, one in lists.items():  # while the log is read
            peer.mesh.learn(key, one.addresses)
        lists[who.identity.public] = peer.list_for(token)
        yield Evening(peer, who, store), lists


def _endpoint_again(known: Sequence[AnyAddress]) -> Endpoint:
    """Where the others may still look for a seat that was reached at these addresses."""
    dialled = _direct(known)
    port = dialled[0].port if dialled else 0
    return Endpoint(port, _only_here(dialled), _reach_again(known))


def _reach_again(addresses: Sequence[AnyAddress]) -> ReachPlan | None:
    """The plan for iroh of a seat that was reached at these addresses, if it is still there."""
    reach = next((one for one in addresses if isinstance(one, ReachAddress)), None)
    if reach is None or not reach_is_installed():
        return None
    return ReachPlan.at(reach.at.host if reach.at.host in LOOPBACKS else None)


async def _listen_again(endpoint: Endpoint) -> list[trio.SocketListener]:
    """Listen at this port, or else at any."""
    try:
        return await endpoint.listen()
    except ListenError:
        return await replace(endpoint, port=0).listen()


def _addresses_again(
    listeners: Sequence[trio.SocketListener], known: Sequence[Address]
) -> list[Address]:
    """Where we can be dialled now: at the old addresses too, if the port is the old one."""
    port = listening_port(listeners)
    old = [address for address in known if address.port == port]
    return [*dict.fromkeys([*listening_addresses(listeners), *old])]


def _only_here(known: Sequence[Address]) -> str | None:
    """What to listen at if the table is on this machine only."""
    return "127.0.0.1" if known and is_loopback(known) else None
