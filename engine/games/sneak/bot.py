"""A player of Sneak with some sense: how likely is a set to win, and what is it worth if kept?

It draws while it can, for whoever has cards left at the end of a round wins them, but for turns in
which a lead takes no card away from it: then it may sneak, its worst cards or its best.  After the
stock it leads small sets, and it challenges with the least that is likely to win, or to see what a
sneak is.  Every set is compared with what the others may hold of the cards that it cannot see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from random import Random
from typing import Any, Final

from engine.bots import random_bot
from engine.cards import Card
from engine.games.sneak.combos import Kind, kind_of, strength
from engine.games.sneak.hands import ByRank, runs_in
from engine.games.sneak.table import SneakTable
from engine.games.sneak.unseen import Unseen
from engine.question import Question
from engine.sets import Lay, LaySet, LayTogether
from engine.view import View
from engine.zone import Slot

LARGEST: Final = 2
"""The most cards of a lead.  Who runs out of cards first leaves the rest of the round to others
(rules section 6), so small leads win: two beat three, and three five, in all of six games."""
FEW: Final = 2
"""How many sizes of sets somebody thinks of who does not think long."""
BOLD: Final = 0.7
"""How likely somebody who can beat a set is to do so (these numbers are tuned by play)."""
CURIOUS: Final = 0.5
"""The part of those who can challenge a sneak that do."""
CHOSEN: Final = 2.0
"""A leader sneaks the best of this many sets that he might have."""
SNEAKS_LAST: Final = 0.8
"""How often it sneaks in the last lap of draws, if that costs it no card: whoever draws there has
to flaunt first.  These five numbers mix so that others gain little: of four players that always
sneak their lowest card, always their highest, challenge each sneak or hardly any, the first won 56
of 100 games for two, the others 45 to 53 (500 games each)."""
SNEAKS: Final = 0.1
"""The same before the last lap."""
TRAPS: Final = 0.5
"""How many of its sneaks are its best cards; the others are its worst."""
PAIRS: Final = 0.1
"""How many of its sneaks have two cards: they cost some points, and make it less predictable."""
SUSPECTS: Final = 0.35
"""How often somebody challenges a sneak though it is not likely to be beaten."""
KEEP_LOW: Final = 0.55
KEEP_HIGH: Final = 1.0
"""What the lowest and the highest card are worth while in the hand."""
LAPSE: Final = 0.35
"""How often the easy level does not think (found by play against the normal level)."""

Slots = tuple[Slot, ...]


def sensible_bot(view: View, question: Question[Any], rng: Random) -> object:
    """The lead or challenge with the best prospect, if it is better than drawing or passing."""
    table = view.table
    if isinstance(table, SneakTable) and isinstance(question, LaySet):
        return _lead(view, table, question, rng)
    if isinstance(table, SneakTable) and isinstance(question, LayTogether):
        return _challenge(_Seen(view, table), question.claims[view.seat], rng)
    return random_bot(view, question, rng)


def hasty_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Lead or challenge with any few cards that may be laid, or draw or pass, by chance."""
    claim = question.parts(view.seat)[0]
    if not isinstance(claim, LaySet):
        return random_bot(view, question, rng)
    sizes = range(claim.sizes.start, min(claim.sizes.stop, claim.sizes.start + FEW))
    return random_bot(view, LaySet(view.seat, claim.zone, sizes, claim.terms), rng)


class _Seen:
    """The table as one seat sees it, and the cards that it cannot see."""

    def __init__(self, view: View, table: SneakTable) -> None:
        self.view = view
        self.table = table
        self.order = table.order
        self.others = [len(table.hands[seat]) for seat in table.rivals(view.seat)]
        self.unseen = Unseen(view, table)

    def stands(self, cards: list[Card], hands: list[int], led: Kind | None = None) -> float:
        """The chance that none of these hands lays a set that beats the cards.

        `led` is what they are if they are flaunted, None for a set that may be met by anything.
        """
        able, stands = [held for held in hands if held >= len(cards)], 1.0
        for beaten in self.unseen.beaten(cards, able, self.order, led):
            stands *= 1.0 - BOLD * beaten
        return stands

    def cost(self, slots: Slots) -> float:
        """What these cards are worth while in the hand: the more, the more cards they beat."""
        step, cost = KEEP_HIGH - KEEP_LOW, 0.0
        for card in self.view.cards(slots):
            cost += KEEP_LOW + step * self.unseen.lower(card)
        return cost


