"""How a game of Flop-A is looked ahead in: to the end of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from engine.bots.lookahead import Lookahead
from engine.games.flop_a.bot import sensible_bot
from engine.games.flop_a.table import FlopTable, Stage

A_LOT: Final = 40.0
"""So many chips more make a win e times as likely."""


def enough(then: FlopTable, now: FlopTable) -> bool:
    """Whether the hand is over."""
    return now.hand > then.hand or now.stage is Stage.DEAL


def worth(table: FlopTable) -> Sequence[float]:
    """The chance of each seat to win with the chips it has."""
    most = max(table.tally)
    weights = [exp((chips - most) / A_LOT) for chips in table.tally]
    return [weight / sum(weights) for weight in weights]


LOOKAHEAD: Final = Lookahead(sensible_bot, enough=enough, worth=worth)
