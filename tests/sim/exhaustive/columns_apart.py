"""Tables at which each seat notices a crash by itself (`apart`), in columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from tests.sim.exhaustive import apart
from tests.sim.exhaustive.apart import AWAY, BACK, HERE, NEW, OLD, State
from tests.sim.exhaustive.automaton import Input
from tests.sim.exhaustive.columns import (
    PART,
    Busy,
    Columns,
    Flags,
    Leads,
    LedError,
    Pair,
    Rows,
    column_of,
)
from tests.sim.exhaustive.memo import Column, Memo, MetError
from tests.sim.exhaustive.seat import Event, Shape

_GONE, _WAS, _DOWN, _UP = 0, 2, 4, 8
"""From which bit on each part of `links` begins."""
_NONE, _BIT = -1, 1
_WHATS: Final = ("frame", "write", "down", "up", "crash", "return", "wait")


class Apart(Columns):
    """All states of one small table at which a seat may crash once."""

    def __init__(self, count: int, shape: Shape, *, whole: bool = False) -> None:
        self.tables: Final = apart.Tables(count, shape, whole=whole)
        super().__init__(self.tables.automaton, count, self.tables.seen, apart.seen_once)
        self._wires: Final = {place: count + n for place, n in self.tables.places.items()}
        self._seen: Final = count + len(self._wires)
        self._links: Final = self._seen + 1
        """Who crashes, what has become of it, and which ends of links are noticed."""
        self._waited: Final = self._seen + 2
        self._pairs: Final = [(a, b) for a in self._seats for b in self._seats if a != b]
        self._met: Final = Memo(count + 2, self._meet)
        self._views: Final = Memo(count, self._view)
        self._heard: Final = Memo(len(self._pairs), self._hear)
        self._told: Final = Memo(len(self._pairs), self._tell)

    def first(self) -> Rows:
        """All sit down, and one of them will crash, or nobody."""
        return np.array([self._row(packed) for packed in self.tables.first()], np.int32)

    def _row(self, packed: int) -> list[int]:
        moment = apart.Moment(self.tables, State.of(packed))
        wires = [self._queues.number(wire) for wire in moment.wires]
        seen = self.tables.seen.number(moment.seen)
        return [*moment.seats, *wires, seen, moment.gone << _GONE, moment.waited]

    # -- asked once for each number --------------------------------------------------------

    def _moment(self, links: int) -> apart.Moment:
        """One with these links, and seats and wires of which nothing is asked."""
        seats = self.tables.seats.number((0,) * self.count)
        parts = links & 3, links >> _WAS & 3, links >> _DOWN & 15, links >> _UP
        return apart.Moment(self.tables, State(seats, 0, 0, *parts))

    def _view(self, links: int) -> tuple[int, ...]:
        moment = self._moment(links)
        return tuple(sum(1 << one for one in moment.view(seat)) for seat in self._seats)

    def _hear(self, links: int) -> tuple[int, ...]:
        """Over which link each seat hears each other one."""
        moment = self._moment(links)
        found = [moment.link(*pair) for pair in self._pairs]
        return tuple(_NONE if link is None else link for link in found)

    def _tell(self, links: int) -> tuple[int, ...]:
        """Over which link each seat tells each other one, if that can still be read."""
        moment = self._moment(links)
        found = [(moment.link(seat, to), seat, to) for seat, to in self._pairs]
        return tuple(
            _NONE if link is None or not moment._carries(link, to, seat) else link
            for link, seat, to in found
        )

    def _meet(self, key: int) -> tuple[int, ...]:
        key, frame = key >> PART, key & (1 << PART) - 1
        key, what = key >> 3, key & 7
        key, other = key >> 2, key & 3
        local, view = key >> self.count, key & (1 << self.count) - 1
        there = frozenset(seat for seat in self._seats if view >> seat & 1)
        given = self._frames.values[frame] if _WHATS[what] == "frame" else b""
        state, sent, records = self.automaton.meet(local, Input(_WHATS[what], there, other, given))
        finished = self.automaton.states[state].records or ()
        queues = [tuple(sends for to, sends in sent if to == seat) for seat in self._seats]
        seen = self.tables.seen.number(frozenset({*records, *enumerate(finished)}))
        return state, seen, *map(self._queues.number, queues)

    # -- what can happen -------------------------------------------------------------------

    def follow(self, rows: Rows) -> Iterator[Leads]:
        """What is enough to look at.  LedError."""
        facts = np.stack([self._facts(column_of(rows, seat)) for seat in self._seats], axis=1)
        there, ended, writes = (facts[:, :, n].astype(bool) for n in range(3))
        links = column_of(rows, self._links)
        begun, void = _begun(links), self.is_void(rows)
        waiting = self._waiting(rows, links)
        busy = self._busy(links, writes, waiting)
        crashing = self._crashing(links, self._gone_ended(rows, links))
        enough = np.ones_like(there)
        if self.tables.thins_out:
            depends = self._depends(links, waiting)
            enough = self._fewest(depends, [*busy, *crashing])
        for event, can in [*busy, *crashing]:
            counts = begun | (event.what not in ("crash", "down"))
            yield self._lead(rows, event, can & enough[:, event.seat] & ~void, counts)
        idle = ~_any(busy) & ~(begun & _any(crashing)) & (there & ~ended).any(axis=1)
        yield self._lead(rows, Event("wait"), idle & enough.all(axis=1) & ~void, begun | True)

    def is_void(self, rows: Rows) -> Flags:
        """Where somebody has noticed a crash that will never be."""
        links = column_of(rows, self._links)
        return _begun(links) & (links >> _WAS & 3 == HERE) & self._gone_ended(rows, links)

    def _gone_ended(self, rows: Rows, links: Column) -> Flags:
        ended = np.zeros(links.size, bool)
        for seat in self._seats:
            ended |= (links & 3 == seat) & (self._facts(column_of(rows, seat))[:, 1] > 0)
        return ended

    def _waiting(self, rows: Rows, links: Column) -> dict[Pair, Flags]:
        """Whether a seat has a frame of another one waiting."""
        heard = self._heard(links)
        return {
            (to, source): _any(
                [
                    (
                        Event(""),
                        (heard[:, n] == link) & (rows[:, self._wires[link, source, to]] > 0),
                    )
                    for link in (OLD, NEW)
                ]
            )
            for n, (to, source) in enumerate(self._pairs)
        }

    def _busy(self, links: Column, writes: Flags, waiting: dict[Pair, Flags]) -> Busy:
        gone, was = links & 3, links >> _WAS & 3
        found = [(Event("deliver", *pair), has) for pair, has in waiting.items()]
        found += [(Event("write", seat), writes[:, seat]) for seat in self._seats]
        away = was == AWAY
        found += [(Event("return", seat), away & (gone == seat)) for seat in self._seats]
        for seat, other in self._pairs:
            noticed = (gone == seat) | (links >> _DOWN + seat & 1 > 0)
            new = links >> _UP & _ends(seat, other, gone) == 0
            about = (gone == seat) | (gone == other)
            found.append((Event("up", seat, other), (was == BACK) & about & noticed & new))
        return found

    def _crashing(self, links: Column, gone_ended: Flags) -> Busy:
        """The crash, and the ends of links."""
        gone, was = links & 3, links >> _WAS & 3
        can = (was != HERE) | ~gone_ended
        found = [
            (Event("down", seat, other), can & (gone == other) & (links >> _DOWN + seat & 1 == 0))
            for seat, other in self._pairs
        ]
        return found + [
            (Event("crash", seat), (was == HERE) & ~gone_ended & (gone == seat))
            for seat in self._seats
        ]

    def _depends(self, links: Column, waiting: dict[Pair, Flags]) -> dict[Pair, Flags]:
        gone, was = links & 3, links >> _WAS & 3
        heard = self._heard(links)
        return {
            pair: np.where(heard[:, n] == _NONE, (gone != pair[0]) & (was != BACK), ~waiting[pair])
            for n, pair in enumerate(self._pairs)
        }

    def _lead(self, rows: Rows, event: Event, can: Flags, counts: Flags) -> Leads:
        at = np.flatnonzero(can)
        after = rows[at].copy()
        if at.size:
            after[:, self._waited] = after[:, self._waited] + 1 if event.what == "wait" else 0
            try:
                self._do(event, after)
            except MetError as met:
                raise LedError(int(at[met.place]), event, met.wrong) from met
        return Leads(event, at, after, counts[at])

    def _do(self, event: Event, rows: Rows) -> None:
        seat, other = event.seat, event.source
        links = column_of(rows, self._links)
        match event.what:
            case "deliver":
                self._deliver(rows, seat, other)
            case "write":
                self._one(rows, seat, "write")
            case "crash":
                self._one(rows, seat, "crash")
                rows[:, self._links] += AWAY - HERE << _WAS
                for source in self._seats:
                    if source != seat:
                        rows[:, self._wires[OLD, source, seat]] = 0
            case "return":
                rows[:, self._links] += BACK - AWAY << _WAS
                self._one(rows, seat, "return")
            case "down":
                rows[:, self._links] |= _BIT << _DOWN + seat
                rows[:, self._wires[OLD, other, seat]] = 0
                self._one(rows, seat, "down", other)
            case "up":
                rows[:, self._links] |= (_ends(seat, other, links & 3) << _UP).astype(np.int32)
                self._one(rows, seat, "up", other)
            case "wait":
                for one in self._seats:
                    self._wait(rows, one)

    def _wait(self, rows: Rows, seat: int) -> None:
        there = self._facts(column_of(rows, seat))[:, 0] > 0
        part = rows[there]
        self._one(part, seat, "wait")
        rows[there] = part

    def _deliver(self, rows: Rows, seat: int, source: int) -> None:
        heard = self._heard(column_of(rows, self._links))[:, self._pairs.index((seat, source))]
        for link in (OLD, NEW):
            over = heard == link
            part = rows[over]
            frames = self._take(part, self._wires[link, source, seat])
            self._one(part, seat, "frame", source, frames)
            rows[over] = part

    def _one(
        self, rows: Rows, seat: int, what: str, other: int = 0, frames: Column | int = 0
    ) -> None:
        """A seat meets something, and sends what follows."""
        links = column_of(rows, self._links)
        key = column_of(rows, seat) << self.count | self._views(links)[:, seat]
        key = (key << 2 | other) << 3 | _WHATS.index(what)
        met = self._met(key << PART | frames)
        rows[:, seat] = met[:, 0]
        self._add(rows, self._seen, met[:, 1], self._joined)
        told = self._told(links)
        for n, (source, to) in enumerate(self._pairs):
            for link in (OLD, NEW) if source == seat else ():
                more = np.where(told[:, n] == link, met[:, 2 + to], 0)
                self._add(rows, self._wires[link, seat, to], more, self._appended)


def _begun(links: Column) -> Flags:
    """Whether somebody has met the crash, or its end of a link."""
    begun: Flags = (links >> _WAS & 3 != HERE) | (links >> _DOWN & 15 > 0)
    return begun


def _ends(seat: int, other: int, gone: Column) -> Column:
    """The bit of the end of a new link at which a seat hears another one (`Moment._end`)."""
    return np.where(gone == seat, 1 << other + apart.SEATS_MAX, 1 << seat)


def _any(busy: Busy) -> Flags:
    found: Flags = np.any([can for _, can in busy], axis=0)
    return found
