"""A modified peer at a table of honest ones: one process, real sockets, real TLS.

The crook runs the product's own code, except for what a test bends: the entries that it sends,
how it treats what it hears, how it proves.  It sits at seat 1 of three.  At larger tables others
may vanish, and everybody says to go on without them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import pytest
import trio

from engine.games import load
from p2p.driver import connection
from p2p.driver.driver import Driver
from p2p.errors import PeerError
from p2p.files.storage import TableFiles
from p2p.identity.keys import Identity
from p2p.net.invite import Invite
from p2p.net.limits import Limits
from p2p.net.mesh import Mesh
from p2p.peer import Endpoint, TablePlan, TableResult, host_table, join_table
from p2p.player.events import Event, Missed, Stopped, Waiting
from p2p.player.player import Player
from p2p.protocol import step_kinds, terms, wire
from p2p.protocol.absence.vote import Absent
from p2p.protocol.ballot import is_ballot
from p2p.protocol.effects import Cast, Effect, Fault, Send
from p2p.protocol.entry import PURPOSE, VOTE_PURPOSE, Entry, decode_entry
from p2p.protocol.frame_kinds import RECORD
from p2p.protocol.table import GameTable
from p2p.protocol.terms import Terms
from p2p.seat import going_on, table_seat
from p2p.seat.reply import Reply
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from p2p.table import at_table
from replay.audit import audit
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.protocol.cheats import FIELDS
from tests.protocol.scenes import SCENES

CROOK = 1
SEATS = 3
SOON = Limits(rest_seconds=0.2)
"""A link that was dropped for garbage rests before it is opened again; here only briefly."""
HURRIES: Final = Patience(asks_again=0.3, lingers=2.0, gives_up=0.1)
"""Of all seats: whoever is gone is given up soon."""
Bend = Callable[[Entry], list[bytes]]
Script = Callable[[Any, Any], Awaitable[object]]


def as_it_is(entry: Entry) -> list[bytes]:
    return [entry.record]


def nothing(entry: Entry) -> list[bytes]:
    return []


@dataclass
class Crook:
    """What a test bends.  `sends` and `hears` give the records to flood, by kind of entry or vote.

    `starts` is `sends` for genesis.
    """

    identity: Identity = field(default_factory=lambda: identity("guest 1"))
    starts: dict[str, Bend] = field(default_factory=dict)
    sends: dict[str, Bend] = field(default_factory=dict)
    hears: Callable[[Entry], list[bytes]] = nothing
    overhears: Callable[[Event], None] = lambda event: None
    """Gets whatever an honest player is told."""
    begins: Callable[[GameTable], None] = lambda table: None
    decides: Callable[[Any, Any], None] = lambda view, question: None
    script: Script | None = None
    """How every seat decides, if random bots will not do."""
    goes_on: bool = True
    """What it says when it is asked whether to go on without somebody."""
    stays: bool = True
    """Whether it plays on when its own machine has found a fault."""
    runner: Runner | None = None
    driver: Driver | None = None
    nursery: trio.Nursery | None = None
    """For whatever else the crook does; it ends with the table."""
    relinked: trio.Event = field(default_factory=trio.Event)
    """Set at the next change of a link."""
    process: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Cancel it, and the crook is gone as if its process had been killed."""
    returns: Callable[[Path], Awaitable[object]] | None = None
    """What it does in its folder after that."""
    suffers: list[Exception] = field(default_factory=list)
    """The errors that its own tricks cause in it; they end nobody else's game."""
    said: list[bytes] = field(default_factory=list)
    """All records that it has flooded: it sends them to any peer that asks for more."""

    @property
    def table(self) -> GameTable:
        assert self.runner is not None
        assert self.runner.table is not None
        return self.runner.table

    @property
    def mesh(self) -> Mesh:
        """Its links, past what its seat orders."""
        assert self.runner is not None
        return mesh_of(self.runner)

    @property
    def files(self) -> TableFiles:
        assert self.driver is not None
        return self.driver.files

    def sign(self, record: bytes, **changes: Any) -> bytes:
        """The entry or vote of a record with some fields changed, signed by the crook."""
        entry = decode_entry(record)
        fields = {**{name: getattr(entry, name) for name in FIELDS}, **changes}
        body = wire.pack(fields)
        purpose = VOTE_PURPOSE if fields["kind"] == step_kinds.VOTE else PURPOSE
        return body + self.identity.sign(purpose, body)

    def say(self, absent: Absent) -> None:
        """Let its own machine vote so, whether or not anybody is gone."""
        assert self.runner is not None
        self.table.machine.go_on_without(absent)
        self.runner._carry_on()

    def bend_payload(self, kind: str, change: Callable[[Any], Any]) -> None:
        """Pass the payload of every entry of this kind through `change`."""
        self.sends[kind] = lambda e: [self.sign(e.record, payload=change(e.payload))]

    async def send_directly(self, seat: int, record: bytes) -> None:
        """Send it over the crook's own link with that seat, as soon as there is one."""
        assert self.runner is not None
        key, mesh = self.runner.proposal.identities[seat], self.mesh
        while not (key in mesh.links() and mesh.links()[key].connected):
            await self.relinked.wait()
        mesh.send(key, RECORD.make(record))

    def tell_two_things(self, entry: Entry, payload: Any) -> list[bytes]:
        """Send seat 0 the entry and seat 2 one with another payload; flood nothing."""
        other = self.sign(entry.record, payload=payload)

        async def tell_both() -> None:
            await self.send_directly(2, other)
            await self.send_directly(0, entry.record)

        assert self.nursery is not None
        self.nursery.start_soon(tell_both)
        return []

    def flood(self, records: list[bytes]) -> None:
        self.said += records
        for record in records:
            self.mesh.flood(RECORD.make(record))

    def say_again(self, peer: bytes, asked: bytes = b"") -> None:
        """Answer a peer that misses records, as the product does: a link may have been down.

        What its machine holds is not sent: those are the honest entries, and nobody may see them.
        """
        for record in self.said if self.runner is not None else ():
            self.mesh.send(peer, RECORD.make(record))


