"""A player of Sneak with some sense: how likely is a set to win, and what is it worth if kept?

Every set is compared with what the others probably hold.  It bluffs: now and then it sneaks
its worst cards as if they were its best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from random import Random
from typing import Any, Final

from engine.bots import random_bot
from engine.cards import Card
from engine.games.sneak.combos import (
    AUTHOR,
    FLUSH,
    HOUSE,
    MATCH,
    NOTHING,
    STRAIGHT,
    STRAIGHT_FLUSH,
    Kind,
    Order,
    kind_of,
    strength,
    top_of_run,
)
from engine.games.sneak.hands import runs_of
from engine.games.sneak.table import SneakTable
from engine.question import Question
from engine.sets import Lay, LaySet, LayTogether
from engine.view import View
from engine.zone import Slot

LARGEST: Final = 5
"""Larger sets are rarely worth it, and there are many to think about."""
BOLD: Final = 0.7
"""How likely somebody who can beat a set is to do so (these numbers are tuned by play)."""
CURIOUS: Final = 0.5
"""The part of those who can challenge a sneak that do."""
CHOSEN: Final = 2.0
"""A leader sneaks the best of this many sets that he might have."""
DRAW: Final = 0.75
"""What one more card is worth."""
KEEP_LOW: Final = 0.55
KEEP_HIGH: Final = 1.0
"""What the lowest and the highest card are worth while in the hand."""
BLUFF: Final = 0.06
"""How often the worst cards are sneaked."""

Slots = tuple[Slot, ...]


def sensible_bot(view: View, question: Question[Any], rng: Random) -> object:
    """The lead or challenge with the best prospect, if it is better than drawing or passing."""
    table = view.table
    if isinstance(table, SneakTable) and isinstance(question, LaySet):
        return _lead(_Seen(view, table), question, rng)
    if isinstance(table, SneakTable) and isinstance(question, LayTogether):
        return _challenge(_Seen(view, table), question.claims[view.seat])
    return random_bot(view, question, rng)


class _Seen:
    """The table as one seat sees it."""

    def __init__(self, view: View, table: SneakTable) -> None:
        self.view = view
        self.table = table
        self.order = table.order
        self.others = [len(table.hands[seat]) for seat in table.others(view.seat)]
        self._below = _ranks_below(view, table)

    def weaker(self, cards: Sequence[Card]) -> float:
        """The part of all sets of this size that is weaker than these cards."""
        if len(cards) == 1:
            return self._below[cards[0].rank]
        kind, ranks = kind_of(cards), sorted([card.rank for card in cards], reverse=True)
        is_run = kind is STRAIGHT or kind is STRAIGHT_FLUSH
        top = top_of_run(ranks) if is_run else ranks[0]
        return weaker_share(kind, len(cards), top, self.table.packs, self.table.house)

    def stands(self, cards: Sequence[Card], hands: Sequence[int]) -> float:
        """The chance that none of these hands beats the cards."""
        weaker, stands = self.weaker(cards), 1.0
        for held in hands:
            ways = comb(held, len(cards))
            if ways:
                stands *= 1.0 - BOLD * (1.0 - weaker**ways)
        return stands

    def cost(self, slots: Slots) -> float:
        """What these cards are worth while in the hand."""
        step = (KEEP_HIGH - KEEP_LOW) / 12
        return sum(KEEP_LOW + step * (card.rank - 2) for card in self.view.cards(slots))


def _lead(seen: _Seen, question: LaySet, rng: Random) -> Lay | None:
    terms, zone = question.terms, question.zone
    if terms.down and rng.random() < BLUFF:
        worst = min(zone, key=lambda slot: seen.view.face(slot).rank)
        return Lay((worst,), down=True)
    best: Lay | None = None
    prospect = DRAW if terms.may_pass else float("-inf")
    for size in range(1, min(LARGEST, question.sizes[-1]) + 1):
        able = sum(1 for held in seen.others if held >= size)
        for slots in candidates(seen.view, zone, size, combos=True):
            stands = seen.stands(seen.view.cards(slots), seen.others)
            taken = size * (1.0 + CURIOUS * able * terms.down)
            value = stands * taken - seen.cost(slots)
            if value > prospect:
                best, prospect = Lay(slots, terms.down), value
    return best


def _challenge(seen: _Seen, claim: LaySet) -> Lay | None:
    """The set with the best prospect, None if none is better than passing."""
    table, size = seen.table, claim.sizes[0]
    faces = [table.faces[slot] for slot in table.played[table.seat]]
    led = [face for face in faces if face is not None]
    able = [held for seat, held in _rivals(seen) if held >= size]
    best: Lay | None = None
    prospect = 0.0
    for slots in candidates(seen.view, claim.zone, size, combos=bool(led)):
        cards = seen.view.cards(slots)
        wins = 1.0
        if led:
            kind = kind_of(led)
            beaten = strength(cards, seen.order, kind) < strength(led, seen.order, kind)
            wins = 0.0 if beaten else 1.0
        else:
            wins = seen.weaker(cards) ** CHOSEN
        wins *= seen.stands(cards, able)
        value = wins * size * (2.0 + CURIOUS * len(able)) - seen.cost(slots)
        if value > prospect:
            best, prospect = Lay(slots), value
    return best


def _rivals(seen: _Seen) -> Iterator[tuple[int, int]]:
    """The seats that may challenge too, with what they hold."""
    for seat, hand in enumerate(seen.table.hands):
        if seat not in (seen.view.seat, seen.table.seat):
            yield seat, len(hand)


def candidates(view: View, zone: Sequence[Slot], size: int, *, combos: bool) -> Iterator[Slots]:
    """The sets worth a thought: one of each kind and rank; the best and the worst nothing."""
    held = sorted(zip(view.cards(zone), zone, strict=True), key=lambda one: one[0].rank)
    by_rank: dict[int, list[Slot]] = {}
    by_suit: dict[int, dict[int, Slot]] = {}
    for card, slot in held:
        by_rank.setdefault(card.rank, []).append(slot)
        by_suit.setdefault(card.suit, {})[card.rank] = slot
    yield from (tuple(same[:size]) for same in by_rank.values() if len(same) >= size)
    if size == 1:
        return
    if len(by_rank) >= size:
        for run in runs_of(size):
            if all(rank in by_rank for rank in run):
                yield tuple([by_rank[rank][0] for rank in run])
            for suited in by_suit.values():
                if all(rank in suited for rank in run):
                    yield tuple([suited[rank] for rank in run])
    for suited in by_suit.values():
        if len(suited) >= size:
            yield tuple(suited.values())[-size:]
            yield tuple(suited.values())[:size]
    if not combos and len(held) >= size:
        yield tuple([slot for _, slot in held[-size:]])
        yield tuple([slot for _, slot in held[:size]])


def _ranks_below(view: View, table: SneakTable) -> dict[int, float]:
    """For each rank, the part of the cards out of sight that are lower."""
    counts = dict.fromkeys(range(2, 15), 4 * table.packs)
    for card in table.faces:
        if card is not None:
            counts[card.rank] -= 1
    for card in view.cards(table.hands[view.seat]):
        counts[card.rank] -= 1
    below, shares, total = 0, {}, max(1, sum(counts.values()))
    for rank, count in counts.items():
        shares[rank] = below / total
        below += count
    return shares


@cache
def weaker_share(kind: Kind, size: int, top: int, packs: int, house: bool) -> float:
    """The part of all sets of two cards and more that is weaker than one of this kind.

    Counted as if every card were still out; `top` is the card that decides.
    """
    order: Order = HOUSE if house else AUTHOR
    counts = _counts(size, packs)
    lower = sum(count for other, count in counts.items() if order[other] < order[kind])
    return (lower + counts[kind] * _part_below(kind, size, top)) / sum(counts.values())


def _counts(size: int, packs: int) -> dict[Kind, int]:
    """How many sets of a size there are of each kind (section 3 has them for one pack)."""
    runs = len(runs_of(size))
    straight_flushes = 4 * runs * packs**size
    pairs = 52 * comb(packs, size)
    counts = {
        MATCH: 13 * comb(4 * packs, size),
        STRAIGHT_FLUSH: straight_flushes,
        STRAIGHT: runs * (4 * packs) ** size - straight_flushes,
        FLUSH: 4 * comb(13 * packs, size) - straight_flushes - pairs,
    }
    counts[NOTHING] = comb(52 * packs, size) - sum(counts.values())
    return counts


def _part_below(kind: Kind, size: int, top: int) -> float:
    """The part of the sets of a kind whose top card is lower."""
    if kind is MATCH:
        return (top - 2) / 13
    if kind is FLUSH or kind is NOTHING:
        return comb(top - 2, size) / comb(13, size) if size <= 13 else 0.0
    lowest = min(run[-1] for run in runs_of(size))
    return (top - lowest) / len(runs_of(size))
