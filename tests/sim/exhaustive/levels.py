"""The search of `search`, for many millions of states: level by level, many at once.

A state that was met is known by 64 bits that are mixed from its numbers.  Of n states, two have the
same bits with a probability of about n * n / 2**65 (one in 3,700 for 100 million), and then one of
them would not be looked at.  Tests compare what is found with what `search` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from tests.sim.exhaustive.columns import Columns, Leads, LedError, Rows
from tests.sim.exhaustive.memo import MetError
from tests.sim.exhaustive.search import FoundError, said
from tests.sim.exhaustive.seat import Event, Found, WrongError

Bits = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]
_CHUNK: Final = 1 << 18
"""So many states are looked at together."""
EARLIER: Final = 3
"""What is left out is doubted whenever there are so many times more states: sooner costs less."""
_MIX: Final = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
"""Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014 (SplitMix64)."""
_NOBODY: Final = 2**32 - 1


def bits_of(rows: Rows) -> Bits:
    """64 bits of each state."""
    mixed = np.zeros(rows.shape[0], np.uint64)
    golden, first, second = (np.uint64(number) for number in _MIX)
    for column in rows.T:
        mixed += golden + column.astype(np.uint64)
        mixed = (mixed ^ mixed >> np.uint64(30)) * first
        mixed = (mixed ^ mixed >> np.uint64(27)) * second
        mixed ^= mixed >> np.uint64(31)
    return mixed


class Seen:
    """The states that were met, by their bits, and their numbers: a few sorted runs."""

    def __init__(self) -> None:
        self.size = 0
        self._runs: Final[list[tuple[Bits, Numbers]]] = []

    def numbers(self, asked: Bits) -> Numbers:
        """Of sorted bits; `_NOBODY` where they are new."""
        found = np.full(asked.size, _NOBODY, np.uint32)
        for bits, numbers in self._runs:
            at = np.searchsorted(bits, asked)
            at[at == bits.size] = 0
            same = bits[at] == asked
            found[same] = numbers[at[same]]
        return found

    def add(self, bits: Bits) -> Numbers:
        """Number these, sorted and all new."""
        numbers = np.arange(self.size, self.size + bits.size, dtype=np.uint32)
        self.size += bits.size
        run = bits, numbers
        if not bits.size:
            return numbers
        while self._runs and self._runs[-1][0].size <= 2 * run[0].size:
            more = self._runs.pop()
            both = np.concatenate((more[0], run[0]))
            order = np.argsort(both, kind="stable")
            run = both[order], np.concatenate((more[1], run[1]))[order]
        self._runs.append(run)
        return numbers


class Levels:
    """The search, from the beginning as often as an order was left out that matters."""

    def __init__(self, columns: Columns) -> None:
        self._columns: Final = columns

    def run(self, most: int | None = None, told: Callable[[Found], None] = lambda _: None) -> Found:
        """Level by level.  FoundError."""
        search = _Search(self._columns)
        while (found := search.run(most, told)) is None:
            search = _Search(self._columns, search.looked)
        return found


class _Search:
    """What was met so far, and how."""

    def __init__(self, columns: Columns, looked: int = 0) -> None:
        self._columns: Final = columns
        self.looked = looked
        """How many states there were when what is left out was doubted."""
        self._seen: Final = Seen()
        self._came: Final[list[Numbers]] = []
        """From which state each was met first, and by which event."""
        self._by: Final[list[npt.NDArray[np.uint8]]] = []
        self._events: Final[dict[Event, int]] = {}
        self._edges: Final[list[tuple[Numbers, Numbers]]] = []
        """Those that count on a way to an end."""
        self._last: Final[list[Numbers]] = []
        """Those from which nothing leads on."""
        self.found: Final = Found()

    def run(self, most: int | None, told: Callable[[Found], None]) -> Found | None:
        """Level by level; None if it has to begin again.  FoundError."""
        found = self.found
        try:
            level = self._columns.first()
        except WrongError as wrong:
            raise FoundError(f"{wrong}\nall sit down") from wrong
        nobody = np.full(level.shape[0], _NOBODY, np.uint32)
        _, level = self._meet(bits_of(level), level, nobody, np.zeros(nobody.size, np.uint8))
        first = 0
        while level.size and (most is None or found.states < most):
            following = [level[:0]]
            for begin in range(0, level.shape[0], _CHUNK):
                following.append(self._expand(level[begin : begin + _CHUNK], first + begin))
            first += level.shape[0]
            level = np.concatenate(following)
            told(found)
            if not level.size or found.states > EARLIER * self.looked:
                self.looked = found.states
                if self._columns.refute():
                    return None
        if not level.size:
            self._conclude()
        found.runs = self._columns.automaton.runs
        return found

    def _expand(self, rows: Rows, first: int) -> Rows:
        """Let all that can happen to these states, numbered from `first` on; the new ones."""
        numbers = np.arange(first, first + rows.shape[0], dtype=np.uint32)
        goes_on, new = np.zeros(rows.shape[0], bool), [rows[:0]]
        leads = self._columns.follow(rows)
        while (lead := self._next(leads, numbers)) is not None:
            if not lead.at.size:
                continue
            goes_on[lead.at] = True
            self.found.steps += lead.at.size
            by = self._events.setdefault(lead.event, len(self._events))
            came = numbers[lead.at]
            bys = np.full(came.size, by, np.uint8)
            to, more = self._meet(bits_of(lead.rows), lead.rows, came, bys)
            new.append(more)
            self._edges.append((came[lead.counts], to[lead.counts]))
        self._last.append(numbers[~goes_on])
        self.found.ends += int(np.count_nonzero(~goes_on & ~self._columns.is_void(rows)))
        return np.concatenate(new)

    def _next(self, leads: Iterator[Leads], numbers: Numbers) -> Leads | None:
        try:
            return next(leads, None)
        except LedError as led:
            way = self._way(int(numbers[led.place]))
            raise FoundError(_told([*way, led.event], str(led))) from led

    def _meet(
        self, bits: Bits, rows: Rows, came: Numbers, by: npt.NDArray[np.uint8]
    ) -> tuple[Numbers, Rows]:
        """The numbers of these states, and those that are new in the order of their numbers."""
        asked, where, places = np.unique(bits, return_index=True, return_inverse=True)
        numbers = self._seen.numbers(asked)
        new = np.flatnonzero(numbers == _NOBODY)
        at = where[new]
        numbers[new] = self._seen.add(asked[new])
        self._came.append(came[at])
        self._by.append(by[at])
        self.found.states = self._seen.size
        try:
            self._columns.check(rows[at])
        except MetError as met:
            way = self._way(int(numbers[new[met.place]]))
            raise FoundError(_told(way, str(met))) from met
        return numbers[places], rows[at]

    def _way(self, number: int) -> list[Event]:
        came, by = np.concatenate(self._came), np.concatenate(self._by)
        events, way = list(self._events), []
        while came[number] != _NOBODY:
            way.append(events[by[number]])
            number = int(came[number])
        return way[::-1]

    def _conclude(self) -> None:
        """Does each state lead to an end, and does a fingerprint say enough?"""
        self.found.doubts = self._columns.automaton.doubt()
        reached = np.zeros(self._seen.size, bool)
        reached[np.concatenate(self._last)] = True
        before = 0
        while before < (before := int(reached.sum())):
            for sources, targets in reversed(self._edges):
                reached[sources[reached[targets]]] = True
        if before < reached.size:
            way = self._way(int(reached.argmin()))
            raise FoundError(_told(way, "from here the table never ends"))


def _told(way: list[Event], wrong: str) -> str:
    return "\n".join([*map(said, way), wrong])
