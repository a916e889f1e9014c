"""How Flip Over is looked ahead in: to the end of the game, as all cards are known by then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.bots import random_bot
from engine.bots.lookahead import Lookahead, chances
from engine.games.flip_over.bot import sensible_bot
from engine.games.flip_over.table import FlipTable, totals

A_LOT: Final = 8.0


def worth(table: FlipTable) -> Sequence[float]:
    """The chance of each seat to win with the points it has."""
    return chances(totals(table), A_LOT)


LOOKAHEAD: Final = Lookahead(sensible_bot, random_bot, worth=worth)
