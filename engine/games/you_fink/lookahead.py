"""How a game of You Fink! is looked ahead in: some cards, and who owns how many by then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.bots.lookahead import Lookahead
from engine.games.you_fink.acts import FOREHEAD, SLAP, TURN, fink_table
from engine.games.you_fink.bot import sensible_bot
from engine.games.you_fink.table import FinkTable, owned, slappable
from engine.games.you_fink.why import why
from engine.question import PASS, Question
from engine.view import View

CARDS: Final = 12
"""So many cards are turned."""
STEPS: Final = 3000
"""There is a decision at each card, and a bot takes some 0.03 ms for each."""


def considered(view: View, question: Question[Any]) -> Sequence[object]:
    """Which power, and whether to touch one's forehead while another's card is due.

    Nobody waits with a slap that wins the pile, slaps in vain on purpose, or keeps others waiting
    for a card.  Before a card of one's own the hand is made ready: nobody can turn it
    meanwhile, and a touch is good for this card and the next.
    """
    decisions = question.decisions(view)
    if TURN in decisions and FOREHEAD in decisions:
        return (FOREHEAD,)
    if slappable(fink_table(view.table)) and SLAP in decisions:
        return (SLAP,)
    left = [decision for decision in decisions if decision != SLAP]
    return [one for one in left if one is not PASS] if TURN in left else left


def enough(then: FinkTable, now: FinkTable) -> bool:
    """Whether one has seen enough cards, and no pile is left to be won."""
    return now.turned >= then.turned + CARDS and not now.pile


def worth(table: FinkTable) -> Sequence[float]:
    """The part of the cards that each seat owns."""
    cards = [owned(table, seat) for seat in range(table.seats)]
    return [own / max(1, sum(cards)) for own in cards]


LOOKAHEAD: Final = Lookahead(sensible_bot, sensible_bot, considered, enough, worth, STEPS, why=why)
