"""How a game of Flop-A is looked ahead in: to the end of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.bots.lookahead import Lookahead, chances
from engine.games.flop_a.bot import sensible_bot
from engine.games.flop_a.table import FlopTable, Stage

A_LOT: Final = 40.0


def enough(then: FlopTable, now: FlopTable) -> bool:
    """Whether the hand is over."""
    return now.hand > then.hand or now.stage is Stage.DEAL


def worth(table: FlopTable) -> Sequence[float]:
    """The chance of each seat to win with the chips it has."""
    return chances(table.tally, A_LOT)


LOOKAHEAD: Final = Lookahead(sensible_bot, sensible_bot, enough=enough, worth=worth)
