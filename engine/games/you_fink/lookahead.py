"""How a game of You Fink! is looked ahead in: some cards, and who owns how many by then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.bots.lookahead import Lookahead
from engine.games.you_fink.acts import FOREHEAD, INTEL, RESHUFFLE, SLAP, TURN, fink_table
from engine.games.you_fink.bot import careful_bot
from engine.games.you_fink.cards import POWERS
from engine.games.you_fink.table import FinkTable, owned, slappable
from engine.games.you_fink.why import why
from engine.question import Question
from engine.view import View

CARDS: Final = 12
"""So many cards are turned."""
STEPS: Final = 3000
"""There is a decision at each card, and a bot takes some 0.02 ms for each: whoever is to be first
in a race has thought before others have seen the card.  A review has more time."""


def considered(view: View, question: Question[Any]) -> Sequence[object]:
    """Which power, whether to cover a match, and whether to touch one's forehead before that.

    Nobody waits with a slap that wins the pile, slaps in vain on purpose, keeps others waiting for
    a card, or touches before a card of one's own, which would undo the touch.  Who can ask for one
    card touches before: that card may be turned before there is time for it.
    """
    decisions, table = question.decisions(view), fink_table(view.table)
    if slappable(table):
        return (SLAP,) if SLAP in decisions else decisions
    if TURN in decisions:
        return (TURN,)
    powers = [act for act in decisions if isinstance(act, int) and act > RESHUFFLE]
    if not powers:
        return [decision for decision in decisions if decision != SLAP]
    values = POWERS[table.face(table.pile[-1]).id]
    asks_one = any(values[act - INTEL] == 1 for act in powers)
    return (FOREHEAD,) if asks_one and FOREHEAD in decisions else powers


def enough(then: FinkTable, now: FinkTable) -> bool:
    """Whether one has seen enough cards, and no pile is left to be won."""
    return now.turned >= then.turned + CARDS and not now.pile


def worth(table: FinkTable) -> Sequence[float]:
    """The part of the cards that each seat owns."""
    cards = [owned(table, seat) for seat in range(table.seats)]
    return [own / max(1, sum(cards)) for own in cards]


LOOKAHEAD: Final = Lookahead(
    careful_bot, careful_bot, considered, enough, worth, steps=STEPS, why=why
)
