"""One seat at one table, from the invite to the closed log."""

from __future__ import annotations

import gc
import itertools
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from engine.games import load
from p2p import checks
from p2p.crypto.keys import TableSecret
from p2p.errors import PeerError
from p2p.events import Finished, Seated, Waiting
from p2p.hand_file import hand_text
from p2p.identity import Identity, words
from p2p.lobby import (
    HOST_FRAMES_MAX,
    REACH_SECONDS,
    TRIES,
    HostLobby,
    LobbyError,
    Seating,
    TablePlan,
    agree,
    decode_addresses,
    foresee,
    hello,
    receive_plan,
    receive_proposal,
    unreachable,
)
from p2p.net.addresses import Address, ListenError, listening_port, local_addresses, open_listeners
from p2p.net.invite import Invite, fitting
from p2p.net.mesh import Mesh
from p2p.player import Player
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import Header, begin_table
from p2p.protocol.machine import Machine
from p2p.protocol.parts import Parts
from p2p.protocol.proposal import TOKEN_BYTES
from p2p.protocol.race_terms import RaceTerms
from p2p.protocol.table import GameTable, OwnSeat, open_table
from p2p.resume import reopen
from p2p.runner import Patience, Runner
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

MEASURING_SECONDS: Final = 1.0
"""How long a table waits for links between all seats, so that their delay can be measured."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a finished table came to."""

    game: str
    seats: int
    steps: int
    seconds: float
    returns: tuple[int, ...]
    log: Path
    table_id: bytes


class _Peer:
    """The mesh of one seat, and who its frames are for at the moment."""

    def __init__(self, identity: Identity, parts: Parts | None, **mesh: Any) -> None:
        self.identity = identity
        self.parts = parts or Parts(os.urandom)
        self.addresses: list[Address] = []
        self.on_frame: Callable[[bytes, bytes], None] = lambda peer, frame: None
        self.on_link: Callable[[bytes, bool], None] = lambda peer, up: None
        self.mesh = Mesh(identity, on_change=self._link_changed, **mesh)

    def _link_changed(self, peer: bytes, up: bool) -> None:
        self.on_link(peer, up)

    async def pump(self) -> None:
        """Hand every frame on; garbage drops its link."""
        async for peer, frame in self.mesh.incoming:
            try:
                self.on_frame(peer, frame)
            except PeerError as error:
                self.mesh.drop(peer, str(error))

    async def keep_ready(self) -> None:
        """Make offline parts whenever some are wanted."""
        while True:
            wished = trio.Event()
            self.parts.on_wish = wished.set
            for count, key in self.parts.wanted()[:1]:
                await trio.to_thread.run_sync(self.parts.prepare, count, key)
                wished.set()
            await wished.wait()


@contextmanager
def _one_error() -> Iterator[None]:
    """Raise the only error of a group of tasks as itself, so that callers can name it."""
    try:
        yield
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        raise error from None


@asynccontextmanager
async def _meshed(peer: _Peer, listeners: Sequence[trio.SocketListener]) -> AsyncIterator[None]:
    gc.freeze()  # modules and rules stay: each collection would walk through all of them
    try:
        with _one_error():
            async with trio.open_nursery() as nursery:
                await nursery.start(partial(peer.mesh.run, listeners))
                nursery.start_soon(peer.pump)
                nursery.start_soon(peer.keep_ready)
                yield
                nursery.cancel_scope.cancel()
    finally:
        gc.unfreeze()


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
) -> TableResult:
    """Open a table, seat whoever comes with the invite, and play the game to its end.

    `started` receives the invite once the port is open.  UsageError or LobbyError for a plan
    that cannot be, ListenError for a port that cannot be had, PeerError when somebody cheats.
    """
    game, token = load(plan.game), os.urandom(TOKEN_BYTES)
    lobby: HostLobby | None = None
    peer = _Peer(
        identity, parts, open_to_strangers=lambda key: lobby is not None and lobby.is_open(key)
    )
    lobby = HostLobby(peer.mesh, token, game, plan, name)
    foresee(peer.parts, plan)
    lobby.on_seated = lambda names: player.tell(Waiting(names, plan.seats))
    listeners = await open_listeners(port, bind)
    peer.addresses = addresses = _own_addresses(listeners, bind)
    peer.on_frame = lobby.receive
    async with _meshed(peer, listeners):
        started(Invite(fitting(addresses), identity.public, token))
        await lobby.full.wait()
        seating = lobby.seating(identity.public, addresses)
        invitation = lobby.invitation(seating)
        for key in seating.addresses.keys() - {identity.public}:
            peer.mesh.send(key, invitation)
        return await _play(peer, seating, player, folder, patience or Patience(), lobby)


def _own_addresses(listeners: Sequence[trio.SocketListener], bind: str | None) -> list[Address]:
    port = listening_port(listeners)
    return [Address(bind, port)] if bind is not None else local_addresses(port)


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
) -> TableResult:
    """Sit down at the table of an invite and play the game to its end.

    `parts` may hold offline parts made before; otherwise they are made in the lobby.
    LobbyError if the host cannot be reached or refuses, or wants races that credit more delay
    than `race_cap_us`; PeerError when somebody cheats.
    """
    peer = _Peer(identity, parts)
    peer.mesh.add(invite.identity, invite.addresses)
    if bind is None and all(address.host == "127.0.0.1" for address in invite.addresses):
        bind = "127.0.0.1"  # a table on this machine only: nobody else need reach us
    listeners = await open_listeners(0, bind)
    async with _meshed(peer, listeners):
        peer.addresses = _own_addresses(listeners, bind)
        greeting = hello(invite.token, name, peer.addresses)
        seating = await _be_seated(peer, invite, greeting)
        agree(seating, race_cap_us)
        return await _play(peer, seating, player, folder, patience or Patience())


