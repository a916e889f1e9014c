"""Each seat by itself, as an automaton: what it does follows from its state and what it meets.

A seat is run once for each input that it can meet in each state; whole tables are then put together
from what was seen (`search`).  A state is known by its fingerprint and by one history of inputs
that leads there: a machine cannot be copied (its program is a coroutine), so the history is gone
through again.  Other histories to the same state are kept too, and `doubt` tries whether they lead
on to the same: if not, a fingerprint leaves out something that matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p.errors import LocalError
from p2p.protocol.entry import unread
from p2p.protocol.frame_kinds import RECORD
from tests.sim.exhaustive.seat import WAITS, Disk, Place, Shape, keys_of

WAYS: Final = 3
"""How many ways to each state are kept."""


class Input(NamedTuple):
    """What a seat meets: start, frame (from `other`), up or down (the link to `other`), write,
    wait, crash, or that it is safe.  `there` are the seats that are running then, itself among
    them."""

    what: str
    there: frozenset[int]
    other: int = 0
    frame: bytes = b""


class Local(NamedTuple):
    """A state of one seat.

    `records` are those of its finished steps, None if it is not running.
    """

    seat: int
    life: int
    disk: tuple[tuple[bytes, ...], tuple[tuple[bytes, ...], ...]]
    records: tuple[tuple[bytes, ...], ...] | None = None
    ended: bool = False
    writes: bool = False

    @property
    def is_there(self) -> bool:
        """Whether its program is running."""
        return self.records is not None

    def crashed(self) -> Local:
        """What is left after a crash."""
        return Local(self.seat, self.life + 1, self.disk)


class Met(NamedTuple):
    """What an input leads to: the next state by its number, what is sent and to whom, and the
    records among that."""

    state: int
    sent: tuple[tuple[int, bytes], ...] = ()
    records: frozenset[bytes] = frozenset()


class _Alone:
    """The table of a seat by itself: the others are there or not, and take what they are sent."""

    def __init__(self, count: int, shape: Shape, begin: Local) -> None:
        self.count: Final = count
        self.shape: Final = shape
        self.keys: Final = keys_of(count)
        self.now = 0.0
        self.there: frozenset[int] = frozenset()
        self.sent: list[tuple[int, bytes]] = []
        disk = Disk()
        disk.own, disk.log = map(list, begin.disk)  # type: ignore[assignment]
        self.place: Final = Place(self, begin.seat, disk, begin.life)

    def is_there(self, seat: int) -> bool:
        return seat in self.there

    def send(self, place: Place, to: int, frame: bytes) -> None:
        if frame[0] == RECORD.number:
            place.look(unread(frame[1:]))
        self.sent.append((to, frame))

    def meet(self, one: Input) -> None:
        """Let it happen."""
        self.there, place = one.there, self.place
        self.sent.clear()
        match one.what:
            case "start":
                place.start()
            case "return":
                place.start()
                place.greet()
            case "frame":
                place.runner.receive(self.keys[one.other], one.frame)
            case "up" | "down":
                place.runner.link_changed(self.keys[one.other], one.what == "up")
            case "write":
                place.write()
            case "safe":
                place.is_safe = True
            case "wait":
                self.now += WAITS
                place.desk.ring()
        place.settle()

    def local(self) -> Local:
        place, disk = self.place, self.place.disk
        kept = ((), ()) if place.is_safe else (tuple(disk.own), tuple(disk.log))
        records = tuple(place.machine.records)
        return Local(place.seat, place.life, kept, records, place.ended, bool(place.writes))


class _Way(NamedTuple):
    """How a state is reached: from a start with what is on the disk, by these inputs."""

    begin: Local
    inputs: tuple[Input, ...]


class Automaton:
    """The states of all seats of a table, by number, as far as somebody has asked for them."""

    def __init__(self, count: int, shape: Shape) -> None:
        self.states: Final[list[Local]] = []
        self.runs = 0
        """How often a seat was run."""
        self._count: Final = count
        self._shape: Final = shape
        self._numbers: Final[dict[object, int]] = {}
        self._ways: Final[list[list[_Way]]] = []
        self._met: Final[dict[tuple[int, Input], Met]] = {}
        self.inputs: Final[defaultdict[int, set[Input]]] = defaultdict(set)
        """What was met in each state at a table."""

    def away(self, seat: int, life: int, disk: Disk) -> int:
        """A seat that is not running."""
        kept = (tuple(disk.own), tuple(disk.log))
        return self._away(Local(seat, life, kept))

    def _away(self, local: Local) -> int:
        return self._number(local, local, _Way(local, ()))

    def _number(self, name: object, local: Local, way: _Way) -> int:
        number = self._numbers.setdefault(name, len(self.states))
        if number == len(self.states):
            self.states.append(local)
            self._ways.append([way])
        elif self.states[number] != local:
            raise LocalError("a fingerprint leaves out what the others see of a seat")
        elif len(self._ways[number]) < WAYS and way not in self._ways[number]:
            self._ways[number].append(way)
        return number

    def meet(self, state: int, one: Input) -> Met:
        """What follows at a table; WrongError if it never may."""
        self.inputs[state].add(one)
        return self.would_meet(state, one)

    def would_meet(self, state: int, one: Input) -> Met:
        """What would follow, whether or not it comes to that at a table."""
        met = self._met.get((state, one))
        if met is None:
            local = self.states[state]
            crashes, way = one.what == "crash", self._ways[state][0]
            met = Met(self._away(local.crashed())) if crashes else self._run(way, one)
            self._met[state, one] = met
        return met

    def doubt(self) -> int:
        """Meet all that was met at a table once more, by other ways to the states; how often.

        LocalError if it matters by which way a seat came to a state.
        """
        before = self.runs
        for (state, one), met in list(self._met.items()):
            if one.what == "crash" or one not in self.inputs[state]:
                continue
            for way in self._ways[state][1:]:
                if self._run(way, one) != met:
                    raise LocalError(f"a fingerprint leaves out what decides here: {one.what}")
        return self.runs - before

    def _run(self, way: _Way, one: Input) -> Met:
        self.runs += 1
        alone = _Alone(self._count, self._shape, way.begin)
        for before in (*way.inputs, one):
            alone.meet(before)
        name = (alone.place.seat, alone.place.fingerprint())
        to = self._number(name, alone.local(), _Way(way.begin, (*way.inputs, one)))
        records = frozenset([frame[1:] for _, frame in alone.sent if frame[0] == RECORD.number])
        return Met(to, tuple(alone.sent), records)


def consistent(histories: Sequence[tuple[tuple[bytes, ...], ...]]) -> bool:
    """Whether finished steps are the same wherever they are finished."""
    longest = max(histories, key=len, default=())
    return all(records == longest[: len(records)] for records in histories)
