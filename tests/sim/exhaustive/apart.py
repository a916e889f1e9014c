"""Tables at which one seat may crash, and each of the others notices it by itself.

In `search` whoever crashes is seen by all at once, so that nothing before the crash and until the
return could be left out.  Here the link between the seat that crashes and each other one ends, and
is there again, for each of its two ends at a time of its own, as in a network: after any part of
what was sent over it.  These are more orders than there, and almost all are the same but for events
that do not touch each other.

Which seat it is is drawn at the beginning (a prophecy: Abadi and Lamport, The Existence of
Refinement Mappings, 1991), for then a seat may notice the end of the link before the crash happens
elsewhere: nothing that it sees could tell.  A prophecy that does not come true is no history, and
not gone on with.  So there is nothing that two seats meet together but time, which goes by when
nothing else can happen:

* the one that crashes: crash, return, and for each link that it is there again;
* each other one: that its link is down, with what has not arrived; and that it is up again, once
  the other one has returned;
* everybody: the next frame of a link, and a write that is done.

*What is left out* (persistent sets: Godefroid, Partial-Order Methods for the Verification of
Concurrent Systems, 1996, chapter 4).  A *group* of seats is enough to look at if none of its seats
can meet anything next that comes from outside and is not there yet: from each seat outside, either
a frame waits, or nothing can come before an event of its own, which is possible now.  Whatever
those outside do first, they only add to the ends of the group's wires, or take from wires that
the group only adds to, and a crash and an end of a link empty only what their own seat reads.  So
all events of the group stay possible and lead to the same, and each history that has an end is, but
for the order of events of different seats, one that begins in the group.  By induction all ends are
met.  What must never happen is still seen at an end, or depends on one seat alone: two entries for
one step and two histories are remembered in the state for ever (`Moment.seen`); an accused seat and
an entry that left too early follow from a state of one seat and one input, each of which is met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from p2p.protocol.entry import unread
from tests.sim.exhaustive.automaton import Automaton, Input
from tests.sim.exhaustive.named import Named
from tests.sim.exhaustive.search import Follows, blamed_on
from tests.sim.exhaustive.seat import WAITS_MAX, Disk, Event, Shape, WrongError

HERE, AWAY, BACK = range(3)
"""What has become of the seat that crashes."""
OLD, NEW = range(2)
"""The links from before the crash, and those from after it."""
Pair = tuple[int, int]
_BITS: Final = (32, 32, 32, 3, 2, 4, 8, 4)
SEATS_MAX: Final = 4
"""A seat is a bit of four."""


class State(NamedTuple):
    """A state of a table; `seats`, `wires` and `seen` by their numbers.

    `down`: who has noticed the end of its link with the seat that crashes.  `up`: which ends of new
    links are there, first those of the others.  Both are sets of bits.
    """

    seats: int
    wires: int
    seen: int
    crashes: int
    was: int = HERE
    down: int = 0
    up: int = 0
    waited: int = 0

    def packed(self) -> int:
        """In one number: there are millions of states."""
        packed = 0
        for part, bits in zip(self, _BITS, strict=True):
            packed = packed << bits | part
        return packed

    @classmethod
    def of(cls, packed: int) -> State:
        """The state of this number."""
        parts = []
        for bits in reversed(_BITS):
            parts.append(packed & (1 << bits) - 1)
            packed >>= bits
        return cls(*reversed(parts))


class Tables:
    """All states of one small table at which a seat may crash once."""

    def __init__(self, count: int, shape: Shape, *, whole: bool = False) -> None:
        self.automaton: Final = Automaton(count, shape)
        self.count: Final = count
        self.thins_out = not whole
        self.seats: Final = Named[tuple[int, ...]]()
        self.wires: Final = Named[tuple[tuple[bytes, ...], ...]]()
        self.seen: Final = Named[frozenset[object]]()
        pairs = [(one, two) for one in range(count) for two in range(count) if one != two]
        places = [(link, *pair) for link in (OLD, NEW) for pair in pairs]
        self.places: Final = {place: number for number, place in enumerate(places)}

    def first(self) -> list[int]:
        """All sit down, and one of them will crash, or nobody."""
        away = tuple(self.automaton.away(seat, 0, Disk()) for seat in range(self.count))
        wires = self.wires.number(tuple(() for _ in self.places))
        before = self.seats.number(away), wires, self.seen.number(frozenset())
        return [self._begun(State(*before, seat)).packed() for seat in range(self.count)]

    def _begun(self, state: State) -> State:
        moment = Moment(self, state)
        for seat in range(self.count):
            moment.meet(seat, "start")
        return moment.state()

    def follow(self, packed: int) -> Iterator[Follows]:
        """What is enough to look at, and where it leads.  FoundError for what never may."""
        state = State.of(packed)
        before = Moment(self, state)
        for event in before.events():
            moment = Moment(self, state)
            with blamed_on(event):
                moment.do(event)
            counts = before.has_begun or event.what not in ("crash", "down")
            yield Follows(event, moment.state().packed(), counts)

    def is_void(self, packed: int) -> bool:
        """Whether the prophecy has not come true."""
        return Moment(self, State.of(packed)).is_void

    def refute(self) -> int:
        """No order is left out that could matter."""
        return 0


class Moment:
    """A state that something happens to."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables: Final = tables
        self.seats: Final = list(tables.seats.values[state.seats])
        self.wires: Final = list(tables.wires.values[state.wires])
        self.seen = tables.seen.values[state.seen]
        self.gone: Final = state.crashes
        self.was = state.was
        self.down = state.down
        self.up = state.up
        self.waited = state.waited

    def state(self) -> State:
        tables = self.tables
        return State(
            tables.seats.number(tuple(self.seats)),
            tables.wires.number(tuple(self.wires)),
            tables.seen.number(self.seen),
            *(self.gone, self.was, self.down, self.up, self.waited),
        )

    # -- links -----------------------------------------------------------------------------

    def link(self, seat: int, other: int) -> int | None:
        """Over which link a seat hears and tells another one; None if it sees none."""
        if self.gone not in (seat, other):
            return OLD
        if self.up & self._end(seat, other):
            return NEW
        holds = self.was == HERE if seat == self.gone else not self.down >> seat & 1
        return OLD if holds else None

    def _end(self, seat: int, other: int) -> int:
        """The bit of the end of a new link at which a seat hears another one."""
        return 1 << other + SEATS_MAX if seat == self.gone else 1 << seat

    def view(self, seat: int) -> frozenset[int]:
        """The seats that are there, as a seat sees it."""
        others = [other for other in range(len(self.seats)) if self._linked(seat, other)]
        return frozenset([seat, *others])

    def _linked(self, seat: int, other: int) -> bool:
        return seat != other and self.link(seat, other) is not None

    def _carries(self, link: int, to: int, source: int) -> bool:
        """Whether what is sent over a link now can still be read at its other end."""
        if link == NEW or self.gone not in (to, source):
            return True
        return self.link(to, source) == OLD

    def frames(self, seat: int, other: int) -> tuple[bytes, ...]:
        """What waits for a seat from another one."""
        link = self.link(seat, other)
        return () if link is None else self.wires[self.tables.places[link, other, seat]]

    # -- what a seat meets -----------------------------------------------------------------

    def meet(self, seat: int, what: str, other: int = 0, frame: bytes = b"") -> None:
        """A seat meets something, and sends what follows."""
        automaton = self.tables.automaton
        one = Input(what, self.view(seat), other, frame)
        self.seats[seat], sent, records = automaton.meet(self.seats[seat], one)
        finished = automaton.states[self.seats[seat]].records or ()
        self._see({*records, *enumerate(finished)})
        for to, sends in sent:
            link = self.link(seat, to)
            if link is not None and self._carries(link, to, seat):
                self.wires[self.tables.places[link, seat, to]] += (sends,)

    def _see(self, more: set[object]) -> None:
        if more <= self.seen:
            return
        self.seen |= more
        seen_once(self.seen)

    # -- what can happen -------------------------------------------------------------------

    @property
    def has_begun(self) -> bool:
        """Whether somebody has met the crash, or its end of a link."""
        return self.was != HERE or self.down > 0

    @property
    def is_void(self) -> bool:
        """Whether somebody has noticed a crash that will never be."""
        return self.has_begun and self.was == HERE and self._ended(self.gone)

    def events(self) -> list[Event]:
        """What is enough to look at; nothing when the table is over."""
        if self.is_void:
            return []
        busy, crashing = self._busy(), self._crashing()
        found = [*busy, *crashing]
        enough = self._suffice(found)
        if len(enough) < len(self.seats):
            return [event for event in found if event.seat in enough]
        here = [seat for seat in range(len(self.seats)) if self._is_there(seat)]
        waits = not busy and not (self.has_begun and crashing) and not all(map(self._ended, here))
        return [*found, *([Event("wait")] if waits else ())]

    def _busy(self) -> list[Event]:
        states, count = self.tables.automaton.states, range(len(self.seats))
        found = [
            Event("deliver", to, source)
            for to in count
            for source in count
            if to != source and self.frames(to, source)
        ]
        found += [Event("write", seat) for seat in count if states[self.seats[seat]].writes]
        if self.was == AWAY:
            return [*found, Event("return", self.gone)]
        return [*found, *(Event("up", *end) for end in self._ends_to_come())]

    def _crashing(self) -> list[Event]:
        """The crash, and the ends of links."""
        others = (seat for seat in range(len(self.seats)) if seat != self.gone)
        found = [Event("down", seat, self.gone) for seat in others if not self.down >> seat & 1]
        if self.was == HERE and not self._ended(self.gone):
            return [*found, Event("crash", self.gone)]
        return found if self.was != HERE else []

    def _ends_to_come(self) -> list[Pair]:
        """Ends of new links that can be there."""
        if self.was != BACK:
            return []
        others = [seat for seat in range(len(self.seats)) if seat != self.gone]
        ends = [(self.gone, seat) for seat in others]
        ends += [(seat, self.gone) for seat in others if self.down >> seat & 1]
        return [end for end in ends if not self.up & self._end(*end)]

    def _is_there(self, seat: int) -> bool:
        return self.tables.automaton.states[self.seats[seat]].is_there

    def _ended(self, seat: int) -> bool:
        return self.tables.automaton.states[self.seats[seat]].ended

    def _suffice(self, found: list[Event]) -> frozenset[int]:
        """A group with the fewest events; all seats if there is nothing to choose."""
        everybody = frozenset(range(len(self.seats)))
        if not self.tables.thins_out:
            return everybody
        events = Counter(event.seat for event in found)
        groups = [self._group(seat) for seat in sorted(everybody)]
        return min(groups, key=lambda group: sum(events[seat] for seat in group))

    def _group(self, seat: int) -> frozenset[int]:
        """A seat, and all from whom it, or one of them, may meet what is not there yet."""
        group, new = {seat}, [seat]
        while new:
            one = new.pop()
            for other in range(len(self.seats)):
                if other not in group and self._depends(one, other):
                    group.add(other)
                    new.append(other)
        return frozenset(group)

    def _depends(self, seat: int, other: int) -> bool:
        """Whether what another seat does can make more possible for this one."""
        if self.link(seat, other) is not None:
            return not self.frames(seat, other)
        return seat != self.gone and self.was != BACK

    def do(self, event: Event) -> None:
        """Let it happen."""
        seat, other = event.seat, event.source
        self.waited = self.waited + 1 if event.what == "wait" else 0
        match event.what:
            case "deliver":
                self._deliver(seat, other)
            case "write":
                self.meet(seat, "write")
            case "crash":
                self._crash(seat)
            case "return":
                self.was = BACK
                self.meet(seat, "return")
            case "down":
                self.down |= 1 << seat
                self.wires[self.tables.places[OLD, other, seat]] = ()
                self.meet(seat, "down", other)
            case "up":
                self.up |= self._end(seat, other)
                self.meet(seat, "up", other)
            case "wait":
                self._wait()

    def _deliver(self, seat: int, source: int) -> None:
        place = self.tables.places[self.link(seat, source) or OLD, source, seat]
        frame, *rest = self.wires[place]
        self.wires[place] = tuple(rest)
        self.meet(seat, "frame", source, frame)

    def _crash(self, seat: int) -> None:
        self.meet(seat, "crash")
        self.was = AWAY
        for (link, _, to), place in self.tables.places.items():
            if (link, to) == (OLD, seat):
                self.wires[place] = ()

    def _wait(self) -> None:
        if self.waited > WAITS_MAX:
            raise WrongError("nothing happens any more, and the table is not over")
        for seat in filter(self._is_there, range(len(self.seats))):
            self.meet(seat, "wait")


def seen_once(seen: frozenset[object]) -> None:
    """WrongError if two of these are one entry, or one step."""
    for place, times in Counter(map(_place, seen)).items():
        if times > 1:
            raise WrongError(f"two entries, or two histories: {place}")


def _place(seen: object) -> tuple[object, ...]:
    """Of what there is only one."""
    if isinstance(seen, tuple):
        return "step", seen[0]
    origin = unread(seen)  # type: ignore[arg-type]
    return "entry", origin.seat, origin.step
