"""What is looked at when nothing more happens in a world: is everybody through?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2p.errors import PeerError
from p2p.protocol.held import AHEAD
from p2p.protocol.table import GameTable
from tests.sim.worlds.plan import (
    IN_LOSSES,
    VANISHES,
    VANISHES_LATER,
    Crash,
    CrashAtEntry,
    Jump,
    Leave,
    TornWrite,
)
from tests.sim.worlds.watch import Watch, require

if TYPE_CHECKING:
    from tests.sim.worlds.process import Process
    from tests.sim.worlds.world import World

REPLIES: Final = 64
ALARMS: Final = 400
"""More open orders, or alarms, than any seat needs."""
GONE: Final = (Leave, Crash, CrashAtEntry, TornWrite)
"""By what a seat is lost for good, if it does not come back."""


class Ends:
    """The end of one world."""

    def __init__(self, world: World, watch: Watch) -> None:
        self._world: Final = world
        self._watch: Final = watch

    def check(self) -> None:
        """Everybody is through, or somebody is waited for."""
        self._bounds()
        for seat in range(self._world.plan.seats):
            if self._watch.is_honest(seat):
                for process in self._world.running(seat):
                    require("an end", self._is_explained(process), self._stuck(process))
        self._is_played_on()
        self._count_the_gone()
        self._is_told_to_all()
        self._is_seen_by_all()
        tables = [
            process.outcome.header.table
            for processes in self._world.processes.values()
            for process in processes
            if isinstance(process.outcome, GameTable) and self._watch.is_honest(process.seat)
        ]
        require("one log", len(set(tables)) <= 1, "two tables were played to the end")

    def _is_played_on(self) -> None:
        """Where seats leave and are lost, enough are there and all else is well, these go on."""
        plan = self._world.plan
        lost = {
            fault.seat for fault in plan.faults if isinstance(fault, GONE) and fault.back is None
        }
        seat, behaviour = plan.modified or (-1, "")
        loyal = behaviour in ("", *IN_LOSSES)
        calm = len(lost) == len(plan.faults) and loyal and not (plan.never or plan.late)
        if behaviour in (VANISHES, VANISHES_LATER):
            lost.add(seat)
        seats = range(plan.seats)
        here = [seat for seat in seats if seat not in lost and not self._watch.has_left(seat)]
        if plan.least and calm and len(here) >= plan.least:
            waiting = [
                process.seat
                for seat in here
                for process in self._world.running(seat)
                if process.table is not None  # nobody is voted out before the table begins
            ]
            require("carries on", not waiting, f"the seats {waiting} wait for {sorted(lost)}")

    def _count_the_gone(self) -> None:
        """In how many worlds a table was closed that somebody had left, or was lost from."""
        left, lost = bool(self._watch.by_log["left"]), bool(self._watch.by_log["lost"])
        for name, holds in (("left", left), ("lost", lost), ("left and lost", left and lost)):
            self._world.counts[f"closed, somebody {name}"] += holds

    def _is_told_to_all(self) -> None:
        """Where nothing goes wrong with links and disks, whoever is caught is caught by all."""
        plan = self._world.plan
        honest = [
            process
            for processes in self._world.processes.values()
            for process in processes
            if self._watch.is_honest(process.seat)
        ]
        caught = [one for one in honest if isinstance(one.outcome, PeerError)]
        calm = not (plan.faults or plan.never or plan.late)
        if calm and caught:
            waiting = [one.seat for one in honest if one.runs]
            require("evidence for all", not waiting, f"the seats {waiting} know of no cheat")

    def _is_seen_by_all(self) -> None:
        """Whoever watches a seat that plays to the end sees the end, if its clock goes right; and
        whoever watches one that stops since somebody lied is told who it was.
        """
        for seat, processes in self._world.processes.items():
            sound = self._watch.is_honest(seat) and not self._world.plan.of(Jump, seat)
            for process in processes if sound else ():
                closed = isinstance(process.outcome, GameTable) and not self._watch.has_left(seat)
                caught = isinstance(process.outcome, PeerError)
                for watcher in process.company.watchers.values():
                    sees = watcher.has_all or not closed
                    require("spectators", sees, f"who watches seat {seat} lacks the end")
                    hears = watcher.knows_the_liar or not caught
                    require("spectators", hears, f"who watches seat {seat} hears of no lie")

    def _stuck(self, process: Process) -> str:
        machine = process.machine
        if machine is None:
            return f"seat {process.seat} does nothing"
        return (
            f"seat {process.seat} is stuck at step {machine.chain.step} "
            f"of {'the game' if process.table else 'the genesis'}, misses {machine.missing()}, "
            f"{'may' if machine.may_sign else 'may not'} sign"
        )

    def _is_explained(self, process: Process, seen: frozenset[int] = frozenset()) -> bool:
        """Whether it waits for somebody who is gone, perhaps through others."""
        machine = process.machine
        if process.table is not None and process.table.has_left:
            return self._is_alone(process)
        if machine is None or process.seat in seen:
            return False
        standing = machine.voting.standing
        missing = {*machine.missing(), *standing.awaited}
        if not machine.may_sign and self._needs_a_link(process):
            return True
        if not machine.may_sign:
            missing |= {s for s in range(self._world.plan.seats) if s != process.seat}
            missing.discard(process.seat)
        return any(
            self._is_gone(process.seat, seat)
            or any(
                self._is_explained(other, seen | {process.seat})
                for other in self._world.running(seat)
            )
            for seat in missing
            if seat != process.seat
        )

    def _is_alone(self, process: Process) -> bool:
        """Whether nobody whom it reaches is there to take note that this seat has left."""
        others = self._reached(process.seat) - {process.seat}
        return not any(self._world.running(seat) for seat in others if self._watch.is_honest(seat))

    def _needs_a_link(self, process: Process) -> bool:
        """Whether its files may lack what it signed, and somebody cannot tell it directly."""
        others = (seat for seat in range(self._world.plan.seats) if seat != process.seat)
        apart = any(not self._world.network.can_reach(process.seat, seat) for seat in others)
        if process.core.runner.returning.needs_all and apart:
            self._world.counts["waits to hear from all"] += 1
            return True
        return False

    def _is_gone(self, seat: int, other: int) -> bool:
        """Whether no program of the other seat runs, or no way leads to it, or it is modified."""
        if not self._watch.is_honest(other) or not self._world.running(other):
            return self._watch.is_disturbed()
        return other not in self._reached(seat)

    def _reached(self, seat: int) -> set[int]:
        """The seats to which honest ones lead."""
        reached, new = {seat}, [seat]
        while new:
            one = new.pop()
            for other in range(self._world.plan.seats):
                linked = self._world.network.can_reach(one, other) and self._world.running(other)
                if other not in reached and linked:
                    reached.add(other)
                    if self._watch.is_honest(other):
                        new.append(other)
        return reached

    def _bounds(self) -> None:
        """What a seat holds does not grow with time."""
        for seat in range(self._world.plan.seats):
            for process in self._world.running(seat) if self._watch.is_honest(seat) else ():
                desk, machine = process.desk, process.machine
                few = len(desk._replies) <= REPLIES and len(desk._alarms) <= ALARMS
                sizes = f"{len(desk._replies)} replies, {len(desk._alarms)} alarms"
                require("memory", few, f"seat {seat} holds {sizes}")
                if machine is not None:
                    most = (AHEAD + 1) * len(machine.identities)
                    held = len(machine._held.early)
                    require("memory", held <= most, f"seat {seat} holds {held} early entries")

    def ending(self, seat: int) -> str:
        """How a seat ended, in a word."""
        if self._world.running(seat):
            return "waits"
        outcomes = [process.outcome for process in self._world.processes[seat]]
        outcome = outcomes[-1] if outcomes else None
        if isinstance(outcome, GameTable):
            return "closed"
        return "gone" if outcome is None else type(outcome).__name__
