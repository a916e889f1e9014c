"""How a game of You Fink! is looked ahead in: some cards, and who owns how many by then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.bots.lookahead import Lookahead
from engine.games.you_fink.acts import SLAP, fink_table
from engine.games.you_fink.bot import sensible_bot
from engine.games.you_fink.table import FinkTable, owned, slappable
from engine.question import Question
from engine.view import View

CARDS: Final = 20
"""So many cards are turned."""


def considered(view: View, question: Question[Any]) -> Sequence[object]:
    """Nobody slaps in vain on purpose: it costs a card."""
    decisions = question.decisions(view)
    if slappable(fink_table(view.table)):
        return decisions
    return [decision for decision in decisions if decision != SLAP]


def enough(then: FinkTable, now: FinkTable) -> bool:
    """Whether one has seen enough cards, and no pile is left to be won."""
    return now.turned >= then.turned + CARDS and not now.pile


def worth(table: FinkTable) -> Sequence[float]:
    """The part of the cards that each seat owns."""
    cards = [owned(table, seat) for seat in range(table.seats)]
    return [own / max(1, sum(cards)) for own in cards]


LOOKAHEAD: Final = Lookahead(sensible_bot, considered, enough, worth)
