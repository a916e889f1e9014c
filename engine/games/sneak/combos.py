"""Combinations: what a set of cards is, and which of two sets is better (rules section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from engine.cards import Card


class Kind(Enum):
    """What a set of cards is; the value is its name for people."""

    SINGLE = "single card"
    MATCH = "match"
    STRAIGHT_FLUSH = "straight flush"
    STRAIGHT = "straight"
    FLUSH = "flush"
    NOTHING = "nothing"

    # An enum's own is a function in Python, which compiled code would call thousands of times a
    # round that is looked ahead in.
    __hash__ = object.__hash__


# Bound here because looking up a member of an enum costs as much as comparing ten cards.
SINGLE: Final = Kind.SINGLE
MATCH: Final = Kind.MATCH
STRAIGHT_FLUSH: Final = Kind.STRAIGHT_FLUSH
STRAIGHT: Final = Kind.STRAIGHT
FLUSH: Final = Kind.FLUSH
NOTHING: Final = Kind.NOTHING

ACE: Final = 14
_ACE_LOW: Final = 1 ^ 1 << (ACE - 1)
"""Turns, by xor, the bit of the high ace (bit 13) into that of the low one (bit 0)."""

Strength = tuple[int, ...]
"""What sets of equal size are compared by; equal strengths are a tie."""

Order = dict[Kind, int]
AUTHOR: Final[Order] = {
    SINGLE: 0,
    MATCH: 4,
    STRAIGHT_FLUSH: 3,
    STRAIGHT: 2,
    FLUSH: 1,
    NOTHING: 0,
}
"""The author's table."""
HOUSE: Final[Order] = {
    SINGLE: 0,
    STRAIGHT_FLUSH: 4,
    MATCH: 3,
    FLUSH: 2,
    STRAIGHT: 1,
    NOTHING: 0,
}
"""House variant for two packs, with which matches are common and flushes are rare."""
_UNBEATEN: Final = 5
"""Above every category: a straight flush if one was flaunted."""


def kind_of(cards: Sequence[Card]) -> Kind:
    """The highest category that the set satisfies.

    >>> from engine.games.sneak.cards import FACES
    >>> named = {card.name: card for card in FACES}
    >>> [kind_of([named[name] for name in names.split()]).value
    ...  for names in ("7S 7H", "AS 2S", "KH AH 2H", "QH KC AH", "4C 9H", "JC")]
    ['match', 'straight flush', 'flush', 'straight', 'nothing', 'single card']
    """
    if len(cards) == 1:
        return SINGLE
    first = cards[0]
    rank, suit, ranks = first.rank, first.suit, 0
    one_rank = one_suit = True
    for card in cards:
        ranks |= 1 << (card.rank - 1)
        if card.rank != rank:
            one_rank = False
        if card.suit != suit:
            one_suit = False
    if one_rank:
        return MATCH
    if ranks.bit_count() == len(cards) and (_unbroken(ranks) or _unbroken(ranks ^ _ACE_LOW)):
        return STRAIGHT_FLUSH if one_suit else STRAIGHT
    return FLUSH if one_suit else NOTHING


def _unbroken(ranks: int) -> bool:
    """Whether the bits set are neighbours."""
    return ranks & (ranks + (ranks & -ranks)) == 0


def is_combo(cards: Sequence[Card]) -> bool:
    """Whether these cards may be flaunted: a single card, or anything above nothing."""
    return kind_of(cards) is not NOTHING


def strength(cards: Sequence[Card], order: Order, led: Kind | None = None) -> Strength:
    """How good a set is among sets of its size; `led` is what was flaunted, None for a sneak.

    Only a straight flush beats a flaunted straight flush; one laid against a flaunted straight or
    flush counts merely as that (section 5).
    """
    if len(cards) == 1:
        return (cards[0].rank,)
    kind = kind_of(cards)
    value = order[kind]
    if kind is STRAIGHT_FLUSH:
        if led is STRAIGHT_FLUSH:
            value = _UNBEATEN
        elif led is STRAIGHT or led is FLUSH:
            kind, value = led, order[led]
    if kind is MATCH:
        return value, cards[0].rank
    ranks = sorted([card.rank for card in cards], reverse=True)
    if kind is FLUSH or kind is NOTHING:
        return (value, *ranks)
    return value, top_of_run(ranks)


def why_better(
    best: Sequence[Card], other: Sequence[Card], order: Order, led: Kind | None
) -> tuple[str | int, ...]:
    """By what the first set wins against the second, for people.

    ("last",) if they are equal; ("flaunted",) if only another straight flush would have beaten it;
    ("kind", one, the other, reduced) or ("rank", kind, one, the other, reduced), the first ranks
    that differ.  `reduced` is what a straight flush counts as there, or "".
    """
    one, two = strength(best, order, led), strength(other, order, led)
    if one == two:
        return ("last",)
    kinds = [kind_of(best), kind_of(other)]
    reduced = ""
    if (led is STRAIGHT or led is FLUSH) and STRAIGHT_FLUSH in kinds:
        kinds = [led if kind is STRAIGHT_FLUSH else kind for kind in kinds]
        reduced = led.value
    if kinds[0] is not kinds[1]:
        told = kinds[0].value, kinds[1].value
        return ("flaunted",) if led is STRAIGHT_FLUSH else ("kind", *told, reduced)
    ranks = next((a, b) for a, b in zip(one, two, strict=True) if a != b)
    return "rank", kinds[0].value, *ranks, reduced


def top_of_run(ranks: Sequence[int]) -> int:
    """The card by which a run of descending ranks counts: the ace at its better end.

    >>> top_of_run([14, 13, 12]), top_of_run([14, 3, 2]), top_of_run([14, 2])
    (14, 3, 2)
    """
    low_ace = ranks[0] == ACE and ranks[1] != ACE - 1
    return ranks[1] if low_ace else ranks[0]
