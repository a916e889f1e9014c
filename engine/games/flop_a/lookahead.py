"""How a game of Flop-A is looked ahead in: to the end of the hand, for the win of the session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import Final

from engine.bots.lookahead import Lookahead, chances
from engine.games.flop_a.bot import TWO, bot_by_score, careful_bot
from engine.games.flop_a.table import FlopTable, Stage
from engine.games.flop_a.why import why

TELLS: Final = 0.7
PLAYOUTS: Final = 800
"""Much is chance: of the same 60 games for four, 29 were won with 800 and 19 with 200."""
A_LOT: Final = 8.0
"""So many chips more, times the players and the square root of the hands left, make it e times as
likely to end first: pots grow with the players, and the sum of many hands with the square root of
their number.  Over 3,000 games of normal bots for four its log-likelihood is -1.01, that of even
chances -1.39.  For two `duel` knows what such bots do not: that one may fold to the end."""
SWING: Final = 50
"""The chips by which the lead of one of two changes in a hand that is not shared."""
EVEN: Final = 0.8
"""How often a hand of two changes nothing: the pot is halved (normal bots, 400 hands)."""


def enough(then: FlopTable, now: FlopTable) -> bool:
    """Whether the hand is over."""
    return now.hand > then.hand or now.stage is Stage.DEAL


def worth(table: FlopTable) -> Sequence[float]:
    """The chance of each seat to be the first when all hands are played."""
    left = table.hands_to_play - table.hand
    if table.seats == TWO:
        own, other = table.tally
        first = duel(own - other, max(0, left), TWO * table.ante)
        return [first, 1.0 - first]
    return chances(table.tally, A_LOT * table.seats * sqrt(max(1, left)), table.lost)


@cache
def duel(lead: int, hands: int, cost: int) -> float:
    """The chance of one of two to end ahead with this lead, by backward induction over the hands.

    A hand is folded at once, which costs this much of the lead, or is played: then it changes
    nothing, or the lead by SWING either way.  So whoever is far enough ahead folds to the end.
    """
    if not hands:
        return 0.5 if lead == 0 else float(lead > 0)
    if lead < 0:
        return 1.0 - duel(-lead, hands, cost)
    swung = duel(lead + SWING, hands - 1, cost) + duel(lead - SWING, hands - 1, cost)
    played = EVEN * duel(lead, hands - 1, cost) + (1.0 - EVEN) / 2 * swung
    return max(played, duel(lead - cost, hands - 1, cost))


LOOKAHEAD: Final = Lookahead(
    careful_bot,
    careful_bot,
    enough=enough,
    worth=worth,
    playouts=PLAYOUTS,
    tells=TELLS,
    why=why,
    own=bot_by_score,
)
