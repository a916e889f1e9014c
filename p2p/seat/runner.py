"""Drives the machines of one seat: effects to disk, links, threads and the player.

One task carries out effects in order; what a frame leads to at once (passing an entry on, judging
it if that is cheap) is done when the frame comes in, whatever that task is waiting for.
Decisions and results of threads come in from other tasks.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import trio

from engine.zone import Seat
from p2p import checks
from p2p.errors import PeerError
from p2p.files.storage import TableFiles
from p2p.net.inbox import Handlers, Inbox, unknown
from p2p.net.mesh import Mesh
from p2p.net.seat_links import LinkWatch, SeatLink, Way, seat_links
from p2p.player.events import (
    Back,
    Differed,
    LinkNews,
    Lost,
)
from p2p.player.news import stopped
from p2p.protocol.effects import (
    Behind,
    Cast,
    Compute,
    Decide,
    Done,
    Effect,
    Ended,
    Fault,
    Forward,
    Send,
    Write,
)
from p2p.protocol.entry import Unread, unread
from p2p.protocol.frame_kinds import (
    ANYBODY,
    BALLOT,
    DIFFERS,
    FINISHED,
    HAVE,
    LINKED,
    RECORD,
    TOLD,
)
from p2p.protocol.interpreter import attempt, carry_out
from p2p.protocol.machine import Machine
from p2p.protocol.proposal import Proposal
from p2p.protocol.table import GameTable
from p2p.seat.catch_up import CatchingUp
from p2p.seat.connection import Sitter
from p2p.seat.decision import Deciding
from p2p.seat.forwarding import Forwarding
from p2p.seat.returning import Returning
from p2p.seat.stages import Audience, Game, Genesis, Stage
from p2p.seat.steps_log import StepsLog, log_fault
from p2p.seat.surplus import Surplus

QUICK_SYNC: Final = 0.002
"""The longest sync, in seconds, that may hold up this seat's links and timers."""


class Walk(NamedTuple):
    """A machine that is running, and the tasks that do what takes longer."""

    machine: Machine
    nursery: trio.Nursery