def _lead(view: View, table: SneakTable, question: LaySet, rng: Random) -> Lay | None:
    """Draw while there is stock, or sneak; then lead what is likely to stand and costs least."""
    if question.terms.may_pass:
        return _sneak(view, table, question, rng) if is_free(table) else None
    seen = _Seen(view, table)
    best: Slots = ()
    prospect = -inf
    for size in range(1, min(LARGEST, question.sizes[-1]) + 1):
        for slots in candidates(view, question.zone, size, combos=True):
            cards = view.cards(slots)
            value = seen.stands(cards, seen.others, kind_of(cards)) * size - seen.cost(slots)
            if value > prospect:
                best, prospect = slots, value
    return Lay(best)


def is_free(table: SneakTable) -> bool:
    """Whether a lead now takes no card away from its seat.

    If everybody draws from now on, each gets as many cards as if this seat had drawn first.  In any
    other turn one of the others gets the card that it does not draw, and holds more at the end: who
    sneaked once or more in the last lap whatever the stock won 3 of 50 games for two.
    """
    return len(table.stock) % len(table.present()) == 0


def _sneak(view: View, table: SneakTable, question: LaySet, rng: Random) -> Lay | None:
    """Sneak the worst or the best of the hand, or draw, so that nobody can tell which."""
    last = len(table.stock) <= len(table.present())
    if rng.random() >= (SNEAKS_LAST if last else SNEAKS):
        return None
    size = 2 if 2 in question.sizes and rng.random() < PAIRS else 1
    sets = by_strength(view, table, question, size, combos=False)
    return Lay(sets[-1 if rng.random() < TRAPS else 0], down=True)


def _challenge(seen: _Seen, claim: LaySet, rng: Random) -> Lay | None:
    """The set with the best prospect; if none is better than passing, pass or suspect a bluff."""
    table, size = seen.table, claim.sizes[0]
    faces = [table.faces[slot] for slot in table.played[table.seat]]
    led = [face for face in faces if face is not None]
    able = [held for seat, held in _rivals(seen) if held >= size]
    kind = kind_of(led) if led else None
    best: Slots = ()
    prospect = 0.0
    for slots in candidates(seen.view, claim.zone, size, combos=bool(led)):
        cards = seen.view.cards(slots)
        wins = 1.0
        if kind is not None:
            beaten = strength(cards, seen.order, kind) < strength(led, seen.order, kind)
            wins = 0.0 if beaten else 1.0
        else:
            leader = len(table.hands[table.seat]) + size
            (beats,) = seen.unseen.beaten(cards, [leader], seen.order)
            wins = (1.0 - beats) ** CHOSEN
        wins *= seen.stands(cards, able, kind)
        value = wins * size * (2.0 + CURIOUS * len(able)) - seen.cost(slots)
        if value > prospect:
            best, prospect = slots, value
    if not best and not led and rng.random() < SUSPECTS / (1 + len(able)):
        sets = by_strength(seen.view, table, claim, size, combos=False)
        best = sets[3 * len(sets) // 4]
    return Lay(best) if best else None


def _rivals(seen: _Seen) -> Iterator[tuple[int, int]]:
    """The seats that may challenge too, with what they hold."""
    for seat in seen.table.rivals(seen.view.seat):
        if seat != seen.table.seat:
            yield seat, len(seen.table.hands[seat])


def by_strength(
    view: View, table: SneakTable, claim: LaySet, size: int, *, combos: bool
) -> list[Slots]:
    """The sets of a size that are worth a thought, the weakest first."""
    sets = candidates(view, claim.zone, size, combos=combos)
    return sorted(sets, key=lambda slots: strength(view.cards(slots), table.order))


def candidates(view: View, zone: Sequence[Slot], size: int, *, combos: bool) -> list[Slots]:
    """The sets worth a thought: one of each kind and rank; the best and the worst nothing."""
    cards = view.cards(zone)
    by_rank: ByRank = {rank: [] for rank in sorted({card.rank for card in cards})}
    for place, slot in enumerate(zone):
        by_rank[cards[place].rank].append(slot)
    found = [tuple(same[:size]) for same in by_rank.values() if len(same) >= size]
    if size == 1:
        return found
    by_suit: dict[int, dict[int, Slot]] = {}
    held = [slot for same in by_rank.values() for slot in same]
    for card, slot in zip(view.cards(held), held, strict=True):
        by_suit.setdefault(card.suit, {})[card.rank] = slot
    for run in runs_in(by_rank, size):
        found.append(tuple([by_rank[rank][0] for rank in run]))
        for suited in by_suit.values():
            if all(rank in suited for rank in run):
                found.append(tuple([suited[rank] for rank in run]))
    for suited in by_suit.values():
        if len(suited) >= size:
            found.append(tuple(suited.values())[-size:])
            found.append(tuple(suited.values())[:size])
    if not combos and len(held) >= size:
        found.append(tuple(held[-size:]))
        found.append(tuple(held[:size]))
    return found
