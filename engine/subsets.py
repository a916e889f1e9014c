"""Ways to take cards from a hand, counted and numbered without being made.

A hand of twenty cards has a million subsets.  A question offers them all, a bot draws one by
its number, and only that one is made.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import comb
from sys import maxsize
from typing import Final, NamedTuple, overload

from engine.zone import Slot

Pick = tuple[Sequence[Slot], int]
"""A number of these slots, in their order."""


class Block(NamedTuple):
    """Every way to make all of these picks at once, except some.

    `without` holds the numbers of the ways left out, ascending: sets that another block has.
    """

    picks: tuple[Pick, ...]
    without: tuple[int, ...] = ()


class Subsets(Sequence[tuple[Slot, ...]]):
    """The ways of several blocks, one block after the other.

    >>> list(Subsets([Block((((5, 6, 7), 2),)), Block((((1, 2), 1), ((9,), 1)), (0,))]))
    [(5, 6), (5, 7), (6, 7), (2, 9)]
    """

    __slots__ = ("_blocks", "_ends")

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks: Final[list[Block]] = []
        self._ends: Final[list[int]] = []
        end = 0
        for block in blocks:
            ways = 1
            for pool, count in block.picks:
                ways *= comb(len(pool), count) if count > 1 else len(pool)
            ways -= len(block.without)
            if ways > 0:
                end += ways
                self._blocks.append(block)
                self._ends.append(end)

    def __len__(self) -> int:
        """How many there are, or the largest possible length (a hoard of 70 cards has more)."""
        return min(self._ends[-1], maxsize) if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> tuple[Slot, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Slot, ...]]: ...

    def __getitem__(self, index: int | slice) -> tuple[Slot, ...] | Sequence[tuple[Slot, ...]]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("there are not so many ways to take cards")
        place = bisect_right(self._ends, index)
        block = self._blocks[place]
        number = index - (self._ends[place - 1] if place else 0)
        for left_out in block.without:
            if number >= left_out:
                number += 1
        return _way(block.picks, number)

    def around(self, taken: Sequence[Slot]) -> tuple[set[Slot], bool]:
        """The slots that can be added to those taken on the way to one of these sets.

        With it: whether what is taken is one of the sets.  The picks of a block share no slot.
        """
        more: set[Slot] = set()
        complete = False
        for block in self._blocks:
            left = _left(block, taken)
            if left is None:
                continue
            complete = complete or not any(count for _, count in left)
            pools = [pool for pool, count in left if count]
            fresh = {slot for pool in pools for slot in pool if slot not in more}
            if block.without:
                fresh = {slot for slot in fresh if _left(block, (*taken, slot)) is not None}
            more |= fresh
        return more, complete


def _left(block: Block, taken: Sequence[Slot]) -> list[Pick] | None:
    """What has to be picked besides the slots taken; None if no way of the block has them all."""
    left: list[Pick] = []
    found, ways = 0, 1
    for pool, count in block.picks:
        rest = [slot for slot in pool if slot not in taken]
        here = len(pool) - len(rest)
        if here > count:
            return None
        found += here
        left.append((rest, count - here))
        ways *= comb(len(rest), count - here)
    if found < len(taken):
        return None
    for number in block.without:
        ways -= set(taken) <= set(_way(block.picks, number))
    return left if ways > 0 else None


def every(slots: Sequence[Slot], sizes: range) -> list[Block]:
    """Every subset of each of these sizes."""
    return [Block(((slots, size),)) for size in sizes]


def number_of(places: Sequence[int], size: int) -> int:
    """The number of an ascending combination of places below `size`, in the order of `_way`.

    >>> number_of((0, 1), 4), number_of((1, 3), 4), number_of((2, 3), 4)
    (0, 4, 5)
    """
    count, number, previous = len(places), 0, -1
    for taken, place in enumerate(places):
        for skipped in range(previous + 1, place):
            number += comb(size - skipped - 1, count - taken - 1)
        previous = place
    return number


def _way(picks: tuple[Pick, ...], number: int) -> tuple[Slot, ...]:
    """Way `number` of all; the last pick changes fastest."""
    parts: list[tuple[Slot, ...]] = []
    for pool, count in reversed(picks):
        if count == 1:
            number, place = divmod(number, len(pool))
            parts.append((pool[place],))
        else:
            number, place = divmod(number, comb(len(pool), count))
            parts.append(_combination(pool, count, place))
    parts.reverse()
    return sum(parts, ())


def _combination(pool: Sequence[Slot], count: int, number: int) -> tuple[Slot, ...]:
    """Combination `number` of `itertools.combinations(pool, count)`."""
    found: list[Slot] = []
    for place, slot in enumerate(pool):
        if count == 0:
            break
        starting_here = comb(len(pool) - place - 1, count - 1)
        if number < starting_here:
            found.append(slot)
            count -= 1
        else:
            number -= starting_here
    return tuple(found)
