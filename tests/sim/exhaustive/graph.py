"""States by number, how each was met first, and what leads where: as small as millions must be."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import Final, Generic, TypeVar

Event = TypeVar("Event")
_NOBODY: Final = 2**32 - 1


class Graph(Generic[Event]):
    """States are whole numbers of any size."""

    def __init__(self) -> None:
        self.states: Final[list[int]] = []
        self._numbers: Final[dict[int, int]] = {}
        self._came: Final = array("I")
        """From where each state was met first."""
        self._by: Final = array("H")
        self._events: Final[dict[Event, int]] = {}
        self._from: Final = array("I")
        self._to: Final = array("I")
        self._goes_on: Final = bytearray()

    @property
    def size(self) -> int:
        """How many states were met."""
        return len(self.states)

    def number(self, state: int, came: int = _NOBODY, by: int = 0) -> int:
        """The number of a state, which is met here perhaps for the first time."""
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
            self._came.append(came)
            self._by.append(by)
            self._goes_on.append(False)
        return number

    def lead(self, number: int, event: Event, state: int, *, counts: bool) -> None:
        """An event leads from one state to another; whether it `counts` on a way to an end."""
        by = self._events.setdefault(event, len(self._events))
        to = self.number(state, number, by)
        self._goes_on[number] = True
        if counts:
            self._from.append(number)
            self._to.append(to)

    def way(self, number: int) -> list[Event]:
        """A way to a state."""
        events, way = list(self._events), []
        while (came := self._came[number]) != _NOBODY:
            way.append(events[self._by[number]])
            number = came
        return way[::-1]

    def ends(self) -> list[int]:
        """The states from which nothing leads on."""
        return [number for number, on in enumerate(self._goes_on) if not on]

    def never_ending(self, ends: list[int]) -> int | None:
        """A state from which no way that counts leads to an end; None if there is no such state."""
        count = array("I", bytes(4 * (self.size + 1)))
        for to in self._to:
            count[to] += 1
        first = array("I", accumulate(count, initial=0))
        before, free = array("I", bytes(4 * len(self._to))), first[:]
        for number, to in zip(self._from, self._to, strict=True):
            before[free[to]] = number
            free[to] += 1
        reached, waiting = bytearray(self.size), list(ends)
        for number in waiting:
            reached[number] = True
        while waiting:
            to = waiting.pop()
            for number in before[first[to] : first[to + 1]]:
                if not reached[number]:
                    reached[number] = True
                    waiting.append(number)
        endless = reached.find(False)
        return None if endless < 0 else endless
