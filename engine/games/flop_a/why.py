"""Why somebody bets, folds or declares in Flop-A: how good the hand is, and what a call costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.bots.reasons import Cards, Decided, Reason
from engine.cards import Card
from engine.games.flop_a.betting import CHECK, FOLD, Act
from engine.games.flop_a.bot import flop_out_chance
from engine.games.flop_a.cards import high_value, low_value
from engine.games.flop_a.table import FlopTable
from engine.question import Choose
from engine.zone import Slot

ALL: Final = 100
WORTH_SAYING: Final = 10
"""What comes about less often than this, of 100 times, is no reason."""


def why(decided: Decided) -> Sequence[Reason]:
    """In how many deals the hand is the highest and the lowest, and what the pot costs."""
    view, table = decided.view, decided.view.table
    if not isinstance(table, FlopTable):
        return ()
    own = view.cards(table.hands[view.seat])
    others = [table.hands[seat] for seat in table.players() if seat != view.seat]
    high = decided.of_100(lambda cards: high_value(own) > _best(cards, others, high_value, max))
    low = decided.of_100(lambda cards: low_value(own) < _best(cards, others, low_value, min))
    hand = ("hand", high, low)
    if not isinstance(decided.asked, Choose):
        return [hand]
    good = max(high, low) * (1 + len(others)) >= ALL
    call = decided.asked.options[CHECK]
    price = call.chips if isinstance(call, Act) else 0
    if decided.decision == FOLD:
        return [] if good or not price else [hand, ("price", price, table.pot)]
    out = round(ALL * flop_out_chance(own, table))
    hopes: list[Reason] = [("flop out", out)] if out >= WORTH_SAYING else []
    if decided.decision > CHECK:
        return [hand, *hopes] if good else hopes or [("bluff",)]
    if not price:
        return [("free",)]
    # Each half of the pot is worth its share of the deals (rule book, section 4).
    cheap = (high + low) * (table.pot + price) >= 2 * ALL * price
    return [hand, ("price", price, table.pot), *hopes] if cheap else hopes


def _best(
    cards: Cards,
    hands: Sequence[Sequence[Slot]],
    value: Callable[[Sequence[Card]], int],
    best: Callable[[Sequence[int]], int],
) -> int:
    """The best value among these hands."""
    return best([value([cards[slot] for slot in hand]) for hand in hands])
