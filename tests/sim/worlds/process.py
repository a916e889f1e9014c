"""One program of one seat: carries out what its desk orders, in virtual time.

It is to a world what `p2p.driver` is to trio, and `p2p.table.at_table` around it: the core that it
drives is the product's, and so are the files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cli.home.own_bots import OwnBot, Stand
from p2p.errors import StorageError
from p2p.files.hand_file import hand_text
from p2p.files.saved import table_name
from p2p.files.seat_memory import Known, list_item
from p2p.files.storage import Store
from p2p.net.reach_address import parse_any
from p2p.net.signed_addresses import sign_addresses
from p2p.player.events import Missed, Stopped
from p2p.protocol.entry import unread
from p2p.protocol.frame_kinds import RECORD
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import Outcome, attempt, returning
from p2p.protocol.parts import Parts
from p2p.protocol.table import GameTable
from p2p.seat import desk
from p2p.seat.reply import Script
from p2p.seat.table_seat import TableSeat
from tests.sim.worlds.company import Company
from tests.sim.worlds.drive import CrashedError, Drive
from tests.sim.worlds.missed import Word
from tests.sim.worlds.network import REST, Ports, Wire
from tests.sim.worlds.person import Person
from tests.sim.worlds.plan import (
    Crash,
    CrashAtEntry,
    FullDisk,
    GoneAtClose,
    Jump,
    SlowDisk,
    TornWrite,
)
from tests.sim.worlds.watch import ASKED

if TYPE_CHECKING:
    from tests.sim.worlds.world import World

EPSILON: Final = 1e-9
_OWN: Final = b"\x93\xa3own"
"""How an own entry in a seat file begins, after its length."""


class Process:
    """A program of a seat, from its start to its end.  `number` counts the programs of the seat."""

    def __init__(self, world: World, seat: int, number: int, root: Path) -> None:
        self.world: Final = world
        self.seat: Final = seat
        self.number: Final = number
        self.identity: Final = world.identities[seat]
        self.key: Final = self.identity.public
        self.rng: Final = world.plan.rng("process", seat, number)
        self._person: Final = Person(self)
        self._word: Final = Word(self)
        self.retired: Final[set[bytes]] = set()
        self.drive: Final = Drive(root)
        self.wires: Final[dict[bytes, Wire]] = {}
        self.met: Final[set[bytes]] = set()
        self.runs = True
        self.outcome: BaseException | GameTable | None = None
        self.checked = 0
        """How many steps of its records were compared."""
        self.walked: Machine | None = None
        self.heard: Final[dict[tuple[bytes, int, int], bytes]] = {}
        """The bodies that it was shown while it could compare them, by table, step and seat."""
        self._save_ends = 0.0
        self.offset = 1000.0 * self.rng.random()
        self.wall = 1.7e9 + world.plan.rng("wall", seat).randrange(10**6)
        self.desk: Final = desk.Desk(
            lambda: world.now + self.offset,
            Ports(self),
            world.plan.rng("entropy", seat, number).randbytes,
            wall=lambda: world.now + self.wall,
            tell=self._tell,
            wanted=self._look_soon,
        )
        self.company: Final = Company(self)
        self.core: Final = TableSeat(
            self.desk, self.identity, world.proposal, world.patience, self.company
        )
        name = table_name(world.proposal.game.name, world.proposal.id, world.today)
        self.store: Final = Store(root / "games", root / "ledger")
        self.files: Final = self.store.files(name)
        self._script: Script[GameTable] | None = None
        self._saves: Final[deque[desk.Save]] = deque()
        self._measures: Final[list[desk.Measure]] = []
        self._asked: Final[set[int]] = set()
        self._looks_at = -1.0
        self._settling = False
        """Whether all that the desk wants will be looked at before this call ends."""
        self._torn_by_power = True
        self.drive.at_write = self._wrong

    @property
    def machine(self) -> Machine | None:
        """What it walks just now."""
        return self.core.runner._machine

    def counts(self, peer: bytes) -> bool:
        """Return whether it counts a peer among those that have sent all they had."""
        return peer in self.core.runner._catching_up.told

    @property
    def table(self) -> GameTable | None:
        return self.core.runner.table

    def note(self, text: str) -> None:
        self.world.note(self.seat, text)

    # -- its life --------------------------------------------------------------------------

    def start(self) -> None:
        """Sit down at the table, or go back to it, whatever the files say."""
        self.enter(self._start)

    def _start(self) -> None:
        stand = OwnBot(self.identity, self.store).stand(self.world.proposal)
        self.note(f"starts program {self.number}: {stand.value}")
        if stand in (Stand.OVER, Stand.LOST):
            self._end(LookupError(stand.value))
            return
        own = self._own_list()
        if stand is Stand.FRESH:
            known = {key: Known() for key in self.world.proposal.identities}
            known[self.key] = Known(own.data)
            coroutine = self.core.play(known, Parts(self.desk.entropy))
            lists = {self.key: own}
        else:
            memory = self.files.resume()
            self.world.watch.came_back(self, memory)
            self.core.runner.keep(list_item(self.key, own.data))
            coroutine = self.core.go_back(memory, Parts(self.desk.entropy))
            lists = {**memory.lists(self.world.proposal.token), self.key: own}
        self.company.sit_down(self.core.runner, lists)
        self._script = Script(self.company.gallery.attended(coroutine))

    def _own_list(self) -> Any:
        address = parse_any(f"10.0.{self.seat}.{self.number + 1}:4000")
        number = round(1000 * self.desk.wall())
        return sign_addresses(self.identity, self.world.proposal.token, number, [address])

    def enter(self, act: Callable[[], object]) -> None:
        """Let the seat do something, and carry out what it orders then."""
        if not self.runs:
            return
        self._settling = True
        with self.world.drives.used(self.drive):
            try:
                act()
                self._perhaps_gone()
                self._settle()
                self._look_whether_over()
            except CrashedError:
                self.die("within a write", power=self._torn_by_power)
            except Exception as error:  # noqa: BLE001 - as the driver does; the world judges it
                self._end(error)
        self.world.watch.stepped(self)

    def die(self, why: str, *, power: bool) -> None:
        """The program ends, wherever it is."""
        if self.runs:
            self.note(f"program {self.number} dies: {why}")
            self._stop()
            self.world.died(self, power)

    def leave(self) -> None:
        """The person ends the program."""
        if self.runs:
            self.note("leaves")
            with self.world.drives.used(self.drive):
                try:
                    self._put_away()
                except CrashedError:
                    self.die("while its files were closed", power=self._torn_by_power)
                    return
                except StorageError:
                    self.note("cannot close its files")
            self._stop()
            self.world.died(self, power=False)

    def _look_whether_over(self) -> None:
        script = self._script
        if script is None or not script.outcome.is_given or self._saves or not self.runs:
            return
        try:
            self._end(script.outcome.result())
        except Exception as error:  # noqa: BLE001 - the world judges it
            self._end(error)

    def _end(self, outcome: BaseException | GameTable) -> None:
        if self._script is not None:
            try:
                self._put_away()
            except CrashedError:
                self.die("while its files were closed", power=self._torn_by_power)
                return
            except StorageError as error:
                outcome = error
        self.outcome = outcome
        said = outcome if isinstance(outcome, BaseException) else "the game is closed"
        without = str(said).replace(str(self.drive.root), "")  # which is another in each run
        self.note(f"ends: {type(outcome).__name__}: {without}")
        self._stop()
        self.world.ended(self)

    def _put_away(self) -> None:
        """As `AtTable` does."""
        runner, table = self.core.runner, self.table
        try:
            if runner.final and table is not None:
                self.files.keep_hand(hand_text(table.header.table, self.seat, table.cards.seen))
        finally:
            self.files.close(erase_secrets=runner.final)

    def _stop(self) -> None:
        self.runs = False
        if self._script is not None:
            self._script.close()
        for wire in list(self.wires.values()):
            wire.close(self)

    # -- links -----------------------------------------------------------------------------

    def is_linked(self, other: Process) -> bool:
        wire = self.wires.get(other.key)
        return wire is not None and wire.other(self) is other

    def linked(self, wire: Wire) -> None:
        """A link is there; of two with one peer, the newer one counts, and nobody is told."""
        other = wire.other(self)
        before = self.wires.get(other.key)
        if before is wire or not self.runs:
            return
        self.wires[other.key] = wire
        self.met.add(other.key)
        if before is not None:
            before.close(self)
            return
        self.note(f"is linked with {other.seat}")
        self.enter(partial(self._link_changed, other.key, True))

    def unlinked(self, wire: Wire) -> None:
        """A link is over."""
        other = wire.other(self)
        if self.wires.get(other.key) is wire and self.runs:
            del self.wires[other.key]
            self.note(f"has lost its link with {other.seat}")
            self.enter(partial(self._link_changed, other.key, False))
            self._dial(other, 0.25 + self.rng.random())

    def _dial(self, other: Process, pause: float) -> None:
        if other.key not in self.retired:
            self.world.network.dial(self, other, pause)

    def _link_changed(self, key: bytes, up: bool) -> None:
        if self._script is None:
            return
        self.company.link_changed(key, up)
        self.core.runner.link_changed(key, up)
        for measure in list(self._measures):
            self._measured(measure)

    def take(self, peer: bytes, frame: bytes) -> None:
        """A frame comes."""
        if self._script is None or self.core.runner.parting.is_apart(peer):
            return
        if self.runs:
            self.world.told(self.seat, "hears", peer, frame)
            counted = self.counts(peer)
            self.enter(lambda: self.core.runner.receive(peer, frame))
            self.world.watch.heard(self, frame)
            if not counted and self.counts(peer):
                self.world.watch.counts(self, frame)

    def transmit(self, peer: bytes, frame: bytes) -> None:
        """A frame leaves for this peer, if it is linked."""
        if peer in self.company.watchers:
            self.company.watchers[peer].gets(frame)
            return
        wire = self.wires.get(peer)
        crash = self._crash_at(frame) if wire is not None else None
        if crash is not None and not crash.after:
            self._crash(crash)
        if wire is not None and self.runs:
            self.world.told(self.seat, "sends", peer, frame)
            self.world.watch.leaves(self, frame)
            wire.send(self, frame)
        if crash is not None and crash.after:
            self._crash(crash)

    def _crash_at(self, frame: bytes) -> CrashAtEntry | None:
        """The fault that comes with this frame, if it is a new entry of this seat."""
        faults: list[CrashAtEntry] = self.world.faults(CrashAtEntry, self.seat)
        if not faults or frame[0] != RECORD.number or unread(frame[1:]).seat != self.seat:
            return None
        said = self.world.said[self.seat]
        number = said.setdefault(frame, len(said))
        return next((fault for fault in faults if fault.entry == number), None)

    def _crash(self, fault: CrashAtEntry) -> None:
        self.world.happens(fault, self)
        self.die(f"with entry {fault.entry}", power=fault.power)

    # -- orders ----------------------------------------------------------------------------

    def _look_soon(self) -> None:
        self._look_at(self.world.now)

    def _look_at(self, when: float) -> None:
        if not self._settling and (self._looks_at < self.world.now or when < self._looks_at):
            self._looks_at = when
            self.world.at(when, partial(self._look, when))

    def _look(self, when: float) -> None:
        if self._looks_at == when:
            self._looks_at = -1.0
            self.enter(self.desk.ring)

    def _settle(self) -> None:
        while self.runs and (order := self.desk.take()) is not None:
            self.world.orders[self.seat] += 1
            self._perhaps_crash(after=False)
            if self.runs:
                self._carry_out(order)
                self._perhaps_crash(after=True)
        self._settling = False
        wakes_at = self.desk.wakes_at
        if wakes_at is not None and self.runs:
            self._look_at(max(self.world.now, wakes_at - self.offset + EPSILON))

    def _perhaps_crash(self, *, after: bool) -> None:
        for fault in self.world.faults(Crash, self.seat):
            if fault.after == after and self.world.orders[self.seat] == fault.order + 1:
                self.world.happens(fault, self)
                self.die(f"at order {fault.order}", power=fault.power)
                return

    def _perhaps_gone(self) -> None:
        machine = self.machine
        if self.runs and machine is not None and machine.closing:
            for fault in self.world.faults(GoneAtClose, self.seat):
                if not fault.signs or self.seat not in machine.missing():
                    self.world.happens(fault, self)
                    self.die("at the close", power=True)
                    return

    def _carry_out(self, order: desk.Order) -> None:
        match order:
            case desk.Post(peer, frame):
                self.transmit(peer, frame)
            case desk.Flood(frame, skip):
                for peer in list(self.wires):
                    if peer != skip and peer not in self.retired:
                        self.transmit(peer, frame)
            case desk.Retire(peer):
                self.retired.add(peer)
            case desk.DropLink(peer, reason):
                self._drop(peer, reason)
            case desk.Unask(number):
                self._asked.discard(number)
            case desk.ReadSlowly() | desk.Dial():
                self.note(type(order).__name__)
            case desk.Flush(number):
                self.world.after(0.0, lambda: self._answer(number, returning(None)))
            case desk.Save():
                self._save(order)
            case desk.Run():
                self._run(order)
            case desk.Ask():
                self._ask(order)
            case desk.Measure():
                self._measures.append(order)
                self._measured(order)

    def _answer(self, number: int, outcome: Outcome[Any]) -> None:
        self.enter(lambda: self.desk.answer(number, outcome))

    def _tell(self, event: object) -> None:
        self.world.counts[f"told {type(event).__name__}"] += 1
        if isinstance(event, Stopped):
            self.world.watch.stopped(self, event)
        elif isinstance(event, Missed):
            self._word.hear(event)
            if event.say is not None:
                self.world.watch.note(self.seat, ASKED)

    def _drop(self, peer: bytes, reason: str) -> None:
        wire = self.wires.pop(peer, None)
        self.world.watch.drops(self, peer, reason)
        if wire is not None:
            other = wire.other(self)
            self.note(f"drops its link with {other.seat}: {reason}")
            wire.close(self)
            self.world.after(0.0, lambda: self.enter(lambda: self._link_changed(peer, False)))
            self._dial(other, REST)

    def _measured(self, measure: desk.Measure) -> None:
        if set(measure.peers) <= self.met:
            self._measures.remove(measure)
            self.world.after(0.1, lambda: self._answer(measure.number, returning(None)))

    def _run(self, run: desk.Run) -> None:
        seconds = self.rng.choice((0.0, 0.01, 0.3)) * self.rng.random()
        if self.rng.random() < 0.5:
            outcome = attempt(run.job)
            self.world.after(seconds, lambda: self._answer(run.number, outcome))
        else:
            job = run.job
            self.world.after(
                seconds,
                lambda: self.enter(lambda: self.desk.answer(run.number, attempt(job))),
            )

    def _ask(self, ask: desk.Ask) -> None:
        self._asked.add(ask.number)
        if self.seat in self.world.plan.asleep:
            return
        decision = self._person.decide(ask)
        seconds = self.world.plan.patience * self.rng.expovariate(1.0)
        self.world.after(min(seconds, 20.0), partial(self._decide, ask.number, decision))

    def _decide(self, number: int, decision: object) -> None:
        if number in self._asked:
            self._asked.discard(number)
            self.note(f"decides {decision!r}")
            self._answer(number, returning(decision))

    # -- the disk --------------------------------------------------------------------------

    def _save(self, save: desk.Save) -> None:
        if self._saves or self._takes() > 0.0:
            self._saves.append(save)
            if len(self._saves) == 1:
                self._begin_save()
        else:
            self.desk.answer(save.number, returning(save.act(self.files)))

    def _takes(self) -> float:
        now = self.world.now
        slow = self.world.faults(SlowDisk, self.seat)
        return max((fault.seconds for fault in slow if fault.at <= now < fault.until), default=0.0)

    def _begin_save(self) -> None:
        """It is done at some moment of the time that it takes, and reported at the end."""
        seconds = self._takes() * self.rng.random()
        self.world.after(seconds * self.rng.random(), lambda: self.enter(self._do_save))
        self._save_ends = self.world.now + seconds

    def _do_save(self) -> None:
        save = self._saves[0]
        done = save.act(self.files)
        self.world.at(max(self.world.now, self._save_ends), lambda: self._saved(save, done))

    def _saved(self, save: desk.Save, done: Any) -> None:
        def report() -> None:
            self._saves.popleft()
            if self._saves:
                self._begin_save()
            self.desk.answer(save.number, returning(done))

        self.enter(report)

    def _wrong(self, data: bytes) -> tuple[str, float] | None:
        """Whether something goes wrong with this write or sync."""
        self.world.writes[self.seat] += 1
        number = self.world.writes[self.seat] - 1
        entry = _OWN in data
        self.world.entries[self.seat] += entry
        entries = self.world.entries[self.seat] - 1
        for torn in self.world.faults(TornWrite, self.seat):
            if (entry and torn.write == entries) if torn.entries else torn.write == number:
                self.world.happens(torn, self)
                self._torn_by_power = torn.power
                return "crash", torn.part
        for full in self.world.faults(FullDisk, self.seat):
            if full.write == number:
                self.world.happens(full, self)
                return "full", full.part
        return None

    def jump(self, fault: Jump) -> None:
        """The clock goes on at once."""
        self.offset += fault.by
        self.wall += fault.wall
        self._looks_at = -1.0
        self.enter(self.desk.ring)