def mesh_of(runner: Runner) -> Mesh:
    """The links of a seat that a real driver drives."""
    links: Any = runner.desk.links
    return cast("Mesh", links)


def _crooked(crook: Crook) -> type[Runner]:
    class Crooked(Runner):
        """The product's runner, except for what the crook bends."""

        def run(self, machine: Any) -> Reply[Any]:
            crook.runner = self
            if self.table is not None:
                crook.begins(self.table)
            if crook.starts or (self.table is not None and crook.sends):
                self._catching_up.answer = crook.say_again  # type: ignore[method-assign]
            return super().run(machine)

        def receive(self, peer: bytes, frame: bytes) -> None:
            super().receive(peer, frame)
            if frame[0] == RECORD.number and self.table is not None:
                crook.flood(crook.hears(decode_entry(frame[1:])))

        def link_changed(self, peer: bytes, up: bool) -> None:
            super().link_changed(peer, up)
            if up and peer in self.proposal.identities:
                crook.say_again(peer)  # it may have signed before anybody was linked
            crook.relinked.set()
            crook.relinked = trio.Event()

        def _leave(self, effect: Effect, source: bytes | None = None) -> None:
            if isinstance(effect, Send) or (
                isinstance(effect, Cast) and not is_ballot(effect.record)
            ):
                entry = decode_entry(effect.record)
                bent = crook.starts if self.table is None else crook.sends
                crook.flood(bent.get(entry.kind, as_it_is)(entry))
            else:
                super()._leave(effect, source)

        def _do(self, machine: Any, effect: Effect) -> None:
            if not (isinstance(effect, Fault) and crook.stays):
                super()._do(machine, effect)

    return Crooked


@dataclass
class Victim:
    """A guest that vanishes when it would send its entry of a kind, after so many of that kind.

    `returns` is what it does then, in its folder, with the invite; `said` is what it had signed for
    the void step, which it sends to everybody whom it meets again.
    """

    kind: str
    after: int = 0
    returns: Callable[[Path, Invite], Awaitable[object]] | None = None
    is_back: bool = False
    identity: Identity = field(default_factory=lambda: identity("victim"))
    process: trio.CancelScope = field(default_factory=trio.CancelScope)
    said: list[bytes] = field(default_factory=list)


