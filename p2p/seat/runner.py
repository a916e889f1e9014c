"""Drives the machines of one seat: what they ask for becomes orders on the seat's desk.

While a record of our own is being written, only what asks for no order of its own goes on (passing
an entry on, judging it if that is cheap): all else waits until it is on the disk.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.errors import LobbyError, PeerError
from p2p.files.evidence import write_state
from p2p.net.seat_links import SeatLink, Way, seat_links
from p2p.player.events import (
    Back,
    Differed,
    LinkNews,
    Lost,
)
from p2p.player.news import stopped
from p2p.player.substitute import Substitute
from p2p.protocol.ballot import is_ballot
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
    Out,
    Outdated,
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
    Handlers,
    Inbox,
    unknown,
)
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import Outcome
from p2p.protocol.proposal import Proposal
from p2p.protocol.table import GameTable
from p2p.seat.absence import Absence
from p2p.seat.catch_up import CatchingUp
from p2p.seat.decision import Deciding
from p2p.seat.desk import Desk
from p2p.seat.forwarding import Forwarding, Surplus
from p2p.seat.going_on import GoingOn
from p2p.seat.link_watch import LinkWatch
from p2p.seat.parting import Parting
from p2p.seat.reply import Reply
from p2p.seat.returning import Patience, Returning
from p2p.seat.stages import Audience, Game, Genesis, Left, Stage
from p2p.seat.stalled import Stalled
from p2p.seat.steps_log import StepsLog, log_fault

OUT: Final = (
    "while you were away, the others agreed to go on without you: your seat is gone. You may watch "
    "the rest of the game: ask one of them for the line that i shows, and type nodealer watch LINE"
)


class Runner:
    """One seat's part in genesis and game.

    `before` are finished tables of the same people: their records may come late.
    """

    def __init__(
        self,
        desk: Desk,
        proposal: Proposal,
        seat: Seat,
        patience: Patience,
        audience: Audience,
        before: frozenset[bytes] = frozenset(),
    ) -> None:
        self.desk: Final = desk
        self.proposal: Final = proposal
        self.seat: Final = seat
        self.patience: Final = patience
        self.is_begun = False
        """Whether the seat file is on the disk: whoever proposes a table has to come back to it."""
        self.final = False
        """Whether nobody comes back to this table: it was played, given up, or somebody cheated."""
        self.given_back: Final[set[bytes]] = set()
        """The guests who have said that they leave, while all sign."""
        self.called_off: LobbyError | None = None
        """What the host says if no game begins here."""
        self._stage: Stage = Genesis(proposal, desk)
        self._audience: Final = audience
        self._before: Final = before
        self._catching_up = CatchingUp(desk, self.others, patience.asks_again)
        self.returning: Final = Returning(*(desk, self.others, self._catching_up.told, patience))
        self.parting: Final = Parting(*(desk, proposal, seat, audience, self.returning.awaited))
        self._forwarding = Forwarding(desk, proposal.id, proposal.identities, seat)
        self._surplus = Surplus(desk, proposal)
        self._machine: Machine | None = None
        self._found: deque[list[object]] = deque()
        """What the seat file does not say yet about where the seats are."""
        self._links = LinkWatch(desk, self.seat_links, self._tell_links)
        self._met: set[Seat] = set()
        """The seats that were ever reached."""
        self._began: Final = desk.now()
        self._over = False
        self._ended: Reply[Any] = Reply()
        """Given when the machine that runs now is at its end."""
        self._writes = False
        """Whether something is being written that others may not see yet."""
        self._carries = False
        self._stalled: Final = Stalled(
            *(desk, proposal, seat, patience, self._catching_up, self.returning), self._carry_on
        )
        substitute = Substitute(proposal.game, desk.entropy)
        self._deciding = Deciding(desk, substitute, proposal.terms.clock)
        self._absence = Absence(desk, proposal.names, seat, proposal.terms.clock)
        self._going_on = GoingOn(
            *(desk, proposal, seat, patience.gives_up, self.seat_links, self._carry_on)
        )
        self._steps = StepsLog()
        self.inbox: Final[Inbox[None]] = Inbox(ANYBODY, unknown, self._handlers())
        """What seats send; rooms around the game register what they take."""

    @property
    def table(self) -> GameTable | None:
        """The game, once its header is signed."""
        return self._stage.table

    def open(self, table: GameTable) -> None:
        """All have signed the header of this game: what comes now belongs to it."""
        self._stage = Game(table, self.desk, self._audience, self._began)

    # -- frames ----------------------------------------------------------------------------

    def _handlers(self) -> Handlers[None]:
        return {
            RECORD: self._record,
            HAVE: self._have,
            TOLD: self._was_told,
            BALLOT: self._ballot,
            LINKED: self._links_of_peer,
            FINISHED: self.parting.finished,
            DIFFERS: self._differs,
        }

    def receive(self, peer: bytes, frame: bytes) -> None:
        """A frame from a link with a seat.  Unsigned garbage drops the link and nothing else."""
        try:
            self.inbox.take(peer, frame)
        except PeerError as error:
            self.desk.drop(peer, str(error))

    def _record(self, peer: bytes, record: bytes) -> None:
        if self._forwarding.repeats(peer, record):
            return
        origin = unread(record)
        machine = self._catching_up.machines.get(origin.table)
        if machine is None:
            self._of_no_table(peer, origin)
            return
        self._surplus.receive(peer, origin, machine)
        if machine.ended and self.table is not None and machine is not self.table.machine:
            self._look_back(machine, origin)
        for effect in machine.carry_out(only_at_once=True):
            self._leave(effect, peer)
        self._deciding.stir()
        self._carry_on()

    def _look_back(self, genesis: Machine, origin: Unread) -> None:
        """Somebody who has signed the header twice is caught in the game too.

        Otherwise seats that had the genesis whole would wait for those that had not, and left.
        """
        genesis.look_back(origin)
        if genesis.fault is not None and self._machine is not None:
            for effect in genesis.carry_out():
                if isinstance(effect, Fault):
                    self._stop(Genesis(self.proposal, self.desk), genesis, effect)
                else:
                    self._leave(effect)

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
                self.desk.save(lambda files: files.sure(), syncs=False)
            machine.allow_signing()
            self._carry_on()

    def _ballot(self, peer: bytes, record: bytes) -> None:
        machine = self._machine
        if machine is None:
            return
        ballot = machine.ballots.receive(record)
        if ballot is not None:
            self.desk.flood(BALLOT.make(record), skip=peer)
            self._catching_up.send(peer, machine.current())
            self._carry_on()

    def _links_of_peer(self, peer: bytes, payload: bytes) -> None:
        self._forwarding.hear_links(peer, payload)
        self._links.changed()
        self._going_on.hurry()

    def _differs(self, peer: bytes, payload: bytes) -> None:
        """Somebody sees a state other than the one we signed: ours is written as theirs is."""
        if peer not in self.proposal.identities:
            return
        asked = self._stage.state_of(payload)
        if asked is not None:
            name = self.proposal.names[self.proposal.identities.index(peer)]
            saved = self.desk.save(lambda files: write_state(files.log, *asked))
            saved.then(lambda path: self.desk.tell(Differed(name, path)))

    # -- running ---------------------------------------------------------------------------

    def others(self) -> list[bytes]:
        """The keys of the other seats that have not left."""
        own, left = self.proposal.identities[self.seat], self.parting.has_left
        return [key for key in self.proposal.identities if key != own and not left(key)]

    def keep(self, item: list[object]) -> None:
        """Keep news of where the seats are for the seat file, until its turn comes."""
        self._found.append(item)
        self._carry_on()

    def link_changed(self, peer: bytes, up: bool) -> None:
        """A peer's last link went down, or its first came up.

        Nobody is told once the table is over: then links go down because all leave.
        """
        if peer not in self.proposal.identities:
            return
        if self.parting.has_left(peer):
            self.parting.link_changed(peer, up)
            return
        self._forwarding.link_changed(peer, up)
        self._links.changed()
        self._going_on.hurry()
        if up:
            self._catching_up.greet(peer)
        self.parting.look_again()

    def seat_links(self) -> tuple[SeatLink, ...]:
        """How each other seat that has not left is reached just now."""
        seats, links = self.proposal.keys_and_names, self.desk.links.links()
        ways = seat_links(seats, self.seat, links, self._forwarding.links_of)
        keys, left = self.proposal.identities, self.parting.has_left
        return tuple([way for way in ways if not left(keys[way.seat])])

    def elsewhere(self) -> set[Seat]:
        """The seats that speak of a table other than this one."""
        return {self.proposal.identities.index(key) for key in self._forwarding.elsewhere}

    def _tell_links(self, before: tuple[SeatLink, ...] | None, now: tuple[SeatLink, ...]) -> None:
        """Tell of links; a seat can be lost or back only after it was seen once."""
        if self._is_over():
            return
        ways = {old.seat: old.way for old in before or ()}
        for new in now:
            if (ways.get(new.seat, new.way) is Way.LOST) != (new.way is Way.LOST):
                event = Lost if new.way is Way.LOST else Back
                if new.seat in self._met:
                    self.desk.tell(event(new.seat, new.name))
        self._met |= {link.seat for link in now if link.way is not Way.LOST}
        self.desk.tell(LinkNews(now, before))

    def _is_over(self) -> bool:
        return self._over or self._stage.is_over

    def answer_for(self, machine: Machine) -> None:
        """Answer peers with what this machine has."""
        self._catching_up.machines[machine.chain.table] = machine

    def run(self, machine: Machine) -> Reply[Any]:
        """Walk `machine` to its end; given what its program returns.

        It fails with the PeerError when a seat is caught, once the evidence file is written, and
        with what `fail` was told.
        """
        self._machine, self._ended, self._writes = machine, Reply(), False
        self.answer_for(machine)
        self._stage.begin(self.returning.needs_all)
        self._ended.listen(self._rest)
        self._stalled.watch(machine)
        self._going_on.watch(machine)
        self._part()
        self._links.start()
        self._forwarding.announce()
        if not machine.started:
            machine.start()
        for peer, record in self._surplus.held():
            self.receive(peer, RECORD.make(record))
        self._catching_up.begin(machine)
        self._carry_on()
        if machine.ended and not self._ended.is_given:  # the log was whole when we came back
            self._stage.tell()
            self._ended.give(None)
        return self._ended

    def fail(self, error: Exception) -> None:
        """This table cannot go on: let the walk end with this error."""
        self._over = True
        self._ended.fail(error)

    def _rest(self) -> None:
        """The walk is over."""
        self._deciding.stop()
        self._links.stop()
        self._stalled.stop()
        self._going_on.stop()
        self._catching_up.stop()
        self._over = self._over or self.table is not None
        self._machine = None

    def _carry_on(self) -> None:
        """Do what the machine asks for, until it waits for something."""
        machine = self._machine
        if machine is None or self._carries:
            return
        self._carries = True
        try:
            while self._took(machine):
                pass
        finally:
            self._carries = False
        if self._machine is machine and not self._writes:
            self._look_round(machine)

    def _took(self, machine: Machine) -> bool:
        """Do what comes next; whether there was anything that need not wait."""
        for effect in machine.carry_out(only_at_once=self._writes):
            self._do(machine, effect)
            if self._machine is not machine:
                return False
            if isinstance(effect, Write):
                return True  # from here on only what waits for no disk
        return False

    def _look_round(self, machine: Machine) -> None:
        """The machine waits: tell what has happened, and see whether it waits in vain."""
        self._stage.tell()
        self._steps.look(machine)
        error = self.returning.why_not(machine)
        if error is not None:
            self.fail(error)
        elif self._closed_without(machine):
            self._ended.give(None)
        while self._found and not self._ended.is_given:
            self._save_news(self._found.popleft())

    def _save_news(self, item: list[object]) -> None:
        self.desk.save(lambda files: files.keep(item))

    def _leave(self, effect: Effect, source: bytes | None = None) -> None:
        """Send what leaves this seat: its own, or what came from the peer `source`."""
        match effect:
            case Send():
                self.desk.flood(RECORD.make(effect.record))
            case Cast():
                kind = BALLOT if is_ballot(effect.record) else RECORD
                self.desk.flood(kind.make(effect.record))
            case Forward():
                self._forwarding.pass_on(effect.entry, source)

    def _do(self, machine: Machine, effect: Effect) -> None:
        match effect:
            case Ended():
                self._stage.tell()
                self._ended.give(effect.result)
            case Compute(heavy=True):
                self.desk.run(effect.job).then_with(partial(self._computed, machine, effect))
            case Write():
                self._write(machine, effect)
            case Decide():
                self._stage.tell()
                self._decide(machine, effect)
            case Done():
                self._steps.done(effect)
                self._deciding.stir()
                self._catching_up.go_on(machine)
                self._absence.look(effect.question, effect.step, machine.timing)
                self._stage.done(effect)
                self._part()
            case Behind():
                self._catching_up.ask_soon(machine)
            case Fault():
                self._stop(self._stage, machine, effect)
            case Out():
                self.final = True
                self.fail(LobbyError(OUT))
            case Outdated():
                self.fail(effect.error)
            case _:
                self._leave(effect)

    def _part(self) -> None:
        """Go on without those who have left by now."""
        if self.table is not None:
            for key in self.parting.look_at(self.table.session):
                self._forwarding.lose(key)
                self._links.changed()

    def _write(self, machine: Machine, effect: Write) -> None:
        """Write it; until it is on the disk, nobody sees it."""
        self._stage.write(effect)
        self._writes = True

        def written(_: object) -> None:
            self._writes = False
            machine.wrote(effect.number)
            self._carry_on()

        self.desk.save(lambda files: files.write(effect)).then(written)

    def _computed(self, machine: Machine, effect: Compute, outcome: Outcome[Any]) -> None:
        machine.finish(effect.number, outcome)
        self._carry_on()

    def _decide(self, machine: Machine, effect: Decide) -> None:
        def stands() -> bool:
            return machine.chain.step == effect.step and machine.seat in machine.missing()

        def decided(decision: object) -> None:
            if stands():
                machine.decide(decision)
            self._carry_on()

        self._deciding.ask(self._stage.view(), effect, decided, stands)

    def _stop(self, stage: Stage, machine: Machine, fault: Fault) -> None:
        """A seat is caught: once the evidence is on the disk, show it to everybody, and end."""
        log_fault(fault)
        self._machine = None  # nothing of it goes on
        self.desk.save(stage.stop(machine, fault)).then(partial(self._stopped, fault))

    def _stopped(self, fault: Fault, left: Left) -> None:
        error = fault.error
        error.evidence, self.final = left.evidence, True
        frames = [RECORD.make(record) for record in fault.evidence]
        for frame in frames:
            self.desk.flood(frame)
        self._audience.end(frames)
        self._forwarding.flush()
        if left.differs is not None:
            self.desk.flood(left.differs)
        self.desk.tell(stopped(self.proposal.names, error, left.state))
        self.fail(error)

    # -- waiting ---------------------------------------------------------------------------

    def _closed_without(self, machine: Machine) -> bool:
        """Whether all others agree on who is gone; their ballots then end the log."""
        ballots = machine.closed_without()
        if not ballots:
            return False
        step, records = machine.chain.step, machine.current()
        self.desk.save(lambda files: files.complete(step, records, 0), syncs=False)
        self.desk.save(lambda files: files.add_ballots(ballots), syncs=False)
        self._audience.end([RECORD.make(record) for record in records])
        self._audience.end([BALLOT.make(ballot) for ballot in ballots])
        return True

    def linger(self) -> Reply[None]:
        """Stay until all peers have everything, or patience ends."""
        self._forwarding.flush()
        return self.parting.linger(self.patience.lingers)
