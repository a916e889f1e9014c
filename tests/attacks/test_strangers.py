"""Attacks by people without a seat: on the lobby, as spectators, and on a game in progress."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import trio

from engine.games import load
from p2p.driver import connection
from p2p.driver.connection import Connected, meshed
from p2p.driver.driver import Driver
from p2p.errors import PeerError
from p2p.identity.keys import Identity
from p2p.lobby.plan import NOT_READY, hello
from p2p.net import strangers
from p2p.net.addresses import Address, listening_port, open_listeners
from p2p.net.handshake import connect
from p2p.net.invite import Invite
from p2p.net.limits import Limits
from p2p.net.link import Channel
from p2p.net.mesh import Mesh
from p2p.net.signed_addresses import sign_addresses
from p2p.net.strangers import CALL_SECONDS, CALLERS_MAX
from p2p.peer import Endpoint, TablePlan, TableResult, host_table, join_table
from p2p.player.events import Chat, Event, Gathering, Opened, Spectators, Talk, Waiting
from p2p.protocol import wire
from p2p.protocol.entry import Entry
from p2p.protocol.frame_kinds import (
    CHAT,
    HAVE,
    HEADER,
    PING,
    RECORD,
    REFUSED,
    SEATS,
    STRANGER,
    WATCH,
    FrameKind,
    Inbox,
    unknown,
)
from p2p.protocol.genesis import decode_header
from p2p.protocol.table import GameTable
from p2p.protocol.terms import Terms
from p2p.seat.reply import Reply
from p2p.spectators.client import watch_table
from p2p.spectators.feed import CHUNK_BYTES
from p2p.spectators.gallery import SPECTATORS_MAX, Gallery, watch_frame
from tests.attacks.crook import CROOK, Crook, convict, sit_down
from tests.patience import NEVER, PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.protocol.kit import make_header

CROWD = 40
assert CROWD > CALLERS_MAX


@pytest.fixture
def silence_ends_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a link ends for what the test is about."""
    limits = Limits(silence_seconds=NEVER)
    monkeypatch.setattr(connection, "Mesh", partial(Mesh, limits=limits))


@pytest.fixture
def slow_callers_are_not_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an honest guest may need longer to show the invite."""
    monkeypatch.setattr(strangers, "CALL_SECONDS", NEVER)


def fresh() -> Identity:
    return Identity.generate(os.urandom)


def greeting(who: Identity, token: bytes, ready: bytes | None = NOT_READY) -> bytes:
    """The hello of somebody called Bo who cannot be dialled."""
    return hello(token, "Bo", sign_addresses(who, token, 1, []), ready)


@asynccontextmanager
async def linked(invite: Invite, who: Identity | None = None) -> AsyncIterator[Channel]:
    """A link from somebody's own program to the host of an invite."""
    (address,) = invite.addresses
    assert isinstance(address, Address)
    stream = await trio.open_tcp_stream(address.host, address.port)
    channel = await connect(stream, who or fresh(), invite.identity)
    try:
        yield channel
    finally:
        await channel.frames.abort()


@asynccontextmanager
async def crowd(invite: Invite) -> AsyncIterator[None]:
    """Many who link with fresh keys, stay as long as they can, and come again."""
    arrived = 0

    async def loiter() -> None:
        nonlocal arrived
        while True:
            with suppress(PeerError, trio.BrokenResourceError, trio.EndOfChannel):
                async with linked(invite) as channel:
                    arrived += 1
                    while True:
                        await channel.frames.send(PING.make(bytes(8)))
                        await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        for _ in range(CROWD):
            nursery.start_soon(loiter)
        while arrived < CROWD:
            await trio.sleep(0.01)
        yield
        nursery.cancel_scope.cancel()


async def until_kind(channel: Channel, kind: FrameKind) -> bytes:
    """The next frame of this kind that the host sends."""
    while True:
        frame = await channel.frames.receive()
        if frame[0] == kind.number:
            return frame


async def is_closed(channel: Channel) -> None:
    with pytest.raises((trio.EndOfChannel, trio.BrokenResourceError)):  # noqa: PT012
        while True:
            await channel.frames.receive()