def _vanishing(victim: Victim) -> type[Runner]:
    class Vanishing(Runner):
        """The product's runner, whose process is killed, and started again."""

        def link_changed(self, peer: bytes, up: bool) -> None:
            super().link_changed(peer, up)
            for record in victim.said if up else ():
                self.desk.post(peer, RECORD.make(record))

        def _leave(self, effect: Effect, source: bytes | None = None) -> None:
            kind = decode_entry(effect.record).kind if isinstance(effect, Send) else None
            victim.after -= kind == victim.kind and not victim.said
            if isinstance(effect, Send) and victim.after < 0 and not victim.said:
                victim.said.append(effect.record)
                self._vanish()
            if not victim.said or victim.is_back:
                super()._leave(effect, source)

        def _vanish(self) -> None:
            """Kill the process once its earlier entries have left: no step before is to be void."""
            waits = set(self.others())

            def flushed(peer: bytes, _: object) -> None:
                waits.discard(peer)
                if not waits:
                    victim.process.cancel()

            for peer in set(waits):
                self.desk.flush(peer).then(partial(flushed, peer))

    return Vanishing


class Scripted(Watcher):
    """A random bot, or one that follows a script; it says whether to go on when it is asked."""

    goes_on = True

    def __init__(self, seed: int, script: Script | None) -> None:
        super().__init__(seed)
        self._script = script

    def tell(self, event: Event) -> None:
        super().tell(event)
        if isinstance(event, Missed) and event.say is not None:
            event.say(self.goes_on)

    async def decide(self, view: Any, question: Any) -> object:
        if self._script is not None:
            return await self._script(view, question)
        return await super().decide(view, question)


class CrookPlayer(Scripted):
    """Lets the crook prepare something before it decides."""

    def __init__(self, crook: Crook) -> None:
        super().__init__(1, crook.script)
        self._crook = crook

    @property
    def goes_on(self) -> bool:  # type: ignore[override]
        return self._crook.goes_on

    async def decide(self, view: Any, question: Any) -> object:
        self._crook.decides(view, question)
        return await super().decide(view, question)


class Honest(Scripted):
    """Calls the next guest when somebody has sat down."""

    def __init__(
        self,
        seed: int,
        crook: Crook,
        on_waiting: Callable[[int], None] = lambda seated: None,
    ) -> None:
        super().__init__(seed, crook.script)
        self._crook = crook
        self._on_waiting = on_waiting

    def tell(self, event: Event) -> None:
        super().tell(event)
        self._crook.overhears(event)
        if isinstance(event, Waiting):
            self._on_waiting(len(event.names))


@dataclass
class Evening:
    """How a table ended: for each honest seat (0 and 2) its result, or why it stopped."""

    folder: Path
    ended: dict[int, TableResult | PeerError] = field(default_factory=dict)
    players: dict[int, Honest] = field(default_factory=dict)


