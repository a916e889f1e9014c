"""A table in bad weather: records are lost, doubled and late, seats start late and crash.

Everything follows from one seed.  Only what a seat has on its disk survives a crash: the effects
of a machine reach the disk one by one, and a crash may fall between any two of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.game import Game
from p2p.protocol.effects import Done, Effect, Send, Write
from p2p.protocol.entry import Chain, decode_entry
from p2p.protocol.genesis import Header
from p2p.protocol.inline import run_inline
from p2p.protocol.own_seat import OwnPast, OwnSeat, own_past
from p2p.protocol.table import open_table
from tests.protocol.kit import Hub, Seat, identities, make_header, seeded, table_secrets

ROUNDS_MAX = 3000


@dataclass(frozen=True, slots=True)
class Weather:
    """Chances, each per record (or per effect, for crashes)."""

    loss: float = 0.0
    doubling: float = 0.0
    crash: float = 0.0
    old_backup: float = 0.0
    """That a crash is followed by a restore of what the disk held some time ago."""


@dataclass(slots=True)
class Disk:
    """What a seat file and a log hold (p2p/files/storage.py)."""

    own: list[bytes] = field(default_factory=list)
    kept: dict[int, bytes] = field(default_factory=dict)
    log: list[tuple[bytes, ...]] = field(default_factory=list)

    def write(self, asked: Write) -> None:
        self.own.append(asked.record)
        step = decode_entry(asked.record).step
        self.kept.pop(step, None)
        if asked.secret is not None:
            self.kept[step] = asked.secret

    def copy(self) -> Disk:
        return Disk(list(self.own), dict(self.kept), list(self.log))


class Storm(Hub):
    """A table of a registered game in some weather; `late` seats start after the others."""

    def __init__(
        self, game: Game, count: int, seed: int, weather: Weather, late: int = 0, **options: Any
    ) -> None:
        self.header: Header = make_header(game, count, seed, **options)
        self.seed, self.weather = seed, weather
        self.disks = [Disk() for _ in range(count)]
        self.backups = [Disk() for _ in range(count)]
        self.crashes = 0
        self.signed: dict[tuple[int, int], set[bytes]] = {}
        self.waiting = set(range(count - late, count))
        super().__init__([self._sit(seat) for seat in range(count)], seed)

    def _sit(self, seat: int, past: OwnPast | None = None) -> Seat:
        count = len(self.header.keys)
        secret = table_secrets(count, self.seed)[seat]
        own = OwnSeat(seat, identities(count)[seat], secret, past)
        entropy = seeded(("storm", self.seed, seat, self.crashes))
        table = open_table(self.header, entropy, own, notes=True)
        return Seat(table.machine, table)

    # -- the weather -----------------------------------------------------------------------

    def play(self) -> None:
        """Play until all have ended; a seat that is stuck asks the others, as peers do."""
        for _ in range(ROUNDS_MAX):
            self._start()
            while self._settle() or self._deliver():
                pass
            if all(seat.machine.ended for seat in self.seats):
                return
            for seat in self.seats:
                if not seat.machine.ended and seat.machine.started:
                    self._catch_up(seat, seat.machine.chain.step)
        raise AssertionError(f"seed {self.seed}: the table does not come to an end")

    def _start(self) -> None:
        for seat in self.seats:
            if seat.seat not in self.waiting and not seat.machine.started:
                seat.machine.start()
        self.waiting = set(sorted(self.waiting)[1:])

    def _settle(self) -> bool:
        busy = False
        for seat in self.seats:
            for effect in run_inline(seat.machine, disk=True):
                busy = True
                self._do(seat, effect)
        return busy

    def spread(self, source: int, record: bytes) -> None:
        for to in range(len(self.seats)):
            if to != source and self.rng.random() >= self.weather.loss:
                copies = 1 + (self.rng.random() < self.weather.doubling)
                self.wire.extend([(to, record)] * copies)

    # -- disks and crashes -----------------------------------------------------------------

    def _do(self, seat: Seat, effect: Effect) -> None:
        if self.seats[seat.seat] is not seat:
            return  # it crashed before it came to this
        if self.rng.random() < self.weather.crash and not seat.machine.ended:
            self._restart(seat.seat)
            return
        disk = self.disks[seat.seat]
        match effect:
            case Write():
                disk.write(effect)
                seat.machine.wrote(effect.number)
            case Send():
                entry = decode_entry(effect.record)
                self.signed.setdefault((entry.seat, entry.step), set()).add(entry.body)
            case Done():
                disk.log.append(effect.records)
            case _:
                pass
        if self.rng.random() < 0.05:
            self.backups[seat.seat] = disk.copy()
        super()._do(seat, effect)

    def _restart(self, number: int) -> None:
        """A new machine from the disk, in the manner of p2p/seat/recovery.py."""
        self.crashes += 1
        if self.rng.random() < self.weather.old_backup:
            # What it sent has reached the others by the time somebody restores a backup.
            self._arrive()
            self.disks[number] = self.backups[number].copy()
        disk = self.disks[number]
        past = own_past(Chain(self.header.table), disk.own, kept=dict(disk.kept))
        seat = self._sit(number, past)
        self.seats[number] = seat
        machine = seat.machine
        machine.start()
        run_inline(machine)
        for record in [r for records in disk.log for r in records]:
            machine.receive(record)
            run_inline(machine)
        disk.log = list(machine.records)
        seat.log = list(machine.records)
        self._ask_for_own(seat)

    def _arrive(self) -> None:
        for to, record in self.wire:
            self.seats[to].machine.receive(record)
        self.wire.clear()

    def _ask_for_own(self, seat: Seat) -> None:
        """Sign nothing before all the others have said what they have (protocol section 7)."""
        machine = seat.machine
        others = [other for other in self.seats if other is not seat]
        furthest = max(other.machine.chain.step for other in others)
        while True:
            for other in others:
                past = other.machine.records[machine.chain.step :]
                for record in [r for records in past for r in records] + other.machine.beyond():
                    machine.receive(record)
            before = machine.chain.step
            for effect in run_inline(machine, disk=True):
                if isinstance(effect, Write):
                    self.disks[seat.seat].write(effect)
                    machine.wrote(effect.number)
                if isinstance(effect, Done):
                    self.disks[seat.seat].log.append(effect.records)
                    seat.log.append(effect.records)
            if machine.ended or (machine.chain.step >= furthest and machine.chain.step == before):
                break
        machine.allow_signing()
