"""Search through all that can happen at a small table, each state once.

Not in every order, where the order cannot matter (persistent sets: Godefroid, Partial-Order
Methods for the Verification of Concurrent Systems, 1996, chapter 4).  When nobody can crash any
more and all are back, what can happen is that a seat gets the next frame of another one, or that
its write is done.  Let each of a group of seats have a frame waiting from every seat outside of it.
Then whatever those outside do first, the same can happen in the group with the same result: they
only add to the ends of its wires.  And the group only adds to the ends of theirs.  So each way to
an end is, but for the order of events that do not touch each other, one that begins with an event
of the group (there is one: a frame waits), and it is enough to look at those.

Nothing is lost by that.  All states from which nothing leads on but time are met as before, and so
is all that follows when time goes by.  What must never happen is still seen: two entries signed for
one step and two histories stay so until the end, and an accused seat, or an entry that left too
early, depends on the state and input of one seat, each of which is met.  Before the crash and until
the return every order is tried: both are met by all seats at once.

If it does not matter either in which order one seat meets two things, only one of them is looked at
(`commuting`); what it would ignore anyway is taken from the wire even before the crash.  And what
is on disks decides nothing once nobody crashes any more.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import Final, NamedTuple, Protocol

from p2p.errors import LocalError
from p2p.protocol.entry import unread
from tests.sim.exhaustive.automaton import Automaton, Input, consistent
from tests.sim.exhaustive.commuting import Commuting
from tests.sim.exhaustive.graph import Graph
from tests.sim.exhaustive.named import Named
from tests.sim.exhaustive.seat import (
    WAITS_MAX,
    Disk,
    Event,
    Found,
    Shape,
    WrongError,
    frames_at_once,
)

_BITS: Final = 32
_MASK: Final = 2**_BITS - 1


class FoundError(AssertionError):
    """A way that leads to what must not happen."""


class State(NamedTuple):
    """A state of a table, by the numbers of its parts."""

    seats: int
    wires: int
    signed: int
    crashes: int
    waited: int

    def packed(self) -> int:
        """In one number: there are millions of states."""
        few = self.crashes << 4 | self.waited
        return ((self.seats << _BITS | self.wires) << _BITS | self.signed) << 8 | few

    @classmethod
    def of(cls, packed: int) -> State:
        """The state of this number."""
        few, rest = packed & 0xFF, packed >> 8
        parts = rest >> 2 * _BITS, rest >> _BITS & _MASK, rest & _MASK
        return cls(*parts, few >> 4, few & 0xF)


class Moment:
    """A state that something happens to."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables: Final = tables
        self.seats: Final = list(tables.seats.values[state.seats])
        self.wires: Final = list(tables.wires.values[state.wires])
        self.signed = tables.signed.values[state.signed]
        self.crashes = state.crashes
        self.waited = state.waited
        states = tables.automaton.states
        self.there = frozenset([n for n, at in enumerate(self.seats) if states[at].is_there])
        """The seats that are running."""
        self._news: Final[deque[tuple[int, int, bytes]]] = deque()

    def state(self) -> State:
        tables = self.tables
        numbers = tables.seats.number(tuple(self.seats)), tables.wires.number(tuple(self.wires))
        return State(*numbers, tables.signed.number(self.signed), self.crashes, self.waited)

    def meet(self, seat: int, what: str, other: int = 0, frame: bytes = b"") -> None:
        """A seat meets something, and sends what follows."""
        tables = self.tables
        one = Input(what, self.there, other, frame)
        self.seats[seat], sent, records = tables.automaton.meet(self.seats[seat], one)
        if not records <= self.signed:
            self._see(records)
        for to, sends in sent:
            if sends[0] in tables.at_once:
                self._news.append((seat, to, sends))
            elif to in self.there:
                wire = tables.pairs[seat, to]
                self.wires[wire] = (*self.wires[wire], sends)

    def _see(self, records: frozenset[bytes]) -> None:
        self.signed |= records
        signed_once(self.signed)

    def spread(self, event: Event | None = None) -> None:
        """What arrives at once arrives; LocalError if events of two seats matter to each other."""
        at_one = event is not None and event.what in ("deliver", "write")
        if self._news and at_one and self.tables.thins_out:
            raise LocalError("what only one seat meets is seen by another one at once")
        while self._news:
            source, to, frame = self._news.popleft()
            if to in self.there:
                self.meet(to, "frame", source, frame)

    def compare(self) -> None:
        states = self.tables.automaton.states
        histories = [states[at].records for at in self.seats]
        if not consistent([records for records in histories if records is not None]):
            raise WrongError("two histories")

    # -- what can happen -------------------------------------------------------------------

    def events(self) -> Iterator[Event]:
        """All that can happen now; nothing when the table is over."""
        seats = [self.tables.automaton.states[at] for at in self.seats]
        there = sorted(self.there)
        found = [
            Event("deliver", to, source)
            for (source, to), wire in self.tables.pairs.items()
            if self.wires[wire]
        ]
        found += [Event("write", seat) for seat in there if seats[seat].writes]
        found += [Event("return", seat) for seat in range(len(seats)) if seat not in there]
        if self._is_thin():
            settled = self._settled(found)
            if settled is not None:
                yield settled
                return
        enough = self._suffice(found)
        if enough < self.there:
            yield from (event for event in found if event.seat in enough)
            return
        yield from found
        playing = [seat for seat in there if not seats[seat].ended]
        if self.crashes:
            yield from (Event("crash", seat) for seat in playing)
        if not found and playing:
            yield Event("wait")

    def _is_thin(self) -> bool:
        """Whether nobody can crash any more, and all are back."""
        everybody = len(self.there) == len(self.seats)
        return self.tables.thins_out and not self.crashes and everybody

    def _settled(self, found: list[Event]) -> Event | None:
        """The first event that as well may come first."""
        for event in found:
            one = self._input(event)
            if self.tables.orders.is_settled(self.seats[event.seat], one):
                self.tables.orders.choose(self.seats[event.seat], one)
                return event
        return None

    def _input(self, event: Event) -> Input:
        if event.what == "write":
            return Input("write", self.there)
        frame = self.wires[self.tables.pairs[event.source, event.seat]][0]
        return Input("frame", self.there, event.source, frame)

    def _suffice(self, found: list[Event]) -> frozenset[int]:
        """The seats whose events are enough to look at: a group with the fewest of them, or all."""
        if not self._is_thin():
            return self.there
        events = Counter(event.seat for event in found)
        groups = [self._group(seat) for seat in sorted(self.there)]
        return min(groups, key=lambda group: sum(events[seat] for seat in group))

    def _group(self, seat: int) -> frozenset[int]:
        """A seat, and all from whom it, or one of them, has no frame waiting."""
        group = {seat}
        while more := {
            source
            for (source, to), wire in self.tables.pairs.items()
            if to in group and source not in group and not self.wires[wire]
        }:
            group |= more
        return frozenset(group)

    def do(self, event: Event) -> None:
        """Let it happen."""
        self.waited = self.waited + 1 if event.what == "wait" else 0
        match event.what:
            case "deliver":
                wire = self.tables.pairs[event.source, event.seat]
                frame, *rest = self.wires[wire]
                self.wires[wire] = tuple(rest)
                self.meet(event.seat, "frame", event.source, frame)
            case "write":
                self.meet(event.seat, "write")
            case "crash":
                self._crash(event.seat)
            case "return":
                self.there |= {event.seat}
                self.meet(event.seat, "return")
                self._tell_others(event.seat, "up")
                self._be_safe({event.seat})
            case "wait":
                self._wait()
        self.spread(event)
        self.leave_out()
        self.compare()

    def leave_out(self) -> None:
        """Frames that are ignored, now and later, are as good as met."""
        for (source, to), wire in self.tables.pairs.items() if self.tables.thins_out else ():
            waits = self.wires[wire]
            while waits and self._ignores(to, source, waits[0]):
                waits = waits[1:]
            self.wires[wire] = waits

    def _ignores(self, to: int, source: int, frame: bytes) -> bool:
        one = Input("frame", self.there, source, frame)
        return self.tables.orders.ignores(self.seats[to], one)

    def _crash(self, seat: int) -> None:
        self.crashes -= 1
        self.meet(seat, "crash")
        self.there -= {seat}
        for pair, wire in self.tables.pairs.items():
            if seat in pair:
                self.wires[wire] = ()
        self._tell_others(seat, "down")
        self._be_safe(self.there)

    def _be_safe(self, seats: AbstractSet[int]) -> None:
        """Nobody crashes any more: what is on these disks does not matter."""
        for seat in sorted(seats) if self.tables.thins_out and not self.crashes else ():
            self.meet(seat, "safe")

    def _tell_others(self, seat: int, what: str) -> None:
        for other in sorted(self.there - {seat}):
            self.meet(other, what, seat)

    def _wait(self) -> None:
        if self.waited > WAITS_MAX:
            raise WrongError("nothing happens any more, and the table is not over")
        for seat in sorted(self.there):
            self.meet(seat, "wait")


