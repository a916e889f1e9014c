"""How a game of Flop-A is looked ahead in: to the end of the hand, for the win of the session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from engine.bots.lookahead import Lookahead
from engine.games.flop_a.bot import sensible_bot
from engine.games.flop_a.table import FlopTable, Stage
from engine.games.flop_a.why import why

TELLS: Final = 0.7
PLAYOUTS: Final = 800
"""Much is chance: of the same 60 games for four, 29 were won with 800 and 19 with 200."""
SWING: Final = 50
"""The chips by which the lead changes in a hand that is not shared."""
EVEN: Final = {2: 0.8}
"""How often a hand of two players changes nothing: the pot is halved (normal bots, 400 hands)."""
OFTEN: Final = 0.2
"""The same for more players."""


def enough(then: FlopTable, now: FlopTable) -> bool:
    """Whether the hand is over."""
    return now.hand > then.hand or now.stage is Stage.DEAL


def worth(table: FlopTable) -> Sequence[float]:
    """The chance of each seat to be the first when all hands are played."""
    left = max(0, table.hands_to_play - table.hand)
    cost = table.ante * table.seats
    found = []
    for seat, own in enumerate(table.tally):
        best = max(chips for other, chips in enumerate(table.tally) if other != seat)
        found.append(chance(own - best, left, cost, EVEN.get(table.seats, OFTEN)))
    return found


@cache
def chance(lead: int, hands: int, cost: int, even: float) -> float:
    """The chance to end ahead with this lead, by backward induction over the hands left.

    A hand is folded at once, which costs this much of the lead, or is played: then it changes
    nothing, or the lead by SWING either way.
    """
    if not hands:
        return 0.5 if lead == 0 else float(lead > 0)
    if lead < 0:
        return 1.0 - chance(-lead, hands, cost, even)
    swung = chance(lead + SWING, hands - 1, cost, even) + chance(
        lead - SWING, hands - 1, cost, even
    )
    played = even * chance(lead, hands - 1, cost, even) + (1.0 - even) / 2 * swung
    return max(played, chance(lead - cost, hands - 1, cost, even))


LOOKAHEAD: Final = Lookahead(
    sensible_bot, sensible_bot, enough=enough, worth=worth, playouts=PLAYOUTS, tells=TELLS, why=why
)