async def _be_seated(peer: _Peer, invite: Invite, greeting: bytes) -> Seating:
    """Greet the host until it tells what is to be played; LobbyError if it cannot be."""
    send, receive = trio.open_memory_channel[bytes](HOST_FRAMES_MAX)
    taken, reached = itertools.count(1), trio.Event()

    def take(key: bytes, frame: bytes) -> None:
        if key != invite.identity:
            return
        few = next(taken) <= HOST_FRAMES_MAX
        if not few:
            send.close()
        checks.require("lobby.flood", few, "malformed", "a host that seats nobody talks on")
        send.send_nowait(frame)

    def greet(key: bytes, up: bool) -> None:
        if key == invite.identity and up:
            reached.set()
            peer.mesh.send(key, greeting)

    peer.on_frame, peer.on_link = take, greet
    await _reach(peer.mesh, invite, reached)
    peer.mesh.send(invite.identity, greeting)
    async for frame in receive:
        plan = receive_plan(frame)
        if plan is not None:
            foresee(peer.parts, plan)
        seating = receive_proposal(invite, peer.identity.public, frame)
        if seating is not None:
            return seating
    raise LobbyError(
        f"the host sent {HOST_FRAMES_MAX} messages and did not say what is to be played"
    )


async def _reach(mesh: Mesh, invite: Invite, reached: trio.Event) -> None:
    with trio.move_on_after(REACH_SECONDS):
        while True:
            state = mesh.links()[invite.identity]
            if state.connected or reached.is_set():
                return
            if state.failures >= TRIES:
                break
            await trio.sleep(0.02)
    raise unreachable(mesh, invite)


async def _play(
    peer: _Peer,
    seating: Seating,
    player: Player,
    folder: Path,
    patience: Patience,
    lobby: HostLobby | None = None,
) -> TableResult:
    began = time.monotonic()
    proposal = seating.proposal
    runner = Runner(peer.mesh, proposal, seating.seat, player, patience)
    runner.folder = folder
    invitation = lobby.invitation(seating) if lobby else None

    def take(key: bytes, frame: bytes) -> None:
        if lobby is not None and frame[:1] == b"\x20":
            lobby.receive(key, frame)
            if invitation is not None and key in seating.addresses:
                peer.mesh.send(key, invitation)
        elif frame[:1] != b"\x21":
            runner.receive(key, frame)

    peer.on_frame, peer.on_link = take, runner.link_changed
    for key in proposal.identities:
        peer.mesh.add(key, seating.addresses.get(key, []))
    secret = TableSecret.generate(os.urandom)
    own = OwnSeat(seating.seat, peer.identity, secret)
    header = await _genesis(runner, own)
    files = TableFiles(folder, table_name(proposal.game.name, header.table))
    book = {key: [str(a) for a in known] for key, known in seating.addresses.items()}
    book[peer.identity.public] = [str(address) for address in peer.addresses]
    await trio.to_thread.run_sync(
        files.begin, seating.seat, secret.to_bytes(), header.encode(), book
    )
    player.tell(_seated(header, seating.seat))
    timing = seat_timing(peer.mesh, run_clock(), proposal.identities)
    table = open_table(header, os.urandom, own, notes=True, parts=peer.parts, timing=timing)
    return await _game(runner, table, files, began)


async def _genesis(runner: Runner, own: OwnSeat) -> Header:
    proposal, mesh = runner.proposal, runner.mesh
    with trio.move_on_after(MEASURING_SECONDS):
        await mesh.measured(runner.others())

    def pings() -> list[int | None]:
        return [mesh.round_trip_us(key) for key in proposal.identities]

    program = begin_table(proposal, os.urandom, own.seat, own.identity, own.secret, pings)
    machine = Machine(
        Chain(proposal.id), program, proposal.identities, seat=own.seat, identity=own.identity
    )
    header: Header = await runner.run(machine)
    return header


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
    if complete and seat is not None:
        files.keep_hand(hand_text(table.header.table, seat, table.cards.seen))
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
    identity: Identity, seat_file: Path, player: Player, *, patience: Patience | None = None
) -> TableResult:
    """Sit down again at an unfinished table and play it to its end.

    Nothing is signed before every other seat has been asked for our own newest entries: a
    restored backup may be older than what we signed (protocol section 3).  StorageError for
    files that cannot be opened, LobbyError for another identity's seat.
    """
    began = time.monotonic()
    files = TableFiles(seat_file.parent, seat_file.stem)
    memory = await trio.to_thread.run_sync(files.resume)
    peer = _Peer(identity, None)
    timing = partial(seat_timing, peer.mesh, run_clock())
    table = await trio.to_thread.run_sync(
        partial(reopen, identity, memory, files, peer.parts, timing)
    )
    proposal = table.header.proposal
    runner = Runner(peer.mesh, proposal, memory.seat, player, patience or Patience())
    peer.on_frame, peer.on_link = runner.receive, runner.link_changed
    listeners = await _listen_again(memory.peers.get(identity.public, []))
    async with _meshed(peer, listeners):
        for key in proposal.identities:
            peer.mesh.add(key, decode_addresses(memory.peers.get(key, [])))
        player.tell(_seated(table.header, memory.seat))
        return await _game(runner, table, files, began)


async def _listen_again(addresses: Sequence[str]) -> list[trio.SocketListener]:
    """Listen where the others may still look for us, or else anywhere."""
    known = decode_addresses(list(addresses))
    local = "127.0.0.1" if known and all(a.host == "127.0.0.1" for a in known) else None
    try:
        return await open_listeners(known[0].port if known else 0, local)
    except ListenError:
        return await open_listeners(0, local)