@dataclass
class Evening:
    """A table of honest programs: `join` seats one of them."""

    folder: Path
    nursery: trio.Nursery
    players: list[Watcher]
    invite: Invite | None = None
    results: dict[int, TableResult] = field(default_factory=dict)

    def join(self, number: int) -> None:
        self.nursery.start_soon(self._join, number)

    def fill(self) -> None:
        """Seat both guests."""
        for number in (1, 2):
            self.join(number)

    async def _join(self, number: int) -> None:
        assert self.invite is not None
        own = self.folder / str(number)
        own.mkdir()
        guest = sitter(f"guest {number}", self.players[number])
        self.results[number] = await join_table(guest, self.invite, store(own))

    async def until(self, number: int, holds: Callable[[Watcher], bool]) -> None:
        """Wait until this is true of what the player was told."""
        while not holds(self.players[number]):
            await trio.sleep(0.01)

    async def host(self, attack: Callable[[Evening], Awaitable[None]]) -> None:
        def started(invite: Invite) -> None:
            self.invite = invite
            self.nursery.start_soon(attack, self)

        own = self.folder / "0"
        own.mkdir()
        self.results[0] = await host_table(
            sitter("host", self.players[0]),
            TablePlan(Terms.of("flip-over", {"rounds": 1}), len(self.players)),
            store(own),
            started=started,
            endpoint=Endpoint(bind=LOOPBACK),
        )


async def spend(
    folder: Path, attack: Callable[[Evening], Awaitable[None]], players: list[Watcher] | None = None
) -> Evening:
    """Play a table under `attack`, which also seats the guests."""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            evening = Evening(folder, nursery, players or [Watcher(n) for n in range(3)])
            await evening.host(attack)
    assert len(evening.results) == len(evening.players)
    return evening


def seated(count: int) -> Callable[[Watcher], bool]:
    def holds(player: Watcher) -> bool:
        told = [event for event in player.events if isinstance(event, Gathering)]
        return bool(told) and len(told[-1].people) >= count

    return holds


@pytest.mark.usefixtures("slow_callers_are_not_let_go")
async def test_silent_strangers_keep_nobody_out(tmp_path: Path) -> None:
    """Strangers keep 40 links to a lobby, each with a fresh key, and say nothing but pings.

    Answer: guests sit down and play (before, 16 such links shut them all out). A key that has not
    shown the invite has 3 s and one of 32 places; a newcomer takes the oldest place of the address
    that has most.
    """

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        async with crowd(evening.invite):
            evening.fill()
            await evening.until(0, lambda player: player.decided > 0)

    await spend(tmp_path, attack)


async def test_keys_that_called_once_are_forgotten(tmp_path: Path) -> None:
    """A stranger calls with one fresh key after another, 70 in all.

    Answer: nothing is counted for ever, and guests sit down.
    """

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        for _ in range(70):
            async with linked(evening.invite) as channel:
                await channel.frames.send(greeting(fresh(), bytes(16)))
                assert b"another table" in await until_kind(channel, REFUSED)
        evening.fill()

    await spend(tmp_path, attack)


@pytest.mark.usefixtures("silence_ends_no_link")
async def test_who_shows_no_invite_is_let_go(tmp_path: Path) -> None:
    """Strangers without the right invite link to a lobby: one is silent, one guesses.

    Answer: both links end after 3 s.
    """

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        began = trio.current_time()
        async with linked(evening.invite) as silent, linked(evening.invite) as guessing:
            await guessing.frames.send(watch_frame(bytes(16), "Eve"))
            await is_closed(silent)
            await is_closed(guessing)
        assert trio.current_time() - began > CALL_SECONDS - 0.5
        evening.fill()

    await spend(tmp_path, attack)


@pytest.mark.usefixtures("slow_callers_are_not_let_go")
async def test_a_seated_guest_comes_back_through_a_crowd(tmp_path: Path) -> None:
    """Strangers crowd in while the link of a seated guest is down.

    Answer: the guest's key is always let in; it is shown the lobby again and keeps its seat.
    """

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        bo, token = fresh(), evening.invite.token
        async with linked(evening.invite, bo) as channel:
            await channel.frames.send(greeting(bo, token))
            await until_kind(channel, SEATS)
        async with crowd(evening.invite), linked(evening.invite, bo) as channel:
            await channel.frames.send(greeting(bo, token))
            seats = wire.unpack((await until_kind(channel, SEATS))[1:])
            assert [name for _, name, *_ in seats] == ["host", "Bo"]
            await channel.frames.send(greeting(bo, token, ready=None))
            evening.fill()
            await evening.until(0, lambda player: player.decided > 0)

    await spend(tmp_path, attack)


