"""The cards that a seat of Sneak cannot see, and how likely one hand of them beats a set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import comb
from typing import Final

from engine.cards import Card
from engine.games.sneak.combos import (
    FLUSH,
    MATCH,
    NOTHING,
    SINGLE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    Kind,
    Order,
    kind_of,
    top_of_run,
)
from engine.games.sneak.hands import runs_of
from engine.games.sneak.table import SneakTable
from engine.view import View

RANKS: Final = range(2, 15)
GRAIN: Final = 64
"""How finely a share of the hidden cards is told apart: chances are computed once for each."""


class Unseen:
    """How many cards of each suit and rank this seat cannot see.

    They lie in the other hands, in the stock, and in what others have sneaked unchallenged.
    """

    def __init__(self, view: View, table: SneakTable) -> None:
        self._count = [[0] * RANKS.start + [table.packs] * len(RANKS) for _ in range(4)]
        seat, faces, locks = view.seat, table.faces, table.locks
        for slot, face in enumerate(faces):
            if face is not None or locks[slot] == seat:
                card = face or view.face(slot)
                self._count[card.suit][card.rank] -= 1
        self._of_rank = [sum(suit[rank] for suit in self._count) for rank in range(RANKS.stop)]
        self._total = sum(self._of_rank[rank] for rank in RANKS)
        self._lacking: dict[tuple[Kind, int, int, int], float] = {}

    def lower(self, card: Card) -> float:
        """The part of the unseen cards that are lower than this one."""
        return sum(self._of_rank[2 : card.rank]) / max(1, self._total)

    def beaten(
        self, cards: Sequence[Card], held: int, order: Order, led: Kind | None = None
    ) -> float:
        """The chance that a hand of `held` unseen cards has a set that beats this one.

        Of equal sets that one does (it is laid later).  `led` is the kind of a flaunt, which alone
        says what may meet it and what beats it (rules section 5); None for sets laid face down.
        """
        size, kind = len(cards), kind_of(cards)
        share = round(GRAIN * min(1.0, held / max(1, self._total)))
        top = _deciding(kind, cards)
        if kind is SINGLE:
            return _some(sum(self._of_rank[top:]), 1, share)
        stays = 1.0
        for other in _ABOVE:
            if other is not kind and not _is_above(other, kind, order, led):
                continue
            stays *= self._lacks(other, size, top if other is kind else 0, share)
        return 1.0 - stays

    def _lacks(self, kind: Kind, size: int, least: int, share: int) -> float:
        """The chance that a hand has no set of this kind whose deciding rank is `least` or more."""
        asked = kind, size, least, share
        lacks = self._lacking.get(asked)
        if lacks is None:  # most sets of a hand ask for the same kinds above them
            lacks = 1.0
            for chance in self._chances(kind, size, least, share):
                lacks *= 1.0 - chance
            self._lacking[asked] = lacks
        return lacks

    def _chances(self, kind: Kind, size: int, least: int, share: int) -> Iterable[float]:
        """For each way to have a set of this kind whose deciding rank is `least` or more."""
        if kind is MATCH:
            return [_some(self._of_rank[rank], size, share) for rank in RANKS if rank >= least]
        if kind is STRAIGHT:
            return self._runs([self._of_rank], size, least, share)
        if kind is STRAIGHT_FLUSH:
            return self._runs(self._count, size, least, share)
        if kind is FLUSH:
            return [
                _some(sum(suit), size, share) * _some(sum(suit[least:]), 1, share)
                for suit in self._count
            ]
        return [_some(sum(self._of_rank[least:]), 1, share)]

    def _runs(
        self, pools: Sequence[Sequence[int]], size: int, least: int, share: int
    ) -> Iterable[float]:
        for run in runs_of(size):
            if run[-1] >= least:
                for pool in pools:
                    chance = 1.0
                    for rank in run:
                        chance *= _some(pool[rank], 1, share)
                    yield chance


_ABOVE: Final = (MATCH, STRAIGHT_FLUSH, STRAIGHT, FLUSH, NOTHING)


def _is_above(other: Kind, kind: Kind, order: Order, led: Kind | None) -> bool:
    """Whether every set of the other kind beats one of this kind (rules sections 3 and 5)."""
    if led is STRAIGHT_FLUSH:
        return False
    if led in (STRAIGHT, FLUSH) and other is STRAIGHT_FLUSH:
        return False  # it counts merely as what was led, and is among those
    return order[other] > order[kind]


def _deciding(kind: Kind, cards: Sequence[Card]) -> int:
    """The rank by which sets of a kind are compared first."""
    ranks = sorted([card.rank for card in cards], reverse=True)
    return top_of_run(ranks) if kind in (STRAIGHT, STRAIGHT_FLUSH) else ranks[0]


@cache
def _some(count: int, least: int, share: int) -> float:
    """The chance that a hand has at least `least` of `count` cards.

    Each is there with the probability share / GRAIN, independently of the others: nearly what it is
    without replacement, and exact where the hand is all that is unseen.
    """
    if count < least:
        return 0.0
    part = share / GRAIN
    fewer = sum(comb(count, n) * part**n * (1.0 - part) ** (count - n) for n in range(least))
    return 1.0 - fewer
