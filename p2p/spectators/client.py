"""Watching a table over the network: from the invite to the last signature, game after game."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Final

import trio

from engine.view import SPECTATOR
from engine.zone import Seat
from p2p import checks
from p2p.disk import durable as disk
from p2p.errors import LobbyError, PeerError, StorageError
from p2p.files.saved import table_name
from p2p.identity.keys import Identity, words
from p2p.lobby.first_link import LOOKS_SECONDS, FirstLink
from p2p.lobby.plan import refusal
from p2p.lobby.rematch import GONE_SECONDS, next_token
from p2p.logs import at_a_table
from p2p.net.invite import Invite
from p2p.net.mesh import LinkState, Mesh, Owner
from p2p.net.reach_plan import ReachPlan
from p2p.net.seat_links import NO_SEATS, SeatLink, Way
from p2p.net.transport import Ways
from p2p.player.events import Arrived, Chat, Event, LinkNews, PlayAgain
from p2p.player.news import seated
from p2p.protocol import wire
from p2p.protocol.chat import Message, decode_message
from p2p.protocol.frame_kinds import (
    BALLOT,
    CHAT,
    HAVE,
    HEADER,
    RECORD,
    REFUSED,
    STAYING,
    Handlers,
    Inbox,
    Sender,
    leave_aside,
)
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.logfile import begin_log, frame
from p2p.protocol.terms import read_next
from p2p.seat.chat import Speakers
from p2p.seat.presence import Absences
from p2p.spectators.gallery import watch_frame
from p2p.spectators.spectator import Spectator
from p2p.text.names import NAMES, is_name
from p2p.version import other_writer

ASKS_AGAIN: Final = 4.0
"""Seconds between two requests for what is missing."""
AHEAD_MAX: Final = 1024
"""Frames that are read while earlier ones are still checked."""


@dataclass(frozen=True, slots=True)
class WatchResult:
    """The outcome of a watched table: `returns` is None if it was not played to its end."""

    game: str
    seats: int
    steps: int
    returns: tuple[int, ...] | None
    log: Path | None
    table_id: bytes


Between = Callable[[WatchResult], Awaitable[None]]
"""Gets the result of a game that is over, and is cancelled when the next one begins."""


async def _nothing(result: WatchResult) -> None:
    """Wait for the next game."""


@at_a_table("watches a table")
async def watch_table(
    identity: Identity,
    invite: Invite,
    tell: Callable[[Event], None],
    *,
    folder: Path | None = None,
    reach_plan: ReachPlan | None = None,
    between: Between = _nothing,
) -> WatchResult:
    """Follow the table of an invite, from before it begins or from its middle, to its end, and
    those that the same people play after it; the result of the last.

    Logs are written to `folder`; with a `reach_plan` iroh is used as well.  LobbyError if the
    host cannot be reached or refuses; PeerError with the verdict when a seat is caught.
    """
    if not is_name(identity.name):
        raise LobbyError(NAMES)
    watcher = _Watcher(identity, invite, tell, folder, reach_plan, between)
    with watcher.log:
        return await watcher.run()


def host_links(
    seats: Sequence[tuple[bytes, str]], host: bytes, state: LinkState
) -> tuple[SeatLink, ...]:
    """How a spectator reaches each seat, which is (identity key, name): through the host.

    A spectator has one link only.  What the others signed is checked, whoever passes it on.
    """
    carrier = dict(seats)[host]
    rtt = None if state.rtt_ms is None else round(state.rtt_ms)
    return tuple(
        SeatLink(seat, name, Way.LOST)
        if not state.connected
        else SeatLink(seat, name, Way.DIRECT, rtt_ms=rtt)
        if key == host
        else SeatLink(seat, name, Way.VIA, carrier)
        for seat, (key, name) in enumerate(seats)
    )


class _Watcher:
    """The link of a spectator to one seat, and what comes over it."""

    def __init__(
        self,
        identity: Identity,
        invite: Invite,
        tell: Callable[[Event], None],
        folder: Path | None,
        plan: ReachPlan | None = None,
        between: Between = _nothing,
    ) -> None:
        self.log: Final = _Log(folder)
        self._ways = None if plan is None else Ways(plan, identity, invite.token)
        self._invite = invite
        self._tell = tell
        self._name: Final = identity.name
        self._token = invite.token
        """Of the game that is watched, and once it is over, of the one that may follow."""
        self._spectator: Spectator | None = None
        self._is_over = False
        self._between: Final = between
        self._interval = trio.CancelScope()
        """Of what goes on until the next game."""
        self._following: Final = trio.CancelScope()
        self._nursery: trio.Nursery | None = None
        self._unlinked: Final = Absences[bytes](trio.current_time)
        self._reached = trio.Event()
        self._speakers = Speakers[Seat](trio.current_time)
        self._links: tuple[SeatLink, ...] = ()
        roster = {invite.identity: invite.everywhere}
        self._arrive, self._arrived = trio.open_memory_channel[tuple[bytes, bytes]](AHEAD_MAX)
        owner = Owner(self._changed, lambda peer, frame: self._arrive.send((peer, frame)))
        self._mesh = Mesh(identity, roster, owner, transport=self._ways)
        self._inbox = self._takes({})

    def _changed(self, peer: bytes, up: bool) -> None:
        if up:
            self._reached.set()
            self._greet()
        self._tell_links()

    def _greet(self) -> None:
        self._mesh.send(self._invite.identity, watch_frame(self._token, self._name))

    def _takes(self, more: Handlers[Awaitable[None]]) -> Inbox[Awaitable[None]]:
        always = {REFUSED: self._be_refused, HEADER: self._begin}
        return Inbox(Sender.SEAT, leave_aside, {**always, **more})

    def _tell_links(self) -> None:
        """Tell how the seats are reached: the host, and all others through it."""
        if self._spectator is None:
            return
        links = host_links(
            self._spectator.table.header.proposal.keys_and_names,
            self._invite.identity,
            self._mesh.links()[self._invite.identity],
        )
        if links != self._links:
            self._links = links
            self._tell(LinkNews(links))

    async def run(self) -> WatchResult:
        done: list[WatchResult] = []
        failures: list[Exception] = []
        ways = nullcontext() if self._ways is None else self._ways.opened()
        async with ways, trio.open_nursery() as nursery:
            self._nursery = nursery
            await nursery.start(self._mesh.run)
            nursery.start_soon(self._insist)
            try:
                await self._reach()
                self._tell(Arrived(words(self._invite.identity)))
                done.append(await self._follow())
            except (LobbyError, PeerError, StorageError) as error:
                failures.append(error)
            nursery.cancel_scope.cancel()
        for failure in failures:
            raise failure
        return done[0]

    async def _reach(self) -> None:
        first = FirstLink(self._mesh, self._invite)
        while not self._reached.is_set() and not first.is_up():
            await trio.sleep(LOOKS_SECONDS)

    async def _follow(self) -> WatchResult:
        """Take frames until no other game follows.

        Garbage drops the link, a fault is raised.
        """
        with self._following:
            async for peer, received in self._arrived:
                try:
                    await self.take(peer, received)
                except PeerError as error:
                    if error.seat is not None:
                        raise
                    self._mesh.drop(peer, str(error))
                self._look()
        return self._result()

    def _look(self) -> None:
        """Once the game is over, wait for the next one."""
        spectator = self._spectator
        if spectator is None or self._is_over or self._nursery is None:
            return
        if spectator.returns is not None or spectator.closed_without:
            self._is_over, self._token = True, next_token(spectator.table.header.table)
            self._interval = trio.CancelScope()
            self._nursery.start_soon(self._wait, self._result(), self._interval)

    async def _wait(self, result: WatchResult, interval: trio.CancelScope) -> None:
        with interval:
            await self._between(result)

    async def take(self, peer: bytes, frame: bytes) -> None:
        """A frame from the link; PeerError for garbage and faults, LobbyError for a refusal."""
        taking = self._inbox.take(peer, frame)
        if taking is not None:
            await taking

    async def _be_refused(self, peer: bytes, payload: bytes) -> None:
        """No other game follows, or the game has ended while our link was away."""
        if self._is_over:
            self._following.cancel()
            return
        follows = self._follows()
        if follows in (None, self._token):
            raise refusal(payload)
        self._token = follows or b""
        self._greet()

    def _follows(self) -> bytes | None:
        """The token of the game that the same people may play next."""
        spectator = self._spectator
        return None if spectator is None else next_token(spectator.table.header.table)

    async def _record(self, spectator: Spectator, peer: bytes, record: bytes) -> None:
        await spectator.receive(record)
        if spectator.behind:
            spectator.behind = False
            self._ask()

    async def _ballot(self, spectator: Spectator, peer: bytes, record: bytes) -> None:
        spectator.machine.ballots.receive(record)

    async def _talk(self, spectator: Spectator, peer: bytes, payload: bytes) -> None:
        self._hear(decode_message(payload, spectator.machine.identities), spectator)

    def _hear(self, line: Message, spectator: Spectator) -> None:
        """Talk at the table: each line once, and from each seat no more than the seats take."""
        header = spectator.table.header
        ours = line.table == header.table
        if ours and self._speakers.may_say(line.seat, line.number):
            self._speakers.hear(line.seat, line.number)
            self._tell(Chat(line.seat, header.proposal.names[line.seat], line.text))

    async def _begin(self, peer: bytes, payload: bytes) -> None:
        """The table begins, or the next one, or a new link shows its header again."""
        header = decode_header(payload)
        proposal, follows = header.proposal, self._follows()
        if self._spectator is None or self._spectator.table.header.table != header.table:
            ours = proposal.token == (follows or self._token)
            ours = ours and self._invite.identity in proposal.identities
            checks.require("watch.header", ours, "malformed", "the header is of another table")
            other = other_writer(proposal.revision)
            checks.require("watch.revision", other is None, "malformed", f"a header {other}")
            await self._open(header)
        self._tell_links()
        self._ask()

    async def _open(self, header: Header) -> None:
        self._interval.cancel()
        self._is_over, self._token, self._links = False, header.proposal.token, ()
        self._speakers = Speakers(trio.current_time)
        self.log.begin(header)
        self._tell(seated(header, SPECTATOR))
        self._spectator = spectator = Spectator(header, self._tell, os.urandom, self.log.step)
        self._inbox = self._takes(
            {
                RECORD: partial(self._record, spectator),
                CHAT: partial(self._talk, spectator),
                BALLOT: partial(self._ballot, spectator),
                STAYING: partial(self._hear_who_stays, spectator),
            }
        )
        await spectator.start()

    async def _hear_who_stays(self, spectator: Spectator, peer: bytes, payload: bytes) -> None:
        """After the game, who plays another one: the host's word."""
        fields, names = STAYING.read(payload), spectator.table.header.proposal.names
        said = [*fields["staying"], *fields["leaving"]]
        seats = [wire.exactly(seat, int, "a seat") for seat in said]
        sound = len(set(seats)) == len(seats) and set(seats) <= set(range(len(names)))
        checks.require("watch.staying", sound, "malformed", NO_SEATS)
        if fields["table"] == spectator.table.header.table:
            staying, leaving = (
                tuple(names[seat] for seat in fields[which]) for which in ("staying", "leaving")
            )
            plan = read_next(fields["plan"], len(names)) if fields["plan"] else None
            self._tell(PlayAgain(staying, leaving, plan))

    def _ask(self) -> None:
        if self._spectator is not None and not self._is_over:
            chain = self._spectator.machine.chain
            asked = HAVE.make({"table": chain.table, "step": chain.step})
            self._mesh.send(self._invite.identity, asked)

    async def _insist(self) -> None:
        while True:
            self._give_up()
            await trio.sleep(ASKS_AGAIN)
            self._ask()
            self._tell_links()

    def _give_up(self) -> None:
        """A host that is gone after a game plays no other one."""
        host = self._invite.identity
        is_gone = self._is_over and not self._mesh.is_linked(host)
        self._unlinked.see([host] if is_gone else [])
        if self._unlinked.lasting(GONE_SECONDS):
            self._following.cancel()

    def _result(self) -> WatchResult:
        spectator = self._spectator
        if spectator is None:
            raise LobbyError("the table closed before it began")
        header, steps = spectator.table.header, spectator.machine.chain.step
        game = header.proposal.game.name
        path = self.log.path
        return WatchResult(game, len(header.keys), steps, spectator.returns, path, header.table)