async def test_a_spectator_who_comes_and_goes_empties_no_lobby(tmp_path: Path) -> None:
    """Somebody with the invite comes to watch and leaves, 150 times, while people sit down.

    Answer: guests hear nothing of that in the lobby, and in a game are told once in two seconds
    who watches (before, they took the host's lines for a flood and left after 0.8 s).
    """

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        evening.join(1)
        await evening.until(0, seated(2))
        eve, asks = fresh(), watch_frame(evening.invite.token, "Eve")
        for _ in range(150):
            async with linked(evening.invite, eve) as channel:
                await channel.frames.send(asks)
        evening.join(2)

    evening = await spend(tmp_path, attack)
    for player in evening.players:
        told = [event for event in player.events if isinstance(event, Waiting | Spectators)]
        assert len(told) <= 5


async def _begun(evening: Evening) -> None:
    """The guests sit down, and the game begins for all."""
    evening.fill()
    for number in range(3):
        await evening.until(number, lambda player: Opened in map(type, player.events))


def waits_for(over: trio.Event) -> list[Watcher]:
    """Three players; the host's waits with its fourth decision until the attack is over."""
    players = [Watcher(0, lambda decided: over.wait() if decided == 4 else None)]
    return [*players, Watcher(1), Watcher(2)]


@pytest.mark.usefixtures("silence_ends_no_link")
async def test_strangers_and_spectators_say_nothing(tmp_path: Path) -> None:
    """A spectator repeats a signed line of a player; a stranger sends garbage as talk.

    Answer: talk is for seats only; the first line is not read, and ends the link (before, 13,830
    lines were checked in 5 s).
    """
    over = trio.Event()

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        await _begun(evening)
        try:
            async with linked(evening.invite) as channel:
                await channel.frames.send(watch_frame(evening.invite.token, "Eve"))
                await until_kind(channel, HEADER)
                *_, talk = [e for e in evening.players[1].events if isinstance(e, Talk)]
                assert talk.say("hello")
                line = await until_kind(channel, CHAT)
                await channel.frames.send(line)
                await is_closed(channel)
            async with linked(evening.invite) as channel:
                await channel.frames.send(CHAT.make(bytes(4000)))
                await is_closed(channel)
        finally:
            over.set()

    evening = await spend(tmp_path, attack, waits_for(over))
    heard = [event for event in evening.players[0].events if isinstance(event, Chat)]
    assert [(line.name, line.text) for line in heard] == [("guest 1", "hello")]


@pytest.mark.usefixtures("silence_ends_no_link", "slow_callers_are_not_let_go")
async def test_a_large_frame_of_a_stranger(tmp_path: Path) -> None:
    """A stranger announces a message of 128 kB, a size that only a player may send.

    Answer: a stranger's frame has 4 kB at most; the link ends before any of it is read.
    """

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        async with linked(evening.invite) as channel:
            await channel.frames.send(RECORD.make(bytes(128 * 1024)))
            await is_closed(channel)
        await _begun(evening)

    await spend(tmp_path, attack)


async def _ask_and_do_not_read(invite: Invite, table: bytes, times: int) -> None:
    """One spectator's link: it asks for all of the game, again and again, and reads nothing."""
    ask = bytes([HAVE.number]) + wire.pack({"table": table, "step": 0})
    async with linked(invite) as channel:
        await channel.frames.send(watch_frame(invite.token, "Eve"))
        try:
            for _ in range(times):
                await channel.frames.send(ask)
                await trio.sleep(0.02)
        except trio.BrokenResourceError:
            return  # too many watch