def scenes_are_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the scenes of tests/protocol be found by name, as a registered game is."""
    monkeypatch.setattr(terms, "load", lambda name: SCENES.get(name) or load(name))


async def sit_down(
    folder: Path, monkeypatch: pytest.MonkeyPatch, crook: Crook, game: str, **options: Any
) -> Evening:
    """Run a table of host, crook and guest until both honest peers have ended."""
    scenes_are_games(monkeypatch)
    return await sit_at(folder, monkeypatch, crook, TablePlan(Terms.of(game, options), SEATS))


async def sit_at(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    crook: Crook,
    plan: TablePlan,
    *victims: Victim,
) -> Evening:
    """Run a table of host, crook, guest and victims until both honest peers have ended."""
    scenes_are_games(monkeypatch)
    evening = Evening(folder)
    kinds = {crook.identity.public: _crooked(crook)}
    kinds |= {victim.identity.public: _vanishing(victim) for victim in victims}

    def runner(desk: Any, proposal: Any, seat: int, *rest: Any) -> Runner:
        kind = kinds.get(proposal.identities[seat], Runner)
        return kind(desk, proposal, seat, *rest)

    def driver(mesh: Mesh, player: Player, files: TableFiles) -> Driver:
        made = Driver(mesh, player, files)
        if isinstance(player, CrookPlayer):
            crook.driver = made
        return made

    monkeypatch.setattr(table_seat, "Runner", runner)
    monkeypatch.setattr(at_table, "Driver", driver)
    monkeypatch.setattr(connection, "Mesh", partial(Mesh, limits=SOON))
    monkeypatch.setattr(going_on, "LOOKS_SECONDS", 0.05)
    for seat in range(plan.seats):
        (folder / str(seat)).mkdir()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await _seat_all(nursery, evening, crook, plan, victims)
    return evening


async def _seat_all(
    nursery: trio.Nursery,
    evening: Evening,
    crook: Crook,
    plan: TablePlan,
    victims: Sequence[Victim],
) -> None:
    folder, invites = evening.folder, []
    crook.nursery = nursery

    async def be_honest(seat: int, play: Callable[[], Any]) -> None:
        try:
            evening.ended[seat] = await play()
        except PeerError as error:
            evening.ended[seat] = error
        if len(evening.ended) == SEATS - 1:
            nursery.cancel_scope.cancel()

    async def guest(seat: int, who: Identity, player: Watcher) -> TableResult:
        return await join_table(
            sitter(who, player, patience=HURRIES),
            invites[0],
            store(folder / str(seat)),
        )

    async def cheat() -> None:
        try:
            with crook.process:
                await guest(CROOK, crook.identity, CrookPlayer(crook))
        except* Exception as group:  # noqa: BLE001 - whatever it is, the others play on
            crook.suffers.extend(group.exceptions)
        if crook.returns is not None:
            try:
                await crook.returns(folder / str(CROOK))
            except* PeerError as group:  # perhaps in one group with the table's cancellation
                crook.suffers.extend(group.exceptions)

    async def vanish(seat: int, victim: Victim) -> None:
        with victim.process:
            await guest(seat, victim.identity, Scripted(seat, crook.script))
        if victim.returns is not None:
            victim.is_back = True
            await victim.returns(folder / str(seat), invites[0])

    def seated(count: int) -> None:
        if count == CROOK + 1:
            who, player = identity("guest 2"), Honest(2, crook)
            evening.players[2] = player
            nursery.start_soon(be_honest, 2, lambda: guest(2, who, player))
        elif SEATS <= count < plan.seats:
            nursery.start_soon(vanish, count, victims[count - SEATS])

    def opened(invite: Invite) -> None:
        invites.append(invite)
        nursery.start_soon(cheat)

    host = evening.players[0] = Honest(0, crook, seated)
    nursery.start_soon(
        be_honest,
        0,
        lambda: host_table(
            sitter("host", host, patience=HURRIES),
            plan,
            store(folder / "0"),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        ),
    )


def convict(evening: Evening, verdict: str) -> None:
    """Both honest peers name the crook, told their players, and hold convincing evidence."""
    for seat in (0, 2):
        error = evening.ended[seat]
        assert isinstance(error, PeerError), f"seat {seat} played on"
        assert (error.verdict, error.seat) == (verdict, CROOK), error
        told = evening.players[seat].events
        (stopped,) = [event for event in told if isinstance(event, Stopped)]
        assert (stopped.verdict, stopped.seat) == (verdict, CROOK)
        assert not list((evening.folder / str(seat)).glob("*.ndseat")), "the keys are still there"
        assert stopped.evidence is not None
        assert stopped.evidence == error.evidence
        report = audit(stopped.evidence)
        assert (report.verdict, report.seat) == (verdict, CROOK), report.reason


def acquit(evening: Evening) -> None:
    """Nobody noticed anything: both honest peers hold the same complete log."""
    for seat in (0, 2):
        assert isinstance(evening.ended[seat], TableResult), evening.ended[seat]
    logs = [next((evening.folder / str(seat)).glob("*.ndlog")) for seat in (0, 2)]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert audit(logs[0]).verdict == "complete"