def signed_once(records: frozenset[bytes]) -> None:
    """WrongError if two of these are of one seat and step."""
    places = [(one.seat, one.step) for one in map(unread, records)]
    for seat, step in places:
        if places.count((seat, step)) > 1:
            raise WrongError(f"seat {seat} signed two entries for step {step}")


class Tables:
    """All states of one small table, as far as they were met."""

    def __init__(self, count: int, shape: Shape, crashes: int, *, whole: bool = False) -> None:
        self.automaton: Final = Automaton(count, shape)
        self.at_once: Final = frames_at_once(crashes)
        self.thins_out: Final = crashes > 0 and not whole
        """Whether orders that cannot matter are left out.  Not where more than news of links
        arrives at once: these are the only frames that nobody sends for a frame or a write."""
        self.orders: Final = Commuting(self.automaton)
        self.seats: Final = Named[tuple[int, ...]]()
        self.wires: Final = Named[tuple[tuple[bytes, ...], ...]]()
        self.signed: Final = Named[frozenset[bytes]]()
        pairs = [(one, two) for one in range(count) for two in range(count) if one != two]
        self.pairs: Final = {pair: number for number, pair in enumerate(pairs)}
        away = tuple(self.automaton.away(seat, 0, Disk()) for seat in range(count))
        numbers = self.seats.number(away), self.wires.number(tuple(() for _ in pairs))
        nothing = self.signed.number(frozenset())
        self._before: Final = State(*numbers, nothing, crashes, 0)

    def first(self) -> list[int]:
        """All sit down."""
        moment = Moment(self, self._before)
        moment.there = frozenset(range(len(moment.seats)))
        for seat in sorted(moment.there):
            moment.meet(seat, "start")
        moment.spread()
        moment.leave_out()
        return [moment.state().packed()]

    def follow(self, packed: int) -> Iterator[Follows]:
        """All that can happen, and where it leads.  FoundError for what never may."""
        state = State.of(packed)
        for event in Moment(self, state).events():
            moment = Moment(self, state)
            with blamed_on(event):
                moment.do(event)
            yield Follows(event, moment.state().packed(), event.what != "crash")

    def is_void(self, packed: int) -> bool:
        """No state is."""
        return False

    def refute(self) -> int:
        """How many orders were left out that matter."""
        return self.orders.refute()


