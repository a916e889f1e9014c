"""Small tables in columns of numbers: what can happen to many states is found at once.

What follows is asked of the same automata and `Moment`s as in `search`, but only once for each
thing that decides it: a frame and a write by the state of one seat, a crash, a return and time by
the states of all seats, whatever the wires hold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from p2p.errors import LocalError
from tests.sim.exhaustive.automaton import Automaton, Input, consistent
from tests.sim.exhaustive.memo import Column, Memo, MetError, places
from tests.sim.exhaustive.named import Named
from tests.sim.exhaustive.search import Moment, State, Tables, signed_once
from tests.sim.exhaustive.seat import WAITS_MAX, Event, Shape, WrongError

Rows = npt.NDArray[np.int32]
"""States: of each its seats, its wires, what was signed, crashes to come, and how long it waits."""
T = TypeVar("T")
Flags = npt.NDArray[np.bool_]
Pair = tuple[int, int]
Busy = list[tuple[Event, Flags]]
SEAT: Final = 19
"""A state of a seat has so many bits: three and an event are a number."""
PART: Final = 24
"""And what is on a wire, or was signed."""


class LedError(Exception):
    """Something went wrong by an event, at a place of the rows."""

    def __init__(self, place: int, event: Event, wrong: WrongError) -> None:
        super().__init__(str(wrong))
        self.place: Final = place
        self.event: Final = event


class Leads(NamedTuple):
    """What an event leads to: from which places of the rows, and the rows after it."""

    event: Event
    at: npt.NDArray[np.intp]
    rows: Rows
    counts: Flags
    """Which of these count on a way to an end: a table has to end even if nobody crashes."""


class Columns(ABC):
    """States of one small table: what all kinds of them have in common.

    `signed` has what was seen of the seats, and `once` raises WrongError for what may not be.  The
    first columns are the seats, the last one is how long a table waits.
    """

    def __init__(
        self,
        automaton: Automaton,
        count: int,
        signed: Named[frozenset[T]],
        once: Callable[[frozenset[T]], None],
    ) -> None:
        self.automaton: Final = automaton
        self.count: Final = count
        self._seats: Final = list(range(count))
        self._queues: Final = Named[tuple[bytes, ...]]()
        self._queues.number(())
        self._frames: Final = Named[bytes]()
        self._facts: Final = Memo(4, self._fact)
        self._popped: Final = Memo(2, self._pop)
        self._appended: Final = Memo(1, self._append)

        def join(key: int) -> tuple[int, ...]:
            before, more = key >> PART, key & (1 << PART) - 1
            both = signed.values[before] | signed.values[more]
            once(both)
            return (signed.number(both),)

        self._joined: Final = Memo(1, join)
        self._histories: Final = Named[object]()
        self._histories.number(None)

    @abstractmethod
    def first(self) -> Rows:
        """How it can begin.  WrongError."""

    @abstractmethod
    def follow(self, rows: Rows) -> Iterator[Leads]:
        """What is enough to look at.  LedError."""

    def refute(self) -> int:
        """How many orders were left out that matter: then the search begins again."""
        return 0

    def is_void(self, rows: Rows) -> Flags:
        """Which of these are no states of a history: nothing follows, and they are no ends."""
        return np.zeros(rows.shape[0], bool)

    def check(self, rows: Rows) -> None:
        """What may not be in any state.  MetError."""
        if rows.max(initial=0) >> PART or rows[:, : self.count].max(initial=0) >> SEAT:
            raise LocalError("there are too many states of seats, or wires")
        if rows[:, -1].max(initial=0) > WAITS_MAX:
            wrong = WrongError("nothing happens any more, and the table is not over")
            raise MetError(int(rows[:, -1].argmax()), wrong)

    def _fact(self, local: int) -> tuple[int, ...]:
        at = self.automaton.states[local]
        return at.is_there, at.ended, at.writes, self._histories.number(at.records)

    def _pop(self, queue: int) -> tuple[int, ...]:
        frame, *rest = self._queues.values[queue]
        return self._frames.number(frame), self._queues.number(tuple(rest))

    def _append(self, key: int) -> tuple[int, ...]:
        queue, more = key >> PART, key & (1 << PART) - 1
        return (self._queues.number(self._queues.values[queue] + self._queues.values[more]),)

    def _add(self, rows: Rows, column: int, more: Column, memo: Memo) -> None:
        """What is sent comes to the end of a wire, and what is signed to all that is."""
        at = np.flatnonzero(more)
        if at.size:
            with places(at):
                rows[at, column] = memo(column_of(rows[at], column) << PART | more[at])[:, 0]

    def _take(self, rows: Rows, wire: int) -> Column:
        """The first frames of a wire."""
        popped = self._popped(column_of(rows, wire))
        rows[:, wire] = popped[:, 1]
        return popped[:, 0]

    def _fewest(self, depends: dict[Pair, Flags], busy: Busy) -> Flags:
        """Of each state a group of seats that suffices, with the fewest events.

        `depends`: whether a seat may meet something next that another one has yet to do.
        """
        size = busy[0][1].size
        events = np.zeros((size, self.count), np.int64)
        for event, can in busy:
            events[:, event.seat] += can
        groups = np.stack([self._group(seat, depends, size) for seat in self._seats], axis=1)
        costs = np.einsum("ns,ngs->ng", events, groups)
        best: Flags = groups[np.arange(size), costs.argmin(axis=1)]
        return best

    def _group(self, seat: int, depends: dict[Pair, Flags], size: int) -> Flags:
        group = np.zeros((size, self.count), bool)
        group[:, seat] = True
        for _ in self._seats:
            for (one, other), does in depends.items():
                group[:, other] |= group[:, one] & does
        return group


class AtOnce(Columns):
    """A table at which all see a crash and a return at once.  LocalError without a crash."""

    def __init__(self, count: int, shape: Shape, crashes: int, *, whole: bool = False) -> None:
        if not crashes:
            raise LocalError("without crashes more arrives at once, and there are few states")
        self.tables: Final = Tables(count, shape, crashes, whole=whole)
        super().__init__(self.tables.automaton, count, self.tables.signed, signed_once)
        self._wires: Final = {pair: count + n for pair, n in self.tables.pairs.items()}
        self._signed: Final = count + len(self._wires)
        self._crashes: Final = self._signed + 1
        self._waited: Final = self._signed + 2
        self._far: Final = [Event("crash", seat) for seat in self._seats]
        self._far += [Event("return", seat) for seat in self._seats]
        self._far += [Event("wait")]
        self._met: Final = Memo(count + 2, self._meet)
        self._compared: Final = Memo(1, self._compare)
        self._leave_out_anew()

    def _leave_out_anew(self) -> None:
        """Forget all that was computed while some orders were left out."""
        self._met_by_all = Memo(self.count + 1 + len(self._wires), self._meet_by_all)
        self._ignored = Memo(1, self._ignore)
        self._chosen = Memo(1, self._choose)
        self._settles = Memo(1, self._settle)

    def refute(self) -> int:
        """How many orders were left out that matter."""
        self._leave_out_anew()
        return self.tables.refute()

    def first(self) -> Rows:
        """All sit down.  WrongError."""
        (packed,) = self.tables.first()
        moment = Moment(self.tables, State.of(packed))
        wires = [self._queues.number(wire) for wire in moment.wires]
        signed = self.tables.signed.number(moment.signed)
        row = [*moment.seats, *wires, signed, moment.crashes, moment.waited]
        return np.array([row], np.int32)

    # -- asked once for each number --------------------------------------------------------

    def _compare(self, key: int) -> tuple[int, ...]:
        two = key >> PART, key & (1 << PART) - 1
        if not consistent([self._histories.values[one] or () for one in two]):  # type: ignore[misc]
            raise WrongError("two histories")
        return (0,)

    def _input(self, key: int) -> tuple[int, Input]:
        """A state, and a frame from another seat or from itself: a write that is done."""
        key, frame = key >> PART, key & (1 << PART) - 1
        key, source = key >> self.count, key & (1 << self.count) - 1
        local, there = key >> self.count, key & (1 << self.count) - 1
        running = frozenset(seat for seat in self._seats if there >> seat & 1)
        if self.automaton.states[local].seat == source:
            return local, Input("write", running)
        return local, Input("frame", running, source, self._frames.values[frame])

    def _ignore(self, key: int) -> tuple[int, ...]:
        return (self.tables.orders.ignores(*self._input(key)),)

    def _settle(self, key: int) -> tuple[int, ...]:
        return (self.tables.orders.is_settled(*self._input(key)),)

    def _choose(self, key: int) -> tuple[int, ...]:
        self.tables.orders.choose(*self._input(key))
        return (0,)

    def _meet(self, key: int) -> tuple[int, ...]:
        local, one = self._input(key)
        running = one.there
        state, sent, records = self.automaton.meet(local, one)
        if any(sends[0] in self.tables.at_once for _, sends in sent):
            raise LocalError("what only one seat meets is seen by another one at once")
        queues = [
            tuple(sends for to, sends in sent if to == other and other in running)
            for other in self._seats
        ]
        return state, self.tables.signed.number(records), *map(self._queues.number, queues)

    def _meet_by_all(self, key: int) -> tuple[int, ...]:
        """What all seats meet, with nothing on any wire."""
        key, crashes = key >> 1, key & 1
        event, tables = self._far[key & 7], self.tables
        seats = [key >> 3 + SEAT * seat & (1 << SEAT) - 1 for seat in self._seats]
        nothing = tables.wires.number(tuple(() for _ in tables.pairs))
        signed = tables.signed.number(frozenset())
        numbers = tables.seats.number(tuple(seats)), nothing, signed
        moment = Moment(tables, State(*numbers, crashes, 0))
        moment.do(event)
        queues = map(self._queues.number, moment.wires)
        return *moment.seats, tables.signed.number(moment.signed), *queues

    # -- what can happen -------------------------------------------------------------------

    def follow(self, rows: Rows) -> Iterator[Leads]:
        """All that can happen to these states.  LedError."""
        facts = np.stack([self._facts(column_of(rows, seat)) for seat in self._seats], axis=1)
        there, ended, writes = (facts[:, :, n].astype(bool) for n in range(3))
        waiting = {pair: rows[:, wire] > 0 for pair, wire in self._wires.items()}
        busy = [(Event("deliver", to, source), has) for (source, to), has in waiting.items()]
        busy += [(Event("write", seat), writes[:, seat]) for seat in self._seats]
        busy += [(Event("return", seat), ~there[:, seat]) for seat in self._seats]
        thin = (rows[:, self._crashes] == 0) & there.all(axis=1) & self.tables.thins_out
        enough = self._suffice(thin, waiting, busy)
        only = self._settled(rows, there, thin, busy)
        for number, (event, can) in enumerate(busy):
            looks = np.where(only < 0, enough[:, event.seat], only == number)
            yield self._lead(rows, there, event, can & looks)
        playing = there & ~ended
        for seat in self._seats:
            can = playing[:, seat] & (rows[:, self._crashes] > 0)
            yield self._lead(rows, there, Event("crash", seat), can)
        idle = ~np.any([can for _, can in busy], axis=0)
        yield self._lead(rows, there, Event("wait"), idle & playing.any(axis=1))

    def _suffice(self, thin: Flags, waiting: dict[Pair, Flags], busy: Busy) -> Flags:
        """Whose events are enough (`Moment._suffice`)."""
        enough = np.ones((thin.size, self.count), bool)
        if thin.any():
            depends = {(to, source): ~has for (source, to), has in waiting.items()}
            enough[thin] = self._fewest(depends, busy)[thin]
        return enough

    def _settled(self, rows: Rows, there: Flags, thin: Flags, busy: Busy) -> Column:
        """The first event that as well may come first (`Moment._settled`), or -1."""
        only = np.full(thin.size, -1, np.int64)
        for number, (event, can) in enumerate(busy):
            at = np.flatnonzero(thin & can & (only < 0)) if event.what != "return" else only[:0]
            if at.size:
                key = self._key(event, rows[at], there[at])
                settled = self._settles(key)[:, 0] > 0
                self._chosen(key[settled])
                only[at[settled]] = number
        return only

    def _key(self, event: Event, rows: Rows, there: Flags) -> Column:
        """What one seat meets, and in which state."""
        seat, source = event.seat, event.source if event.what == "deliver" else event.seat
        mask = there @ (1 << np.arange(self.count))
        key: Column = (column_of(rows, seat) << self.count | mask) << self.count | source
        key = key << PART
        if event.what == "deliver":
            key |= self._popped(column_of(rows, self._wires[source, seat]))[:, 0]
        return key

    def _leave_out(self, rows: Rows, seats: Iterable[int]) -> None:
        """Frames that are ignored, now and later, are as good as met (`Moment.leave_out`)."""
        there = np.stack([self._facts(column_of(rows, seat))[:, 0] for seat in self._seats], axis=1)
        for (source, to), wire in self._wires.items():
            at = np.flatnonzero(rows[:, wire]) if {source, to} & set(seats) else ()
            while len(at):
                part = rows[at]
                key = self._key(Event("deliver", to, source), part, there[at])
                at = at[self._ignored(key)[:, 0] > 0]
                part = rows[at]
                self._take(part, wire)
                rows[at] = part
                at = at[part[:, wire] > 0]

    def _lead(self, rows: Rows, there: Flags, event: Event, can: Flags) -> Leads:
        at = np.flatnonzero(can)
        after = rows[at].copy()
        if at.size:
            after[:, self._waited] = after[:, self._waited] + 1 if event.what == "wait" else 0
            act = self._do_one if event.what in ("deliver", "write") else self._do_all
            try:
                act(event, after, there[at])
            except MetError as met:
                raise LedError(int(at[met.place]), event, met.wrong) from met
            if self.tables.thins_out:
                one = event.what in ("deliver", "write")
                self._leave_out(after, [event.seat] if one else self._seats)
        return Leads(event, at, after, np.full(at.size, event.what != "crash"))

    def _do_one(self, event: Event, rows: Rows, there: Flags) -> None:
        seat, source = event.seat, event.source if event.what == "deliver" else event.seat
        met = self._met(self._key(event, rows, there))
        if event.what == "deliver":
            self._take(rows, self._wires[source, seat])
        rows[:, seat] = met[:, 0]
        self._add(rows, self._signed, met[:, 1], self._joined)
        for other in self._seats:
            if other != seat:
                self._add(rows, self._wires[seat, other], met[:, 2 + other], self._appended)

    def _do_all(self, event: Event, rows: Rows, there: Flags) -> None:
        key = np.full(rows.shape[0], self._far.index(event), np.int64)
        for seat in self._seats:
            key |= column_of(rows, seat) << 3 + SEAT * seat
        key = key << 1 | column_of(rows, self._crashes)
        met = self._met_by_all(key)
        if event.what == "crash":
            rows[:, self._crashes] -= 1
            for pair, wire in self._wires.items():
                if event.seat in pair:
                    rows[:, wire] = 0
        rows[:, : self.count] = met[:, : self.count]
        self._add(rows, self._signed, met[:, self.count], self._joined)
        for n, wire in enumerate(self._wires.values(), self.count + 1):
            self._add(rows, wire, met[:, n], self._appended)

    def check(self, rows: Rows) -> None:
        super().check(rows)
        histories = [self._facts(column_of(rows, seat))[:, 3] for seat in self._seats]
        for one in self._seats:
            for two in self._seats[one + 1 :]:
                self._compared(histories[one] << PART | histories[two])


def column_of(rows: Rows, column: int) -> Column:
    return rows[:, column].astype(np.int64)