async def test_who_asks_for_the_game_and_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen spectators ask for the whole game 50 times each, and read nothing.

    Answer: a link is handed each record once, and a piece only when it has taken the one before
    (earlier, 55 to 207 MB were queued). The game is played.
    """
    over, queued = trio.Event(), Counter[tuple[bytes, bytes]]()
    send = Mesh.send

    def counted(mesh: Mesh, key: bytes, frame: bytes) -> bool:
        if frame[0] == RECORD.number and key not in mesh._peers:
            queued[key, frame] += 1
        return send(mesh, key, frame)

    monkeypatch.setattr(Mesh, "send", counted)

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        await _begun(evening)
        await evening.until(0, lambda player: player.decided == 4)
        try:
            async with linked(evening.invite) as channel:
                await channel.frames.send(watch_frame(evening.invite.token, "Eve"))
                table = decode_header((await until_kind(channel, HEADER))[1:]).table
            async with trio.open_nursery() as nursery:
                for _ in range(16):
                    nursery.start_soon(_ask_and_do_not_read, evening.invite, table, 50)
        finally:
            over.set()

    await spend(tmp_path, attack, waits_for(over))
    assert len(queued) > 20
    assert set(queued.values()) == {1}


async def for_ever() -> None:
    """A table that goes on."""
    await Reply[None]()


async def test_sixteen_who_read_nothing_of_a_long_game() -> None:
    """Sixteen strangers ask for a game of four megabytes for three seconds, and read nothing.

    Answer: eight may watch, and at no time more than 64 kB and a record are queued for each: a
    host grows by 3 MB in 12 s (it was 318), and computes half as much as before.
    """
    header, most = make_header(load("flip-over"), 3), 0
    records = [(os.urandom(1000),)] * 4000
    peer = Connected(fresh(), None, open_to_strangers=True)
    listeners = await open_listeners(0, LOOPBACK)
    driver = Driver(peer.mesh, Watcher(0))
    gallery = Gallery(driver.desk, header.proposal.token, peer.mesh.strangers.served)
    address = Address(LOOPBACK, listening_port(listeners))
    invite = Invite((address,), peer.identity.public, header.proposal.token)

    inbox = Inbox(STRANGER, unknown, {WATCH: gallery.receive, HAVE: gallery.asked})
    peer.on_frame, peer.on_link = inbox.take, gallery.link_changed
    peer.knows = gallery.knows
    async with meshed(peer, listeners) as nursery:
        nursery.start_soon(driver.run, for_ever())
        gallery.show(header, records)
        for _ in range(16):
            nursery.start_soon(_ask_and_do_not_read, invite, header.table, 300)
        with trio.move_on_after(3):
            while True:
                queues = [link.outbox._bytes for link in peer.mesh._board.all_current()]
                most = max(most, *queues, 0)
                await trio.sleep(0.005)
        assert len(gallery.names) == SPECTATORS_MAX
        nursery.cancel_scope.cancel()
    assert 0 < most <= CHUNK_BYTES + 2000
    assert peer.mesh.statistics.bytes_sent < SPECTATORS_MAX * 4_100_000


async def test_spectators_hear_who_was_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player signs a malformed entry at a table that somebody watches.

    Answer: the evidence follows the last complete step, and spectators name the player as the
    seats do.
    """
    crook, opened, caught = Crook(), trio.Event(), []

    def tell(event: Event) -> None:
        if isinstance(event, Opened):
            opened.set()

    async def watch(invite: Invite) -> None:
        try:
            await watch_table(identity("Eve"), invite, tell)
        except PeerError as error:
            caught.append(error)

    def begin(table: GameTable) -> None:
        assert crook.runner is not None
        assert crook.nursery is not None
        proposal = crook.runner.proposal
        host = proposal.identities[0]
        (via, *_) = crook.mesh.sure_of(host)
        assert isinstance(via, Address)
        crook.nursery.start_soon(watch, Invite((via,), host, proposal.token))

    def hold(entry: Entry) -> list[bytes]:
        async def release() -> None:
            await opened.wait()
            crook.flood([crook.sign(entry.record, payload={})])

        assert crook.nursery is not None
        crook.nursery.start_soon(release)
        return []

    crook.begins = begin
    crook.sends["shuffle"] = hold
    evening = await sit_down(tmp_path, monkeypatch, crook, "dealt")
    convict(evening, "malformed")
    assert [(error.verdict, error.seat) for error in caught] == [("malformed", CROOK)]