class Follows(NamedTuple):
    """What can happen, where it leads, and whether it `counts` on a way to an end: a table has to
    end even if nobody crashes any more."""

    event: Event
    state: int
    counts: bool


class Searched(Protocol):
    """Tables that can be searched: states are whole numbers of any size."""

    @property
    def automaton(self) -> Automaton: ...

    def first(self) -> list[int]:
        """How it can begin.  WrongError."""

    def follow(self, packed: int) -> Iterator[Follows]:
        """What is enough to look at.  FoundError for what never may."""

    def is_void(self, packed: int) -> bool:
        """Whether this is no state of a history: nothing follows, and it is no end."""

    def refute(self) -> int:
        """How many orders were left out that matter: then the search begins again."""


@contextmanager
def blamed_on(event: Event) -> Iterator[None]:
    """FoundError for what goes wrong by this event."""
    try:
        yield
    except WrongError as wrong:
        raise FoundError(f"{wrong}\n{said(event)}") from wrong


def search(
    count: int, shape: Shape, crashes: int, most: int | None = None, *, whole: bool = False
) -> Found:
    """Try everything; FoundError with the way there if something goes wrong.

    With `most`, it ends when so many states were seen.  `whole`: in every order.
    """
    return explore(Tables(count, shape, crashes, whole=whole), most)


def explore(tables: Searched, most: int | None = None) -> Found:
    """Visit each state once; FoundError with the way there if something goes wrong."""
    while (found := _explored(tables, most)) is None:
        pass
    found.runs = tables.automaton.runs
    return found


def _explored(tables: Searched, most: int | None) -> Found | None:
    """None if an order was left out that matters."""
    graph = Graph[Event]()
    try:
        waiting = [graph.number(state) for state in tables.first()]
    except WrongError as wrong:
        raise FoundError(f"{wrong}\nall sit down") from wrong
    found = Found()
    while waiting and (most is None or graph.size < most):
        number = waiting.pop()
        known = graph.size
        try:
            for event, state, counts in tables.follow(graph.states[number]):
                found.steps += 1
                graph.lead(number, event, state, counts=counts)
        except FoundError as wrong:
            raise FoundError(_told(graph.way(number), str(wrong))) from wrong
        waiting.extend(range(known, graph.size))
    found.states = graph.size
    if not waiting:
        if tables.refute():
            return None
        _conclude(tables, graph, found)
    return found


def _conclude(tables: Searched, graph: Graph[Event], found: Found) -> None:
    """All states are known: does each lead to an end, and does a fingerprint say enough?"""
    last = graph.ends()
    ends = [number for number in last if not tables.is_void(graph.states[number])]
    found.ends, found.doubts = len(ends), tables.automaton.doubt()
    found.last = frozenset(graph.states[number] for number in ends)
    endless = graph.never_ending(last)
    if endless is not None:
        raise FoundError(_told(graph.way(endless), "from here the table never ends"))


def _told(way: list[Event], wrong: str) -> str:
    return "\n".join([*map(said, way), wrong])


def said(event: Event) -> str:
    """An event in words."""
    if event.what == "deliver":
        return f"seat {event.seat} gets the next frame of seat {event.source}"
    return "time goes by" if event.what == "wait" else f"seat {event.seat}: {event.what}"
