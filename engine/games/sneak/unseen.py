"""The cards that a seat of Sneak cannot see, and how likely one hand of them beats a set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import comb, fsum
from typing import Final

from engine.cards import Card
from engine.games.sneak.cards import DECKS
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
MOST: Final = max(map(len, DECKS.values()))
"""How many cards there are at most."""
KINDS: Final = (MATCH, STRAIGHT_FLUSH, STRAIGHT, FLUSH, NOTHING)
"""The kinds of two cards or more."""
GRAIN: Final = 64
"""How finely a share of the hidden cards is told apart: chances are computed once for each."""
UNKNOWN: Final = -1.0
"""Stands for a chance that was not computed yet."""


class Unseen:
    """How many cards of each suit and rank this seat cannot see.

    They lie in the other hands, in the stock, and in what others have sneaked unchallenged.
    """

    def __init__(self, view: View, table: SneakTable) -> None:
        count = [[0] * RANKS.start + [table.packs] * len(RANKS) for _ in range(4)]
        seat, faces, locks = view.seat, table.faces, table.locks
        for slot, face in enumerate(faces):
            if face is not None or locks[slot] == seat:
                card = face or view.face(slot)
                count[card.suit][card.rank] -= 1
        self._suits: Final = [_Pool(suit) for suit in count]
        self._all: Final = _Pool([sum(of_rank) for of_rank in zip(*count, strict=True)])
        self._hands: Final[dict[int, _Hand]] = {}
        self._above: Final[dict[tuple[Kind, Kind | None], list[Kind]]] = {}

    def lower(self, card: Card) -> float:
        """The part of the unseen cards that are lower than this one."""
        total = self._all.total
        return (total - self._all.from_rank[card.rank]) / max(1, total)

    def beaten(
        self, cards: list[Card], hands: list[int], order: Order, led: Kind | None = None
    ) -> list[float]:
        """The chance that a hand of so many unseen cards has a set that beats this one, for each.

        Of equal sets that one does (it is laid later).  `led` is the kind of a flaunt, which alone
        says what may meet it and what beats it (rules section 5); None for sets laid face down.
        """
        size, kind = len(cards), kind_of(cards)
        top = _deciding(kind, cards)
        if kind is SINGLE:
            left = self._all.from_rank[top]
            return [self._hand(size, held).one[left] for held in hands]
        found, above = list[float](), self._above_of(kind, order, led)
        for held in hands:
            hand, stays = self._hand(size, held), 1.0
            for other in above:
                stays *= hand.lacks(other, top if other is kind else 0)
            found.append(1.0 - stays)
        return found

    def _hand(self, size: int, held: int) -> _Hand:
        asked = size * (MOST + 1) + held
        hand = self._hands.get(asked)
        if hand is None:
            hand = self._hands[asked] = _Hand(self._suits, self._all, size, held)
        return hand

    def _above_of(self, kind: Kind, order: Order, led: Kind | None) -> list[Kind]:
        """The kinds of which a set may beat one of this kind: itself, and those above it."""
        asked = kind, led
        above = self._above.get(asked)
        if above is None:
            above = self._above[asked] = [
                other for other in KINDS if other is kind or _is_above(other, kind, order, led)
            ]
        return above


class _Hand:
    """How likely a hand of `held` unseen cards has sets of one size.

    Most sets of a hand ask for the same kinds above them, so nothing is computed twice.
    """

    def __init__(self, suits: list[_Pool], whole: _Pool, size: int, held: int) -> None:
        share = round(GRAIN * min(1.0, held / max(1, whole.total)))
        self.one: Final = at_least(1, share)
        self._some: Final = at_least(size, share)
        self._suits: Final = suits
        self._whole: Final = whole
        self._size: Final = size
        self._lacking: Final = {kind: [UNKNOWN] * RANKS.stop for kind in KINDS}

    def lacks(self, kind: Kind, least: int) -> float:
        """The chance that it has no set of this kind whose deciding rank is `least` or more."""
        known = self._lacking[kind]
        if known[least] == UNKNOWN:
            lacks = 1.0
            for chance in self._chances(kind, least):
                lacks *= 1.0 - chance
            known[least] = lacks
        return known[least]

    def _chances(self, kind: Kind, least: int) -> list[float]:
        """For each way to have a set of this kind whose deciding rank is `least` or more."""
        one, some, whole = self.one, self._some, self._whole
        if kind is MATCH:
            return [some[whole.of_rank[rank]] for rank in RANKS if rank >= least]
        if kind is STRAIGHT:
            return self._runs([whole], least)
        if kind is STRAIGHT_FLUSH:
            return self._runs(self._suits, least)
        if kind is FLUSH:
            return [some[suit.total] * one[suit.from_rank[least]] for suit in self._suits]
        return [one[whole.from_rank[least]]]

    def _runs(self, pools: list[_Pool], least: int) -> list[float]:
        one, found = self.one, list[float]()
        for run in runs_of(self._size):
            if run[-1] >= least:
                for pool in pools:
                    chance = 1.0
                    for rank in run:
                        chance *= one[pool.of_rank[rank]]
                    found.append(chance)
        return found


class _Pool:
    """Unseen cards: how many there are of each rank, of each rank or a higher one, and in all."""

    def __init__(self, of_rank: Sequence[int]) -> None:
        self.of_rank: Final = [*of_rank]
        self.from_rank: Final = [*accumulate(reversed(of_rank))][::-1]
        self.total: Final = self.from_rank[0]


def _is_above(other: Kind, kind: Kind, order: Order, led: Kind | None) -> bool:
    """Whether every set of the other kind beats one of this kind (rules sections 3 and 5)."""
    if led is STRAIGHT_FLUSH:
        return False
    if other is STRAIGHT_FLUSH and (led is STRAIGHT or led is FLUSH):
        return False  # it counts merely as what was led, and is among those
    return order[other] > order[kind]


def _deciding(kind: Kind, cards: list[Card]) -> int:
    """The rank by which sets of a kind are compared first."""
    ranks = [card.rank for card in cards]
    if kind is STRAIGHT or kind is STRAIGHT_FLUSH:
        return top_of_run(sorted(ranks, reverse=True))
    return max(ranks)


@cache
def at_least(least: int, share: int) -> list[float]:
    """The chances that a hand has at least `least` of so many cards, by that number of cards.

    Each is there with the probability share / GRAIN, independently of the others: nearly what it is
    without replacement, and exact where the hand is all that is unseen.
    """
    return [_some(count, least, share / GRAIN) for count in range(MOST + 1)]


def _some(count: int, least: int, part: float) -> float:
    if count < least:
        return 0.0
    fewer = fsum(comb(count, n) * part**n * (1.0 - part) ** (count - n) for n in range(least))
    return 1.0 - fewer
