"""How Flip Over is looked ahead in: to the end of the round.

What is laid in a round changes no later one: in the next the same cards are played again, and then
others are dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.bots.lookahead import Lookahead, chances
from engine.games.flip_over.bot import sensible_bot
from engine.games.flip_over.table import FlipTable, totals
from engine.games.flip_over.why import why

A_LOT: Final = 8.0


def enough(then: FlipTable, now: FlipTable) -> bool:
    """Whether the round is over."""
    return len(now.scores) > len(then.scores)


def worth(table: FlipTable) -> Sequence[float]:
    """The chance of each seat to win with the points it has."""
    return chances(totals(table), A_LOT, table.lost)


LOOKAHEAD: Final = Lookahead(sensible_bot, sensible_bot, enough=enough, worth=worth, why=why)