class Runner:
    """One seat's part in genesis and game over a mesh.

    `before` are finished tables of the same people: their records may come late.
    """

    def __init__(
        self,
        mesh: Mesh,
        proposal: Proposal,
        seat: int,
        who: Sitter,
        files: TableFiles,
        audience: Audience,
        before: frozenset[bytes] = frozenset(),
    ) -> None:
        self.mesh: Final = mesh
        self.proposal: Final = proposal
        self.seat: Final = seat
        self.player: Final = who.player
        self.patience: Final = who.patience
        self.files: Final = files
        self.final = False
        """Whether nobody comes back to this table: it was played, given up, or somebody cheated."""
        self._stage: Stage = Genesis(files, proposal)
        self._audience: Final = audience
        self._before: Final = before
        self._catching_up = CatchingUp(mesh, who.patience.asks_again)
        self.returning: Final = Returning(
            *(mesh, self.others(), self._catching_up.told, who.patience)
        )
        self._forwarding = Forwarding(mesh, proposal.id, proposal.identities, seat)
        self._surplus = Surplus(mesh, proposal, who.player.tell)
        self._machine: Machine | None = None
        self._found: deque[list[object]] = deque()
        """What the seat file does not say yet about where the seats are."""
        self._finished: set[bytes] = set()
        self._links = LinkWatch(self.seat_links, self._tell_links)
        self._met: set[Seat] = set()
        """The seats that were ever reached."""
        self._wake = trio.Event()
        self._began = time.monotonic()
        self._over = False
        self._deciding = Deciding(who.player)
        self._steps = StepsLog()
        self.inbox: Final[Inbox[None]] = Inbox(ANYBODY, unknown, self._handlers())
        """What seats send; rooms around the game register what they take."""

    @property
    def table(self) -> GameTable | None:
        """The game, once its header is signed."""
        return self._stage.table

    def open(self, table: GameTable) -> None:
        """All have signed the header of this game: what comes now belongs to it."""
        self._stage = Game(table, self.files, self._audience, self.player.tell, self._began)

    # -- frames ----------------------------------------------------------------------------

    def _handlers(self) -> Handlers[None]:
        return {
            RECORD: self._record,
            HAVE: self._have,
            TOLD: self._was_told,
            BALLOT: self._ballot,
            LINKED: self._links_of_peer,
            FINISHED: self._peer_finished,
            DIFFERS: self._differs,
        }

    def receive(self, peer: bytes, frame: bytes) -> None:
        """A frame from a link with a seat.  Unsigned garbage drops the link and nothing else."""
        try:
            self.inbox.take(peer, frame)
        except PeerError as error:
            self.mesh.drop(peer, str(error))

    def _record(self, peer: bytes, record: bytes) -> None:
        if self._forwarding.repeats(peer, record):
            return
        origin = unread(record)
        machine = self._catching_up.machines.get(origin.table)
        if machine is None:
            self._of_no_table(peer, origin)
            return
        self._surplus.receive(peer, origin, machine)
        for effect in carry_out(machine, only_at_once=True):
            self._leave(effect, peer)
        self._deciding.stir()
        self.wake()

    def _of_no_table(self, peer: bytes, record: Unread) -> None:
        """A record of a table that is not known here: of a game that is about to begin, or late.

        PeerError otherwise.  A seat that has begun another game sees this one as over.
        """
        if record.table in self._before or self._is_over():
            return
        checks.require("runner.table", self.table is None, "malformed", "a record of another table")
        self._surplus.hold(peer, record)

    def _have(self, peer: bytes, payload: bytes) -> None:
        self._catching_up.answer(peer, payload)

    def _was_told(self, peer: bytes, payload: bytes) -> None:
        """After a restart we sign again once all others have sent what they had."""
        machine = self._machine
        news = self._catching_up.note_told(peer, payload, machine)
        if news and machine is not None and self.returning.all_told():
            if self.table is not None and not machine.may_sign:
                self.files.sure()
            machine.allow_signing()
            self.wake()

    def _ballot(self, peer: bytes, record: bytes) -> None:
        machine = self._machine
        if machine is None:
            return
        ballot = machine.ballots.receive(record)
        if ballot is not None:
            self.mesh.flood(BALLOT.make(record), skip=peer)
            self._catching_up.send(peer, machine.current())
            self.wake()

    def _links_of_peer(self, peer: bytes, payload: bytes) -> None:
        self._forwarding.hear_links(peer, payload)
        self._links.changed()

    def _differs(self, peer: bytes, payload: bytes) -> None:
        """Somebody sees a state other than the one we signed: ours is written as theirs is."""
        if peer not in self.proposal.identities:
            return
        state = self._stage.state_of(payload)
        if state is not None:
            name = self.proposal.names[self.proposal.identities.index(peer)]
            self.player.tell(Differed(name, state))

    def _peer_finished(self, peer: bytes, payload: bytes) -> None:
        if payload == self.proposal.id:  # else late, from the table before this one
            self._finished.add(peer)
            self.wake()

    # -- running ---------------------------------------------------------------------------

    def others(self) -> list[bytes]:
        return [k for i, k in enumerate(self.proposal.identities) if i != self.seat]

    def wake(self) -> None:
        self._wake.set()

    def keep(self, item: list[object]) -> None:
        """Keep news of where the seats are for the seat file, until its turn comes."""
        self._found.append(item)
        self.wake()

    def link_changed(self, peer: bytes, up: bool) -> None:
        """A peer's last link went down, or its first came up.

        Nobody is told once the table is over: then links go down because all leave.
        """
        if peer not in self.proposal.identities:
            return
        self._forwarding.link_changed(peer, up)
        self._links.changed()
        if up:
            self._catching_up.greet(peer)

    def seat_links(self) -> tuple[SeatLink, ...]:
        """How each other seat is reached just now."""
        return seat_links(
            self.proposal.seats, self.seat, self.mesh.links(), self._forwarding.links_of
        )

    def elsewhere(self) -> set[Seat]:
        """The seats that speak of a table other than this one."""
        return {self.proposal.identities.index(key) for key in self._forwarding.elsewhere}

    def _tell_links(self, before: tuple[SeatLink, ...] | None, now: tuple[SeatLink, ...]) -> None:
        """Tell of links; a seat can be lost or back only after it was seen once."""
        if self._is_over():
            return
        for old, new in zip(before or (), now, strict=False):
            if (old.way is Way.LOST) != (new.way is Way.LOST):
                event = Lost if new.way is Way.LOST else Back
                if new.seat in self._met:
                    self.player.tell(event(new.seat, new.name))
        self._met |= {link.seat for link in now if link.way is not Way.LOST}
        self.player.tell(LinkNews(now, before))

    def _is_over(self) -> bool:
        return self._over or self._stage.is_over

    def answer_for(self, machine: Machine) -> None:
        """Answer peers with what this machine has."""
        self._catching_up.machines[machine.chain.table] = machine

    async def run(self, machine: Machine) -> Any:
        """Walk `machine` to its end and return its program's result.

        PeerError when a seat is caught; the evidence file is written first.
        """
        self._machine = machine
        self._catching_up.told.clear()
        self.answer_for(machine)
        self._stage.begin(self.returning.needs_all)
        try:
            async with trio.open_nursery() as nursery:
                result = await self._walk(machine, nursery)
                nursery.cancel_scope.cancel()
        except BaseException:
            self._over = True
            raise
        self._over = self.table is not None
        return result

    async def _walk(self, machine: Machine, nursery: trio.Nursery) -> Any:
        nursery.start_soon(self._insist, machine)
        nursery.start_soon(self._forwarding.run)
        nursery.start_soon(self._links.run)
        self._forwarding.announce()
        if not machine.started:
            machine.start()
        for peer, record in self._surplus.held():
            self.receive(peer, RECORD.make(record))
        self._catching_up.ask_everybody(machine)
        return await self._until_end(Walk(machine, nursery))

    async def _until_end(self, walk: Walk) -> Any:
        machine = walk.machine
        if machine.ended:  # the log was whole when we came back
            self._stage.tell()
            return None
        while True:
            self._wake = trio.Event()
            for effect in carry_out(machine):
                if isinstance(effect, Ended):
                    self._stage.tell()
                    return effect.result
                await self._do(walk, effect)
            self._stage.tell()
            self._steps.look(machine)
            self.returning.check(machine)
            if self._closed_without(machine):
                return None
            while self._found:
                item = self._found.popleft()
                await self._file(partial(TableFiles.keep, item=item))
            await self._wake.wait()

    def _leave(self, effect: Effect, source: bytes | None = None) -> None:
        """Send what leaves this seat: its own, or what came from the peer `source`."""
        match effect:
            case Send():
                self.mesh.flood(RECORD.make(effect.record))
            case Cast():
                self.mesh.flood(BALLOT.make(effect.record))
            case Forward():
                self._forwarding.pass_on(effect.entry, source)

    async def _do(self, walk: Walk, effect: Effect) -> None:
        machine, nursery = walk
        match effect:
            case Compute(heavy=True):
                nursery.start_soon(self._compute, machine, effect)
            case Write():
                self._stage.write(effect)
                await self._file(lambda files: files.write(effect))
                machine.wrote(effect.number)
            case Decide():
                self._stage.tell()
                nursery.start_soon(self._decide, machine, effect)
            case Done():
                self._steps.done(effect)
                self._stage.done(effect)
            case Behind():
                self._catching_up.ask_soon(machine)
            case Fault():
                await self._stop(machine, effect)
            case _:
                self._leave(effect)

    async def _compute(self, machine: Machine, effect: Compute) -> None:
        outcome = await trio.to_thread.run_sync(attempt, effect.job)
        machine.finish(effect.number, outcome)
        self.wake()

    async def _decide(self, machine: Machine, effect: Decide) -> None:
        decision = await self._deciding.decide(self._stage.view(), effect.question, effect.window)
        if machine.chain.step == effect.step:
            machine.decide(decision)
        self.wake()

    async def _file(self, act: Callable[[TableFiles], None]) -> None:
        """Run `act` in a thread, unless the disk is faster than handing over to one and back."""
        if self.files.sync_seconds < QUICK_SYNC:
            act(self.files)
        else:
            await trio.to_thread.run_sync(partial(act, self.files))

    async def _stop(self, machine: Machine, fault: Fault) -> None:
        error = fault.error
        log_fault(fault)
        left = await trio.to_thread.run_sync(self._stage.stop, machine, fault)
        error.evidence, self.final = left.evidence, True
        frames = [RECORD.make(record) for record in fault.evidence]
        for frame in frames:
            self.mesh.flood(frame)
        self._audience.end(frames)
        self._forwarding.flush()
        if left.differs is not None:
            self.mesh.flood(left.differs)
        await self.mesh.drain()
        self._over = True
        self.player.tell(stopped(self.proposal.names, error, left.state))
        raise error

    # -- waiting ---------------------------------------------------------------------------

    async def _insist(self, machine: Machine) -> None:
        """Ask for what does not come; at the close, vote on who is gone."""
        stuck, waited = -1, 0.0
        while True:
            await trio.sleep(self.patience.asks_again)
            step = machine.chain.step
            waited = waited + self.patience.asks_again if step == stuck else 0.0
            stuck = step
            if waited:
                self._catching_up.ask_everybody(machine)
                if self.returning.give_up_on_silence(machine, waited):
                    self.wake()
            if machine.closing and waited >= self.patience.for_a_close:
                self._vote(machine)

    def _vote(self, machine: Machine) -> None:
        """Cast ballots about seats that sign no close and cannot be reached over any link."""
        for absent in machine.missing():
            if absent != self.seat and not self.mesh.is_linked(self.proposal.identities[absent]):
                machine.vote(absent)
        self.wake()

    def _closed_without(self, machine: Machine) -> bool:
        """Whether all others agree on who is gone; their ballots then end the log."""
        if not machine.closing:
            return False
        ballots = machine.ballots.unanimous(machine.missing())
        if not ballots:
            return False
        self.files.complete(machine.chain.step, machine.current(), 0)
        self.files.add_ballots(ballots)
        self._audience.end([RECORD.make(record) for record in machine.current()])
        self._audience.end([BALLOT.make(ballot) for ballot in ballots])
        return True

    async def linger(self) -> None:
        """Stay until all peers have everything, or patience ends."""
        self._forwarding.flush()
        self.mesh.flood(FINISHED.make(self.proposal.id))
        with trio.move_on_after(self.patience.lingers):
            while not self._finished >= self.returning.awaited():
                self._wake = trio.Event()
                await self._wake.wait()
        await self.mesh.drain()
