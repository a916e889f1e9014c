"""Which combinations lie in a hand, listed without making them (rules sections 3 to 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final

from engine.cards import Card
from engine.games.sneak.combos import ACE
from engine.subsets import Block, number_of
from engine.zone import Slot

ByRank = dict[int, list[Slot]]
LONGEST_RUN: Final = 13


def combos(cards: Sequence[Card], slots: Sequence[Slot], sizes: range) -> Iterator[Block]:
    """Every combo of these sizes, each once; `cards[i]` is the face of `slots[i]`."""
    if sizes.start == 1:
        yield Block(((slots, 1),))
    by_rank: ByRank = {}
    by_suit: dict[int, list[int]] = {}
    for place, card in enumerate(cards):
        by_rank.setdefault(card.rank, []).append(slots[place])
        by_suit.setdefault(card.suit, []).append(place)
    for size in sizes:
        if size == 1:
            continue
        for same in by_rank.values():
            if len(same) >= size:
                yield Block(((same, size),))
        for run in runs_in(by_rank, size):
            yield Block(tuple([(by_rank[rank], 1) for rank in run]))
        for places in by_suit.values():
            if len(places) >= size:
                suited = [cards[place] for place in places]
                pool = [slots[place] for place in places]
                yield Block(((pool, size),), _better_than_flushes(suited, size))


@cache
def runs_of(size: int) -> tuple[tuple[int, ...], ...]:
    """The ranks of every straight of that size, low to high; an ace may stand below the two.

    >>> runs_of(12)[0], runs_of(13)
    ((14, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), ((2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),))
    """
    if size > LONGEST_RUN:
        return ()
    lowest = 2 if size == LONGEST_RUN else 1
    return tuple(
        tuple(ACE if rank == 1 else rank for rank in range(low, low + size))
        for low in range(lowest, ACE - size + 2)
    )


def runs_in(by_rank: ByRank, size: int) -> list[tuple[int, ...]]:
    """The ranks of every straight of that size that these cards have."""
    if len(by_rank) < size:
        return []
    return [run for run in runs_of(size) if all(rank in by_rank for rank in run)]


def _better_than_flushes(suited: Sequence[Card], size: int) -> tuple[int, ...]:
    """The numbers of the sets of one suit that are a straight flush or a match instead."""
    places: ByRank = {}
    for place, card in enumerate(suited):
        places.setdefault(card.rank, []).append(place)
    better = [tuple(same) for same in places.values() if len(same) == size]
    for run in runs_in(places, size):
        better += [tuple(sorted(way)) for way in product(*[places[rank] for rank in run])]
    return tuple(sorted([number_of(way, len(suited)) for way in better]))
