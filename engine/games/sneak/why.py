"""Why somebody draws, leads or challenges in Sneak: who can beat the set, and what a lead costs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from engine.bots.reasons import Cards, Decided, Reason
from engine.cards import Card
from engine.games.sneak.bot import candidates, is_free
from engine.games.sneak.combos import Kind, kind_of, strength
from engine.games.sneak.table import SneakTable
from engine.sets import LaySet
from engine.view import View
from engine.wording.words import PROBABLY
from engine.zone import Seat, Slot

NOTHING_LAID: Final[Reason] = ("keeps",)


def why(decided: Decided) -> Sequence[Reason]:
    """Whether a lead is free, who can beat it and what is at stake; what a challenge beats."""
    view, table, asked = decided.view, decided.view.table, decided.asked
    if not isinstance(table, SneakTable) or not isinstance(asked, LaySet):
        return ()
    if table.played[table.seat]:
        return _challenge(decided, table, asked)
    if decided.decision is None:
        return [NOTHING_LAID if is_free(table) else ("draws",)]
    slots = decided.decision.slots
    first: list[Reason] = [("free",)] if table.stock and is_free(table) else []
    return [*first, *_stands(decided, table, view.cards(slots), decided.decision.down)]


def _stands(
    decided: Decided, table: SneakTable, led: Sequence[Card], down: bool
) -> Sequence[Reason]:
    """That probably nobody beats the lead, or that it stakes no more than a card."""
    kind = None if down else kind_of(led)
    able = [seat for seat in table.rivals(decided.view.seat) if len(table.hands[seat]) >= len(led)]
    chance = {seat: decided.of_100(partial(_has, table, seat, led, kind)) for seat in able}
    seat = max(able, key=chance.__getitem__)
    if chance[seat] <= PROBABLY:
        return [("may be beaten", seat, chance[seat])]
    return [("stakes one",)] if len(led) == 1 else []


def _challenge(decided: Decided, table: SneakTable, asked: LaySet) -> Sequence[Reason]:
    """What the set beats; of a pass, what the best set would."""
    view, lead = decided.view, table.played[table.seat]
    faces = [face for slot in lead if (face := table.faces[slot]) is not None]
    if decided.decision is not None:
        slots = decided.decision.slots
    else:
        sets = candidates(view, asked.zone, len(lead), combos=bool(faces))
        kind = kind_of(faces) if faces else None
        ranked = [(strength(view.cards(one), table.order, kind), one) for one in sets]
        if not ranked:
            return [("none fits",)]
        slots = max(ranked)[1]
    beats = decided.of_100(lambda cards: _wins(cards, table, view.cards(slots), lead, bool(faces)))
    what = "flaunt" if faces else "sneak"
    if decided.decision is not None:
        return [(f"challenges a {what}", beats)] if beats else []
    return [(f"passes a {what}", beats)] if beats <= PROBABLY else [("spares", what)]


def _wins(
    cards: Cards, table: SneakTable, own: Sequence[Card], lead: Sequence[Slot], flaunted: bool
) -> bool:
    """Whether these cards beat the lead; of equal sets the later one does."""
    led = [cards[slot] for slot in lead]
    kind = kind_of(led) if flaunted else None
    return strength(own, table.order, kind) >= strength(led, table.order, kind)


def _has(
    table: SneakTable, seat: Seat, led: Sequence[Card], kind: Kind | None, cards: Cards
) -> bool:
    """Whether this seat holds a set that beats the lead."""
    view, least = View(table, seat, cards.__getitem__), strength(led, table.order, kind)
    sets = candidates(view, table.hands[seat], len(led), combos=kind is not None)
    return any(strength(view.cards(one), table.order, kind) >= least for one in sets)