class _Log:
    """The log of a watched table, if it is kept.  StorageError if the disk refuses."""

    def __init__(self, folder: Path | None) -> None:
        self.path: Path | None = None
        self._folder = folder
        self._file: IO[bytes] | None = None

    def __enter__(self) -> _Log:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def begin(self, header: Header) -> None:
        """The log of this game, in place of the one before."""
        if self._folder is None:
            return
        self.__exit__()
        stem = f"{table_name(header.proposal.game.name, header.proposal.id)}-watched"
        self.path = _new_log(self._folder, stem)
        try:
            self._file = self.path.open("xb", buffering=0)
        except OSError as error:
            raise StorageError.of(self.path, error) from error
        self._append(self._file, begin_log(header.encode()))

    def step(self, records: tuple[bytes, ...]) -> None:
        """The records of a whole step."""
        if self._file is not None:
            self._append(self._file, b"".join(frame(record) for record in records))

    def _append(self, opened: IO[bytes], data: bytes) -> None:
        """Write all of `data` or nothing of it."""
        whole = opened.tell()
        try:
            disk.write_all(opened.fileno(), data)
        except OSError as error:
            opened.truncate(whole)
            raise StorageError.of(self.path, error) from error


def _new_log(folder: Path, stem: str) -> Path:
    """A log of its own for each time that a game is watched: an older one may have more of it."""
    path = folder / f"{stem}.ndlog"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.ndlog"
    return path
