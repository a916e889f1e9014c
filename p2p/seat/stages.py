"""What one seat does differently while its table is signed, and while it is played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from engine.time_out import is_under_clock
from engine.view import View
from p2p.errors import LocalError
from p2p.files.evidence import write_evidence, write_genesis_evidence, write_state
from p2p.files.state_file import state_text
from p2p.files.storage import TableFiles
from p2p.player.events import WentBack
from p2p.player.news import News
from p2p.protocol.effects import Done, Fault, Write
from p2p.protocol.machine import Machine
from p2p.protocol.proposal import Proposal
from p2p.protocol.table import GameTable
from p2p.seat.desk import Desk
from p2p.seat.signed_states import SignedStates, differs
from p2p.seat.timing import seconds


class Audience(Protocol):
    """Who else follows a table."""

    def step(self, records: Sequence[bytes]) -> None:
        """A step is complete: its records."""

    def left(self, key: bytes) -> None:
        """The seat of this key has left for good."""

    def end(self, frames: Sequence[bytes]) -> None:
        """There are no more steps, and these frames say why."""


class Left(NamedTuple):
    """What remains of a table that stops: files, and what others are told about a difference."""

    evidence: Path
    state: Path | None = None
    differs: bytes | None = None


class Stage(ABC):
    """What is asked of both stages."""

    table: GameTable | None = None
    """The game, once its header is signed."""

    @property
    def is_over(self) -> bool:
        """Whether the last step of the game is complete."""
        return self.table is not None and self.table.machine.ended

    @abstractmethod
    def begin(self, went_back: bool) -> None:
        """The machine of this stage is about to run."""

    @abstractmethod
    def view(self) -> View:
        """What the seat knows when it is to decide."""

    @abstractmethod
    def write(self, effect: Write) -> None:
        """An entry or ballot of our own goes to disk now."""

    @abstractmethod
    def done(self, done: Done) -> None:
        """A step is complete."""

    @abstractmethod
    def tell(self) -> None:
        """Tell the player what has happened since the last time."""

    @abstractmethod
    def stop(self, machine: Machine, fault: Fault) -> Callable[[TableFiles], Left]:
        """What writes a file that shows the fault."""

    @abstractmethod
    def state_of(self, payload: bytes) -> tuple[int, str] | None:
        """Somebody says that our state differs: its step and text, if it is to be written."""


class Genesis(Stage):
    """Nobody decides anything, and the records are kept with the header, once there is one."""

    def __init__(self, proposal: Proposal, desk: Desk) -> None:
        self._proposal: Final = proposal
        self._desk: Final = desk

    def begin(self, went_back: bool) -> None:
        """There is nothing to tell yet."""

    def view(self) -> View:
        raise LocalError("a genesis asked a player to decide")

    def write(self, effect: Write) -> None:
        """There is no state that others might see differently."""

    def done(self, done: Done) -> None:
        """There is no log yet: our next entry is written with what it stands on."""
        self._desk.save(lambda files: files.remember(done.records), syncs=False)

    def tell(self) -> None:
        """No rules run that might note anything."""

    def stop(self, machine: Machine, fault: Fault) -> Callable[[TableFiles], Left]:
        before = machine.records[: fault.error.step]  # an audit looks at nothing after the end
        past = [record for records in before for record in records]
        records = [*past, *fault.evidence]
        return lambda files: Left(write_genesis_evidence(files.folder, self._proposal, records))

    def state_of(self, payload: bytes) -> tuple[int, str] | None:
        return None


class Game(Stage):
    """A table whose header is signed.  Times in its files count from `began` on."""

    table: GameTable

    def __init__(
        self,
        table: GameTable,
        desk: Desk,
        audience: Audience,
        began: float,
    ) -> None:
        self.table = table
        self._desk: Final = desk
        self._audience: Final = audience
        self._began: Final = began
        self._news: Final = News(table, desk.tell)
        self._signed: Final = SignedStates(table)

    def begin(self, went_back: bool) -> None:
        self._news.open(self.view(), self._time_left, self.table.machine.missing)
        if went_back:
            self._desk.tell(WentBack())

    def _time_left(self) -> float | None:
        """How many seconds the clock gives those for whom the table waits, by our own clock."""
        machine, clock = self.table.machine, self.table.header.proposal.terms.clock
        step, began = machine.step, machine.timing.began(machine.chain.step)
        asked = None if step is None else step.question
        if not clock or asked is None or began is None:
            return None
        if not any(is_under_clock(asked, seat) for seat in machine.missing()):
            return None
        return max(0.0, clock - (self._desk.now() - seconds(began)))

    def view(self) -> View:
        return self.table.view()

    def write(self, effect: Write) -> None:
        if effect.kind == "own":
            self._signed.note()

    def done(self, done: Done) -> None:
        self._audience.step(done.records)
        elapsed = round(1000 * (self._desk.now() - self._began))
        step, records = done.step, done.records
        self._desk.save(lambda files: files.complete(step, records, elapsed), syncs=False)

    def tell(self) -> None:
        self._news.tell()

    def stop(self, machine: Machine, fault: Fault) -> Callable[[TableFiles], Left]:
        if fault.error.verdict != "state-mismatch":
            return lambda files: Left(write_evidence(files.log, fault.evidence))
        step, ours = machine.chain.step, differs(self.table)
        text = state_text(machine.chain.table, step, self.table.session.table)

        def write(files: TableFiles) -> Left:
            state = write_state(files.log, step, text)
            return Left(write_evidence(files.log, fault.evidence), state, ours)

        return write

    def state_of(self, payload: bytes) -> tuple[int, str] | None:
        return self._signed.asked(payload)
