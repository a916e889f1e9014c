"""Somebody who watches a seat's table in a world: sees what the gallery sends, and nothing else."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from p2p.errors import PeerError
from p2p.protocol.effects import Fault
from p2p.protocol.frame_kinds import BALLOT, HAVE, HEADER, RECORD, kind_of, payload_of
from p2p.protocol.genesis import decode_header
from p2p.protocol.inline import run_inline
from p2p.spectators.gallery import watch_frame
from p2p.spectators.shown import Shown
from tests.sim.worlds.watch import require

if TYPE_CHECKING:
    from tests.sim.worlds.process import Process


class Watcher:
    """One spectator of one program; it goes when that ends."""

    def __init__(self, process: Process) -> None:
        self.key: Final = process.world.stranger.public
        self.shown: Shown | None = None
        self._process: Final = process
        self._world: Final = process.world
        self._away: Final = process.world.network.one_way(process.seat, process.seat)
        self._under_way = 0
        self.accused: PeerError | None = None

    def come(self) -> None:
        """Greet with the invite of the table."""
        greeting = watch_frame(self._world.proposal.token, "Zoe")
        self._says(partial(self._process.company.gallery.receive, self.key, payload_of(greeting)))

    @property
    def has_all(self) -> bool:
        """Whether it has seen the game to its end, or was not shown any of it.

        A world stops when all seats have: what is under way then counts as seen.
        """
        if self.shown is None or self._under_way:
            return True
        machine = self.shown.table.machine
        return machine.ended or bool(machine.closed_without())

    @property
    def knows_the_liar(self) -> bool:
        """Whether it was shown who lied; or nothing at all, or what shows it is under way."""
        return self.shown is None or self._under_way > 0 or self.accused is not None

    def _says(self, act: partial[None]) -> None:
        self._world.after(self._away, lambda: self._process.enter(act))

    def gets(self, frame: bytes) -> None:
        """A frame leaves the gallery for here."""
        self._under_way += 1
        self._world.after(self._away, lambda: self._hear(frame))

    def _hear(self, frame: bytes) -> None:
        self._under_way -= 1
        if self.accused is None:
            try:
                self._take(frame)
            except PeerError as error:
                self._accuse(error)

    def _take(self, frame: bytes) -> None:
        match kind_of(frame):
            case kind if kind is HEADER:
                self._open(payload_of(frame))
            case kind if kind is RECORD and self.shown is not None:
                self._follow(self.shown, payload_of(frame))
            case kind if kind is BALLOT and self.shown is not None:
                self.shown.table.machine.ballots.receive(payload_of(frame))

    def _open(self, payload: bytes) -> None:
        header = decode_header(payload)
        if self.shown is None:
            entropy = self._world.plan.rng("watches", self._process.seat).randbytes
            self.shown = Shown(header, entropy)
            self.shown.table.machine.start()
            run_inline(self.shown.table.machine)
            self._world.counts["watched"] += 1
        place = HAVE.make({"table": header.table, "step": self.shown.table.machine.chain.step})
        self._says(partial(self._process.company.gallery.asked, self.key, payload_of(place)))

    def _follow(self, shown: Shown, record: bytes) -> None:
        table = shown.table
        machine, before = table.machine, table.machine.chain.step
        for effect in run_inline(shown.take(record)):
            if isinstance(effect, Fault):
                self._accuse(effect.error)
        for step in range(before, len(machine.records)):
            self._world.watch.compare(
                machine.chain.table, step, machine.records[step], self._process.seat
            )
        require("no peeking", not table.cards.slots.own, "a spectator reads a hidden card")
        if machine.ended:
            self._world.counts["watched to the end"] += 1

    def _accuse(self, error: PeerError) -> None:
        self.accused = error
        guilty = self._process.seat if error.seat is None else error.seat  # then of who sent it
        right = not self._world.watch.is_honest(guilty)
        require("no false accusation", right, f"a spectator says: {error}")
