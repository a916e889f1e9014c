"""The plan of a world: table, links, people, and a list of faults (`tests.sim.worlds.draw`).

A plan is plain data, so that a failing one can be made smaller (`tests.sim.worlds.shrink`): what
else is random is drawn from the seed and from names that stay when parts of the plan are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.game import Value

BAD_SHUFFLES: Final = ("proves another shuffle", "exchanges a cipher")
BEHAVIOURS: Final = (
    "equivocates", "signs two states", "says more", "bends payloads", "forges fields",
    "sends unsigned", "withholds", "ignores a neighbour", "falls silent", "passes nothing on",
    "replays", "floods", "boasts", "sends garbage", "never syncs", *BAD_SHUFFLES,
)  # fmt: skip
"""What it does (`tests.sim.worlds.modified`)."""
JUMPS: Final = "jumps ahead"
VANISHES: Final = "vanishes at a coin"
VANISHES_LATER: Final = "vanishes at a loss"
IN_LOSSES: Final = (JUMPS, VANISHES, VANISHES_LATER)
"""Behaviours for tables that continue without a seat; they keep the others from nothing."""
GIVES_UP: Final = 5.0
"""After so many seconds a person here is asked whether to go on without a seat."""


@dataclass(frozen=True, slots=True)
class Crash:
    """The program of a seat ends at its n-th order, or the machine loses power."""

    seat: int
    order: int
    after: bool
    power: bool
    back: float | None


@dataclass(frozen=True, slots=True)
class CrashAtEntry:
    """The same when the n-th entry of a seat is on its disk: before it leaves, or to one only."""

    seat: int
    entry: int
    after: bool
    power: bool
    back: float | None


@dataclass(frozen=True, slots=True)
class TornWrite:
    """The machine loses power within the n-th write or sync of a seat, after part of it.

    `entries`: only writes of entries into the seat file are counted.
    """

    seat: int
    write: int
    part: float
    power: bool
    back: float | None
    entries: bool = False


@dataclass(frozen=True, slots=True)
class FullDisk:
    """The disk takes only a part of the n-th write of a seat."""

    seat: int
    write: int
    part: float
    back: float | None


@dataclass(frozen=True, slots=True)
class SlowDisk:
    """For a while each write of a seat takes so many seconds."""

    seat: int
    at: float
    until: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Restore:
    """A seat is killed, and comes back with files that were copied earlier.

    Its ledger stays, as it lies beside the key; unless `whole`: then nothing here can know that
    the files are old, and the seat may sign a step again.
    """

    seat: int
    copied: float
    at: float
    back: float
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Twice:
    """Somebody starts a seat a second time while it plays: on its folder, or on a copy."""

    seat: int
    at: float
    copy: bool


@dataclass(frozen=True, slots=True)
class Jump:
    """The clock of a seat goes on by so much at once, and people set the time of day."""

    seat: int
    at: float
    by: float
    wall: float


@dataclass(frozen=True, slots=True)
class Leave:
    """Somebody ends the program, and perhaps comes back later."""

    seat: int
    at: float
    back: float | None


@dataclass(frozen=True, slots=True)
class GoneAtClose:
    """A seat is gone when nothing but the signatures of the result is missing."""

    seat: int
    signs: bool
    """Whether it signs first."""
    back: float | None


@dataclass(frozen=True, slots=True)
class Cut:
    """The link of two seats ends; each notices so much later.

    `one_way`: only what the first of the pair sends does not arrive any more.
    """

    pair: tuple[int, int]
    at: float
    notice: tuple[float, float]
    one_way: bool
    back: float | None


@dataclass(frozen=True, slots=True)
class Split:
    """These seats and all others cannot reach each other for a while, or ever again."""

    seats: tuple[int, ...]
    at: float
    heals: float | None


@dataclass(frozen=True, slots=True)
class Talk:
    """Somebody says a few lines."""

    seat: int
    at: float
    lines: int


Fault = (
    Crash
    | CrashAtEntry
    | TornWrite
    | FullDisk
    | SlowDisk
    | Restore
    | Twice
    | Jump
    | Leave
    | GoneAtClose
    | Cut
    | Split
    | Talk
)


@dataclass(frozen=True, slots=True)
class Plan:
    """One world.  `never` are pairs that never link; `modified` is a seat and what it does."""

    seed: int
    game: str
    seats: int
    options: tuple[tuple[str, Value], ...]
    never: tuple[tuple[int, int], ...] = ()
    latency: float = 0.02
    jitter: float = 0.01
    bandwidth: float = 1e7
    patience: float = 0.2
    """How long people think, on average, in seconds."""
    sensible: bool = False
    late: tuple[tuple[int, float], ...] = ()
    """Seats that start so many seconds after the others."""
    faults: tuple[Fault, ...] = ()
    modified: tuple[int, str] | None = None
    memo: bool = True
    """Whether a proof that one seat has accepted is not verified again by others."""
    numbers: bool = False
    """Whether points are numbers, which everybody can compute with in no time."""
    pieces: bool = False
    """Whether what is sent is cut into pieces that arrive one by one."""
    watched: tuple[int, float] | None = None
    """At which seat somebody watches, and from when on."""
    leaves: float = 0.0
    """How likely it is that a person leaves for good instead of deciding."""
    ahead: float = 0.0
    """The probability that a player leaves for good instead of deciding while they lead."""
    least: int = 0
    """How many seats have to go on without those who are lost; 0: the others wait."""
    clock: int = 0
    """How many seconds people have for a decision, if that is limited."""
    asleep: tuple[int, ...] = ()
    """The seats of those who never decide anything."""

    def rng(self, *names: object) -> Random:
        """A source of chance for one purpose."""
        return Random(repr((self.seed, *names)))

    def of(self, kind: type[Any], seat: int | None = None) -> list[Any]:
        """The faults of a kind, of one seat or of all."""
        return [
            fault
            for fault in self.faults
            if isinstance(fault, kind) and seat in (None, getattr(fault, "seat", None))
        ]
