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

WORTH_SAYING: Final = 10
"""What comes about less often than this, of 100 times, is no reason."""


def why(decided: Decided) -> Sequence[Reason]:
    """In how many deals the hand is the highest and the lowest, and the price of the pot."""
    view, table = decided.view, decided.view.table
    if not isinstance(table, FlopTable):
        return ()
    own = view.cards(table.hands[view.seat])
    others = [table.hands[seat] for seat in table.players() if seat != view.seat]
    high = decided.of_100(lambda cards: high_value(own) > _best(cards, others, high_value, max))
    low = decided.of_100(lambda cards: low_value(own) < _best(cards, others, low_value, min))
    found: list[Reason] = [("hand", high, low)]
    out = round(100 * flop_out_chance(own, table))
    if isinstance(decided.asked, Choose):
        call = decided.asked.options[CHECK]
        if isinstance(call, Act) and call.chips and decided.decision in (FOLD, CHECK):
            found.append(("price", call.chips, table.pot))
        elif out >= WORTH_SAYING:
            found.append(("flop out", out))
    return found


def _best(
    cards: Cards,
    hands: Sequence[Sequence[Slot]],
    value: Callable[[Sequence[Card]], int],
    best: Callable[[Sequence[int]], int],
) -> int:
    """The best value among these hands."""
    return best([value([cards[slot] for slot in hand]) for hand in hands])
