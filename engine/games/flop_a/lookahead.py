"""How a game of Flop-A is looked ahead in: to the end of the hand, for the win of the session."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from engine.bots.lookahead import Lookahead, chances
from engine.games.flop_a.bot import bot_by_score, sensible_bot
from engine.games.flop_a.table import FlopTable, Stage
from engine.games.flop_a.why import why

TELLS: Final = 0.7
PLAYOUTS: Final = 800
"""Much is chance: of the same 60 games for four, 29 were won with 800 and 19 with 200."""
A_LOT: Final = 8.0
"""So many chips more, times the players and the square root of the hands left, make it e times as
likely to end first: pots grow with the players, and the sum of many hands with the square root of
their number.  Over 3,000 games of normal bots its log-likelihood is -0.57 for two and -1.01 for
four; that of even chances is -0.69 and -1.39."""


def enough(then: FlopTable, now: FlopTable) -> bool:
    """Whether the hand is over."""
    return now.hand > then.hand or now.stage is Stage.DEAL


def worth(table: FlopTable) -> Sequence[float]:
    """The chance of each seat to be the first when all hands are played."""
    left = max(1, table.hands_to_play - table.hand)
    return chances(table.tally, A_LOT * table.seats * sqrt(left))


LOOKAHEAD: Final = Lookahead(
    sensible_bot,
    sensible_bot,
    enough=enough,
    worth=worth,
    playouts=PLAYOUTS,
    tells=TELLS,
    why=why,
    own=bot_by_score,
)
